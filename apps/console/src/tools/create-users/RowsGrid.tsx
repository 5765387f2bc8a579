import { createUsersMessages } from '@lms-admin/contract/messages/create-users';
import { NEW_USER_FIELDS, normalNewUser } from '@lms-admin/domain/new-users';
import type { PastedUsers } from '@lms-admin/domain/new-users-paste';
import { type ClipboardEvent, type KeyboardEvent, useMemo } from 'react';
import { useAnnounce } from '../../components/Announcer.tsx';
import { keyTarget, pastedAt } from './row-keys.ts';
import { duplicatesOf } from './row-problems.ts';
import { Grid, HeadRow } from './row-styles.ts';
import { texts } from './texts.ts';
import { UserRowFields } from './UserRowFields.tsx';
import type { UsersStep } from './useUsersWork.ts';

interface RowsGridProps extends UsersStep {
  /** Adds a row at the end. */
  onAdd: () => void;
}

/** The fields of all rows. Handles keys and pasting for all of them. */
export function RowsGrid({ state, dispatch, work, onAdd }: RowsGridProps) {
  const { rows } = state;
  const { domain, checks } = work;
  const announce = useAnnounce();
  const duplicates = useMemo(() => duplicatesOf(rows), [rows]);

  function handleKey(event: KeyboardEvent<HTMLElement>) {
    const target = keyTarget(event, rows);
    if (target === null) return;
    event.preventDefault();
    if (target === 'add') onAdd();
    else document.getElementById(target)?.focus();
  }

  function handlePaste(event: ClipboardEvent<HTMLElement>) {
    const pasted = pastedAt(event, rows);
    if (pasted === null) return;
    event.preventDefault();
    dispatch({ type: 'paste', id: pasted.id, rows: pasted.rows, notTaken: pasted.notTaken });
    announce(pastedText(pasted));
  }

  return (
    <Grid role="group" aria-label={texts.form} onKeyDown={handleKey} onPaste={handlePaste}>
      <HeadRow aria-hidden="true">
        <span />
        {NEW_USER_FIELDS.map((field) => (
          <span key={field}>{createUsersMessages.fields[field]}</span>
        ))}
      </HeadRow>
      {rows.map((row, index) => {
        const normal = normalNewUser(row);
        const same = duplicates.get(row.id);
        return (
          <UserRowFields
            key={row.id}
            row={row}
            number={index + 1}
            domain={domain}
            sameId={same?.psID ?? 0}
            sameEmail={same?.email ?? 0}
            idCheck={checks('psID', normal.psID)}
            emailCheck={checks('email', normal.email)}
            dispatch={dispatch}
          />
        );
      })}
    </Grid>
  );
}

function pastedText({ rows, leftOut, notTaken }: PastedUsers): string {
  const columns = notTaken.length - leftOut;
  return [
    texts.pasted(rows.length),
    ...(leftOut === 0 ? [] : [texts.leftOver(leftOut)]),
    ...(columns === 0 ? [] : [texts.columnsLeft(columns)]),
  ].join(' ');
}
