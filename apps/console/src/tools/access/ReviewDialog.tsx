import type { AccessChange, AccessReview, ReviewedChange } from '@lms-admin/contract/access';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { accessChanged, reviewChanges, saveChanges } from '../../api/access.ts';
import { useWrite } from '../../api/useWrite.ts';
import { AppDialog } from '../../components/Dialogs/AppDialog.tsx';
import { Notice } from '../../components/Notice/Notice.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { ReviewedPerson } from './ReviewedPerson.tsx';
import { texts } from './texts.ts';
import type { Names } from './words.ts';

const words = texts.review;

interface ReviewDialogProps {
  changes: readonly AccessChange[];
  names: Names;
  onBack: () => void;
  /** @param text confirmation of the save */
  onSaved: (text: string) => void;
}

/** The review before saving: the permissions that a change gives and removes. */
export function ReviewDialog({ changes, names, onBack, onSaved }: ReviewDialogProps) {
  const [why, setWhy] = useState('');
  const review = useQuery({
    queryKey: ['access-review', changes],
    queryFn: () => reviewChanges(changes),
    staleTime: 0,
    gcTime: 0,
  });
  const { data } = review;
  const real = data === undefined ? [] : shownChanges(data);
  const save = useWrite({
    mutationFn: () => saveChanges(changes, why),
    onSuccess({ became }) {
      void accessChanged();
      onSaved(became === 'saved' ? words.saved(real.length) : words.requested);
    },
  });
  const barred = data === undefined || isBarred(data) || real.length === 0;
  return (
    <AppDialog
      open
      onClose={onBack}
      maxWidth="md"
      title={words.title(changes.length)}
      actions={
        <>
          <Button onClick={onBack} autoFocus>
            {words.back}
          </Button>
          <Button variant="contained" disabled={barred || save.isPending} onClick={() => save.write()}>
            {data?.needs_second ? words.ask : words.save(real.length)}
          </Button>
        </>
      }
    >
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        {review.isPending && <Typography role="status">{words.waiting}</Typography>}
        {review.isError && (
          <ErrorState error={review.error} title={words.failed} onRetry={() => void review.refetch()} />
        )}
        {data && <Reviewed review={data} real={real} names={names} />}
        <TextField
          label={words.why}
          value={why}
          onChange={({ target }) => setWhy(target.value)}
          slotProps={{ htmlInput: { maxLength: 500 } }}
        />
        {save.isError && (
          <ErrorState error={save.error} title={words.saveFailed} details={changes.length > 1} />
        )}
      </Box>
    </AppDialog>
  );
}

/** Lists problems first, then notices, since a long review would hide them, and omits unchanged people. */
function shownChanges({ changes }: AccessReview): ReviewedChange[] {
  const rank = ({ problem, notes }: ReviewedChange) => (problem !== null ? 0 : notes.length > 0 ? 1 : 2);
  return changes
    .filter(({ kind, problem }) => kind !== 'none' || problem !== null)
    .sort((a, b) => rank(a) - rank(b));
}

const isBarred = ({ problem, changes }: AccessReview) =>
  problem !== null || changes.some((one) => one.problem !== null);

interface ReviewedProps {
  review: AccessReview;
  real: readonly ReviewedChange[];
  names: Names;
}

function Reviewed({ review, real, names }: ReviewedProps) {
  return (
    <>
      {review.problem !== null && <Notice tone="stop" title={review.problem} />}
      {review.needs_second && (
        <Notice tone="info" title={words.second}>
          <Typography>{words.secondNext}</Typography>
        </Notice>
      )}
      {review.not_replayed > 0 && <Notice tone="info" title={words.notReplayed(review.not_replayed)} />}
      {real.length === 0 && <Typography>{words.nothing}</Typography>}
      <Box
        component="ul"
        aria-label={words.people}
        sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}
      >
        {real.map((change) => (
          <li key={change.login}>
            <ReviewedPerson change={change} names={names} />
          </li>
        ))}
      </Box>
    </>
  );
}
