import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { SIS_EFFECT, type SisEffect, sisEffect } from '@lms-admin/contract/sis-effects';
import type { SisFile } from '@lms-admin/contract/sis-files';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { getJson } from '../../api/client.ts';
import { unexpectedAnswer } from '../../api/errors.ts';
import { cancelJob, jobsChanged, problemOf, startJob } from '../../api/jobs.ts';
import { QUICK_POLL_MS } from '../../components/Job/job-watch.ts';
import { hasEnded } from '../../components/Job/job-words.ts';
import { useJob } from '../../components/Job/useJob.ts';
import type { PlanWork } from '../../components/Planning/usePlan.ts';

const startQuery = (file: string, key: string) =>
  queryOptions({
    queryKey: ['job-start', SIS_EFFECT, key],
    queryFn: ({ signal }) => startJob(SIS_EFFECT, { key, input: { file } }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });

const effectQuery = (file: string, job: string) =>
  queryOptions({
    queryKey: ['sis-effects', file, job],
    queryFn: ({ signal }) =>
      getJson(ENDPOINTS.sisEffect.replace(':file', encodeURIComponent(file)), sisEffect, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/**
 * Provides the changes of the uploaded file: a job with the file's ID, so that a reload or another tab finds it.
 * @param file null without a file, and while the review is closed
 * @param retryKey key of a later job that replaces the first
 * @param onRetry stores such a key
 * @param onDone called once the changes are known
 */
export function useEffectOf(
  file: SisFile | null,
  retryKey: string | null,
  onRetry: (key: string) => void,
  onDone: () => void,
): PlanWork<SisEffect> {
  // A submitted file is not compared again.
  const open = file !== null && file.import_id === null && file.rows > 0;
  const id = file?.id ?? '';
  const key = retryKey ?? id;
  const started = useQuery({ ...startQuery(id, key), enabled: open });
  const job = open ? (started.data?.id ?? null) : null;
  const { state: watch, pollNow } = useJob(job, QUICK_POLL_MS);
  const seen = watch.seen.job;
  const ended = seen !== null && hasEnded(seen);
  useEffect(() => {
    if (ended) jobsChanged();
  }, [ended]);
  const done = seen?.state === 'done';
  const stored = useQuery({ ...effectQuery(id, job ?? ''), enabled: done && job !== null });
  const notify = useRef(onDone);
  useEffect(() => {
    notify.current = onDone;
  });
  const known = stored.data !== undefined;
  useEffect(() => {
    if (known) notify.current();
  }, [known]);
  const failed = seen !== null && ended && !done && seen.state !== 'cancelled';
  const problem = failed ? (problemOf(seen) ?? unexpectedAnswer(200, null)) : null;
  return {
    plan: stored.data ?? null,
    watch,
    pollNow,
    error:
      started.isFetching || stored.isFetching
        ? null
        : (started.error ?? watch.refusal ?? problem ?? stored.error),
    cancelled: seen?.state === 'cancelled',
    cancel() {
      if (job !== null) cancelJob(job).then(pollNow, pollNow);
    },
    retry: () => onRetry(crypto.randomUUID()),
  };
}
