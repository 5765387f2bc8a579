/** What the review of a run says of its events. Pure. */
import { ZOOM_RUN_DOES, type ZoomRunReview } from '@lms-admin/contract/zoom';
import { counted } from '../../components/Wizard/wizard-state.ts';
import { texts } from './texts.ts';

export type Told = ZoomRunReview['told'][number];

const words = texts.review;
const KINDS = [...ZOOM_RUN_DOES, 'problem', 'waits', 'unfit', 'removes'] as const;

/** What is said of an event first; null: its warnings only. */
function kindOf({ does, problem, waits, unfit, removes }: Told): (typeof KINDS)[number] | null {
  if (does !== null) return does;
  if (problem !== null) return 'problem';
  if (waits) return 'waits';
  if (unfit !== null) return 'unfit';
  return removes.length > 0 ? 'removes' : null;
}

/** How many events there are and what happens to how many of them, each counted once. */
export function countsOf({ events, told }: ZoomRunReview): string {
  const kinds = told.map(kindOf);
  const of = KINDS.map((kind) => [kind, kinds.filter((one) => one === kind).length] as const);
  const stay = events - of.reduce((sum, [, count]) => sum + count, 0);
  const parts = of.flatMap(([kind, count]) => (count === 0 ? [] : [words.counts[kind](count)]));
  if (stay > 0) parts.push(words.counts.stay(stay));
  return `${counted(events, 'event', 'events')}: ${parts.join(', ')}.`;
}

/** Events that cannot be updated at all, as the sentence counts them, and those that change and are not right afterwards. */
export function failingOf({ told }: Pick<ZoomRunReview, 'told'>): { whole: number; part: number } {
  const failing = told.filter(({ problem }) => problem !== null);
  const whole = failing.filter((one) => kindOf(one) === 'problem').length;
  return { whole, part: failing.length - whole };
}

/** True where a run would change nothing and has nothing to say. */
export const isNothing = ({ told, meetings, note }: ZoomRunReview) =>
  told.length === 0 && note === null && meetings.made + meetings.changed + meetings.removed === 0;

/** What happens to an event, whether students have the current link, and which meetings are deleted. */
export function doesWords({ does, published, removes }: Told): string {
  const removed = removes.length === 0 ? [] : [words.removes(removes)];
  if (does === null) return removed[0] ?? words.does.nothing;
  const isLost = does === 'new-link' || does === 'no-link';
  const more = [...(isLost && published ? [words.published] : []), ...removed];
  return more.length === 0 ? words.does[does] : [`${words.does[does]}.`, ...more].join(' ');
}

/** Why it stays behind, and what needs a person. */
export const noteWords = ({ problem, unfit, waits, warnings }: Told) =>
  [
    ...(problem === null ? [] : [problem]),
    ...(unfit === null ? [] : [unfit]),
    ...(waits && problem === null ? [words.waits] : []),
    ...warnings,
  ].join(' ');
