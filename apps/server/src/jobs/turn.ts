/** One turn of a job: claimed under a lease, run by its kind, then ended or released. */
import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, isNull } from 'drizzle-orm';
import type { Logger } from 'pino';
import type { Grants } from '../auth/grants.ts';
import type { CanvasToken } from '../canvas/types.ts';
import type { Audit } from '../platform/audit.ts';
import type { Database, Db } from '../platform/database.ts';
import { unpack } from '../platform/packed.ts';
import { workFor } from '../platform/request-id.ts';
import { jobs } from '../platform/schema.ts';
import type { JobFigures } from './figures.ts';
import { requireReleased } from './hold.ts';
import { JobItems, type Stepped, settleItems } from './items.ts';
import { Cancelled, type JobEnd, type JobKind, type JobPatch, type JobRow, type JobWork } from './kind.ts';
import { claim, giveBack, KeptLease, LeaseLost, rest, save } from './lease.ts';
import { verdictOf } from './verdict.ts';

export interface JobTimings {
  /** Milliseconds after which another process can take over a job of a process that does not answer. */
  readonly leaseMs: number;
  /** How long another system may fail before its job is given up, in milliseconds. */
  readonly giveUpAfterMs: number;
  /** How long a job waits for its admin to sign in again, in milliseconds. */
  readonly signInTimeoutMs: number;
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
  /** Resolves when the turn is over, whatever the outcome. */
  ended: Promise<void>;
  /** Requests cancellation of the job. */
  cancel(): void;
}

/** Consecutive attempts without a completed step before a job is given up. */
export const MOST_ATTEMPTS = 20;
/** Longest rest after an internal fault, in milliseconds. */
const LONGEST_REST_MS = 300_000;

const OUR_FAULT = 'Something went wrong in LMS Admin. LMS Admin will try again.';
const GIVEN_UP = {
  message: 'LMS Admin tried many times without success.',
  next: 'Start it again. If it keeps happening, contact IT Support.',
};

type Turning = TurnParts & { owner: string; stop: AbortSignal };

/** Begins a turn; does nothing if another process has the job, or if it has ended or rests. */
export function takeTurn(parts: Turning, kind: JobKind, id: string): Turn {
  const cancel = new AbortController();
  const ended = workFor(id, () => drive(parts, kind, id, cancel));
  return { ended, cancel: () => cancel.abort(new Cancelled(kind.untouched)) };
}

async function drive(parts: Turning, kind: JobKind, id: string, cancel: AbortController): Promise<void> {
  const { owner, stop, timings, figures } = parts;
  const { db } = parts.db;
  const begun = Date.now();
  const first = await claim(db, id, owner, timings.leaseMs);
  if (!first) return;
  if (first.attempts === 1 && first.stage === null && first.startedAt !== null) {
    figures.begun(kind.id, first.startedAt.getTime() - first.createdAt.getTime());
  }
  const askForEnd = () => {
    if (!cancel.signal.aborted) cancel.abort(new Cancelled(kind.untouched));
  };
  if (first.cancelRequestedAt !== null) askForEnd();
  const lease = new KeptLease(db, { id, owner, ms: timings.leaseMs }, begun, askForEnd);
  const signal = AbortSignal.any([stop, lease.lost]);
  const work = new Work(parts, first, lease, { signal, cancel: cancel.signal });
  try {
    await requireReleased(db, kind, first);
    const tired = first.attempts > MOST_ATTEMPTS;
    await end(parts, work, tired ? { outcome: 'failed', problem: GIVEN_UP } : await kind.run(work));
  } catch (error) {
    if (signal.aborted || error instanceof LeaseLost) await giveBack(db, id, owner).catch(() => {});
    else await settle(parts, work, first, error);
  } finally {
    lease.stopKeeping();
  }
}

/** A job as its kind sees it. */
class Work implements JobWork {
  readonly signal: AbortSignal;
  readonly cancel: AbortSignal;
  readonly items: JobItems;
  readonly #db: Db;
  readonly #owner: string;
  readonly #grants: Grants;
  readonly #lease: KeptLease;
  #row: JobRow;
  #stepped = false;

