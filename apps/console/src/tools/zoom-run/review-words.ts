/** Texts for the events in the review of a run. Pure. */
import { ZOOM_RUN_DOES, type ZoomRunReview } from '@lms-admin/contract/zoom-runs';
import { counted } from '../../components/Wizard/wizard-state.ts';
import { texts } from './texts.ts';

export type ReportedEvent = ZoomRunReview['told'][number];

const words = texts.review;
const KINDS = [...ZOOM_RUN_DOES, 'problem', 'waits', 'unfit', 'removes'] as const;

/** Determines the main kind of an event; null if it only has warnings. */
function kindOf({ does, problem, waits, unfit, removes }: ReportedEvent): (typeof KINDS)[number] | null {
  if (does !== null) return does;
  if (problem !== null) return 'problem';
  if (waits) return 'waits';
  if (unfit !== null) return 'unfit';
  return removes.length > 0 ? 'removes' : null;
}

/** Counts the events, and those of each kind of change; every event counts once. */
export function countsOf({ events, told: reported }: ZoomRunReview): string {
  const kinds = reported.map(kindOf);
  const of = KINDS.map((kind) => [kind, kinds.filter((one) => one === kind).length] as const);
  const stay = events - of.reduce((sum, [, count]) => sum + count, 0);
  const parts = of.flatMap(([kind, count]) => (count === 0 ? [] : [words.counts[kind](count)]));
  if (stay > 0) parts.push(words.counts.stay(stay));
  return `${counted(events, 'event', 'events')}: ${parts.join(', ')}.`;
}

/** Counts the events that cannot be updated at all, and those that change but stay incomplete. */
export function failingOf({ told: reported }: Pick<ZoomRunReview, 'told'>): { whole: number; part: number } {
  const failing = reported.filter(({ problem }) => problem !== null);
  const whole = failing.filter((one) => kindOf(one) === 'problem').length;
  return { whole, part: failing.length - whole };
}

/** Tells whether a run would change nothing and has nothing to report. */
export const isNothing = ({ told: reported, meetings, note }: ZoomRunReview) =>
  reported.length === 0 && note === null && meetings.made + meetings.changed + meetings.removed === 0;

/** Describes the change of an event, whether students have the current link, and the deleted meetings. */
export function doesWords({ does, published, removes }: ReportedEvent): string {
  const removed = removes.length === 0 ? [] : [words.removes(removes)];
  if (does === null) return removed[0] ?? words.does.nothing;
  const isLost = does === 'new-link' || does === 'no-link';
  const more = [...(isLost && published ? [words.published] : []), ...removed];
  return more.length === 0 ? words.does[does] : [`${words.does[does]}.`, ...more].join(' ');
}

/** Explains why an event is not up to date, and anything that needs attention. */
export const noteWords = ({ problem, unfit, waits, warnings }: ReportedEvent) =>
  [
    ...(problem === null ? [] : [problem]),
    ...(unfit === null ? [] : [unfit]),
    ...(waits && problem === null ? [words.waits] : []),
    ...warnings,
  ].join(' ');
