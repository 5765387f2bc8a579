/** Leases on jobs: one process at a time works on a job, and only that process may change its record. */
import { and, asc, eq, inArray, isNull, lt, lte, not, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../platform/database.ts';
import { grants, jobs } from '../platform/schema.ts';

export type JobRow = typeof jobs.$inferSelect;

/** Thrown when another process has taken over the job; the current work must be dropped without writing anything. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}

/** Returns SQL for a time by the database's clock, which all processes share. */
const after = (ms: number) => sql`now() + ${ms}::double precision * interval '1 millisecond'`;
const open = isNull(jobs.endedAt);
const free = or(isNull(jobs.leaseUntil), lt(jobs.leaseUntil, sql`now()`));
/** The admin's newest sign-in since the one whose token was refused; null if there is none. */
const nextGrant = sql`(
  select newer.id from ${grants} as newer
  where newer.login = ${jobs.login} and newer.released_at is null and newer.id is distinct from ${jobs.grantId}
    and newer.created_at > coalesce(
      (select refused.created_at from ${grants} as refused where refused.id = ${jobs.grantId}), '-infinity')
  order by newer.created_at desc limit 1
)`;
const isSignInRenewed = and(eq(jobs.needsSignIn, true), sql`${nextGrant} is not null`);
const due = or(isNull(jobs.waitUntil), lte(jobs.waitUntil, sql`now()`), isSignInRenewed);

function held(id: string, owner: string): SQL | undefined {
  return and(eq(jobs.id, id), eq(jobs.leaseOwner, owner));
}

/** Claims a free job that is due; null if another process has it, if it rests, or if it has ended. */
export async function claim(db: Db, id: string, owner: string, leaseMs: number): Promise<JobRow | null> {
  const [row] = await db
    .update(jobs)
    .set({
      state: 'running',
      waitUntil: null,
      // From here on the job uses the new sign-in.
      grantId: sql`case when ${jobs.needsSignIn} then coalesce(${nextGrant}, ${jobs.grantId}) else ${jobs.grantId} end`,
      needsSignIn: false,
      attempts: sql`${jobs.attempts} + 1`,
      startedAt: sql`coalesce(${jobs.startedAt}, now())`,
      leaseOwner: owner,
      leaseUntil: after(leaseMs),
    })
    .where(and(eq(jobs.id, id), open, free, due))
    .returning();
  return row ?? null;
}

/** Extends the lease on a job. @returns whether cancellation was requested @throws LeaseLost */
async function renew(db: Db, id: string, owner: string, leaseMs: number): Promise<boolean> {
  const [row] = await db
    .update(jobs)
    .set({ leaseUntil: after(leaseMs) })
    .where(held(id, owner))
    .returning({ cancelRequestedAt: jobs.cancelRequestedAt });
  if (!row) throw new LeaseLost();
  return row.cancelRequestedAt !== null;
}

/** A lease that is renewed until it is lost or released. */
export class KeptLease {
  readonly #lost = new AbortController();
  readonly #renewal: NodeJS.Timeout;
  #until: number;

  /**
   * @param begun when the lease was requested, by the clock of this process
   * @param onCancelRequested called at each renewal after cancellation was requested
   */
  constructor(
    db: Db,
    { id, owner, ms }: { id: string; owner: string; ms: number },
    begun: number,
    onCancelRequested: () => void,
  ) {
    this.#until = begun + ms;
    this.#renewal = setInterval(() => {
      const sentAt = Date.now();
      renew(db, id, owner, ms).then(
        (cancelRequested) => {
          this.#until = sentAt + ms;
          if (cancelRequested) onCancelRequested();
        },
        (error: unknown) => {
          // A failed database call does not mean a lost lease; only its expiry does.
          if (error instanceof LeaseLost || Date.now() > this.#until) this.#lost.abort(new LeaseLost());
        },
      );
    }, ms / 3);
  }

  /** Aborts when another process may have taken the job. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Returns the milliseconds for which the lease certainly holds. */
  leftMs(): number {
    return this.#until - Date.now();
  }

  /** Stops renewing the lease, so that it expires. */
  stopKeeping(): void {
    clearInterval(this.#renewal);
  }
}

/** Changes the record of a job that this process has leased. @throws LeaseLost */
export async function save(
  db: Db,
  id: string,
  owner: string,
  patch: Partial<Record<keyof JobRow, unknown>>,
): Promise<JobRow> {
  const [row] = await db
    .update(jobs)
    .set({ ...(patch as Partial<JobRow>), updatedAt: new Date() })
    .where(held(id, owner))
    .returning();
  if (!row) throw new LeaseLost();
  return row;
}

/**
 * Lets a job rest until a time, or for a number of milliseconds, and stores the reason.
 * @param resting.attempts omitted if resting is part of the work: the job may then rest any number of times
 * @param resting.troubleSince when another system began to fail
 * @param resting.needsSignIn whether a new sign-in of the admin ends the rest
 */
export async function rest(
  db: Db,
  id: string,
  owner: string,
  {
    until,
    why,
    attempts,
    troubleSince,
    needsSignIn = false,
  }: {
    until: Date | number;
    why: string;
    attempts: number;
    troubleSince?: Date | null;
    needsSignIn?: boolean;
  },
): Promise<void> {
  await db
    .update(jobs)
    .set({
      state: 'waiting',
      waitUntil: until instanceof Date ? until : after(until),
      waitWhy: why,
      needsSignIn,
      attempts,
      ...(troubleSince === undefined ? {} : { troubleSince }),
      leaseOwner: null,
      leaseUntil: null,
    })
    .where(held(id, owner));
}

/** Releases a job for the next process. An orderly stop does not count as a failed attempt. */
export async function giveBack(db: Db, id: string, owner: string): Promise<void> {
  await db.update(jobs).set({ attempts: 0, leaseOwner: null, leaseUntil: null }).where(held(id, owner));
}

/** Releases all jobs. Safe only when no other process can be running (the embedded database's lock). */
export async function giveBackAll(db: Db): Promise<void> {
  await db.update(jobs).set({ leaseOwner: null, leaseUntil: null }).where(open);
}

/** Fields needed to start work on a job. */
export type WaitingJob = Pick<JobRow, 'id' | 'kind' | 'login'>;

/**
 * Lists free jobs of these kinds that are due, oldest first.
 * @param full owners and kinds whose jobs are skipped
 */
export async function waiting(
  db: Db,
  kinds: readonly string[],
  full: readonly Omit<WaitingJob, 'id'>[],
): Promise<WaitingJob[]> {
  if (kinds.length === 0) return [];
  const others = full.map(({ kind, login }) => not(and(eq(jobs.kind, kind), eq(jobs.login, login)) as SQL));
  return db
    .select({ id: jobs.id, kind: jobs.kind, login: jobs.login })
    .from(jobs)
    .where(and(open, free, due, inArray(jobs.kind, [...kinds]), ...others))
    .orderBy(asc(jobs.createdAt))
    .limit(100);
}
