/** One turn of one job: taken under a lease, driven by its kind, ended or given back. */
import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, isNull } from 'drizzle-orm';
import type { Logger } from 'pino';
import type { Grants } from '../auth/grants.ts';
import type { Audit } from '../platform/audit.ts';
import type { Database, Db } from '../platform/database.ts';
import { unpack } from '../platform/packed.ts';
import { jobs } from '../platform/schema.ts';
import type { JobFigures } from './figures.ts';
import { JobItems, settleItems } from './items.ts';
import { Cancelled, type JobEnd, type JobKind, type JobRow, type JobWork } from './kind.ts';
import { claim, giveBack, LeaseLost, renew, rest, save } from './lease.ts';
import { verdictOf } from './verdict.ts';

export interface JobTimings {
  /** Milliseconds after which another process may take over a job whose process does not answer. */
  readonly leaseMs: number;
  /** How long something outside may fail before a job is given up, in milliseconds. */
  readonly patienceMs: number;
  /** How long a job waits for its admin to sign in again, in milliseconds. */
  readonly signInPatienceMs: number;
}

export interface TurnParts {
  db: Database;
  log: Logger;
  grants: Grants;
  audit: Audit;
  timings: JobTimings;
  figures: JobFigures;
}

export interface Turn {
  /** Resolves when the turn is over, however it went. */
  ended: Promise<void>;
  /** The job's end was asked for. */
  cancel(): void;
}

/** Times in a row that a job is taken up without a step further before it is given up. */
export const MOST_ATTEMPTS = 20;
/** Longest rest after a fault of ours, in milliseconds. */
const LONGEST_REST_MS = 300_000;

const OUR_FAULT = 'Something went wrong on our side; it is tried again by itself.';
const GIVEN_UP = {
  message: 'LMS Admin tried this many times and could not go on with it.',
  next: 'Start it again; tell IT Support the number of this job if it stays.',
};

type Turning = TurnParts & { owner: string; stop: AbortSignal };

/** Begins a turn; nothing happens when somebody else has the job, or when it has ended or rests. */
export function takeTurn(parts: Turning, kind: JobKind, id: string): Turn {
  const cancel = new AbortController();
  return { ended: drive(parts, kind, id, cancel), cancel: () => cancel.abort(new Cancelled(kind.untouched)) };
}

