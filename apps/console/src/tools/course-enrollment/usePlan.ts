import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type Plan, type PlanRequest, planLine, plan as planSchema } from '@lms-admin/contract/enrollments';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useRef, useState } from 'react';
import { getJson, postLines } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import { advance, type PlanProgress } from './plan-progress.ts';

export interface PlanWork {
  plan: Plan | null;
  progress: PlanProgress | null;
  error: unknown;
  /** True after the admin has cancelled the work. */
  cancelled: boolean;
  cancel: () => void;
  /** Works it out from the start. */
  again: () => void;
}

function planQuery(id: string) {
  return queryOptions({
    queryKey: ['enrollment-plan', id],
    queryFn: ({ signal }) =>
      getJson(ENDPOINTS.plan.replace(':plan', encodeURIComponent(id)), planSchema, { signal }),
  });
}

interface Work {
  progress: PlanProgress | null;
  error: unknown;
  cancelled: boolean;
}
const IDLE: Work = { progress: null, error: null, cancelled: false };

/**
 * The plan of the review: worked out by the server while its true progress is shown, cancelled when the admin leaves, and
 * after a reload read again by its id instead of being worked out twice.
 * @param request what is to be planned; null while the review is not open, which cancels the work
 * @param id of the plan that belongs to the request, null while there is none
 */
export function usePlan(
  request: PlanRequest | null,
  id: string | null,
  onPlanned: (plan: Plan) => void,
  onLost: () => void,
): PlanWork {
  const client = useQueryClient();
  const [work, set] = useReducer((_: Work, next: Work) => next, IDLE);
  const [attempt, setAttempt] = useState(0);
  const running = useRef<AbortController | null>(null);
  const open = request !== null;
  // The work is asked for once, for what was chosen then: no choice can change while the review is open.
  const asked = useRef({ request, onPlanned, onLost });
  useEffect(() => {
    asked.current = { request, onPlanned, onLost };
  });

  const stored = useQuery({
    ...planQuery(id ?? ''),
    enabled: open && id !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const lost = stored.error instanceof ApiError && stored.error.code === 'not-found';
  useEffect(() => {
    // Plans are kept for a while only; a review that comes back too late is worked out again.
    if (lost) asked.current.onLost();
  }, [lost]);

  useEffect(() => {
    const wanted = asked.current.request;
    if (!open || wanted === null || id !== null) return undefined;
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    set(IDLE);
    let progress: PlanProgress | null = null;
    const read = async () => {
      for await (const line of postLines(ENDPOINTS.plans, wanted, planLine, { signal })) {
        if (signal.aborted) return;
        if ('progress' in line) {
          progress = advance(progress, line, performance.now());
          set({ progress, error: null, cancelled: false });
        } else if ('plan' in line) {
          client.setQueryData(planQuery(line.plan.id).queryKey, line.plan);
          asked.current.onPlanned(line.plan);
          return;
        }
      }
      throw new IncompletePlan();
    };
    read().catch((error: unknown) => {
      if (!signal.aborted) set({ progress, error, cancelled: false });
    });
    return () => controller.abort();
    // A new attempt is the same work once more.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [open, id, attempt, client]);

  return {
    plan: id === null ? null : (stored.data ?? null),
    progress: work.progress,
    error: id === null ? work.error : lost || stored.isFetching ? null : stored.error,
    cancelled: work.cancelled,
    cancel() {
      running.current?.abort();
      set({ ...work, cancelled: true });
    },
    again() {
      if (id === null) setAttempt(attempt + 1);
      else void stored.refetch();
    },
  };
}

/** The answer ended without a plan. */
export class IncompletePlan extends Error {
  override readonly name = 'IncompletePlan';
}
