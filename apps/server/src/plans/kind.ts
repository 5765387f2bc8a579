/** Planning as a kind of job: it survives the tab that started it, and a repeated submission finds it. */
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

/** Body limit for lists: twice the largest, which is 100,000 addresses of 40 bytes or 500,000 SIS IDs of 13. */
const LIST_BYTES = 12_582_912;
/** Attempts before an internal fault is reported: an admin is waiting at the screen. */
const MOST_TRIES = 3;
/** Errors of the uploaded file or text: they do not mean that work has failed. */
const OF_THE_REQUEST: readonly string[] = ['bad-request', 'too-many-rows'];
/** Shortest time between two records of progress, in milliseconds. */
const RECORD_MS = 250;

/** Prepares a plan and stores it. */
export interface Planner<Request, Step> {
  /** Checks the request before any work. @throws AppError for a request that is not allowed */
  check(admin: Admin, request: Request): { label: string } | Promise<{ label: string }>;
  make(admin: Admin, request: Request, id: string, progress: PlanProgressOf<Step>): Promise<unknown>;
}

export interface PlanProgressOf<Step> {
  signal: AbortSignal;
  /** Called after every step. */
  onStep: (step: Step) => void;
}

/** Progress as the job shows it. */
export type ShownStep = Required<Pick<JobPatch, 'stage' | 'done' | 'total' | 'unit' | 'figures'>>;

export interface PlanKindParts<S extends z.ZodType, Step> {
  id: string;
  tool: ToolId;
  input: S;
  begins: string;
  planner: Planner<z.output<S>, Step>;
  shown: (step: Step) => ShownStep;
  /** The request contains a list of people, which can be longer than a megabyte. */
  takesList?: true;
  /** The output is small, and is itself the job's result. */
  inResult?: true;
  actFor: ActFor;
}

/** Creates the kind of job for one kind of plan; a plan has the id of its job. */
export function planKind<S extends z.ZodType, Step>(parts: PlanKindParts<S, Step>): StartableKind {
  const { id, tool, input, planner, actFor } = parts;
  const kind: JobKind = {
    id,
    atOnce: 50,
    // Each plan holds its request in memory, and takes turns at the LMS.
    atOnceEach: 5,
    // Kept as long as the plan itself.
    keeps: 'review',
    listed: false,
    changes: false,
    begins: parts.begins,
    untouched: 'Cancelled. Nothing was sent.',
    // Reading changes nothing, so it can be cancelled at any moment.
    mayCancel: async () => true,
    async run(work) {
      const request = await parseStored(input, await work.input());
      const progress = recorder(work, parts.shown);
      const signal = AbortSignal.any([work.signal, work.cancel]);
      let plan: unknown;
      try {
        plan = await planner.make(actFor(work.job), request, work.job.id, {
          signal,
          onStep: (step) => progress.onStep(step),
        });
      } catch (error) {
        signal.throwIfAborted();
        // The job continues once its admin has signed in again.
        if (error instanceof OutsideError && error.kind === 'signed-out') throw error;
        const failure = toAppError(error);
        if (failure.code === 'internal' && work.job.attempts < MOST_TRIES) throw error;
        // An admin is waiting at the screen: an LMS that does not answer is reported immediately.
        throw new JobFailed(failure.message, failure.next, OF_THE_REQUEST.includes(failure.code));
      } finally {
        await progress.end();
      }
      const result = parts.inResult ? (plan as Record<string, unknown>) : { plan: work.job.id };
      return { outcome: 'done', result };
    },
  };
  return {
    ...kind,
    start: {
      tool,
      input,
      ...(parts.takesList && { bodyBytes: LIST_BYTES }),
      check: async (admin, raw) => planner.check(admin, await parseStored(input, raw)),
    },
  };
}

/** Parses a stored value that was valid when stored. */
async function parseStored<S extends z.ZodType>(schema: S, raw: unknown): Promise<z.output<S>> {
  const { data, issues } = await readInTurns(schema, raw);
  if (issues) throw new z.ZodError(issues);
  return data;
}

/** Records progress: the newest step, at most a few times a second. */
function recorder<Step>(work: JobWork, shown: (step: Step) => ShownStep) {
  let latest: { step: Step } | null = null;
  let writing: Promise<void> | null = null;
  const ended = new AbortController();
  const write = async () => {
    while (latest !== null && !ended.signal.aborted) {
      const { step } = latest;
      latest = null;
      await work.save(shown(step));
      // The plan does not wait for the next progress record.
      await sleep(RECORD_MS, undefined, { signal: AbortSignal.any([work.signal, ended.signal]) });
    }
  };
  return {
    onStep(step: Step) {
      latest = { step };
      // A lost lease or a stop ends the work itself; failing to record progress is not a failure of the work.
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