async function drive(parts: Turning, kind: JobKind, id: string, cancel: AbortController): Promise<void> {
  const { log, owner, stop, grants, timings } = parts;
  const { db } = parts.db;
  const { leaseMs } = timings;
  let leasedUntil = Date.now() + leaseMs;
  const first = await claim(db, id, owner, leaseMs);
  if (!first) return;
  let row: JobRow = first;
  let stepped = false;
  if (row.attempts === 1 && row.stage === null && row.startedAt !== null) {
    parts.figures.begun(kind.id, row.startedAt.getTime() - row.createdAt.getTime());
  }
  const lost = new AbortController();
  if (row.cancelAskedAt !== null) cancel.abort(new Cancelled(kind.untouched));
  const renewal = setInterval(() => {
    const asked = Date.now();
    renew(db, id, owner, leaseMs).then(
      (cancelAsked) => {
        leasedUntil = asked + leaseMs;
        if (cancelAsked && !cancel.signal.aborted) cancel.abort(new Cancelled(kind.untouched));
      },
      (error: unknown) => {
        // A database that does not answer is no lost lease; the lease's own end is.
        if (error instanceof LeaseLost || Date.now() > leasedUntil) lost.abort(new LeaseLost());
      },
    );
  }, leaseMs / 3);
  const signal = AbortSignal.any([stop, lost.signal]);
  const write = async (patch: Partial<Record<keyof JobRow, unknown>>) => {
    row = await save(db, id, owner, patch);
  };
  const work: JobWork = {
    get job() {
      return row;
    },
    signal,
    cancel: cancel.signal,
    items: new JobItems(db, id, owner, ({ done, total }) => {
      stepped = true;
      // Steps of several items may come in any order.
      row = { ...row, done: Math.max(row.done, done), total };
    }),
    input: async () => (row.input === null ? null : unpack<unknown>(row.input)),
    token: () => grants.rootToken(row.grantId),
    async save(patch, more = null, { unlessCancelled } = {}) {
      // How far a turn says it is will be said again by the next one; a step is what will not be done again.
      const isStep = more !== null || patch.checkpoint !== undefined;
      const further = isStep ? { ...patch, attempts: 0 } : patch;
      stepped ||= isStep;
      if (more === null && unlessCancelled === undefined) return write(further);
      // What was rolled back has not happened: the record is ours to read only once all of it is written.
      row = await db.transaction(async (tx) => {
        const saved = await save(tx, id, owner, further);
        if (unlessCancelled !== undefined && saved.cancelAskedAt !== null)
          throw new Cancelled(unlessCancelled);
        await more?.(tx);
        return saved;
      });
    },
    async trouble(why) {
      if (row.troubleSince === null || row.waitWhy !== why || row.state !== 'waiting') {
        await write({
          state: 'waiting',
          waitWhy: why,
          troubleSince: row.troubleSince ?? new Date(),
          attempts: 0,
        });
      }
      return row.troubleSince === null ? 0 : Date.now() - row.troubleSince.getTime();
    },
    async waitForTurn(why) {
      if (row.state === 'waiting' && row.waitWhy === why) return;
      await write({ state: 'waiting', waitWhy: why, troubleSince: null, attempts: 0 });
    },
    async fine() {
      if (row.troubleSince === null && row.state === 'running' && row.attempts <= 1) return;
      await write({ state: 'running', waitWhy: null, troubleSince: null, attempts: 0 });
    },
    pause: (ms) => sleep(ms, undefined, { signal }),
    leaseLeft: () => leasedUntil - Date.now(),
  };
  try {
    if (row.attempts > MOST_ATTEMPTS) {
      await end(parts, row, { outcome: 'failed', problem: GIVEN_UP }, write);
      return;
    }
    await end(parts, row, await kind.run(work), write);
  } catch (error) {
    const dropped = signal.aborted || error instanceof LeaseLost;
    const verdict = dropped
      ? null
      : verdictOf(error, { ...timings, row: first, stepped, leastMs: leaseMs / 3 });
    if (verdict === null) await giveBack(db, id, owner).catch(() => {});
    else if (verdict !== 'our-fault' && 'end' in verdict) await end(parts, row, verdict.end, write);
    else if (verdict !== 'our-fault') {
      const { restUntil: until, why, since, signIn } = verdict;
      await rest(db, id, owner, { until, why, attempts: 0, troubleSince: since, needsSignIn: signIn });
    } else {
      log.error(
        { err: error, job: id, kind: kind.id, attempts: row.attempts },
        'job interrupted; tried again',
      );
      const ms = Math.min(leaseMs * 2 ** Math.min(row.attempts - 1, 20), LONGEST_REST_MS);
      // Where the database does not answer either, the lease runs out by itself.
      const { attempts } = row;
      await rest(db, id, owner, { until: ms, why: OUR_FAULT, attempts }).catch(() => {});
    }
  } finally {
    clearInterval(renewal);
  }
}

type AnyEnd = Omit<JobEnd, 'outcome'> & { outcome: JobEnd['outcome'] | 'cancelled' };

/** The audit line first, so that it is never missing; then the record; then the grant is let go. */
async function end(
  { db: { db }, log, audit, grants, figures }: TurnParts,
  row: JobRow,
  { outcome, result, figures: receipt, note, problem, refused = false }: AnyEnd,
  write: (patch: Partial<Record<keyof JobRow, unknown>>) => Promise<void>,
): Promise<void> {
  await audit.write({
    login: row.login,
    tool: row.tool,
    event: 'job-ended',
    // Not why: the words of an outside system may name people, and the audit is for good.
    detail: { job: row.id, kind: row.kind, label: row.label, outcome },
  });
  await settleItems(db, row.id);
  await write({
    state: outcome === 'failed' ? 'failed' : outcome === 'cancelled' ? 'cancelled' : 'done',
    outcome,
    stage: null,
    waitUntil: null,
    waitWhy: null,
    troubleSince: null,
    ...(result === undefined ? {} : { result }),
    ...(receipt === undefined ? {} : { figures: receipt }),
    ...(note === undefined ? {} : { note }),
    problem: problem ?? null,
    refused,
    endedAt: new Date(),
    leaseOwner: null,
    leaseUntil: null,
  });
  figures.ended(row.kind, outcome);
  if (row.grantId === null) return;
  await grants.releaseWhenIdle(row.grantId).catch((error: unknown) => {
    log.warn({ err: error, grant: row.grantId }, 'grant not released; tried again later');
  });
}

/** Whether a job that has not ended still needs this grant. */
export async function needsGrant(db: Db, grantId: string): Promise<boolean> {
  const rows = await db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.grantId, grantId), isNull(jobs.endedAt)))
    .limit(1);
  return rows.length > 0;
}
