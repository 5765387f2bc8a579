import type { Job } from '@lms-admin/contract/jobs';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { cancelJob } from '../../api/jobs.ts';
import { signInAgain } from '../../api/session.ts';
import { useWrite } from '../../api/useWrite.ts';
import { AppDialog } from '../Dialogs/AppDialog.tsx';
import { WarningIcon } from '../Icons.tsx';
import { ErrorState } from '../States/ErrorState.tsx';
import { numbersOf } from './job-words.ts';
import { texts } from './texts.ts';

export interface CancelButtonProps {
  job: Job;
  /** What it says where there is another 'Cancel' beside it. */
  label?: string;
  /** The server has noted it; the job ends at its next step. */
  onAsked: () => void;
}

/**
 * Cancels a job that can be: at once where nothing is half done by it, else after a question. Beside it, where the job waits for the
 * sign-in of the person who looks, the way to that.
 */
export function CancelButton({ job, label = texts.cancel, onAsked }: CancelButtonProps) {
  const [open, setOpen] = useState(false);
  const { write, isPending, isSuccess, error, reset } = useWrite({
    mutationFn: () => cancelJob(job.id),
    onSuccess: () => {
      setOpen(false);
      onAsked();
    },
  });
  const signIn = job.own && job.needs_sign_in && (
    <Button size="small" variant="outlined" onClick={signInAgain}>
      {texts.signIn}
    </Button>
  );
  if (job.cancel === 'no') return signIn;
  // Once it is asked for it stays so, whatever an older answer still says.
  const asked = job.cancel === 'asked' || isPending || isSuccess;
  const ask = job.changes;
  return (
    <>
      {signIn}
      <Button
        size="small"
        color="inherit"
        variant="outlined"
        // Stays reachable: a disabled button would drop the focus that pressed it.
        aria-disabled={asked}
        onClick={() => {
          if (asked) return;
          reset();
          if (ask) setOpen(true);
          else write();
        }}
        sx={asked ? { color: 'text.secondary', cursor: 'default' } : {}}
      >
        {asked ? texts.cancelling : label}
      </Button>
      {!ask && error !== null && <ErrorState error={error} title={texts.cancelFailed} />}
      <CancelDialog
        open={open}
        job={job}
        busy={isPending}
        error={error}
        onClose={() => setOpen(false)}
        onCancel={() => write()}
      />
    </>
  );
}

interface CancelDialogProps {
  open: boolean;
  job: Job;
  busy: boolean;
  error: Error | null;
  onClose: () => void;
  onCancel: () => void;
}

function CancelDialog({ open, job, busy, error, onClose, onCancel }: CancelDialogProps) {
  const done = numbersOf(job.progress);
  return (
    <AppDialog
      open={open}
      onClose={onClose}
      role="alertdialog"
      maxWidth="xs"
      title={texts.cancelTitle}
      icon={<WarningIcon color="var(--lms-palette-warning-main)" />}
      actions={
        <>
          <Button variant="outlined" color="inherit" autoFocus onClick={onClose}>
            {texts.cancelNo}
          </Button>
          <Button variant="contained" color="error" disabled={busy} onClick={onCancel}>
            {texts.cancelYes}
          </Button>
        </>
      }
    >
      <Typography>{job.kind === 'import' ? texts.cancelUnsent : texts.cancelText}</Typography>
      {done !== '' && job.kind !== 'import' && (
        <Typography sx={{ mt: 1 }}>{texts.cancelDone(done)}</Typography>
      )}
      {error !== null && <ErrorState error={error} title={texts.cancelFailed} />}
    </AppDialog>
  );
}
