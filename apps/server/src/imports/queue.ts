/**
 * Queue for imports that change the same places, across people, tabs and servers. The last comparison before a send is
 * only valid if no other import changes the same courses until the send has ended. An import keeps its turn until it
 * ends, but gives it up if the LMS is unavailable before anything was sent.
 */

import { isFinal } from '@lms-admin/domain/import-states';
import { and, asc, eq, inArray, isNull, ne, notInArray, or, sql } from 'drizzle-orm';
import { sameLms } from '../canvas/identity.ts';
import { Cancelled } from '../jobs/kind.ts';
import type { Db } from '../platform/database.ts';
import { imports, jobs } from '../platform/schema.ts';
import { EVERYWHERE, placesOf } from './places.ts';
import { asCanvasError, CANCELLED, pause, type Work } from './work.ts';

/** Database lock held while an import checks for its turn; otherwise two imports could take it at the same time. */
const TURN_LOCK = 7_202_611;
/** Milliseconds after which other imports stop waiting for an import with an unknown result. */
const UNKNOWN_MS = 3_600_000;

/** An import that others wait for. */
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
  const cancelled = cancelRequested(work.job.cancel);
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
    // An import that got its turn while an older one was resting gives way to it; otherwise each would wait for the
    // other.
    if (work.row.note !== why || work.row.claimed) await work.save({ note: why, claimed: false });
    await Promise.race([pause(work), cancelled]);
  }
}

/** Resolves on cancellation, which does not wait for other imports. */
export function cancelRequested(cancel: AbortSignal): Promise<void> {
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

/** Takes the turn, or returns the import that took it first. */
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
  // Only the comparison of the rows shows whether the LMS answers again, so an earlier problem is still reported.
  if (work.job.job.troubleSince === null) await work.job.fine();
  return null;
}

/**
 * Returns the oldest import that this one must wait for. An import with the turn, or one that may have been sent,
 * counts whatever its age; a waiting one counts if it is older. So one can always proceed, and no cycle is possible.
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
          // A resting import takes its turn again when it resumes.
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
    // From an earlier version, or not read yet.
    isNull(imports.places),
    sql`jsonb_exists_any(${imports.places}, array(select jsonb_array_elements_text(${JSON.stringify([...places, EVERYWHERE])}::jsonb)))`,
  );
}

/** Returns whether the LMS has ended an import that its job still follows: the job may wait days for a sign-in. */
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
