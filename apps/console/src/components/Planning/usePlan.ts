import { queryOptions, useQuery } from '@tanstack/react-query';
import { type Dispatch, useCallback, useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import { getJson } from '../../api/client.ts';
import { ApiError, unexpectedAnswer } from '../../api/errors.ts';
import { cancelJob, jobStartQuery, jobsChanged, problemOf } from '../../api/jobs.ts';
import { type JobSeen, QUICK_POLL_MS } from '../Job/job-watch.ts';
import { hasEnded } from '../Job/job-words.ts';
import { useJob } from '../Job/useJob.ts';
import type { Watch } from '../Job/watch.ts';
import type { PlanAction, PlanParts, WizardParts } from '../Wizard/wizard-reducer.ts';
import type { NoPlan } from './texts.ts';

/** How plans of a kind are prepared and read. Keep the object's identity between renders (a constant). */
export interface PlanKind<Plan extends { id: string }> {
  /** Kind of the job that prepares a plan. */
  job: string;
  /** Endpoint of one plan; `:plan` represents its ID. */
  read: string;
  /** Schema of the plan, loaded once a plan exists. */
  plan: () => Promise<z.ZodType<Plan>>;
  /** Whether the plan lacks people who may be in the LMS by the next time the review is opened. */
  lacks?: (plan: Plan) => boolean;
}

export interface PlanWork<Plan> extends NoPlan {
  plan: Plan | null;
  /** The job that prepares the plan, as last polled. */
  watch: Watch<JobSeen>;
  pollNow: () => void;
  cancel: () => void;
  /** Prepares the plan again from the start. */
  retry: () => void;
}

const planResult = z.object({ plan: z.uuid() });

/** Finds the ID of the plan that a job has prepared; null before that. */
function planIn({ job }: JobSeen): string | null {
  const parsed = planResult.safeParse(job?.state === 'done' ? job.result : null);
  return parsed.success ? parsed.data.plan : null;
}

/**
 * Provides the plan of the review: prepared by a job on the server, started once for the choices, followed while the
 * review is open, and found again after leaving it, after a reload and in another tab. A job whose choices have changed
 * is cancelled. A plan that lacks people is prepared again whenever the review is opened again: they may have been
 * created in the meantime.
 * @param kind of plan: how it is prepared
 * @param request the choices to plan; null while the review is not open
 * @param kept the part that survives a reload
 * @param dispatch stores that part. Keep the function's identity between renders
 * @param onPlanned called with a plan that has just been prepared
 */
export function usePlan<Request, Plan extends { id: string }>(
  kind: PlanKind<Plan>,
  request: Request | null,
  kept: PlanParts & Partial<Pick<WizardParts, 'submission'>>,
  dispatch: Dispatch<PlanAction>,
  onPlanned: (plan: Plan) => void,
): PlanWork<Plan> {
  const { prepared, preparing: key } = kept;
  const open = request !== null;
  const begin = useCallback(() => dispatch({ type: 'preparing', key: crypto.randomUUID() }), [dispatch]);
  useEffect(() => {
    if (open && key === null && prepared === null) begin();
  }, [open, key, prepared, begin]);

  const [dropped, drop] = useState<string | null>(null);
  const cancelled = key !== null && dropped === key;
  const wanted = open && key !== null;
  const started = useQuery({ ...jobStartQuery(kind.job, key ?? '', request), enabled: wanted });
  const id = key === null ? null : (started.data?.id ?? null);
  const { state: watch, pollNow } = useJob(wanted && !cancelled ? id : null, QUICK_POLL_MS);
  const { job } = watch.seen;
  const ended = job !== null && hasEnded(job);
  useEffect(() => {
    if (ended) jobsChanged();
  }, [ended]);
  useUnwanted(key, id, cancelled, ended);

  const planId = prepared ?? planIn(watch.seen);
  const stored = useQuery({ ...planQuery(kind, planId ?? ''), enabled: open && planId !== null });
  const lost = stored.error instanceof ApiError && stored.error.code === 'not-found';
  useEffect(() => {
    // Plans are stored for a limited time; a review reopened after that is prepared again.
    if (lost) dispatch({ type: 'prepare-again' });
  }, [lost, dispatch]);
  const notify = useRef(onPlanned);
  useEffect(() => {
    notify.current = onPlanned;
  });
  const reopened = useReopened(open, prepared);
  const [pressedBefore] = useState(open ? kept.submission?.key : undefined);
  // A review that may already have been sent is found by its key, and is kept until the server has answered: the page
  // may have been reloaded after the press, for example because the session had expired.
  const mayBeSent =
    kept.submission?.key === reopened && (pressedBefore !== reopened || !stored.isFetchedAfterMount);
  const outdated =
    reopened !== null && stored.data?.id === reopened && !mayBeSent && kind.lacks?.(stored.data) === true;
  useEffect(() => {
    if (outdated) dispatch({ type: 'prepare-again' });
  }, [outdated, dispatch]);
  const fresh = prepared === null ? stored.data : undefined;
  useEffect(() => {
    if (fresh === undefined) return;
    dispatch({ type: 'prepared', id: fresh.id });
    notify.current(fresh);
  }, [fresh, dispatch]);

  const failed = started.isFetching ? null : (started.error ?? watch.refusal ?? failureOf(watch.seen));
  return {
    plan: prepared === null || outdated ? null : (stored.data ?? null),
    watch,
    pollNow,
    error: planId === null ? failed : lost || stored.isFetching ? null : stored.error,
    cancelled: cancelled || job?.state === 'cancelled',
    cancel: () => drop(key),
    retry() {
      if (planId === null) begin();
      else void stored.refetch();
    },
  };
}

/** Returns the plan that existed when the review was opened; null once the review shows a newer one. */
function useReopened(open: boolean, prepared: string | null): string | null {
  const [seen, see] = useState<{ open: boolean; plan: string | null }>({ open: false, plan: null });
  const plan = open ? prepared : null;
  if (seen.open !== open) see({ open, plan });
  const found = seen.open === open ? seen.plan : plan;
  return found === prepared ? found : null;
}

/**
 * Returns the reason why a job has ended without a plan; null for a job that was cancelled, is running or has prepared
 * one.
 */
function failureOf(seen: JobSeen): ApiError | null {
  const { job } = seen;
  if (job === null || !hasEnded(job) || job.state === 'cancelled' || planIn(seen) !== null) return null;
  return problemOf(job) ?? unexpectedAnswer(200, null);
}

function planQuery<Plan extends { id: string }>(kind: PlanKind<Plan>, id: string) {
  return queryOptions({
    queryKey: [kind.read, id],
    queryFn: async ({ signal }) =>
      getJson(kind.read.replace(':plan', encodeURIComponent(id)), await kind.plan(), { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Loads an existing plan, such as the submitted one; null while it is loading, or if it has been deleted. */
export function useStoredPlan<Plan extends { id: string }>(
  kind: PlanKind<Plan>,
  id: string | null,
): Plan | null {
  return useQuery({ ...planQuery(kind, id ?? ''), enabled: id !== null }).data ?? null;
}

/** Cancels the job of a key that is not needed: after a press on Cancel, or after the choices have changed. */
export function useUnwanted(key: string | null, id: string | null, cancelled: boolean, ended: boolean): void {
  const followed = useRef<{ key: string | null; id: string | null }>({ key: null, id: null });
  useEffect(() => {
    const { key: before, id: job } = followed.current;
    const unwanted = cancelled || before !== key;
    const mine = cancelled ? id : job;
    // If cancelling fails, the job runs to its end, and its result is not used.
    if (unwanted && mine !== null) cancelJob(mine).catch(() => undefined);
    followed.current = { key, id: cancelled || ended ? null : id };
  }, [key, id, cancelled, ended]);
}
