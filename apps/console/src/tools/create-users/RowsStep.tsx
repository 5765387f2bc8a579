import { createUsersMessages } from '@lms-admin/contract/messages/create-users';
import { MAX_NEW_USERS } from '@lms-admin/domain/constants';
import { NEW_USER_FIELDS, normalNewUser } from '@lms-admin/domain/new-users';
import type { PastedUsers } from '@lms-admin/domain/new-users-paste';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Typography from '@mui/material/Typography';
import { useDeferredValue, useEffect, useMemo, useRef } from 'react';
import { useAnnounce } from '../../components/Announcer.tsx';
import { CloseIcon, RetryIcon } from '../../components/Icons.tsx';
import { Notice } from '../../components/Notice/Notice.tsx';
import { NotTaken } from '../../components/NotTaken/NotTaken.tsx';
import { focusStep } from '../../components/Wizard/focus-step.ts';
import { isBlank } from './create-users-state.ts';
import { keyTarget, pastedAt } from './row-keys.ts';
import { duplicatesOf, fieldId } from './row-problems.ts';
import { Grid, HeadRow } from './row-styles.ts';
import { texts } from './texts.ts';
import { UserRowFields } from './UserRowFields.tsx';
import { UsersTable } from './UsersTable.tsx';
import type { UsersStep } from './useUsersWork.ts';

/** Step 'User Information': the people, row by row or from a spreadsheet (CU-03 to CU-06). */
export function RowsStep({ state, dispatch, work }: UsersStep) {
  const { domain, checks, form } = work;
  const { rows, undo, simulate } = state;
  const announce = useAnnounce();
  const duplicates = useMemo(() => duplicatesOf(rows), [rows]);
  const previewed = useDeferredValue(rows);
  const focusNext = useFocusNext(rows.map((row) => row.id));
  const last = rows.at(-1);
  const full = rows.length >= MAX_NEW_USERS;

  function handleAdd() {
    if (full) return;
    focusNext('last');
    dispatch({ type: 'add' });
  }

  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 3 }}>
      <Notices work={work} last={last?.id} dispatch={dispatch} />
      <Box
        sx={{
          display: 'flex',
          flexWrap: 'wrap',
          alignItems: 'center',
          columnGap: 1,
          minHeight: 40,
          mb: -1.5,
        }}
      >
        <Typography variant="body2" color="textSecondary" sx={{ mr: 'auto' }}>
          {texts.columns}
        </Typography>
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, ml: 'auto' }}>
          {undo !== null && (
            <Box role="status" sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
              <Typography variant="body2" color="textSecondary">
                {undo.what === 'paste' && state.pasted ? texts.pasteSum(state.pasted) : texts.done[undo.what]}
              </Typography>
              <Button
                size="small"
                startIcon={<RetryIcon size={16} style={{ transform: 'scaleX(-1)' }} />}
                onClick={() => {
                  focusNext('last');
                  dispatch({ type: 'undo' });
                }}
              >
                {texts.undo}
              </Button>
            </Box>
          )}
          {(rows.length > 1 || (last !== undefined && !isBlank(last))) && (
            <Button
              color="inherit"
              onClick={() => {
                focusNext('last');
                dispatch({ type: 'clear' });
              }}
            >
              {texts.clear}
            </Button>
          )}
        </Box>
      </Box>
      <NotTaken
        pieces={state.pasted?.notTaken ?? []}
        onDismiss={() => {
          // The list goes away with its button.
          focusStep();
          dispatch({ type: 'dismiss' });
        }}
      />
      {/* The fields themselves are what is operated; their keys and pastes are heard here for all of them. */}
      <Grid
        role="group"
        aria-label={texts.form}
        onKeyDown={(event) => {
          const target = keyTarget(event, rows);
          if (target === null) return;
          event.preventDefault();
          if (target === 'add') handleAdd();
          else document.getElementById(target)?.focus();
        }}
        onPaste={(event) => {
          const pasted = pastedAt(event, rows);
          if (pasted === null) return;
          event.preventDefault();
          dispatch({ type: 'paste', id: pasted.id, rows: pasted.rows, notTaken: pasted.notTaken });
          announce(pastedText(pasted));
        }}
      >
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
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1 }}>
        <Button variant="outlined" disabled={full} onClick={handleAdd}>
          {texts.add}
        </Button>
        {rows.length > 1 && (
          <Button
            color="inherit"
            startIcon={<CloseIcon size={16} />}
            onClick={() => {
              if (rows.length === 2) focusNext('last');
              dispatch({ type: 'remove-last' });
            }}
          >
            {texts.removeLast(rows.length)}
          </Button>
        )}
        {/* Rows between others can be taken out too: an empty one would stop 'Next' (CU-24). */}
        {(
          [
            [form.repeated, texts.leaveOutRepeated],
            [form.blank, texts.removeBlank],
          ] as const
        ).map(
          ([ids, text]) =>
            ids.some((id) => id !== last?.id) && (
              <Button
                key={text(0)}
                color="inherit"
                startIcon={<CloseIcon size={16} />}
                onClick={() => {
                  focusNext('last');
                  dispatch({ type: 'leave-out', ids });
                }}
              >
                {text(ids.length)}
              </Button>
            ),
        )}
        {full && (
          <Typography variant="body2" color="textSecondary">
            {texts.most(MAX_NEW_USERS)}
          </Typography>
        )}
      </Box>
      <Box>
        <FormControlLabel
          label={createUsersMessages.simulate}
          control={<Checkbox checked={simulate} onChange={(_, on) => dispatch({ type: 'simulate', on })} />}
        />
        {simulate && (
          <Box sx={{ mt: 1 }}>
            <UsersTable rows={previewed} label={texts.preview} />
          </Box>
        )}
      </Box>
    </Box>
  );
}

