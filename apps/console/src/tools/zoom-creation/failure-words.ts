/** What did not work, in words (OP-69). Pure. */
import { type Failure, namedBy } from './course-state.ts';
import { titleOf } from './event-rows.ts';
import { texts } from './texts.ts';

const words = texts.failure;

export function failureTitle({
  asked,
  outcome,
  failed,
}: Pick<Failure, 'asked' | 'outcome' | 'failed'>): string {
  if (outcome === 'unseen') return words.unseen;
  if (asked.change === 'unmerge' && outcome !== 'cancelled') return words.unmerge;
  if (outcome === 'some') return words.some(failed.length);
  return outcome === 'cancelled' ? words.cancelled : words.all;
}

/** What of a change is done although some of its events failed; null: nothing, or that is not known. */
export function doneWords({
  asked,
  outcome,
  failed,
}: Pick<Failure, 'asked' | 'outcome' | 'failed'>): string | null {
  const done = namedBy(asked).length - failed.length;
  return outcome === 'some' && done > 0 ? words.others(done) : null;
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
