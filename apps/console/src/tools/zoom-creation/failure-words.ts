/** Texts about failures (OP-69). Pure. */
import { type Failure, namedBy } from './course-state.ts';
import { type EventRow, titleOf } from './event-rows.ts';
import { texts } from './texts.ts';

const words = texts.failure;

/** @param selected the currently selected events */
export function failureTitle(
  {
    asked: requested,
    outcome,
    failed,
    gone,
    later,
    note,
  }: Pick<Failure, 'asked' | 'outcome' | 'failed' | 'gone' | 'later' | 'note'>,
  selected: ReadonlySet<number>,
): string {
  if (outcome === 'unseen') return words.unseen;
  if (outcome === 'later') return words.later(later.length);
  if (requested.change === 'unmerge' && outcome !== 'cancelled' && outcome !== 'outdated')
    return words.unmerge;
  if (outcome === 'cancelled' && note !== null) return note;
  const concerned = outcome === 'some' ? failed.map(({ event }) => event) : namedBy(requested);
  if (areAllGone({ asked: requested, gone })) return words.allGone(gone.length);
  const left = concerned.filter((event) => selected.has(event)).length;
  const isPart = outcome === 'some' && failed.some(({ part }) => part);
  const title = words[isPart ? 'parts' : outcome](concerned.length);
  const selectedWords = requested.change === 'unmerge' ? '' : words.selected(left, concerned.length);
  return [title, selectedWords].filter(Boolean).join(' ');
}

/**
 * Advises the administrator about a failure.
 * @param news whether the preview contains anything new; null if that is unknown
 */
export function failureNext(
  { asked: requested, outcome, gone }: Pick<Failure, 'asked' | 'outcome' | 'gone'>,
  news: boolean | null,
): string {
  if (outcome !== 'outdated') return words.next;
  if (areAllGone({ asked: requested, gone })) return words.chooseOthers;
  return news === null ? words.newPreview : news ? words.lookAtNew : words.sameWords;
}

/** Tells whether none of the events that a change names are left. */
const areAllGone = ({ asked: requested, gone }: Pick<Failure, 'asked' | 'gone'>) =>
  namedBy(requested).every((id) => gone.includes(id));

/** Writes a line for each event missing from the course's calendar. @param sent the events at the time of saving */
export function goneLines(
  { gone }: Pick<Failure, 'gone'>,
  sent: readonly EventRow[],
  times: (of: EventRow['event']) => string,
): string[] {
  return gone.map((id) => {
    const row = sent.find(({ event }) => event.id === id);
    if (row === undefined) return words.gone(`${texts.noTitle}, ${texts.eventNumber(id)}`);
    const when = times(row.event);
    return words.gone(when === '' ? row.title : `${row.title} (${when})`);
  });
}

/** Describes the part of a change that succeeded although some of its events failed; null if none, or if unknown. */
export function doneWords({
  asked: requested,
  outcome,
  failed,
  later,
}: Pick<Failure, 'asked' | 'outcome' | 'failed' | 'later'>): string | null {
  const done = namedBy(requested).length - failed.length - later.length;
  return (outcome === 'some' || outcome === 'later') && done > 0 ? words.others(done) : null;
}

/** Writes a line for each failed event, with its time and the reason. */
export function failedLines(
  { failed }: Pick<Failure, 'failed'>,
  times: (of: { start_at: string | null }) => string,
): string[] {
  return failed.map((one) => {
    const when = times(one);
    return `${titleOf(one.title)}${when === '' ? '' : ` (${when})`}: ${one.message}`;
  });
}

/** Writes a line for each event that was not finished because the change was cancelled, with its time and state. */
export function stoppedLines(
  { stopped }: Pick<Failure, 'stopped'>,
  times: (of: { start_at: string | null }) => string,
): string[] {
  return stopped.map((one) => {
    const when = times(one);
    const state = one.part ? words.stoppedPart : one.unknown ? words.stoppedUnknown : words.stopped;
    return `${titleOf(one.title)}${when === '' ? '' : ` (${when})`}: ${state}`;
  });
}

/**
 * Writes a line for each event that was not changed because of a later change, with its time and who made that change.
 */
export function laterLines(
  { later }: Pick<Failure, 'later'>,
  times: (of: { start_at: string | null }) => string,
): string[] {
  return later.map((one) => {
    const when = times(one);
    return `${titleOf(one.title)}${when === '' ? '' : ` (${when})`}: ${words.laterOne(one.by)}`;
  });
}
