/** A course's calendar in the LMS: each event with its reservation and record (OP-64, OP-66). */
import { LMS_PAGE_SIZE } from '@lms-admin/domain/constants';
import type { Reservation } from '@lms-admin/domain/timetable-feed';
import { type KnownPair, type Matches, matchReservations } from '@lms-admin/domain/timetable-matching';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { CanvasClient, CanvasToken } from '../canvas/types.ts';
import type { Timetable } from '../timetable/timetable.ts';
import { type CalendarEvent, calendarEvent, type Family, type Slot, sectionOf } from './calendar-event.ts';
import { courseFacts } from './course-zone.ts';
import { type Inherited, lostMains, passOn, rejoin } from './lost-main.ts';
import { familyElsewhere, mainsElsewhere, topIn } from './main-elsewhere.ts';
import { mainsAway } from './mains-away.ts';
import { type MeetingRow, RecordIndex, type RecordStore, type ZoomRecord } from './records.ts';
import { guestFamily, isGuest, withSectionsElsewhere } from './sections-elsewhere.ts';

export interface Calendar {
  courseId: number;
  /** IANA name of the course's time zone. */
  zone: string;
  families: readonly Family[];
  /** Families by event id, including those of section events. */
  of: ReadonlyMap<number, Family>;
  /** Stored data of the meetings in the records. */
  meetings: Map<number, MeetingRow>;
  /** Records of events that were deleted in Canvas. */
  orphans: readonly ZoomRecord[];
  /** Deleted main events that could not be replaced, and those of other courses, by the records that name them. */
  lostMains: ReadonlyMap<number, Family>;
  /** Changes of records because of deleted main events, which are not stored yet. */
  inherited: readonly Inherited[];
}

export interface CalendarParts {
  canvas: CanvasClient;
  timetable: Timetable;
  log: Logger;
}

interface Asking {
  token: CanvasToken;
  signal?: AbortSignal;
}

/** Reads a course's whole calendar: merged events may be at any time. @throws CanvasError */
export async function readCalendar(
  { canvas, timetable, log }: CalendarParts,
  records: RecordStore,
  courseId: number,
  { token, signal }: Asking,
): Promise<Calendar> {
  const reader = { token, ...(signal ? { signal } : {}) };
  const [course, listed, known] = await Promise.all([
    courseFacts(canvas, token, courseId, signal),
    canvas.list({
      ...reader,
      method: 'GET',
      path: 'calendar_events',
      query: [
        ['type', 'event'],
        ['context_codes[]', `course_${courseId}`],
        ['all_events', '1'],
        ['excludes[]', 'child_events'],
        ['per_page', String(LMS_PAGE_SIZE)],
      ],
      answer: z.array(calendarEvent),
    }),
    records.ofCourses([courseId]),
  ]);
  const guests = listed.filter((event) => isGuest(event, courseId));
  const own = listed.filter((event) => !guests.includes(event));
  const events = await withSectionsElsewhere({ canvas, ...reader }, own);
  const reservations = await reservationsFor(timetable, course.sisId, events);
  const matches = matchReservations(events, reservations, knownPairs(known.records));
  logDisputes(log, courseId, matches);
  if (timetable.states().some(({ cut }) => cut))
    log.warn({ course: courseId }, 'the timetable is incomplete');
  const keys = events.map((event) => ({
    courseId,
    sectionId: sectionOf(event),
    reservationId: matches.of.get(event.id)?.reservationId ?? null,
    eventId: event.id,
  }));
  const found = new RecordIndex(known.records).assign(keys);
  const keyOf = new Map(keys.map((key) => [key.eventId, key]));
  const slot = (event: CalendarEvent): Slot => ({
    event,
    sectionId: sectionOf(event),
    reservationId: keyOf.get(event.id)?.reservationId ?? null,
    record: found.get(event.id) ?? null,
  });
  const families = [...familiesOf(events, slot), ...guests.map(guestFamily)];
  const of = new Map(
    families.flatMap((family) => [family.own, ...family.parts].map((one) => [one.event.id, family])),
  );
  const standing = new Set([...found.values()].map((record) => record.id));
  const lost = known.records.filter((record) => !standing.has(record.id));
  const elsewhere = await mainsElsewhere(records, known.records);
  const topOf = topIn(known.records, elsewhere);
  const away = await mainsAway({ canvas, ...reader }, records, {
    courseId,
    families,
    mains: [...lost, ...elsewhere.mains.values()].filter(({ id }) => !standing.has(id)),
    topOf,
  });
  const inherited = [
    ...rejoin({ families, topOf }),
    ...passOn({ families, records: known.records, orphans: away.gone, topOf }, canvas.now()),
  ];
  const patches = new Map(inherited.map(({ id, patch }) => [id, patch]));
  const orphans = lost.map((record) => ({ ...record, ...patches.get(record.id) }));
  const mains = lostMains({ families, orphans });
  for (const main of away.moved) mains.set(main.id, familyElsewhere(main));
  for (const [id, main] of elsewhere.mains) if (!patches.has(id)) mains.set(id, familyElsewhere(main));
  return {
    courseId,
    zone: course.zone,
    families,
    of,
    meetings: new Map([...elsewhere.meetings, ...known.meetings]),
    orphans,
    lostMains: mains,
    inherited,
  };
}

function familiesOf(events: readonly CalendarEvent[], slot: (event: CalendarEvent) => Slot): Family[] {
  const present = new Set(events.map((event) => event.id));
  const sections = new Map<number, Slot[]>();
  const tops: CalendarEvent[] = [];
  for (const event of events) {
    const parent = event.parent_event_id;
    if (parent === null || !present.has(parent)) tops.push(event);
    else sections.set(parent, [...(sections.get(parent) ?? []), slot(event)]);
  }
  return tops.map((event) => {
    const own = slot(event);
    return { own, parts: event.hidden ? (sections.get(event.id) ?? []) : [own] };
  });
}

/** Finds the reservations in the period of the events; none if the course has no SIS ID. */
export async function reservationsFor(
  timetable: Timetable,
  sisId: string | null,
  events: readonly Pick<CalendarEvent, 'start_at'>[],
): Promise<readonly Reservation[]> {
  const starts = events.flatMap(({ start_at }) => (start_at === null ? [] : [Date.parse(start_at)]));
  if (sisId === null || starts.length === 0 || !timetable.configured) return [];
  const [first, last] = starts.reduce(
    ([a, b], at) => [Math.min(a, at), Math.max(b, at)],
    [Infinity, -Infinity],
  );
  return timetable.reservations(sisId, new Date(first), new Date(last));
}

/** Lists the pairs found earlier, and events without a reservation. */
export function knownPairs(records: readonly ZoomRecord[]): KnownPair[] {
  return records.map(({ eventId, reservationId, startAt, endAt }) => ({
    eventId,
    reservationId,
    start: startAt?.toISOString() ?? null,
    end: endAt?.toISOString() ?? null,
  }));
}

export function logDisputes(log: Logger, course: number, { disputes }: Matches): void {
  for (const dispute of disputes) log.warn({ course, ...dispute }, 'two events claim one reservation');
}
