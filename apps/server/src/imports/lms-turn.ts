/**
 * The LMS processes imports of all senders one after the other, and earlier ones may change the data that ours was
 * compared with. So the last comparison waits for imports already in the LMS that LMS Admin did not send, since the LMS
 * processes them first anyway. Later imports are ignored. LMS Admin's own imports wait for each other if they share
 * places.
 */
import { grouped } from '@lms-admin/domain/numbers';
import { eq, inArray } from 'drizzle-orm';
import { sameLms } from '../canvas/identity.ts';
import { Cancelled } from '../jobs/kind.ts';
import { imports, jobs } from '../platform/schema.ts';
import type { LmsImport } from './lms-imports.ts';
import { cancelRequested } from './queue.ts';
import { CANCELLED, pause, type Work } from './work.ts';

/** States of an import that the LMS has received completely and not ended. */
const QUEUED: readonly string[] = ['created', 'importing', 'cleanup_batch'];
/** States that an import only has once the LMS has started it. */
const BEGUN: readonly string[] = [
  'importing',
  'cleanup_batch',
  'imported',
  'imported_with_messages',
  'failed_with_messages',
];
/** Milliseconds without progress after which LMS Admin stops waiting for an import. */
const STUCK_MS = 3_600_000;

/**
 * Waits until the LMS has ended the imports that it has at the moment.
 * @returns the highest import number in the LMS
 * @throws Cancelled; CanvasError; the signal's reason
 */
export async function lmsCaughtUp(work: Work): Promise<number> {
  const cancelled = cancelRequested(work.job.cancel);
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

/** Returns imports waiting in the LMS that LMS Admin did not send. */
async function othersQueued(work: Work, recent: readonly LmsImport[]): Promise<LmsImport[]> {
  const isQueued = ({ state }: LmsImport) => QUEUED.includes(state);
  if (!recent.some(isQueued)) return [];
  // If all of the latest imports are waiting, older ones may be waiting too.
  const older = recent.every(isQueued) ? await work.lms.open(work.token(), work.signal) : [];
  const all = new Map([...older, ...recent].map((one) => [one.id, one]));
  // The LMS works in order, so a waiting import older than one that has started was skipped.
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
  return count === 1
    ? 'The LMS must first finish an import that did not come from LMS Admin. This import is then compared with the LMS and sent. Nothing has been sent so far.'
    : `The LMS must first finish ${grouped(count)} imports that did not come from LMS Admin. This import is then compared with the LMS and sent. Nothing has been sent so far.`;
}
