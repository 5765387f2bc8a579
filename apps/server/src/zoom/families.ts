/** Relations between the events of a course: merged events, and events of sections (OP-66, OP-71). */

import { emailKey } from '@lms-admin/domain/emails';
import { shown } from '@lms-admin/domain/timetable-feed';
import { offsetIfTwice } from '@lms-admin/domain/wall-clock';
import type { BlockLine } from '@lms-admin/domain/zoom-block';
import type { Calendar } from './calendar.ts';
import type { CalendarEvent, Family, Slot } from './calendar-event.ts';
import { isOver, unfit } from './problems.ts';

/** Returns the current family of an event named earlier, which a synchroniser may have recreated since. */
export function currentFamily(
  { of, families }: Calendar,
  { event, reservation }: { event: number; reservation: string | null },
): Family | null {
  const byReservation = () => families.find(({ own }) => own.reservationId === reservation) ?? null;
  return of.get(event) ?? (reservation === null ? null : byReservation());
}

/**
 * Returns the main event of a merged one, even if it was deleted in the LMS or is in another course; null if not
 * merged.
 */
export function mainOf(calendar: Calendar, family: Family): Family | null {
  const parentId = family.own.record?.parentId ?? null;
  if (parentId === null) return null;
  const main = calendar.families.find((one) => one.own.record?.id === parentId && one !== family);
  return main ?? calendar.lostMains.get(parentId) ?? null;
}

/**
 * Returns the slots with a meeting: the event, or each of its sections. An event with section times while others are
 * merged with it keeps the meeting that those share.
 */
export function withMeetings(calendar: Calendar, family: Family): Slot[] {
  const { own, parts } = family;
  return parts.includes(own) || childrenOf(calendar, family).length === 0 ? parts : [...parts, own];
}

/**
 * Returns the event that sets the times of an event's meeting: itself or, once it is over or if only its sections
 * take place, the next event that shares the meeting.
 */
export function timedBy(calendar: Calendar, family: Family, slot: Slot, now: Date): CalendarEvent {
  const isOwn = !family.isLost && family.parts.includes(slot);
  if (isOwn && !isOver(slot.event, now)) return slot.event;
  const startOf = ({ start_at }: CalendarEvent) => Date.parse(start_at ?? '');
  const [next] = childrenOf(calendar, family)
    .flatMap(({ parts }) => parts)
    .map(({ event }) => event)
    .filter((event) => !isOver(event, now) && unfit(event) === null)
    .sort((a, b) => startOf(a) - startOf(b));
  return next ?? slot.event;
}

/** Returns the events that are merged with this one. */
export function childrenOf(calendar: Calendar, family: Family): Family[] {
  const id = family.own.record?.id;
  if (id === undefined) return [];
  return calendar.families.filter((one) => one.own.record?.parentId === id && one !== family);
}

/** Returns the link that students see, or would see; null if there is none. */
export function linkOf({ meetings }: Calendar, slot: Slot): string | null {
  const row = meetings.get(slot.record?.meeting ?? 0);
  return row && row.goneAt === null ? row.joinUrl : null;
}

/**
 * Returns whether an event's meeting belongs to the placeholder account, which hosts none.
 * @param placeholder its email
 */
export function isUnowned({ meetings }: Calendar, { record }: Slot, placeholder: string): boolean {
  return meetings.get(record?.meeting ?? 0)?.hostEmail === emailKey(placeholder);
}

/**
 * Returns the lines in the block of a published event. A meeting of the placeholder account is not shown (ZC-26),
 * unless students already have its link.
 * @param main the main event if it is merged
 * @param placeholder email of the placeholder account
 */
export function linesOf(
  calendar: Calendar,
  { own, parts }: Family,
  main: Family | null,
  placeholder: string,
): BlockLine[] {
  const shownOf = (slot: Slot) => {
    const texts = [own, ...(main ? [main.own] : [])].map(({ event }) => event);
    const isSeen = texts.some((event) => namesMeeting(event, slot.record?.meeting ?? 0));
    return isSeen || !isUnowned(calendar, slot, placeholder) ? linkOf(calendar, slot) : null;
  };
  if (main) {
    const link = shownOf(main.own);
    return link === null ? [] : [{ section: null, link }];
  }
  return parts.flatMap((slot) => {
    const link = shownOf(slot);
    return link === null ? [] : [{ section: slot === own ? null : sectionName(slot.event, own.event), link }];
  });
}

/** Returns whether any event's text links to the meeting: a person may have written the link there. */
export function isNamed({ families }: Pick<Calendar, 'families'>, number: number): boolean {
  return families
    .flatMap(({ own, parts }) => [own, ...parts])
    .some(({ event }) => namesMeeting(event, number));
}

/** Returns whether an event's texts link to the meeting. */
export function namesMeeting(
  {
    description,
    location_address: address,
    location_name: name,
  }: Pick<CalendarEvent, 'description' | 'location_address' | 'location_name'>,
  number: number,
): boolean {
  return [description, address, name].some((text) => text?.includes(`/${number}`));
}

/** Returns the name that Canvas adds to the title of a section's event (reference §14.2); null if there is none. */
export function sectionName(event: CalendarEvent, parent: CalendarEvent): string | null {
  if (!event.title.startsWith(parent.title)) return shown(event.title) || null;
  const name = /^\s*\((.*)\)$/s.exec(event.title.slice(parent.title.length))?.[1];
  return name === undefined ? null : shown(name);
}

/**
 * Formats an event for a list of steps: events with one title are distinguished by their times. The time zone is
 * named, since the reader may have another one.
 */
export function lineOf(family: Family, zone: string): string {
  const title = shown(family.own.event.title) || 'No title';
  const event = datedIn(family);
  if (event === null) return title;
  if (event.all_day) return `${title}, ${dayOf(event, zone)}`;
  const clock = { hour: '2-digit', minute: '2-digit', timeZone: zone } as const;
  const start = new Date(event.start_at);
  const offset = offsetIfTwice(start.getTime(), zone);
  const where = offset === null ? nameOfZone(zone) : `${nameOfZone(zone)}, ${offset}`;
  return `${title}, ${dayOf(event, zone)}, ${start.toLocaleTimeString('en-GB', clock)} (${where})`;
}

/** Returns the name of an event in a result: many have the same title. */
export function nameOf(family: Family, zone: string): string {
  const { event } = family.own;
  const title = shown(event.title) || `Event ${event.id}`;
  const dated = datedIn(family);
  if (dated === null) return `“${title}”`;
  // In the time zones of some readers, the event is on a different day.
  return `“${title}” (${dayOf(dated, zone)}${dated.all_day ? '' : `, ${nameOfZone(zone)}`})`;
}

const nameOfZone = (zone: string) => zone.replaceAll('_', ' ');

type Dated = CalendarEvent & { start_at: string };

/** Returns the event with the date: itself, or the first of its sections; null if none has one. */
function datedIn({ own, parts }: Family): Dated | null {
  const isDated = (event: CalendarEvent): event is Dated => event.start_at !== null;
  return [own, ...parts.slice(0, 1)].map(({ event }) => event).find(isDated) ?? null;
}

/**
 * Formats the day of an event. For an all-day event, the LMS returns the day, because the start is on another day in
 * other time zones.
 */
function dayOf({ start_at, all_day, all_day_date: date }: Dated, zone: string): string {
  const day = { day: 'numeric', month: 'short', year: 'numeric' } as const;
  const [moment, timeZone] = all_day && date ? [date, 'UTC'] : [start_at, zone];
  return new Date(moment).toLocaleDateString('en-GB', { ...day, timeZone });
}
