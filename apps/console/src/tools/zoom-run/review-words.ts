/** What the review of a run says of its events. Pure. */
import { ZOOM_RUN_DOES, type ZoomRunReview } from '@lms-admin/contract/zoom';
import { counted } from '../../components/Wizard/wizard-state.ts';
import { texts } from './texts.ts';

export type Told = ZoomRunReview['told'][number];

const words = texts.review;
const KINDS = [...ZOOM_RUN_DOES, 'problem', 'waits', 'unfit'] as const;

/** What is said of an event first; null: its warnings only. */
function kindOf({ does, problem, waits, unfit }: Told): (typeof KINDS)[number] | null {
  return does ?? (problem !== null ? 'problem' : waits ? 'waits' : unfit !== null ? 'unfit' : null);
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

/** True where a run would change nothing and has nothing to say. */
export const isNothing = ({ told, meetings, note }: ZoomRunReview) =>
  told.length === 0 && note === null && meetings.made + meetings.changed + meetings.removed === 0;

/** What happens to an event, and whether students have the link of now. */
export function doesWords({ does, published }: Told): string {
  if (does === null) return words.does.nothing;
  const isLost = does === 'new-link' || does === 'no-link';
  return isLost && published ? `${words.does[does]}. ${words.published}` : words.does[does];
}

/** Why it stays behind, and what needs a person. */
export const noteWords = ({ problem, unfit, waits, warnings }: Told) =>
  [
    ...(problem === null ? [] : [problem]),
    ...(unfit === null ? [] : [unfit]),
    ...(waits && problem === null ? [words.waits] : []),
    ...warnings,
  ].join(' ');
