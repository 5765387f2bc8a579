import { AWARD_EXPORT } from '@lms-admin/contract/awards';
import { messages } from '@lms-admin/contract/messages';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type AwardChoice, awardChanged } from '../../api/awards.ts';
import { jobFilePath, jobsChanged, problemOf, startJob } from '../../api/jobs.ts';
import { useAnnounce } from '../../components/Announcer.tsx';
import { AppDialog } from '../../components/Dialogs/AppDialog.tsx';
import { QUICK_POLL_MS } from '../../components/Job/job-watch.ts';
import { hasEnded } from '../../components/Job/job-words.ts';
import { useJob } from '../../components/Job/useJob.ts';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { saveFile } from '../../components/save-file.ts';
import { DownloadIcon } from '../../components/WorkIcons.tsx';
import { texts } from './texts.ts';

export interface ExcelButtonProps {
  choice: AwardChoice;
  /** Digest of the figures on the page, so that the file has the same ones. */
  digest: string;
  disabled: boolean;
}

/** Creates the report as an Excel file and downloads it; the file is also kept in Activity (BTA-19, OP-81). */
export function ExcelButton({ choice, digest, disabled }: ExcelButtonProps) {
  const { busy, press, failure, close } = useExcel({ ...choice, digest });
  return (
    <>
      <Button
        size="small"
        variant="outlined"
        color="inherit"
        startIcon={<DownloadIcon size={16} />}
        disabled={disabled}
        // The button keeps the focus while it waits; a disabled one would not.
        aria-disabled={busy || undefined}
        onClick={press}
      >
        {busy ? texts.making : texts.excel}
      </Button>
      <AppDialog
        open={failure.open}
        onClose={close}
        title={texts.excelFailed}
        actions={
          <Button variant="contained" autoFocus onClick={close}>
            {messages.warning.ok}
          </Button>
        }
      >
        {failure.error === null ? (
          <Typography>{failure.why}</Typography>
        ) : (
          <ErrorState error={failure.error} />
        )}
      </AppDialog>
    </>
  );
}

/** Follows the job that creates the file, and downloads the file. Keeps an error until it has been read. */
function useExcel(input: AwardChoice & { digest: string }) {
  const [id, setId] = useState<string | null>(null);
  const [read, setRead] = useState(false);
  const announce = useAnnounce();
  // One key until the file is ready: a double press, or one after a lost answer, finds the same job.
  const key = useRef<string | null>(null);
  const start = useMutation({
    mutationFn: () => startJob(AWARD_EXPORT, { key: (key.current ??= crypto.randomUUID()), input }),
    onSuccess: (begun) => setId(begun.id),
  });
  const { state: watch } = useJob(id, QUICK_POLL_MS);
  const { job } = watch.seen;
  const ended = job !== null && hasEnded(job) ? job : null;
  const [file] = ended?.files ?? [];
  const href = ended !== null && file !== undefined ? jobFilePath(ended.id, file.id) : null;
  const over = ended !== null;
  useEffect(() => {
    if (!over) return;
    key.current = null;
    jobsChanged();
    if (href === null) {
      // The failure may be caused by figures that others have changed.
      void awardChanged();
      return;
    }
    saveFile(href);
    announce(texts.saved);
  }, [over, href, announce]);

  function press() {
    if (busy) return;
    if (watch.refusal !== null) key.current = null;
    setRead(false);
    setId(null);
    start.mutate();
  }

  const busy = start.isPending || (id !== null && ended === null && watch.refusal === null);
  const error = start.error ?? watch.refusal ?? (ended && problemOf(ended));
  const gone = ended !== null && href === null;
  const why = ended?.outcome === 'cancelled' ? texts.excelCancelled : texts.excelGone;
  return {
    busy,
    press,
    failure: { open: !read && !busy && (error !== null || gone), error, why },
    close: () => setRead(true),
  };
}
