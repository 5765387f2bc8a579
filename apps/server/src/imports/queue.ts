/**
 * Imports that change the same places go one after the other, across people, tabs and servers: the last comparison before a sending
 * is only worth something when no other import changes the same courses between it and the end of the sending. An import that has
 * its turn keeps it until its end. It gives it up where the LMS cannot be asked at the moment: nothing was sent by then.
 */

import { isFinal } from '@lms-admin/domain/import-states';
import { and, asc, eq, inArray, isNull, ne, notInArray, or, sql } from 'drizzle-orm';
import { sameLms } from '../canvas/identity.ts';
import { Cancelled } from '../jobs/kind.ts';
import type { Db } from '../platform/database.ts';
import { imports, jobs } from '../platform/schema.ts';
import { EVERYWHERE, placesOf } from './places.ts';
import { asCanvasError, CANCELLED, pause, type Work } from './work.ts';

/** Taken in the database while one import looks whether it is its turn: two would else both find that it is. */
const TURN_LOCK = 7_202_611;
/** An import whose fate is unknown for longer than this (milliseconds) is not waited for any more. */
const UNKNOWN_MS = 3_600_000;

/** An import that is waited for. */
interface Ahead {
  id: string;
  login: string;
  name: string;
  label: string;
  step: (typeof imports.$inferSelect)['step'];
  canvasId: number | null;
  lms: string;
  sentAt: Date | null;
}

/**
 * Waits until no other import changes the same places, and takes the turn.
 * @throws Cancelled; the signal's reason
 */
export async function takeTurn(work: Work): Promise<void> {
  const { db } = work.services.db;
  if (work.row.places === null)
    await work.save({ places: await placesOf({ db, plans: work.sources.plans }, work.row) });
  const over = new Set<string>();
  const cancelled = cancelAsked(work.job.cancel);
  for (;;) {
    if (work.job.cancel.aborted) throw new Cancelled(CANCELLED);
    const ahead = (await firstAhead(db, work, over)) ?? (await claim(work, over));
    if (ahead === null) return;
    if (await hasEndedInLms(work, ahead)) {
      over.add(ahead.id);
      continue;
    }
    const why = waitsFor(work, ahead);
    await work.job.waitForTurn(why);
    // One that had its turn when an older one rested gives way to it: each would else wait for the other.
    if (work.row.note !== why || work.row.claimed) await work.save({ note: why, claimed: false });
    await Promise.race([pause(work), cancelled]);
  }
}

/** Resolves when the end is asked for: that does not wait for others. */
export function cancelAsked(cancel: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (cancel.aborted) resolve();
    else cancel.addEventListener('abort', () => resolve(), { once: true });
  });
}

class Overtaken extends Error {
  readonly by: Ahead;
  constructor(by: Ahead) {
    super(`import ${by.id} is ahead`);
    this.by = by;
  }
}

/** Takes the turn; or, where another one has been quicker, that one. */
async function claim(work: Work, over: ReadonlySet<string>): Promise<Ahead | null> {
  try {
    await work.save(
      { claimed: true, note: null },
      {
        unlessCancelled: CANCELLED,
        async more(tx) {
          await tx.execute(sql`select pg_advisory_xact_lock(${TURN_LOCK})`);
          const ahead = await firstAhead(tx, work, over);
          if (ahead !== null) throw new Overtaken(ahead);
        },
      },
    );
  } catch (thrown) {
    if (thrown instanceof Overtaken) return thrown.by;
    throw thrown;
  }
  // The LMS answers only once the rows have been compared: until then what has gone wrong goes on.
  if (work.job.job.troubleSince === null) await work.job.fine();
  return null;
}

/**
 * The oldest import that this one has to wait for. One that has its turn, or may have been sent, counts whenever it was made; one
 * that waits for its turn counts where it is older. So there is always one that goes on: no one waits in a circle.
 */
async function firstAhead(db: Db, { row, job }: Work, over: ReadonlySet<string>): Promise<Ahead | null> {
  const older = sql`(${jobs.createdAt}, ${jobs.id}) < (select created_at, id from jobs where id = ${row.id})`;
  const awake = isNull(jobs.waitUntil);
  const found = await db
    .select({
      id: imports.id,
      login: jobs.login,
      name: jobs.name,
      label: jobs.label,
      step: imports.step,
      canvasId: imports.canvasId,
      lms: jobs.lms,
      sentAt: imports.sentAt,
    })
    .from(imports)
    .innerJoin(jobs, eq(jobs.id, imports.id))
    .where(
      and(
        isNull(jobs.endedAt),
        ne(imports.id, row.id),
        ne(imports.step, 'final'),
        over.size > 0 ? notInArray(imports.id, [...over]) : undefined,
        sharesPlaces(row.places ?? [EVERYWHERE]),
        or(
          inArray(imports.step, ['submitting', 'following']),
          // What rests takes its turn again when it goes on.
          and(eq(imports.claimed, true), awake),
          and(isNull(jobs.troubleSince), awake, older),
        ),
      ),
    )
    .orderBy(asc(jobs.createdAt), asc(jobs.id));
  const longAgo = Date.now() - UNKNOWN_MS;
  const ahead = found.find(
    (one) =>
      sameLms(one.lms, job.job.lms) &&
      !(one.step === 'submitting' && one.sentAt !== null && one.sentAt.getTime() < longAgo),
  );
  return ahead ?? null;
}

function sharesPlaces(places: readonly string[]) {
  if (places.includes(EVERYWHERE)) return undefined;
  return or(
    // Of an earlier version, or not read yet.
    isNull(imports.places),
    sql`jsonb_exists_any(${imports.places}, array(select jsonb_array_elements_text(${JSON.stringify([...places, EVERYWHERE])}::jsonb)))`,
  );
}

/** Whether the LMS has ended what its own job still follows: that one may wait for a sign-in, perhaps for days. */
async function hasEndedInLms(work: Work, { step, canvasId }: Ahead): Promise<boolean> {
  if (step !== 'following' || canvasId === null) return false;
  try {
    return isFinal((await work.lms.get(work.token(), canvasId, work.signal)).state);
  } catch (thrown) {
    asCanvasError(work, thrown);
    return false;
  }
}

function waitsFor(work: Work, ahead: Ahead): string {
  const where =
    ahead.login === work.row.login ? `your import “${ahead.label}”` : `an import by ${ahead.name}`;
  return `Waiting for ${where}, which changes the same courses or people. Nothing has been sent so far.`;
}
