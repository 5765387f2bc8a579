import type { AccessChange, AccessPeople, AccessPlaces, ListedRecord } from '@lms-admin/contract/access';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useProfile } from '../../api/session.ts';
import { AppDialog } from '../../components/Dialogs/AppDialog.tsx';
import { knownZone, momentFormat } from '../../components/moments.ts';
import { additionsOf, changeOf, type Draft, isEmail, loginsOf, rightsDraft } from './draft.ts';
import { RecordFields } from './RecordFields.tsx';
import { texts } from './texts.ts';

const words = texts.record;

interface Problem {
  field: 'logins' | 'email';
  text: string;
}

export interface RecordDialogProps {
  /** Null for new people. */
  entry: ListedRecord | null;
  first: Draft;
  people: AccessPeople;
  places: AccessPlaces | undefined;
  onClose: () => void;
  onReview: (changes: readonly AccessChange[], draft: Draft) => void;
}

/** Edits one record, or the common record of several new people. */
export function RecordDialog({ entry, first, people, places, onClose, onReview }: RecordDialogProps) {
  const [draft, setDraft] = useState(first);
  const { time_zone } = useProfile().userProfile;
  const zone = knownZone(time_zone);
  const moment = momentFormat(time_zone);
  const [problem, setProblem] = useState<Problem | null>(null);
  const change = (some: Partial<Draft>) => {
    setProblem(null);
    setDraft((before) => ({ ...before, ...some }));
  };
  const readOnly = people.source === 'file';

  function handleReview() {
    const found = entry === null ? loginProblem(draft) : null;
    setProblem(found);
    if (found === null)
      onReview(entry === null ? additionsOf(draft, zone) : [changeOf(draft, entry, zone)], draft);
  }

  return (
    <AppDialog
      open
      onClose={onClose}
      maxWidth="md"
      title={entry === null ? words.titleNew : words.titleOf(entry.login)}
      actions={
        <>
          <Button onClick={onClose}>{readOnly ? words.close : words.cancel}</Button>
          {!readOnly && (
            <Button variant="contained" onClick={handleReview}>
              {words.review}
            </Button>
          )}
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 2.5, pt: 1, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        {readOnly && <Typography>{texts.fileOnly}</Typography>}
        {entry === null ? (
          <PeopleFields draft={draft} problem={problem} onChange={change} />
        ) : (
          <Typography color="textSecondary">
            {entry.signed_in_at === null ? words.neverSignedIn : words.signedIn(moment(entry.signed_in_at))}
          </Typography>
        )}
        <CopyFrom people={people} onCopy={(from) => change(rightsDraft(from.record))} />
        <RecordFields draft={draft} places={places} onChange={change} />
      </Box>
    </AppDialog>
  );
}

/** Finds the problem with the people of a new record, and its field. */
function loginProblem(draft: Draft): Problem | null {
  const all = loginsOf(draft.logins);
  if (all.length === 0) return { field: 'logins', text: words.noLogin };
  const odd = all.find((login) => !isEmail(login));
  if (odd === undefined) return null;
  if (all.length > 1) return { field: 'logins', text: words.notEmail(odd) };
  return isEmail(draft.email.trim()) ? null : { field: 'email', text: words.noEmail };
}

interface PeopleFieldsProps {
  draft: Draft;
  problem: Problem | null;
  onChange: (some: Partial<Draft>) => void;
}

/** The people that a new record is for. */
function PeopleFields({ draft, problem, onChange }: PeopleFieldsProps) {
  const all = loginsOf(draft.logins);
  const wantsEmail = all.length === 1 && all.some((login) => !isEmail(login));
  const of = (field: Problem['field']) => (problem?.field === field ? problem.text : null);
  const alert = (field: Problem['field']) => (of(field) === null ? {} : { role: 'alert' });
  return (
    <>
      <TextField
        multiline
        autoFocus
        minRows={2}
        maxRows={8}
        label={words.logins}
        helperText={of('logins') ?? words.loginsHint}
        error={of('logins') !== null}
        value={draft.logins}
        onChange={({ target }) => onChange({ logins: target.value })}
        slotProps={{
          htmlInput: { spellCheck: false, autoCapitalize: 'none' },
          formHelperText: alert('logins'),
        }}
      />
      {wantsEmail && (
        <TextField
          type="email"
          label={words.email}
          helperText={of('email') ?? words.emailHint}
          error={of('email') !== null}
          value={draft.email}
          onChange={({ target }) => onChange({ email: target.value })}
          slotProps={{ formHelperText: alert('email') }}
        />
      )}
    </>
  );
}

/** Fills the record with another person's permissions. */
function CopyFrom({ people, onCopy }: { people: AccessPeople; onCopy: (from: ListedRecord) => void }) {
  const [from, setFrom] = useState('');
  return (
    <TextField
      select
      size="small"
      label={words.copyFrom}
      value={from}
      onChange={({ target }) => {
        setFrom(target.value);
        const found = people.records.find(({ login }) => login === target.value);
        if (found) onCopy(found);
      }}
      slotProps={{ select: { native: true }, inputLabel: { shrink: true } }}
      sx={{ maxWidth: 440 }}
    >
      <option value="">{words.copyNone}</option>
      {people.records.map(({ login }) => (
        <option key={login} value={login}>
          {login}
        </option>
      ))}
    </TextField>
  );
}
