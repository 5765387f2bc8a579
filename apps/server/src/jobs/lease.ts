/** Leases on jobs: one process works on a job at a time, and only it may change the record. */
import { and, asc, eq, inArray, isNull, lt, lte, not, or, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../platform/database.ts';
import { grants, jobs } from '../platform/schema.ts';

export type JobRow = typeof jobs.$inferSelect;

/** Thrown when another process has taken the job over; the work is to be dropped without a trace. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}

/** The database's clock, which all processes share. */
const after = (ms: number) => sql`now() + ${ms}::double precision * interval '1 millisecond'`;
const open = isNull(jobs.endedAt);
const free = or(isNull(jobs.leaseUntil), lt(jobs.leaseUntil, sql`now()`));
/** The newest sign-in of the job's admin since the one whose token was refused; null without any. */
const nextGrant = sql`(
  select newer.id from ${grants} as newer
  where newer.login = ${jobs.login} and newer.released_at is null and newer.id is distinct from ${jobs.grantId}
    and newer.created_at > coalesce(
      (select refused.created_at from ${grants} as refused where refused.id = ${jobs.grantId}), '-infinity')
  order by newer.created_at desc limit 1
)`;
const signedInAgain = and(eq(jobs.needsSignIn, true), sql`${nextGrant} is not null`);
const due = or(isNull(jobs.waitUntil), lte(jobs.waitUntil, sql`now()`), signedInAgain);

function held(id: string, owner: string): SQL | undefined {
  return and(eq(jobs.id, id), eq(jobs.leaseOwner, owner));
}

/** Takes a job that no one works on and that is due; null when someone does, when it rests, or when it has ended. */
export async function claim(db: Db, id: string, owner: string, leaseMs: number): Promise<JobRow | null> {
  const [row] = await db
    .update(jobs)
    .set({
      state: 'running',
      waitUntil: null,
      // From here on it acts with the new sign-in.
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

/** Keeps a job for another while. @returns whether its end has been asked for @throws LeaseLost */
async function renew(db: Db, id: string, owner: string, leaseMs: number): Promise<boolean> {
  const [row] = await db
    .update(jobs)
    .set({ leaseUntil: after(leaseMs) })
    .where(held(id, owner))
    .returning({ cancelAskedAt: jobs.cancelAskedAt });
  if (!row) throw new LeaseLost();
  return row.cancelAskedAt !== null;
}

/** A lease that is renewed until it is lost, or not needed any more. */
export class KeptLease {
  readonly #lost = new AbortController();
  readonly #renewal: NodeJS.Timeout;
  #until: number;

  /**
   * @param begun when it was asked for, by our clock
   * @param onCancelAsked is told at each renewal after the end of the job was asked for
   */
  constructor(
    db: Db,
    { id, owner, ms }: { id: string; owner: string; ms: number },
    begun: number,
    onCancelAsked: () => void,
  ) {
    this.#until = begun + ms;
    this.#renewal = setInterval(() => {
      const asked = Date.now();
      renew(db, id, owner, ms).then(
        (cancelAsked) => {
          this.#until = asked + ms;
          if (cancelAsked) onCancelAsked();
        },
        (error: unknown) => {
          // A database that does not answer is no lost lease; the lease's own end is.
          if (error instanceof LeaseLost || Date.now() > this.#until) this.#lost.abort(new LeaseLost());
        },
      );
    }, ms / 3);
  }

  /** Aborts when another process may have the job. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Milliseconds for which it certainly holds. */
  leftMs(): number {
    return this.#until - Date.now();
  }

  /** Lets it run out. */
  stopKeeping(): void {
    clearInterval(this.#renewal);
  }
}

/** Changes the record of a job that is ours. @throws LeaseLost */
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
 * Lets a job rest until a moment, or for some milliseconds, with the reason.
 * @param resting.attempts none where resting belongs to the work: then it may rest as often as it likes
 * @param resting.troubleSince when something outside began to fail
 * @param resting.needsSignIn a new sign-in of the admin ends the rest
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

/** Gives a job free for anyone who comes next; who stops in good order has not failed at it. */
export async function giveBack(db: Db, id: string, owner: string): Promise<void> {
  await db.update(jobs).set({ attempts: 0, leaseOwner: null, leaseUntil: null }).where(held(id, owner));
}

/** Gives every job free: only where it is certain that no other process lives (the embedded database's lock). */
export async function giveBackAll(db: Db): Promise<void> {
  await db.update(jobs).set({ leaseOwner: null, leaseUntil: null }).where(open);
}

/** What has to be known of a job to take it up. */
export type WaitingJob = Pick<JobRow, 'id' | 'kind' | 'login'>;

/**
 * Jobs of these kinds that no one works on and that are due, oldest first.
 * @param full whose jobs of which kind are not asked for
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
