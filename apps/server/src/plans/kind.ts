/** Planning as a kind of job: it survives the tab that asked for it, and a second press finds it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ToolId } from '@lms-admin/contract/tools';
import { z } from 'zod';
import type { ActFor } from '../access/acting.ts';
import type { Admin } from '../auth/admin.ts';
import { JobFailed, type JobKind, type JobPatch, type JobWork } from '../jobs/kind.ts';
import type { StartableKind } from '../jobs/start.ts';
import { OutsideError } from '../outbound/errors.ts';
import { toAppError } from '../platform/http-errors.ts';
import { readInTurns } from '../platform/read-in-turns.ts';

/** The most people that a request may name: 100,000 addresses of 35 bytes, or 500,000 SIS IDs of 12; twice that. */
const PLAN_BODY_BYTES = 12_582_912;
/** Tries before a fault of ours is said: someone waits in front of the screen. */
const MOST_TRIES = 3;
/** The file or the text that was sent does not fit: no work has failed. */
const OF_THE_REQUEST: readonly string[] = ['bad-request', 'too-many-rows'];
/** Least time between two records of progress, in milliseconds. */
const RECORD_MS = 250;

/** What works a plan out, and stores it. */
export interface Planner<Request, Step> {
  /** What can be said before any work. @throws AppError for what may not be asked for */
  check(admin: Admin, request: Request): { label: string } | Promise<{ label: string }>;
  make(admin: Admin, request: Request, id: string, progress: PlanProgressOf<Step>): Promise<unknown>;
}

export interface PlanProgressOf<Step> {
  signal: AbortSignal;
  /** Called as often as something is done. */
  onStep: (step: Step) => void;
}

/** How far it is, as the job shows it. */
export type ShownStep = Required<Pick<JobPatch, 'stage' | 'done' | 'total' | 'unit' | 'figures'>>;

export interface PlanKindParts<S extends z.ZodType, Step> {
  id: string;
  tool: ToolId;
  input: S;
  begins: string;
  planner: Planner<z.output<S>, Step>;
  shown: (step: Step) => ShownStep;
  /** What was made is small, and is itself the job's result. */
  inResult?: true;
  actFor: ActFor;
}

/** The kind of job that makes plans of one kind; a plan has the id of its job. */
export function planKind<S extends z.ZodType, Step>(parts: PlanKindParts<S, Step>): StartableKind {
  const { id, tool, input, planner, actFor } = parts;
  const kind: JobKind = {
    id,
    atOnce: 50,
    // Each holds what it was asked for, and takes its turns at the LMS.
    atOnceEach: 5,
    // As long as the plan itself.
    keeps: 'review',
    listed: false,
    changes: false,
    begins: parts.begins,
    untouched: 'Cancelled. Nothing was sent.',
    // Reading changes nothing, so it can be left at any moment.
    mayCancel: async () => true,
    async run(work) {
      const request = await readAgain(input, await work.input());
      const progress = recorder(work, parts.shown);
      const signal = AbortSignal.any([work.signal, work.cancel]);
      let made: unknown;
      try {
        made = await planner.make(actFor(work.job), request, work.job.id, {
          signal,
          onStep: (step) => progress.onStep(step),
        });
      } catch (error) {
        signal.throwIfAborted();
        // It continues once its admin has signed in again.
        if (error instanceof OutsideError && error.kind === 'signed-out') throw error;
        const failure = toAppError(error);
        if (failure.code === 'internal' && work.job.attempts < MOST_TRIES) throw error;
        // Someone waits in front of the screen: a LMS that does not answer is said now.
        throw new JobFailed(failure.message, failure.next, OF_THE_REQUEST.includes(failure.code));
      } finally {
        await progress.end();
      }
      const result = parts.inResult ? (made as Record<string, unknown>) : { plan: work.job.id };
      return { outcome: 'done', result };
    },
  };
  return {
    ...kind,
    start: {
      tool,
      input,
      bodyBytes: PLAN_BODY_BYTES,
      check: async (admin, raw) => planner.check(admin, await readAgain(input, raw)),
    },
  };
}

/** What fitted once and is read back. */
async function readAgain<S extends z.ZodType>(schema: S, raw: unknown): Promise<z.output<S>> {
  const { data, issues } = await readInTurns(schema, raw);
  if (issues) throw new z.ZodError(issues);
  return data;
}

/** Writes progress down, the newest at most some times a second. */
function recorder<Step>(work: JobWork, shown: (step: Step) => ShownStep) {
  let latest: { step: Step } | null = null;
  let writing: Promise<void> | null = null;
  const ended = new AbortController();
  const write = async () => {
    while (latest !== null && !ended.signal.aborted) {
      const { step } = latest;
      latest = null;
      await work.save(shown(step));
      // The plan does not wait for the next record of how far it is.
      await sleep(RECORD_MS, undefined, { signal: AbortSignal.any([work.signal, ended.signal]) });
    }
  };
  return {
    onStep(step: Step) {
      latest = { step };
      // A lost lease or a stop ends the work itself; progress that is not recorded is no failure of its own.
      writing ??= write()
        .catch(() => {})
        .finally(() => {
          writing = null;
        });
    },
    async end() {
      ended.abort();
      await writing;
    },
  };
}
