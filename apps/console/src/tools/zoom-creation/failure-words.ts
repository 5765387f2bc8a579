/** What did not work, in words (OP-69). Pure. */
import { type Failure, namedBy } from './course-state.ts';
import { titleOf } from './event-rows.ts';
import { texts } from './texts.ts';

const words = texts.failure;

export function failureTitle({
  asked,
  outcome,
  failed,
  later,
}: Pick<Failure, 'asked' | 'outcome' | 'failed' | 'later'>): string {
  if (outcome === 'unseen') return words.unseen;
  if (outcome === 'later') return words.later(later.length);
  if (asked.change === 'unmerge' && outcome !== 'cancelled') return words.unmerge;
  if (outcome === 'some') return words.some(failed.length);
  return outcome === 'cancelled' ? words.cancelled : words.all;
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
