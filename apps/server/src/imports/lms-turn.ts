/**
 * The LMS works on imports of all senders one after the other. What it works on before ours may change what ours was compared
 * with. So the last comparison waits until the imports that the LMS has by then, and that did not come from LMS Admin, have ended:
 * the LMS would do them first anyway. Imports that come to the LMS later are not waited for. Those of LMS Admin wait for each other
 * by their places.
 */
import { grouped } from '@lms-admin/domain/numbers';
import { eq, inArray } from 'drizzle-orm';
import { sameLms } from '../canvas/identity.ts';
import { Cancelled } from '../jobs/kind.ts';
import { imports, jobs } from '../platform/schema.ts';
import type { LmsImport } from './lms-imports.ts';
import { cancelAsked } from './queue.ts';
import { CANCELLED, pause, type Work } from './work.ts';

/** States of an import that the LMS has whole and has not ended. */
const QUEUED: readonly string[] = ['created', 'importing', 'cleanup_batch'];
/** States that an import has only once the LMS has worked on it. */
const BEGUN: readonly string[] = [
  'importing',
  'cleanup_batch',
  'imported',
  'imported_with_messages',
  'failed_with_messages',
];
/** Imports of which nothing moves for this long (milliseconds) are not waited for any more. */
const STUCK_MS = 3_600_000;

/**
 * Waits until the LMS has ended what it has now.
 * @returns the highest number that the LMS has given to an import
 * @throws Cancelled; CanvasError; the signal's reason
 */
export async function lmsCaughtUp(work: Work): Promise<number> {
  const cancelled = cancelAsked(work.job.cancel);
  let ahead: ReadonlySet<number> | null = null;
  let moved = { seen: '', at: Date.now() };
  for (;;) {
    if (work.job.cancel.aborted) throw new Cancelled(CANCELLED);
    const recent = await work.lms.recent(work.token(), work.signal);
    const others = await othersQueued(work, recent);
    const waiting = others.filter(({ id }) => ahead === null || ahead.has(id));
    ahead = new Set(waiting.map(({ id }) => id));
    const seen = JSON.stringify(waiting.map(({ id, state, progress }) => [id, state, progress]));
    if (seen !== moved.seen) moved = { seen, at: Date.now() };
    const isStuck = Date.now() - moved.at > STUCK_MS;
    if (waiting.length === 0 || isStuck) {
      if (isStuck) work.services.log.warn({ import: work.row.id, waiting: [...ahead] }, 'imports are stuck');
      if (work.row.note !== null) await work.save({ note: null });
      return Math.max(0, ...recent.map(({ id }) => id));
    }
    const why = waitsFor(waiting.length);
    await work.job.waitForTurn(why);
    if (work.row.note !== why) await work.save({ note: why });
    await Promise.race([pause(work), cancelled]);
  }
}

/** Imports that the LMS has yet to do, and that LMS Admin did not send. */
async function othersQueued(work: Work, recent: readonly LmsImport[]): Promise<LmsImport[]> {
  const isQueued = ({ state }: LmsImport) => QUEUED.includes(state);
  if (!recent.some(isQueued)) return [];
  // Where all of the latest wait, older ones may wait as well.
  const older = recent.every(isQueued) ? await work.lms.open(work.token(), work.signal) : [];
  const all = new Map([...older, ...recent].map((one) => [one.id, one]));
  // The LMS goes by their order: it has passed over one that is older than one that has begun.
  const lastBegun = Math.max(
    0,
    ...[...all.values()].flatMap(({ id, state }) => (BEGUN.includes(state) ? id : [])),
  );
  const queued = [...all.values()].filter((one) => isQueued(one) && one.id >= lastBegun);
  const found = await work.services.db.db
    .select({ canvasId: imports.canvasId, lms: jobs.lms })
    .from(imports)
    .innerJoin(jobs, eq(jobs.id, imports.id))
    .where(
      inArray(
        imports.canvasId,
        queued.map(({ id }) => id),
      ),
    );
  const ours = new Set(found.flatMap(({ canvasId, lms }) => (sameLms(lms, work.row.lms) ? canvasId : [])));
  return queued.filter(({ id }) => !ours.has(id));
}

function waitsFor(count: number): string {
  const [which, after] =
    count === 1
      ? ['an import that did not come from LMS Admin', 'it']
      : [`${grouped(count)} imports that did not come from LMS Admin`, 'them'];
  return `The LMS works on ${which} first. This import is compared with the LMS and sent after ${after}. Nothing has been sent so far.`;
}
