/** Following a job: its state after each poll, and when the next poll is due. Pure. */
import type { JobDetail } from '@lms-admin/contract/jobs';
import { ATTACHMENT_POLL_MS } from '@lms-admin/domain/constants';
import { hasEnded } from './job-words.ts';
import { advance, type Pace } from './pace.ts';
import type { WatchRules } from './watch.ts';

/** A job as last polled, and its pace. */
export interface JobSeen {
  job: JobDetail | null;
  pace: Pace | null;
}

export interface JobReading {
  job: JobDetail;
  /** Time in milliseconds, from a clock that never goes backwards. */
  now: number;
}

/** Milliseconds between two polls: for long work, and for quick work such as plans. */
export const JOB_POLL_MS = 2_000;
export const QUICK_POLL_MS = 500;
/** Milliseconds between two polls of a waiting job, which rarely changes. */
const WAITING_POLL_MS = 5_000;

/** Returns the rules for following jobs. @param every milliseconds between two polls */
export function jobRules(every: number): WatchRules<JobSeen, JobReading> {
  return {
    start: { job: null, pace: null },
    fold: ({ pace }, { job, now }) => ({
      job,
      // A finished job has no stage: the last one stays while its result is loaded.
      pace:
        job.progress === null
          ? null
          : advance(pace, { ...job.progress, stage: job.stage ?? pace?.stage ?? '' }, now),
    }),
    pace: ({ job }) => {
      if (job === null) return every;
      if (hasEnded(job)) return job.import?.attachment_pending === true ? ATTACHMENT_POLL_MS : null;
      // The job is about to end: it should not be shown as waiting beside its result.
      if (job.import?.final === true || job.cancel === 'asked') return QUICK_POLL_MS;
      return job.state === 'waiting' ? Math.max(every, WAITING_POLL_MS) : every;
    },
  };
}
