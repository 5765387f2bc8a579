/** Following a job: what is known after each poll, and how soon the next one is due. Pure. */
import type { JobDetail } from '@lms-admin/contract/jobs';
import { ATTACHMENT_POLL_MS } from '@lms-admin/domain/constants';
import { hasEnded } from './job-words.ts';
import { advance, type Pace } from './pace.ts';
import type { WatchRules } from './watch.ts';

/** A job as it was seen last, and how fast it goes. */
export interface JobSeen {
  job: JobDetail | null;
  pace: Pace | null;
}

export interface JobReading {
  job: JobDetail;
  /** Milliseconds by a clock that never goes back. */
  now: number;
}

/** Milliseconds between two polls: for work that takes a while, and for quick work such as plans. */
export const JOB_POLL_MS = 2_000;
export const QUICK_POLL_MS = 500;
/** While no one works on it there is little to see. */
const WAITING_POLL_MS = 5_000;

/** How jobs are followed. @param every milliseconds between two polls */
export function jobRules(every: number): WatchRules<JobSeen, JobReading> {
  return {
    start: { job: null, pace: null },
    fold: ({ pace }, { job, now }) => ({
      job,
      // Once it has ended no stage is told: the last one stays for as long as its result is fetched.
      pace:
        job.progress === null
          ? null
          : advance(pace, { ...job.progress, stage: job.stage ?? pace?.stage ?? '' }, now),
    }),
    pace: ({ job }) => {
      if (job === null) return every;
      if (hasEnded(job)) return job.import?.attachment_pending === true ? ATTACHMENT_POLL_MS : null;
      // About to end: it is not shown as waiting beside its result.
      if (job.import?.final === true || job.cancel === 'asked') return QUICK_POLL_MS;
      return job.state === 'waiting' ? Math.max(every, WAITING_POLL_MS) : every;
    },
  };
}
