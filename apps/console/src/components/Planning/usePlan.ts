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

/** How plans of a kind are made and read again, and what they look like. Keep it the same between renders (a constant). */
export interface PlanKind<Plan extends { id: string }> {
  /** Kind of the job that makes one. */
  job: string;
  /** Endpoint of one plan; `:plan` represents its id. */
  read: string;
  /** Its schema, which is loaded when there is a plan. */
  plan: () => Promise<z.ZodType<Plan>>;
  /** Whether people are missing in it who may be in the LMS when it is opened the next time. */
  lacks?: (plan: Plan) => boolean;
}

export interface PlanWork<Plan> extends NoPlan {
  plan: Plan | null;
  /** The job that makes it, as it was seen last. */
  watch: Watch<JobSeen>;
  pollNow: () => void;
  cancel: () => void;
  /** Works it out from the start. */
  again: () => void;
}

const planResult = z.object({ plan: z.uuid() });

/** The id of the plan that a job has made, null before. */
function planIn({ job }: JobSeen): string | null {
  const made = planResult.safeParse(job?.state === 'done' ? job.result : null);
  return made.success ? made.data.plan : null;
}

/**
 * The plan of the review: a job of the server, started once for what was chosen, followed while the review is open and
 * found again after leaving it, after a reload and in another tab. A job that no one waits for any more, since the choice
 * has changed, is cancelled. One in which people are missing is worked out again whenever the review is opened again: they
 * may have been created in between.
 * @param kind of plan: how it is made
 * @param request what is to be planned; null while the review is not open
 * @param kept what is kept of it through a reload
 * @param dispatch takes what is to be kept from now on. Keep the function the same between renders
 * @param onPlanned called with a plan that has just been made
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

  const made = prepared ?? planIn(watch.seen);
  const stored = useQuery({ ...planQuery(kind, made ?? ''), enabled: open && made !== null });
  const lost = stored.error instanceof ApiError && stored.error.code === 'not-found';
  useEffect(() => {
    // Plans are kept for a while only; a review that comes back too late is worked out again.
    if (lost) dispatch({ type: 'prepare-again' });
  }, [lost, dispatch]);
  const told = useRef(onPlanned);
  useEffect(() => {
    told.current = onPlanned;
  });
  const reopened = useReopened(open, prepared);
  const [pressedBefore] = useState(open ? kept.submission?.key : undefined);
  // What a press may have sent already is found again by its key, and stays until the server was asked: the page was
  // loaded with that press behind it, as after a sign-in that ran out.
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
    told.current(fresh);
  }, [fresh, dispatch]);

  const failed = started.isFetching ? null : (started.error ?? watch.refusal ?? failureOf(watch.seen));
  return {
    plan: prepared === null || outdated ? null : (stored.data ?? null),
    watch,
    pollNow,
    error: made === null ? failed : lost || stored.isFetching ? null : stored.error,
    cancelled: cancelled || job?.state === 'cancelled',
    cancel: () => drop(key),
    again() {
      if (made === null) begin();
      else void stored.refetch();
    },
  };
}

/** The plan that was there already when the review was opened; null while it shows one that was made since. */
function useReopened(open: boolean, prepared: string | null): string | null {
  const [seen, see] = useState<{ open: boolean; plan: string | null }>({ open: false, plan: null });
  const plan = open ? prepared : null;
  if (seen.open !== open) see({ open, plan });
  const found = seen.open === open ? seen.plan : plan;
  return found === prepared ? found : null;
}

/** Why a job has ended without a plan; null for one that was cancelled, goes on or has made it. */
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

/** A plan that was made before, such as the one that was submitted; null while it is read, or where it is not kept any more. */
export function useStoredPlan<Plan extends { id: string }>(
  kind: PlanKind<Plan>,
  id: string | null,
): Plan | null {
  return useQuery({ ...planQuery(kind, id ?? ''), enabled: id !== null }).data ?? null;
}

/** Cancels the job of a key once no one waits for it: after a press on Cancel, or since the choice has changed. */
export function useUnwanted(key: string | null, id: string | null, cancelled: boolean, ended: boolean): void {
  const followed = useRef<{ key: string | null; id: string | null }>({ key: null, id: null });
  useEffect(() => {
    const { key: before, id: job } = followed.current;
    const unwanted = cancelled || before !== key;
    const mine = cancelled ? id : job;
    // It ends by itself anyway where the server cannot be reached: what it finds is not asked any more.
    if (unwanted && mine !== null) cancelJob(mine).catch(() => undefined);
    followed.current = { key, id: cancelled || ended ? null : id };
  }, [key, id, cancelled, ended]);
}
