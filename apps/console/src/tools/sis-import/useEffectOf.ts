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
 * What the uploaded file does: a job of the server, known by the file's id, so that a reload and another tab find the same one.
 * @param file null while there is none, or the review is not shown
 * @param again key of a later job, where the first one is not to count any more
 * @param onAgain takes such a key
 * @param onDone called once it is known
 */
export function useEffectOf(
  file: SisFile | null,
  again: string | null,
  onAgain: (key: string) => void,
  onDone: () => void,
): PlanWork<SisEffect> {
  // What was submitted already is not worked out again.
  const open = file !== null && file.import_id === null && file.rows > 0;
  const id = file?.id ?? '';
  const key = again ?? id;
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
  const told = useRef(onDone);
  useEffect(() => {
    told.current = onDone;
  });
  const known = stored.data !== undefined;
  useEffect(() => {
    if (known) told.current();
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
    again: () => onAgain(crypto.randomUUID()),
  };
}
