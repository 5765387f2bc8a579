import type { Job } from '@lms-admin/contract/jobs';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { cancelJob } from '../../api/jobs.ts';
import { renewSignIn } from '../../api/session.ts';
import { useWrite } from '../../api/useWrite.ts';
import { AppDialog } from '../Dialogs/AppDialog.tsx';
import { WarningIcon } from '../Icons.tsx';
import { ErrorState } from '../States/ErrorState.tsx';
import { numbersOf } from './job-words.ts';
import { texts } from './texts.ts';

export interface CancelButtonProps {
  job: Job;
  /** Label if there is another 'Cancel' beside it. */
  label?: string;
  /** Called when the server has recorded the request; the job ends at its next step. */
  onRequested: () => void;
}

/**
 * Cancels a job: immediately if the job leaves nothing half done, otherwise after a question. If the job is waiting
 * for this administrator to sign in, a sign-in button is shown beside it.
 */
export function CancelButton({ job, label = texts.cancel, onRequested }: CancelButtonProps) {
  const [open, setOpen] = useState(false);
  const { write, isPending, isSuccess, error, reset } = useWrite({
    mutationFn: () => cancelJob(job.id),
    onSuccess: () => {
      setOpen(false);
      onRequested();
    },
  });
  const signIn = job.own && job.needs_sign_in && (
    <Button size="small" variant="outlined" onClick={renewSignIn}>
      {texts.signIn}
    </Button>
  );
  if (job.cancel === 'no') return signIn;
  // Once requested, cancellation stays requested, even if an older answer says otherwise.
  const requested = job.cancel === 'asked' || isPending || isSuccess;
  const ask = job.changes;
  return (
    <>
      {signIn}
      <Button
        size="small"
        color="inherit"
        variant="outlined"
        // Stays focusable: a disabled button would lose the focus.
        aria-disabled={requested}
        onClick={() => {
          if (requested) return;
          reset();
          if (ask) setOpen(true);
          else write();
        }}
        sx={requested ? { color: 'text.secondary', cursor: 'default' } : {}}
      >
        {requested ? texts.cancelling : label}
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
