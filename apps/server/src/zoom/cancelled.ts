/** Jobs that change one event after the other, and their end where it was asked for: both kinds of Zoom jobs tell it alike. */
import { counted } from '@lms-admin/domain/numbers';
import type { EachItem, ItemCounts, ItemRow } from '../jobs/items.ts';
import { Cancelled, type JobWork } from '../jobs/kind.ts';
import { listed } from '../platform/text.ts';
import { isOfStopped, STOPPED_BEFORE, STOPPED_MIDWAY } from './did.ts';

/** What came of a cancelled job. */
export interface CancelledWork {
  note: string;
  figures: [string, number][];
  /** Numbers in the job of events that wait in the middle. */
  begun: ReadonlySet<number>;
  result?: Record<string, unknown>;
}

/**
 * Does every event that is left until the end is asked for. It is told when those under way have ended: what they came to counts.
 * @returns how many are in which state; those that wait for the next day are left
 * @throws Cancelled; like `JobItems.each`
 */
export async function eachEvent(
  work: JobWork,
  each: Pick<EachItem, 'atOnce' | 'checkpoint' | 'do'>,
  cancelled: (counts: ItemCounts) => Promise<CancelledWork>,
): Promise<ItemCounts> {
  try {
    await work.items.each({
      ...each,
      between() {
        if (work.cancel.aborted) throw new Cancelled('');
      },
      // What was begun is done again: it does what is left.
      find: async () => null,
    });
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
  }
  const counts = await work.items.counts();
  if (!work.cancel.aborted || counts.todo + counts.doing === 0) return counts;
  const { note, figures, result, begun } = await cancelled(counts);
  await work.items.reword(instead(await work.items.rest(), begun));
  await work.save({ figures });
  throw new Cancelled(note, result ?? null);
}

/** What is said of events that waited for another day, as they no longer do. */
function instead(rest: readonly ItemRow[], begun: ReadonlySet<number>): Map<number, string> {
  const waited = rest.filter(
    ({ state, message }) => state === 'todo' && message !== null && !isOfStopped(message),
  );
  return new Map(waited.map(({ seq }) => [seq, begun.has(seq) ? STOPPED_MIDWAY : STOPPED_BEFORE]));
}

/** Said where all events were done or under way when the wish to cancel arrived; null: the end was not asked for. */
export function lateWords({ cancel }: Pick<JobWork, 'cancel'>): string | null {
  return cancel.aborted ? 'It was too late to cancel: every event had been started, and was finished.' : null;
}

/** What is done and what is not. @param did such as 'done' @param not what those that failed could not be; a run has checked them @param part names of events that were begun @param left to later changes */
export function cancelWords(
  { todo, doing, done: ended, failed }: ItemCounts,
  {
    did,
    not,
    part,
    left = 0,
  }: { did: 'checked' | 'done'; not: string; part: readonly string[]; left?: number },
): string {
  const done = ended - left + (did === 'checked' ? failed : 0);
  const rest = todo - part.length;
  const all = todo + doing + ended + failed;
  const parts = [
    `${done} of ${counted(all, 'event was', 'events were')} ${did}`,
    ...(failed > 0 ? [`${counted(failed, 'event')} could not be ${not}`] : []),
    ...(part.length > 0
      ? [`${counted(part.length, 'event was', 'events were')} partly done, which stays: ${listed(part)}`]
      : []),
    ...(doing > 0 ? [`${counted(doing, 'event was', 'events were')} begun, with an unknown result`] : []),
    ...(rest > 0 ? [`${counted(rest, 'event was', 'events were')} not begun`] : []),
  ];
  return `Cancelled: ${parts.join('; ')}.`;
}
