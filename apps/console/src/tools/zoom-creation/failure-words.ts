/** What did not work, in words (OP-69). Pure. */
import { type Failure, namedBy } from './course-state.ts';
import { type EventRow, titleOf } from './event-rows.ts';
import { texts } from './texts.ts';

const words = texts.failure;

/** @param selected the events that are selected now */
export function failureTitle(
  {
    asked,
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
  if (asked.change === 'unmerge' && outcome !== 'cancelled' && outcome !== 'outdated') return words.unmerge;
  if (outcome === 'cancelled' && note !== null) return note;
  const concerned = outcome === 'some' ? failed.map(({ event }) => event) : namedBy(asked);
  if (areAllGone({ asked, gone })) return words.allGone(gone.length);
  const left = concerned.filter((event) => selected.has(event)).length;
  const isPart = outcome === 'some' && failed.some(({ part }) => part);
  const title = words[isPart ? 'parts' : outcome](concerned.length);
  const still = asked.change === 'unmerge' ? '' : words.selected(left, concerned.length);
  return [title, still].filter(Boolean).join(' ');
}

/** What to do about it. @param news whether there is something new in what will happen; null: that is not known */
export function failureNext(
  { asked, outcome, gone }: Pick<Failure, 'asked' | 'outcome' | 'gone'>,
  news: boolean | null,
): string {
  if (outcome !== 'outdated') return words.next;
  if (areAllGone({ asked, gone })) return words.chooseOthers;
  return news === null ? words.lookAgain : news ? words.lookAtNew : words.sameWords;
}

/** Whether none of the events is left that a change named. */
const areAllGone = ({ asked, gone }: Pick<Failure, 'asked' | 'gone'>) =>
  namedBy(asked).every((id) => gone.includes(id));

/** Each event that the calendar of the course no longer has. @param sent the events as they were when the change was saved */
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

/** What of a change is done although some of its events failed; null: nothing, or that is not known. */
export function doneWords({
  asked,
  outcome,
  failed,
  later,
}: Pick<Failure, 'asked' | 'outcome' | 'failed' | 'later'>): string | null {
  const done = namedBy(asked).length - failed.length - later.length;
  return (outcome === 'some' || outcome === 'later') && done > 0 ? words.others(done) : null;
}

/** Each event that failed, when it is, and why. */
export function failedLines(
  { failed }: Pick<Failure, 'failed'>,
  times: (of: { start_at: string | null }) => string,
): string[] {
  return failed.map((one) => {
    const when = times(one);
    return `${titleOf(one.title)}${when === '' ? '' : ` (${when})`}: ${one.message}`;
  });
}

/** Each event that was left as the change was cancelled, when it is, and whether it was begun. */
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

/** Each event that was left as a later change has it, when it is, and whose that change is. */
export function laterLines(
  { later }: Pick<Failure, 'later'>,
  times: (of: { start_at: string | null }) => string,
): string[] {
  return later.map((one) => {
    const when = times(one);
    return `${titleOf(one.title)}${when === '' ? '' : ` (${when})`}: ${words.laterOne(one.by)}`;
  });
}
