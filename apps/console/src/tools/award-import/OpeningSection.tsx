import type { OpeningRecord } from '@lms-admin/contract/awards';
import { awardImportMessages } from '@lms-admin/contract/messages/awards';
import { openingDate, shownOpeningDate } from '@lms-admin/domain/award-opening';
import Paper from '@mui/material/Paper';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { awardChanged, openingQuery, saveOpening } from '../../api/awards.ts';
import { useProfile } from '../../api/session.ts';
import { useAnnounce } from '../../components/Announcer.tsx';
import { momentFormat } from '../../components/moments.ts';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { Skeletons } from '../../components/States/Skeletons.tsx';
import type { ToastsWork } from '../../components/Toast/useToasts.ts';
import { texts } from './texts.ts';
import { useErrorToast } from './useErrorToast.ts';

const words = awardImportMessages;

/** The opening date of the vote, saved whenever a complete valid date is entered (BTA-27, BTA-43, OP-88). */
export function OpeningSection({ show }: Pick<ToastsWork, 'show'>) {
  const opening = useQuery(openingQuery);
  const record = opening.data?.[0] ?? null;
  const saving = useSaving();
  useErrorToast(opening.error, opening.errorUpdatedAt, words.failed.openingDate, show);

  return (
    <Paper sx={{ p: { xs: 2, sm: 3 }, display: 'grid', gap: 1.5, justifyItems: 'start' }}>
      {opening.error !== null && record === null ? (
        <ErrorState
          error={opening.error}
          title={words.failed.openingDate}
          onRetry={() => void opening.refetch()}
        />
      ) : opening.isPending ? (
        <Skeletons lines={2} />
      ) : (
        <OpeningField record={record} saving={saving} />
      )}
    </Paper>
  );
}

interface OpeningFieldProps {
  record: OpeningRecord | null;
  saving: ReturnType<typeof useSaving>;
}

/** The typed date, saved once it is complete, with the saved date below it. */
function OpeningField({ record, saving: { typed, type, save } }: OpeningFieldProps) {
  const value = typed ?? record?.opening_date ?? '';
  const incomplete = typed !== null && openingDate(typed) === null;
  return (
    <>
      <TextField
        id="award-opening"
        type="date"
        label={words.openingDate}
        value={value}
        onChange={(event) => type(event.target.value)}
        helperText={texts.opening.hint}
        error={incomplete && typed !== ''}
        slotProps={{ inputLabel: { shrink: true }, htmlInput: { min: '2000-01-01', max: '2099-12-31' } }}
        sx={{ width: '100%', maxWidth: 420, '& input': { colorScheme: 'light dark' } }}
      />
      {save.error !== null && !save.isPending ? (
        <ErrorState
          error={save.error}
          title={texts.opening.failed}
          {...(!incomplete && { onRetry: () => save.mutate(value) })}
        />
      ) : (
        <Typography variant="body2" color="textSecondary">
          {save.isPending ? (
            texts.opening.saving
          ) : (
            <Saved record={record} typed={incomplete ? typed : null} />
          )}
        </Typography>
      )}
    </>
  );
}

/** Saves the typed date, and shows it until it has been saved. */
function useSaving() {
  const announce = useAnnounce();
  const [typed, setTyped] = useState<string | null>(null);
  const save = useMutation({
    mutationFn: saveOpening,
    // Saved one after the other, so that the last date typed is kept.
    scope: { id: 'award-opening' },
    async onSuccess(_, date) {
      announce(texts.opening.heard(shownOpeningDate(date)));
      await awardChanged();
      // From now on the field shows the saved date, even if another administrator saves a newer one.
      setTyped((now) => (now === date ? null : now));
    },
  });
  function type(text: string) {
    setTyped(text);
    const date = openingDate(text);
    if (date !== null) save.mutate(date);
  }
  return { typed, type, save };
}

/** The saved date. @param typed a date that is incomplete or of another year; otherwise null */
function Saved({ record, typed }: { record: OpeningRecord | null; typed: string | null }) {
  const { time_zone } = useProfile().userProfile;
  const saved = shownOpeningDate(record?.opening_date ?? '');
  // The browser's field is empty until the date is complete.
  if (typed !== null) return typed === '' ? texts.opening.incomplete(saved) : texts.opening.otherYear(saved);
  if (record === null) return texts.opening.none;
  return texts.opening.saved(saved, momentFormat(time_zone)(record.updated_at), record.updated_by);
}
