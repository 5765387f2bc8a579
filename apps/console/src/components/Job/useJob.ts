import { useMemo } from 'react';
import { getJob } from '../../api/jobs.ts';
import { JOB_POLL_MS, type JobReading, type JobSeen, jobRules } from './job-watch.ts';
import { useWatch, type Watchable, type Watching } from './useWatch.ts';

async function read(id: string, signal: AbortSignal): Promise<JobReading> {
  return { job: await getJob(id, signal), now: performance.now() };
}

/**
 * Follows a job while its view is open.
 * @param id null without a job
 * @param every milliseconds between two polls
 */
export function useJob(id: string | null, every: number = JOB_POLL_MS): Watching<JobSeen> {
  const work = useMemo<Watchable<JobSeen, JobReading>>(() => ({ ...jobRules(every), read }), [every]);
  return useWatch(work, id);
}
