/** Selects the events of a run, and does the work on each: for the run itself, and for its review. */
import type { ZoomRunOrder } from '@lms-admin/contract/zoom-runs';
import { momentOfClock } from '@lms-admin/domain/wall-clock';
import { hasBlock } from '@lms-admin/domain/zoom-block';
import { linkInTexts } from '@lms-admin/domain/zoom-links';
import type { ItemEnd, ItemRow, NewItem } from '../jobs/items.ts';
import { storable } from '../platform/text.ts';
import type { Calendar } from './calendar.ts';
import type { Family } from './calendar-event.ts';
import { changedNothing, type EventChanges } from './event-changes.ts';
import { childrenOf, currentFamily, lineOf, mainOf, nameOf } from './families.ts';
import { isOver, unfit } from './problems.ts';
import type { Engine, IntentsOf } from './reconcile.ts';
import { runItemInput } from './run-intents.ts';

/** Events checked at the same time: more would only wait for Zoom's limit. */
export const AT_ONCE = 12;
const DAY_MS = 86_400_000;
/** Sorts events without a date after all others. */
const LAST = Number.MAX_SAFE_INTEGER;
const GONE = 'This event is no longer in the calendar of the course.';

/** The time of the run, and the beginnings of links. */
interface Moment {
  now: number;
  bases: readonly string[];
}

/** Returns the last day of a run, in the course's time zone (`2026-12-26`). */
export function lastDayOf({ zone }: Pick<Calendar, 'zone'>, days: number, now: number): string {
  const [, month, day, year] =
    /^(\d+)\/(\d+)\/(\d+)/.exec(new Date(now).toLocaleDateString('en-US', { timeZone: zone })) ?? [];
  return new Date(Date.UTC(Number(year), Number(month) - 1, Number(day) + days)).toISOString().slice(0, 10);
}

/** Returns whether an event, or one of its sections, is not over and begins by the last day. */
export function isDue(calendar: Calendar, { parts }: Family, { days }: ZoomRunOrder, now: number): boolean {
  const last = lastDayOf(calendar, days, now);
  const until = momentOfClock(last, '24:00', calendar.zone)?.ms ?? now + days * DAY_MS;
  return parts.some(({ event: { start_at, end_at } }) => {
    if (start_at === null) return false;
    return Date.parse(end_at ?? start_at) > now && Date.parse(start_at) < until;
  });
}

/** Returns whether an event has no date, and no main event whose meeting it shares: it is listed as left unchanged. */
function isUndated(calendar: Calendar, family: Family): boolean {
  const { own, parts, isGuest } = family;
  if (isGuest || mainOf(calendar, family)) return false;
  return [own, ...parts].every(({ event }) => event.start_at === null);
}

/** Returns the events of the next days, those without a date, and others with a visible link, which may lead nowhere. */
export function itemsOf(calendar: Calendar, order: ZoomRunOrder, { now, bases }: Moment): NewItem[] {
  const isSeen = (family: Family) => isShown(calendar, family, { now, bases });
  const isNamed = (family: Family) =>
    isDue(calendar, family, order, now) || isUndated(calendar, family) || isSeen(family);
  const due = new Set(calendar.families.filter(isNamed));
  for (const family of due) {
    const main = mainOf(calendar, family);
    if (main && !main.isLost) due.add(main);
    // A merged event changes together with its main event, but has an item of its own in which its changes are
    // reported.
    for (const child of childrenOf(calendar, family)) due.add(child);
  }
  const startOf = ({ parts }: Family) =>
    Math.min(
      LAST,
      ...parts.flatMap(({ event }) => (event.start_at === null ? [] : [Date.parse(event.start_at)])),
    );
  return [...due]
    .sort((a, b) => startOf(a) - startOf(b))
    .map((family) => ({
      label: storable(lineOf(family, calendar.zone)),
      input: { event: family.own.event.id, reservation: family.own.reservationId },
    }));
}

/** Returns whether students see a link, or should see one. */
function isShown(calendar: Calendar, family: Family, { now, bases }: Moment): boolean {
  const { own, parts } = family;
  const isPublished = (mainOf(calendar, family) ?? family).own.record?.visible ?? false;
  const isOver = parts.every(({ event: { start_at, end_at } }) => {
    const end = end_at ?? start_at;
    return end !== null && Date.parse(end) <= now;
  });
  if (!isOver && isPublished) return true;
  const hasLink = linkInTexts(own.event, bases) !== null;
  // Links that people have written into a past event are not checked.
  return hasLink && (!isOver || own.record !== null || hasBlock(own.event.description ?? ''));
}

/** Outcome of an event; `changes` is null if there was nothing to check. */
export interface Looked {
  end: ItemEnd;
  /** Whether the work was cancelled while the event was under way. */
  stopped: boolean;
  /** Why the event cannot be updated, without the changes that were made nevertheless. */
  problem: string | null;
  /** Why the event can have no meeting, and so was left unchanged. */
  unfit: string | null;
  changes: EventChanges | null;
  name: string;
}

/** Lets the engine process one event of a run. @throws like `Engine.keep` */
export async function lookAt(
  engine: Engine,
  order: ZoomRunOrder,
  item: Pick<ItemRow, 'label' | 'input'>,
  { now, bases }: Moment,
  intents?: IntentsOf,
): Promise<Looked> {
  const { event, reservation } = runItemInput.parse(item.input);
  const { calendar } = engine;
  const family = currentFamily(calendar, { event, reservation });
  if (!family)
    return {
      end: { state: 'failed', message: GONE },
      stopped: false,
      problem: GONE,
      unfit: null,
      changes: null,
      name: item.label,
    };
  const {
    state,
    message,
    problem = message,
    changes,
    stopped,
  } = await engine.keep(family, isDue(calendar, family, order, now), intents);
  const left = unfitOf(calendar, family, { now, bases });
  const isLeft = left !== null && state === 'done' && changedNothing(changes);
  const texts = isLeft ? [left, ...changes.warnings] : [message, ...(left === null ? [] : [left])];
  return {
    end: { state, message: storable(texts.join(' ')) },
    stopped: stopped ?? false,
    problem: state === 'failed' ? problem : null,
    unfit: left,
    changes,
    name: nameOf(family, calendar.zone),
  };
}

/**
 * Returns why an event needs no meeting here: a merged event uses that of its main event, an event of another course
 * has it there, and a past event needs none.
 */
function unfitOf(calendar: Calendar, family: Family, { now, bases }: Moment): string | null {
  const { own } = family;
  const why = unfit(own.event);
  if (why === null || family.isGuest || mainOf(calendar, family)) return null;
  if (isOver(own.event, new Date(now))) return null;
  // The link may lead to the event's own meeting, copied or typed.
  return linkInTexts(own.event, bases) !== null ? `${why} Students still see its link.` : why;
}
