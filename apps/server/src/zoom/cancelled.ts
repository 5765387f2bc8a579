/** Reports that a Zoom job of either kind stopped early, because it was cancelled or access was lost. */
import { counted } from '@lms-admin/domain/numbers';
import type { EachItem, ItemCounts, ItemRow } from '../jobs/items.ts';
import { Cancelled, type JobWork } from '../jobs/kind.ts';
import { AppError } from '../platform/errors.ts';
import { listed } from '../platform/text.ts';
import { STOPPED_BEFORE, STOPPED_MIDWAY } from './event-changes.ts';

/** Outcome of a cancelled job. */
export interface CancelledWork {
  note: string;
  figures: [string, number][];
  /** Item numbers of events that are partly done. */
  begun: ReadonlySet<number>;
  /** Item numbers of events that were under way: their messages already say what was done. */
  stopped: ReadonlySet<number>;
  result?: Record<string, unknown>;
}

/** How each event is done. */
export interface EachEvent extends Pick<EachItem, 'atOnce' | 'checkpoint' | 'do'> {
  /** Called before each event: access may be lost while the job runs. @throws AppError */
  requireAccess: () => Promise<void>;
}

/**
 * Does the remaining events until the job is cancelled. Reports the cancellation once the running events have ended, so
 * that their results count.
 * @returns the number of events in each state; those that wait for the next day remain
 * @throws Cancelled; like `JobItems.each`, and `requireAccess`
 */
export async function eachEvent(
  work: JobWork,
  { requireAccess, ...each }: EachEvent,
  cancelled: (counts: ItemCounts) => Promise<CancelledWork>,
): Promise<ItemCounts> {
  try {
    await work.items.each({
      ...each,
      async between() {
        if (work.cancel.aborted) throw new Cancelled('');
        await requireAccess();
      },
      // Repeating an event is safe: it does what is left.
      find: async () => null,
    });
  } catch (error) {
    // If access was lost, reports what was done before that.
    if (error instanceof AppError)
      await work.save({ figures: (await cancelled(await work.items.counts())).figures });
    if (!(error instanceof Cancelled)) throw error;
  }
  const counts = await work.items.counts();
  if (!work.cancel.aborted || counts.todo + counts.doing === 0) return counts;
  const { note, figures, result, ...which } = await cancelled(counts);
  await work.items.reword(instead(await work.items.rest(), which));
  await work.save({ figures });
  throw new Cancelled(note, result ?? null);
}

/** Returns the messages for events that waited for another day, since they are no longer waiting. */
function instead(
  rest: readonly ItemRow[],
  { begun, stopped }: Pick<CancelledWork, 'begun' | 'stopped'>,
): Map<number, string> {
  const waited = rest.filter(
    ({ seq, state, message }) => state === 'todo' && message !== null && !stopped.has(seq),
  );
  return new Map(waited.map(({ seq }) => [seq, begun.has(seq) ? STOPPED_MIDWAY : STOPPED_BEFORE]));
}

/**
 * Returns the note for a cancellation that arrived when all events were done or under way; null if none was
 * requested.
 */
export function lateWords({ cancel }: Pick<JobWork, 'cancel'>): string | null {
  return cancel.aborted
    ? 'It was too late to cancel. LMS Admin had already started every event, and has completed them all.'
    : null;
}

/**
 * Describes the events that were done, and those that were not.
 * @param verb such as 'done'
 * @param not verb for the failed ones; a run has checked them
 * @param part names of partly done events
 * @param left events left to later changes
 */
export function cancelWords(
  { todo, doing, done: ended, failed }: ItemCounts,
  {
    verb,
    not,
    part,
    left = 0,
  }: { verb: 'checked' | 'done'; not: string; part: readonly string[]; left?: number },
): string {
  const done = ended - left + (verb === 'checked' ? failed : 0);
  const rest = todo - part.length;
  const all = todo + doing + ended + failed;
  const parts = [
    `${done} of ${counted(all, 'event was', 'events were')} ${verb}`,
    ...(failed > 0 ? [`${counted(failed, 'event')} could not be ${not}`] : []),
    ...(part.length > 0
      ? [
          `${counted(part.length, 'event was partly done and stays as it is', 'events were partly done and stay as they are')}: ${listed(part)}`,
        ]
      : []),
    ...(doing > 0 ? [`${counted(doing, 'event was', 'events were')} started, with an unknown result`] : []),
    ...(rest > 0 ? [`${counted(rest, 'event was', 'events were')} not started`] : []),
  ];
  return `Cancelled: ${parts.join('; ')}.`;
}