/** What the LMS said, or did not say, about many rows at once, with what to do about it. */
function Notices(props: Pick<UsersStep, 'work' | 'dispatch'> & { last: number | undefined }) {
  const { work, last, dispatch } = props;
  const { form } = work;
  // The last row has a button of its own.
  const leavable = form.existing.length > 1 || form.existing.some((id) => id !== last);
  if (form.failed === 0 && !leavable) return null;
  return (
    <>
      {form.failed > 0 && (
        <Notice
          tone="warning"
          title={texts.failedTitle(form.failed)}
          action={
            <Button
              size="small"
              variant="outlined"
              color="inherit"
              startIcon={<RetryIcon size={16} />}
              onClick={() => {
                // The notice goes away with its button.
                focusStep();
                work.again();
              }}
            >
              {texts.again}
            </Button>
          }
        >
          <Typography>
            {work.failure === null
              ? texts.failedText
              : `${work.failure.message} ${work.failure.next} ${texts.failedMeaning}`}
          </Typography>
        </Notice>
      )}
      {leavable && (
        <Notice
          tone="warning"
          title={texts.existingTitle(form.existing.length)}
          action={
            <Button
              size="small"
              variant="outlined"
              color="inherit"
              onClick={() => {
                focusStep();
                dispatch({ type: 'leave-out', ids: form.existing });
              }}
            >
              {texts.leaveOut(form.existing.length)}
            </Button>
          }
        >
          <Typography>{texts.existingText(form.existing.length)}</Typography>
        </Notice>
      )}
    </>
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

/** Takes focus to the first field of the last row once the rows have changed: the button pressed may be gone. */
function useFocusNext(ids: readonly number[]): (where: 'last') => void {
  const wanted = useRef(false);
  const joined = ids.join();
  useEffect(() => {
    if (!wanted.current) return;
    wanted.current = false;
    const last = joined.split(',').at(-1) ?? '';
    document.getElementById(fieldId(Number(last), 'psID'))?.focus();
  }, [joined]);
  return () => {
    wanted.current = true;
  };
}
