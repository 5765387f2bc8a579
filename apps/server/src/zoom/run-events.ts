/** Which events a run looks at, and what it does to each: for the run itself, and for what its review announces. */
import { type ZoomRunOrder, zoomItemInput } from '@lms-admin/contract/zoom';
import { hasBlock } from '@lms-admin/domain/zoom-block';
import { linkInTexts } from '@lms-admin/domain/zoom-links';
import { z } from 'zod';
import type { ItemEnd, ItemRow, NewItem } from '../jobs/items.ts';
import { storable } from '../platform/text.ts';
import type { Calendar } from './calendar.ts';
import type { Family } from './calendar-event.ts';
import { type Did, didNothing } from './did.ts';
import { childrenOf, familyAgain, linkOf, mainOf, nameOf } from './families.ts';
import { isOver, unfit } from './problems.ts';
import type { Engine } from './reconcile.ts';

/** Events that are looked at at the same time: more than Zoom's limit lets through would only wait there. */
export const AT_ONCE = 12;
const DAY_MS = 86_400_000;
const GONE = 'This event is no longer in the calendar of the course.';

/** A synchroniser may make the events again while the job waits for the next day. */
const itemInput = zoomItemInput.extend({ reservation: z.string().nullable() });

/** Whether an event is not over and begins before the days have passed; one that is given by section, when one of its sections does. */
export function isDue({ parts }: Family, { days }: ZoomRunOrder, now: number): boolean {
  const until = now + days * DAY_MS;
  return parts.some(({ event: { start_at, end_at } }) => {
    if (start_at === null) return false;
    return Date.parse(end_at ?? start_at) > now && Date.parse(start_at) < until;
  });
}

/** The events of the next days, and whatever else students have a link to: it may lead nowhere. */
export function itemsOf(
  calendar: Calendar,
  order: ZoomRunOrder,
  { now, bases }: { now: number; bases: readonly string[] },
): NewItem[] {
  const isSeen = (family: Family) => isShown(calendar, family, { now, bases });
  const due = new Set(calendar.families.filter((one) => isDue(one, order, now) || isSeen(one)));
  for (const family of due) {
    const main = mainOf(calendar, family);
    if (main && !main.isLost) due.add(main);
    // What is done to them with their main event is in their own lines.
    for (const child of childrenOf(calendar, family)) due.add(child);
  }
  const startOf = ({ parts }: Family) =>
    Math.min(...parts.map(({ event }) => Date.parse(event.start_at ?? '')));
  return [...due]
    .sort((a, b) => startOf(a) - startOf(b))
    .map(({ own: { event, reservationId } }) => ({
      label: storable(event.title || `Event ${event.id}`),
      input: { event: event.id, reservation: reservationId },
    }));
}

/** Whether students have a link before them, or are to have one. */
function isShown(
  calendar: Calendar,
  family: Family,
  { now, bases }: { now: number; bases: readonly string[] },
): boolean {
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
  /** Why it cannot be brought up to date, without what was done all the same. */
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
  now: number,
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
  const { state, message, problem = message, did } = await engine.keep(family, isDue(family, order, now));
  const left = unfitOf(calendar, family, now);
  const said = left !== null && didNothing(did) ? [left, ...did.warnings].join(' ') : message;
  return {
    end: { state, message: storable(said) },
    problem: state === 'failed' ? problem : null,
    unfit: left,
    did,
    name: nameOf(family, calendar.zone),
  };
}

/** Of one that is merged the main event has the meeting, of one of another course that course; one that is over needs none. */
function unfitOf(calendar: Calendar, family: Family, now: number): string | null {
  const { own, parts } = family;
  const why = unfit(own.event);
  if (why === null || family.isGuest || mainOf(calendar, family)) return null;
  if (isOver(own.event, new Date(now))) return null;
  const isSeen = own.record?.visible === true && parts.some((slot) => linkOf(calendar, slot) !== null);
  return isSeen ? `${why} Students still see its link.` : why;
}
