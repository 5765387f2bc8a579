import type { ProgressLine } from '@lms-admin/contract/enrollments';
import type { ErrorBody } from '@lms-admin/contract/errors';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useRef, useState } from 'react';
import type { z } from 'zod';
import { getJson, postLines } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import { advance, type PlanProgress } from './plan-progress.ts';

/** Where plans of a kind are made and read again, and what they look like. Keep it the same between draws (a constant). */
export interface PlanKind<Plan extends { id: string }> {
  /** Endpoint that makes a plan and answers line by line. */
  make: string;
  /** Endpoint of one plan; `:plan` stands for its id. */
  read: string;
  plan: z.ZodType<Plan>;
  line: z.ZodType<ProgressLine | { plan: Plan } | { error: ErrorBody }>;
}

export interface PlanWork<Plan> {
  plan: Plan | null;
  progress: PlanProgress | null;
  error: unknown;
  /** True after the admin has cancelled the work. */
  cancelled: boolean;
  cancel: () => void;
  /** Works it out from the start. */
  again: () => void;
}

function planQuery<Plan extends { id: string }>(kind: PlanKind<Plan>, id: string) {
  return queryOptions({
    queryKey: [kind.read, id],
    queryFn: ({ signal }) =>
      getJson(kind.read.replace(':plan', encodeURIComponent(id)), kind.plan, { signal }),
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
 * @param kind of plan: where it is made
 * @param request what is to be planned; null while the review is not open, which cancels the work
 * @param id of the plan that belongs to the request, null while there is none
 */
export function usePlan<Request, Plan extends { id: string }>(
  kind: PlanKind<Plan>,
  request: Request | null,
  id: string | null,
  onPlanned: (plan: Plan) => void,
  onLost: () => void,
): PlanWork<Plan> {
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
    ...planQuery(kind, id ?? ''),
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
      for await (const line of postLines(kind.make, wanted, kind.line, { signal })) {
        if (signal.aborted) return;
        if ('progress' in line) {
          progress = advance(progress, line, performance.now());
          set({ progress, error: null, cancelled: false });
        } else if ('plan' in line) {
          client.setQueryData(planQuery(kind, line.plan.id).queryKey, line.plan);
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
  }, [kind, open, id, attempt, client]);

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