  constructor(
    { db: { db }, owner, grants }: Turning,
    row: JobRow,
    lease: KeptLease,
    { signal, cancel }: Pick<JobWork, 'signal' | 'cancel'>,
  ) {
    this.signal = signal;
    this.cancel = cancel;
    this.items = new JobItems(db, row.id, owner, (stepped) => this.#onItem(stepped));
    this.#db = db;
    this.#owner = owner;
    this.#grants = grants;
    this.#lease = lease;
    this.#row = row;
  }

  get job(): JobRow {
    return this.#row;
  }

  /** Tells whether a step was completed in this turn. */
  get stepped(): boolean {
    return this.#stepped;
  }

  async input(): Promise<unknown> {
    return this.#row.input === null ? null : unpack<unknown>(this.#row.input);
  }

  token(): CanvasToken {
    return this.#grants.rootToken(this.#row.grantId);
  }

  async save(
    patch: JobPatch,
    more: ((tx: Db) => Promise<unknown>) | null = null,
    { unlessCancelled }: { unlessCancelled?: string } = {},
  ): Promise<void> {
    // Progress numbers are reported again after a restart. Only a step that will not be repeated resets the attempts.
    const isStep = more !== null || patch.checkpoint !== undefined;
    const further = isStep ? { ...patch, attempts: 0 } : patch;
    this.#stepped ||= isStep;
    if (more === null && unlessCancelled === undefined) return this.write(further);
    // A rollback must leave no trace: the row in memory changes only once the transaction has committed.
    this.#row = await this.#db.transaction(async (tx) => {
      const saved = await save(tx, this.#row.id, this.#owner, further);
      if (unlessCancelled !== undefined && saved.cancelRequestedAt !== null)
        throw new Cancelled(unlessCancelled);
      await more?.(tx);
      return saved;
    });
  }

  async trouble(why: string): Promise<number> {
    const { troubleSince, waitWhy, state } = this.#row;
    if (troubleSince === null || waitWhy !== why || state !== 'waiting') {
      const since = troubleSince ?? new Date();
      await this.write({ state: 'waiting', waitWhy: why, troubleSince: since, attempts: 0 });
    }
    const since = this.#row.troubleSince;
    return since === null ? 0 : Date.now() - since.getTime();
  }

  async waitForTurn(why: string): Promise<void> {
    if (this.#row.state === 'waiting' && this.#row.waitWhy === why) return;
    await this.write({ state: 'waiting', waitWhy: why, troubleSince: null, attempts: 0 });
  }

  async fine(): Promise<void> {
    const { troubleSince, state, attempts } = this.#row;
    if (troubleSince === null && state === 'running' && attempts <= 1) return;
    await this.write({ state: 'running', waitWhy: null, troubleSince: null, attempts: 0 });
  }

  pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.signal });
  }

  leaseLeft(): number {
    return this.#lease.leftMs();
  }

  /** Changes any field of the record; only the runner may do that. @throws LeaseLost */
  async write(patch: Partial<Record<keyof JobRow, unknown>>): Promise<void> {
    this.#row = await save(this.#db, this.#row.id, this.#owner, patch);
  }

  #onItem({ done, total }: Stepped): void {
    this.#stepped = true;
    // Steps of several items may finish in any order.
    this.#row = { ...this.#row, done: Math.max(this.#row.done, done), total };
  }
}

/** Decides on the continuation of a job after its turn threw an error. */
async function settle(parts: Turning, work: Work, first: JobRow, error: unknown): Promise<void> {
  const { owner, timings, log } = parts;
  const { db } = parts.db;
  const { leaseMs } = timings;
  const { id, kind, attempts } = work.job;
  const verdict = verdictOf(error, { ...timings, row: first, stepped: work.stepped, leastMs: leaseMs / 3 });
  if (verdict === 'our-fault') {
    log.error({ err: error, job: id, kind, attempts }, 'job interrupted; it will be tried again');
    const ms = Math.min(leaseMs * 2 ** Math.min(attempts - 1, 20), LONGEST_REST_MS);
    // If the database does not answer either, the lease expires.
    await rest(db, id, owner, { until: ms, why: OUR_FAULT, attempts }).catch(() => {});
  } else if ('end' in verdict) {
    await end(parts, work, verdict.end);
  } else {
    const { restUntil: until, why, since, signIn } = verdict;
    await rest(db, id, owner, { until, why, attempts: 0, troubleSince: since, needsSignIn: signIn });
  }
}

type AnyEnd = Omit<JobEnd, 'outcome'> & { outcome: JobEnd['outcome'] | 'cancelled' };

/**
 * Ends a job. The order matters: first the audit line so that it is never missing, then the record, then the grant's
 * release.
 */
async function end(
  { db: { db }, log, audit, grants, figures }: TurnParts,
  work: Work,
  { outcome, result, figures: receipt, note, problem, refused = false }: AnyEnd,
): Promise<void> {
  const row = work.job;
  await audit.write({
    login: row.login,
    tool: row.tool,
    event: 'job-ended',
    // Without the reason: messages of other systems may name people, and the audit is permanent.
    detail: { job: row.id, kind: row.kind, label: row.label, outcome },
  });
  await settleItems(db, row.id);
  await work.write({
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
    log.warn(
      { err: error, grant: row.grantId },
      'the grant could not be released; it will be tried again later',
    );
  });
}

/** Returns whether an unfinished job still needs this grant. */
export async function needsGrant(db: Db, grantId: string): Promise<boolean> {
  const rows = await db
    .select({ id: jobs.id })
    .from(jobs)
    .where(and(eq(jobs.grantId, grantId), isNull(jobs.endedAt)))
    .limit(1);
  return rows.length > 0;
}
