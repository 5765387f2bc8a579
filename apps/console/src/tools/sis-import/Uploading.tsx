import { messages } from '@lms-admin/contract/messages';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useEffect } from 'react';
import { ApiError } from '../../api/errors.ts';
import { useAnnounce } from '../../components/Announcer.tsx';
import { JobProgress } from '../../components/Job/JobProgress.tsx';
import { type Pace, percent, secondsLeft } from '../../components/Job/pace.ts';
import { texts as work } from '../../components/Job/texts.ts';
import { useMilestones } from '../../components/Job/useMilestones.ts';
import { Notice } from '../../components/Notice/Notice.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { Skeletons } from '../../components/States/Skeletons.tsx';
import { focusStep } from '../../components/Wizard/focus-step.ts';
import { FileProblems } from './FileProblems.tsx';
import { texts } from './texts.ts';
import { isChecked } from './upload-progress.ts';
import type { UploadWork } from './useUpload.ts';

/** Errors that the same file would cause again. */
const FINAL: readonly string[] = ['bad-request', 'too-large', 'too-many-rows', 'not-allowed'];

export interface UploadingProps {
  work: UploadWork;
  /** Whether the file has been uploaded before, so that only its review is being loaded. */
  uploaded: boolean;
  onOther: () => void;
}

/** The review until the file has passed its check: upload progress, or why it failed (SIS-08, SIS-09, ERR-03). */
export function Uploading({ work, uploaded, onOther }: UploadingProps) {
  const { error } = work;
  const retry = () => {
    // The button disappears when pressed.
    focusStep();
    work.retry();
  };
  if (work.cancelled) return <Cancelled onRetry={retry} onOther={onOther} />;
  if (error !== null && uploaded)
    return <ErrorState error={error} title={texts.upload.lost} onRetry={retry} />;
  if (error !== null) {
    const known = error instanceof ApiError ? error : null;
    const final = known !== null && FINAL.includes(known.code);
    return (
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
        <ErrorState
          error={error}
          title={messages.upload.failed}
          details={false}
          // The problem is in the file, and is explained below.
          reference={!final}
          {...(final ? {} : { onRetry: retry, retryLabel: texts.upload.retry })}
        >
          {!final && (
            <Typography>
              {texts.upload.nothingSent} {known?.code === 'unreachable' && texts.upload.changed}
            </Typography>
          )}
        </ErrorState>
        {known !== null && known.details.length > 0 && <FileProblems details={known.details} />}
        <Box>
          <Button
            variant={final ? 'contained' : 'outlined'}
            color={final ? 'primary' : 'inherit'}
            onClick={onOther}
          >
            {texts.upload.other}
          </Button>
        </Box>
      </Box>
    );
  }
  if (work.progress === null || uploaded) return <Skeletons lines={6} />;
  return <Running progress={work.progress} onCancel={work.cancel} />;
}

function Cancelled({ onRetry, onOther }: { onRetry: () => void; onOther: () => void }) {
  const announce = useAnnounce();
  useEffect(() => announce(`${messages.upload.failed}. ${texts.upload.cancelled}`), [announce]);
  return (
    <Notice
      tone="warning"
      title={messages.upload.failed}
      action={
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1 }}>
          {/* The pressed button has disappeared; focus goes to the one that restarts the upload. */}
          <Button size="small" variant="outlined" color="inherit" autoFocus onClick={onRetry}>
            {texts.upload.retry}
          </Button>
          <Button size="small" variant="outlined" color="inherit" onClick={onOther}>
            {texts.upload.other}
          </Button>
        </Box>
      }
    >
      <Typography>
        {texts.upload.cancelled} {texts.upload.nothingSent}
      </Typography>
    </Notice>
  );
}

function Running({ progress, onCancel }: { progress: Pace; onCancel: () => void }) {
  const checking = isChecked(progress);
  const stage = checking ? texts.upload.checking : texts.upload.uploading;
  const numbers = progress.total === null ? '' : texts.upload.of(progress.done, progress.total);
  const left = secondsLeft(progress);
  useMilestones(stage, percent(progress), numbers);
  const announce = useAnnounce();
  // Clears the announcement, because its last figure is not correct after the upload has ended.
  useEffect(() => () => announce(''), [announce]);
  return (
    <Box sx={{ maxWidth: 640 }}>
      <JobProgress
        stage={stage}
        numbers={numbers}
        bar={{ label: stage, percent: percent(progress) }}
        facts={checking ? [texts.upload.checkingHint] : left === null ? [] : [work.left(left)]}
        cancel={
          <Button size="small" color="inherit" variant="outlined" onClick={onCancel}>
            {texts.upload.cancel}
          </Button>
        }
      />
    </Box>
  );
}
