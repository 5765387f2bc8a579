import { createUsersMessages } from '@lms-admin/contract/messages/create-users';
import { NEW_USER_FIELDS, type NewUserField } from '@lms-admin/domain/new-users';
import CircularProgress from '@mui/material/CircularProgress';
import { type Dispatch, memo, useState } from 'react';
import { useHasTool } from '../../api/session.ts';
import { StopIcon } from '../../components/Icons.tsx';
import type { LookupResult } from '../../components/PeopleLookup/lookup-store.ts';
import type { CreateUsersAction, UserRow } from './create-users-state.ts';
import { type FieldNote, fieldId, fieldNote, isCertain, type RowFacts } from './row-problems.ts';
import { Cell, ErrorText, FieldLabel, Input, RowFrame, RowNumber, Spin } from './row-styles.ts';
import { texts } from './texts.ts';

export interface UserRowFieldsProps {
  row: UserRow;
  /** Counted from 1. */
  number: number;
  domain: string;
  /** Numbers of earlier rows with the same value; 0 if none. */
  sameId: number;
  sameEmail: number;
  idCheck: LookupResult | undefined;
  emailCheck: LookupResult | undefined;
  dispatch: Dispatch<CreateUsersAction>;
}

/** One row of the form (CU-03). Rendered again only when its own data changes, so that 200 rows stay fast. */
export const UserRowFields = memo(function UserRowFields(props: UserRowFieldsProps) {
  const { row, number, domain, sameId, sameEmail, idCheck, emailCheck, dispatch } = props;
  // The field in use; unfinished text is not marked as wrong.
  const [typing, setTyping] = useState<NewUserField | null>(null);
  const facts: RowFacts = {
    row,
    domain,
    duplicate: {
      ...(sameId === 0 ? {} : { psID: sameId }),
      ...(sameEmail === 0 ? {} : { email: sameEmail }),
    },
    checks: { psID: idCheck, email: emailCheck },
    canImport: useHasTool('sis-import'),
  };
  return (
    <RowFrame role="group" aria-label={texts.row(number)}>
      <RowNumber aria-hidden="true">
        {/* In stacked rows, the meaning of the number alone would not be clear. */}
        <span className="word">{texts.rowWord} </span>
        {number}
      </RowNumber>
      {NEW_USER_FIELDS.map((field) => {
        const helpText = fieldNote(field, facts);
        const hushed =
          typing === field && !isCertain(field, row[field], domain) && isUnfinished(field, facts);
        const note = hushed ? null : helpText;
        return (
          <Field
            key={field}
            id={fieldId(row.id, field)}
            field={field}
            number={number}
            value={row[field]}
            note={note}
            onChange={(value) => {
              if (note?.kind !== 'error') setTyping(field);
              dispatch({ type: 'field', id: row.id, field, value });
            }}
            onLeave={() => {
              setTyping(null);
              dispatch({ type: 'left', id: row.id, field });
            }}
          />
        );
      })}
    </RowFrame>
  );
});

const FREE: LookupResult = { result: 'not-found' };

/** Tells whether the error is in unfinished text; a duplicate, or an answer of the LMS, is shown immediately. */
function isUnfinished(field: NewUserField, facts: RowFacts): boolean {
  const free: RowFacts = { ...facts, duplicate: {}, checks: { psID: FREE, email: FREE } };
  return fieldNote(field, free) !== null;
}

interface FieldProps {
  id: string;
  field: NewUserField;
  number: number;
  value: string;
  note: FieldNote;
  onChange: (value: string) => void;
  onLeave: () => void;
}

function Field({ id, field, number, value, note, onChange, onLeave }: FieldProps) {
  const name = createUsersMessages.fields[field];
  const noteId = `${id}-note`;
  const error = note?.kind === 'error';
  return (
    <Cell>
      <FieldLabel aria-hidden="true">{name}</FieldLabel>
      <Input
        id={id}
        aria-label={texts.field(name, number)}
        aria-invalid={error || undefined}
        aria-describedby={note === null ? undefined : noteId}
        data-field={field}
        data-busy={note?.kind === 'checking' || undefined}
        value={value}
        type="text"
        inputMode={field === 'psID' ? 'numeric' : field === 'email' ? 'email' : 'text'}
        autoComplete="off"
        autoCapitalize={field === 'psID' || field === 'email' ? 'none' : 'words'}
        spellCheck={false}
        maxLength={300}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onLeave}
      />
      {note?.kind === 'checking' && (
        <Spin id={noteId} title={texts.checking}>
          <CircularProgress size={16} aria-label={texts.checking} />
        </Spin>
      )}
      {error && (
        <ErrorText id={noteId}>
          <StopIcon size={14} />
          {note.text}
        </ErrorText>
      )}
    </Cell>
  );
}
