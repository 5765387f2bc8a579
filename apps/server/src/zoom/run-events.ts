/** Which events a run looks at, and what it does to each: for the run itself, and for what its review announces. */
import { type ZoomRunOrder, zoomItemInput } from '@lms-admin/contract/zoom';
import { momentOfClock } from '@lms-admin/domain/wall-clock';
import { hasBlock } from '@lms-admin/domain/zoom-block';
import { linkInTexts } from '@lms-admin/domain/zoom-links';
import { z } from 'zod';
import type { ItemEnd, ItemRow, NewItem } from '../jobs/items.ts';
import { storable } from '../platform/text.ts';
import type { Calendar } from './calendar.ts';
import type { Family } from './calendar-event.ts';
import { type Did, didNothing } from './did.ts';
import { childrenOf, familyAgain, lineOf, mainOf, nameOf } from './families.ts';
import { isOver, unfit } from './problems.ts';
import type { Engine } from './reconcile.ts';

/** Events that are looked at at the same time: more than Zoom's limit lets through would only wait there. */
export const AT_ONCE = 12;
const DAY_MS = 86_400_000;
/** Sorts events without a date behind all others. */
const LAST = Number.MAX_SAFE_INTEGER;
const GONE = 'This event is no longer in the calendar of the course.';

/** A synchroniser may make the events again while the job waits for the next day. */
const itemInput = zoomItemInput.extend({ reservation: z.string().nullable() });

/** When it looks, and what links begin with. */
interface Moment {
  now: number;
  bases: readonly string[];
}

/** The last day that a run looks at, in the zone of the course (`2026-12-26`). */
export function lastDayOf({ zone }: Pick<Calendar, 'zone'>, days: number, now: number): string {
  const [, month, day, year] =
    /^(\d+)\/(\d+)\/(\d+)/.exec(new Date(now).toLocaleDateString('en-US', { timeZone: zone })) ?? [];
  return new Date(Date.UTC(Number(year), Number(month) - 1, Number(day) + days)).toISOString().slice(0, 10);
}

/** Whether an event is not over and begins before the last day has ended; one that is given by section, when one of its sections does. */
export function isDue(calendar: Calendar, { parts }: Family, { days }: ZoomRunOrder, now: number): boolean {
  const last = lastDayOf(calendar, days, now);
  const until = momentOfClock(last, '24:00', calendar.zone)?.ms ?? now + days * DAY_MS;
  return parts.some(({ event: { start_at, end_at } }) => {
    if (start_at === null) return false;
    return Date.parse(end_at ?? start_at) > now && Date.parse(start_at) < until;
  });
}

/** Whether it has no date at all, and no main event whose meeting it shares: it is named as left alone. */
function isUndated(calendar: Calendar, family: Family): boolean {
  const { own, parts, isGuest } = family;
  if (isGuest || mainOf(calendar, family)) return false;
  return [own, ...parts].every(({ event }) => event.start_at === null);
}

/** The events of the next days, those without a date, and whatever else students have a link to: it may lead nowhere. */
export function itemsOf(calendar: Calendar, order: ZoomRunOrder, { now, bases }: Moment): NewItem[] {
  const isSeen = (family: Family) => isShown(calendar, family, { now, bases });
  const isNamed = (family: Family) =>
    isDue(calendar, family, order, now) || isUndated(calendar, family) || isSeen(family);
  const due = new Set(calendar.families.filter(isNamed));
  for (const family of due) {
    const main = mainOf(calendar, family);
    if (main && !main.isLost) due.add(main);
    // What is done to them with their main event is in their own lines.
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

/** Whether students have a link before them, or are to have one. */
function isShown(calendar: Calendar, family: Family, { now, bases }: Moment): boolean {
  const { own, parts } = family;
  const isPublished = (mainOf(calendar, family) ?? family).own.record?.visible ?? false;
  const isOver = parts.every(({ event: { start_at, end_at } }) => {
    const end = end_at ?? start_at;
    return end !== null && Date.parse(end) <= now;
  });
  if (!isOver && isPublished) return true;
  const hasLink = linkInTexts(own.event, bases) !== null;
  // What people have written into an event that is over is not looked at.
  return hasLink && (!isOver || own.record !== null || hasBlock(own.event.description ?? ''));
}

/** What came of an event; `did` is null where there was nothing to look at. */
export interface Looked {
  end: ItemEnd;
  /** Why it cannot be brought up to date, without what was done anyway. */
  problem: string | null;
  /** Why it can have no meeting, so that it was left alone. */
  unfit: string | null;
  did: Did | null;
  name: string;
}

/** Has the engine see to one event of a run. @throws like `Engine.keep` */
export async function lookAt(
  engine: Engine,
  order: ZoomRunOrder,
  item: Pick<ItemRow, 'label' | 'input'>,
  { now, bases }: Moment,
): Promise<Looked> {
  const { event, reservation } = itemInput.parse(item.input);
  const { calendar } = engine;
  const family = familyAgain(calendar, { event, reservation });
  if (!family)
    return {
      end: { state: 'failed', message: GONE },
      problem: GONE,
      unfit: null,
      did: null,
      name: item.label,
    };
  const {
    state,
    message,
    problem = message,
    did,
  } = await engine.keep(family, isDue(calendar, family, order, now));
  const left = unfitOf(calendar, family, { now, bases });
  const isLeft = left !== null && state === 'done' && didNothing(did);
  const said = isLeft ? [left, ...did.warnings] : [message, ...(left === null ? [] : [left])];
  return {
    end: { state, message: storable(said.join(' ')) },
    problem: state === 'failed' ? problem : null,
    unfit: left,
    did,
    name: nameOf(family, calendar.zone),
  };
}

/** Of one that is merged the main event has the meeting, of one of another course that course; one that is over needs none. */
function unfitOf(calendar: Calendar, family: Family, { now, bases }: Moment): string | null {
  const { own } = family;
  const why = unfit(own.event);
  if (why === null || family.isGuest || mainOf(calendar, family)) return null;
  if (isOver(own.event, new Date(now))) return null;
  // Whether it is of its own meeting, was copied or typed.
  return linkInTexts(own.event, bases) !== null ? `${why} Students still see its link.` : why;
}
