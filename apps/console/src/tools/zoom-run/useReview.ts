import {
  type RunDays,
  ZOOM_RUN_REVIEW,
  type ZoomRunReview,
  zoomRunReview,
} from '@lms-admin/contract/zoom-runs';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { unexpectedAnswer } from '../../api/errors.ts';
import { cancelJob, jobsChanged, problemOf, startJob } from '../../api/jobs.ts';
import { QUICK_POLL_MS } from '../../components/Job/job-watch.ts';
import { hasEnded } from '../../components/Job/job-words.ts';
import { useJob } from '../../components/Job/useJob.ts';
import { type PlanWork, useUnwanted } from '../../components/Planning/usePlan.ts';

const startQuery = (course: number, days: RunDays, key: string) =>
  queryOptions({
    queryKey: ['job-start', ZOOM_RUN_REVIEW, key],
    queryFn: ({ signal }) => startJob(ZOOM_RUN_REVIEW, { key, input: { course, days } }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });

/**
 * Prepares the preview of a run: a job of the server, started again each time the review is opened, because events and
 * meetings may have changed. A job that is not needed is cancelled.
 * @param course null while no run of a course is reviewed
 */
export function useReview(course: number | null, days: RunDays): PlanWork<ZoomRunReview> {
  const of = course === null ? null : `${course}-${days}`;
  const [held, hold] = useState<{ of: string | null; key: string }>({ of: null, key: '' });
  if (held.of !== of) hold({ of, key: crypto.randomUUID() });
  const wanted = course !== null && held.of === of;
  const started = useQuery({ ...startQuery(course ?? 0, days, held.key), enabled: wanted });
  const id = wanted ? (started.data?.id ?? null) : null;
  const { state: watch, pollNow } = useJob(id, QUICK_POLL_MS);
  const seen = watch.seen.job;
  const ended = seen !== null && hasEnded(seen);
  useEffect(() => {
    if (ended) jobsChanged();
  }, [ended]);
  useUnwanted(held.key, id, false, ended);

  const done = wanted && seen?.state === 'done';
  const found = zoomRunReview.safeParse(done ? seen.result : null);
  const cancelled = seen?.state === 'cancelled';
  const failed = ended && !cancelled && !found.success;
  const problem = failed ? (problemOf(seen) ?? unexpectedAnswer(200, null)) : null;
  return {
    plan: found.success ? found.data : null,
    watch,
    pollNow,
    error: started.isFetching ? null : (started.error ?? watch.refusal ?? problem),
    cancelled,
    cancel() {
      if (id !== null) cancelJob(id).then(pollNow, pollNow);
    },
    retry: () => hold({ of, key: crypto.randomUUID() }),
  };
}
