import type { JobDetail } from '@lms-admin/contract/jobs';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useEffect } from 'react';
import { Link as RouterLink, useLocation } from 'react-router';
import { jobsChanged } from '../../api/jobs.ts';
import { ChevronLeftIcon } from '../../components/Icons.tsx';
import { ACTIVITY_PATH } from '../../components/Job/activity-path.ts';
import { JobRunning } from '../../components/Job/JobRunning.tsx';
import { hasEnded } from '../../components/Job/job-words.ts';
import { useJob } from '../../components/Job/useJob.ts';
import { Notice } from '../../components/Notice/Notice.tsx';
import { ErrorState } from '../../components/States/ErrorState.tsx';
import { Skeletons } from '../../components/States/Skeletons.tsx';
import { ImportOfJob } from './ImportOfJob.tsx';
import { JobFacts } from './JobFacts.tsx';
import { JobFiles } from './JobFiles.tsx';
import { JobItems } from './JobItems.tsx';
import { JobReceipt } from './JobReceipt.tsx';
import { texts } from './texts.ts';

/** One job by its address: its subject, owner, time, and progress or result. Opening it marks it as seen. */
export function JobScreen({ id }: { id: string }) {
  const { state, pollNow } = useJob(id);
  const { job } = state.seen;
  const here: unknown = useLocation().state;
  const seen = job === null ? null : hasEnded(job) ? 'ended' : 'open';
  useEffect(() => {
    // The server has recorded that the job ended and was seen: the top bar follows immediately.
    if (seen !== null) jobsChanged();
  }, [seen]);

  return (
    <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Link
        component={RouterLink}
        to={`${ACTIVITY_PATH}${searchIn(here)}`}
        sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.5, justifySelf: 'start', minHeight: 32 }}
      >
        <ChevronLeftIcon size={18} />
        {texts.back}
      </Link>
      <Typography variant="h1" tabIndex={-1} sx={{ overflowWrap: 'anywhere' }}>
        {job?.label ?? texts.title}
      </Typography>
      {job !== null ? (
        <Paper sx={{ p: { xs: 2, sm: 3 }, display: 'grid', gap: 3, gridTemplateColumns: 'minmax(0, 1fr)' }}>
          <JobFacts job={job} />
          {job.elsewhere !== null && (
            <Notice tone="warning" title={texts.elsewhere}>
              <Typography>{job.elsewhere}</Typography>
            </Notice>
          )}
          {job.forgotten && (
            <Notice tone="info" title={texts.forgotten(job.kept_days)}>
              <Typography>{texts.forgottenNext}</Typography>
            </Notice>
          )}
          <Typography variant="h2">{hasEnded(job) ? texts.receipt : texts.progress}</Typography>
          <Work job={job} state={state} onRetry={pollNow} />
          {job.items !== null && <JobItems id={job.id} counts={job.items} ended={hasEnded(job)} />}
          {job.files.length > 0 && <JobFiles job={job.id} files={job.files} />}
        </Paper>
      ) : state.gaveUp ? (
        <ErrorState
          error={state.refusal}
          title={texts.lost}
          {...(state.refusal === null ? { onRetry: pollNow } : {})}
        />
      ) : (
        <Skeletons lines={6} label={texts.loading} />
      )}
    </Box>
  );
}

interface WorkProps {
  job: JobDetail;
  state: ReturnType<typeof useJob>['state'];
  onRetry: () => void;
}

/** The progress of a running job, then its result; an import looks as in its wizard. */
function Work({ job, state, onRetry }: WorkProps) {
  // IDs from another LMS mean nothing in this one, and without its messages the result of an import cannot be shown.
  // In both cases, only the recorded facts are shown.
  if (job.import !== null && job.state !== 'cancelled' && job.elsewhere === null && !job.forgotten)
    return <ImportOfJob job={job} one={job.import} watch={state} onRetry={onRetry} />;
  if (!hasEnded(job)) return <JobRunning watch={state} onRetry={onRetry} />;
  return <JobReceipt job={job} />;
}

/** Reads the filters of the list that the administrator came from. */
function searchIn(state: unknown): string {
  if (typeof state !== 'object' || state === null || !('search' in state)) return '';
  return typeof state.search === 'string' ? state.search : '';
}
