/** Hosts with two meetings at the same time: reported before a change is saved, but never a reason to refuse it. */
import type { ZoomPreview } from '@lms-admin/contract/zoom-preview';
import { emailKey } from '@lms-admin/domain/emails';
import { minutesOf } from '@lms-admin/domain/zoom-decisions';
import type { Scope } from '../access/scope.ts';
import type { Admin } from '../auth/admin.ts';
import { type ZoomClient, ZoomError } from '../zoom-api/types.ts';
import type { Calendar } from './calendar.ts';
import type { Slot } from './calendar-event.ts';
import { childrenOf, mainOf } from './families.ts';
import type { RecordStore } from './records.ts';

type Clash = ZoomPreview['clashes'][number];

/** Parts that the search needs. */
export interface BookingParts {
  zoom: ZoomClient;
  scope: Scope;
  records: RecordStore;
  calendar: Calendar;
  admin: Admin;
  signal: AbortSignal;
}

interface Time {
  from: number;
  to: number;
}

/** Another meeting of the host at some time. */
interface Booking extends Time {
  with: Clash['with'];
  reservation: string | null;
  /** Record of the event that owns the meeting; merged events share that of their main event. */
  meetingOf: number | null;
}

const MINUTE = 60_000;

/**
 * Finds meetings that overlap with others of the same host: with each other, with events of this and other courses, and
 * with meetings that the host created in Zoom. A host is also busy during an event that is merged with one of theirs.
 * @param planned events that will have or share a meeting of `host`
 */
export async function doubleBookings(
  parts: BookingParts,
  host: string,
  planned: readonly Slot[],
): Promise<Pick<ZoomPreview, 'clashes' | 'unchecked'>> {
  const { zoom, calendar } = parts;
  const slots = planned.filter((slot) => slot.event.start_at !== null && !isWithMain(calendar, slot));
  // The placeholder account does not teach.
  if (slots.length === 0 || emailKey(host) === emailKey(zoom.defaultOwner))
    return { clashes: [], unchecked: false };
  const times = new Map(slots.map((slot) => [slot, timeOf(slot)]));
  const meetings = new Map(slots.map((slot) => [slot, ownerOf(calendar, slot)]));
  const chosen = new Set(slots.map(({ event }) => event.id));
  const span = { from: least([...times.values()]), to: most([...times.values()]) };
  const [others, own] = await Promise.all([otherCourses(parts, host, span), inZoom(parts, host)]);
  const rest = [...inCourse(calendar, host, chosen), ...others, ...(own ?? [])];
  const clashes = slots.flatMap((slot, index) => {
    const time = times.get(slot) as Time;
    const meeting = meetings.get(slot);
    const among = slots
      .slice(index + 1)
      .filter((other) => meetings.get(other) !== meeting && overlap(time, times.get(other) as Time));
    const beside = rest.filter(
      (one) => overlap(time, one) && (one.meetingOf === null || one.meetingOf !== meeting?.record?.id),
    );
    const found = [
      ...among.map((other) => withEvent(other)),
      ...beside.map((one) => (isSame(one, slot) ? { ...one.with, kind: 'reservation' as const } : one.with)),
    ];
    const { id: event, title, start_at } = slot.event;
    return found.map((one): Clash => ({ event, title, start_at, host, with: one }));
  });
  return { clashes, unchecked: own === null };
}

/** Adds events that share these events' meetings at other times, when the host is also needed. */
export function withMerged(calendar: Calendar, slots: readonly Slot[]): Slot[] {
  const merged = slots.flatMap((slot) => {
    const family = calendar.of.get(slot.event.id);
    if (!family || ownerOf(calendar, slot) !== slot || family.parts[0] !== slot) return [];
    return childrenOf(calendar, family)
      .flatMap(({ parts }) => parts)
      .filter((child) => !isWithMain(calendar, child));
  });
  return [...new Set([...slots, ...merged])];
}

/** Returns the event that owns the meeting of an event: the main event if they are merged, otherwise the event itself. */
function ownerOf(calendar: Calendar, slot: Slot): Slot {
  const family = calendar.of.get(slot.event.id);
  return (family && mainOf(calendar, family)?.own) ?? slot;
}

/** Returns whether an event is merged and at the same time as its main event: then both have the same meeting. */
const isWithMain = (calendar: Calendar, slot: Slot) => {
  const owner = ownerOf(calendar, slot);
  return owner !== slot && !owner.event.hidden && !isAtAnotherTime(slot, owner);
};

const isAtAnotherTime = (one: Slot, other: Slot) =>
  one.event.start_at !== other.event.start_at || one.event.end_at !== other.event.end_at;

/** Returns the whole time, even if it is longer than a meeting in Zoom can be. */
function timeOf({ event: { start_at, end_at } }: Slot): Time {
  return busyTime(start_at ?? '', end_at);
}

function busyTime(start: string, end: string | null): Time {
  const from = Date.parse(start);
  return { from, to: from + minutesOf({ start, end: end ?? start }) * MINUTE };
}

const least = (times: readonly Time[]) => times.reduce((min, { from }) => Math.min(min, from), Infinity);
const most = (times: readonly Time[]) => times.reduce((max, { to }) => Math.max(max, to), -Infinity);
const overlap = (one: Time, other: Time) => one.from < other.to && other.from < one.to;
const isSame = ({ reservation }: Booking, slot: Slot) =>
  reservation !== null && reservation === slot.reservationId;

function withEvent({ event: { title, start_at } }: Slot): Clash['with'] {
  return { kind: 'event', title, course: null, start_at };
}

/** Returns the host's other events of this course, except those at the time of their main event. */
function inCourse(calendar: Calendar, host: string, chosen: ReadonlySet<number>): Booking[] {
  const slots = calendar.families.flatMap(({ parts }) => parts);
  return slots.flatMap((slot) => {
    const owner = ownerOf(calendar, slot);
    const row = calendar.meetings.get(owner.record?.meeting ?? 0);
    const is = row && row.goneAt === null && emailKey(row.hostEmail) === emailKey(host);
    if (!is || chosen.has(slot.event.id) || slot.event.start_at === null || isWithMain(calendar, slot))
      return [];
    const meetingOf = owner.record?.id ?? null;
    return [{ ...timeOf(slot), with: withEvent(slot), reservation: null, meetingOf }];
  });
}

/** Returns the host's events of other courses. Events out of the admin's scope are not named. */
async function otherCourses(parts: BookingParts, host: string, { from, to }: Time): Promise<Booking[]> {
  const { records, calendar, scope, admin, signal } = parts;
  const found = await records.hostedBy(emailKey(host), new Date(from), new Date(to));
  const others = found.filter(({ courseId }) => courseId !== calendar.courseId);
  const courses = await scope.courses(admin, [...new Set(others.map(({ courseId }) => courseId))], signal);
  return others.flatMap(({ id, parentId, courseId, title, startAt, endAt, reservationId }) => {
    if (startAt === null) return [];
    const start_at = startAt.toISOString();
    const course = courses.get(courseId);
    return [
      {
        ...busyTime(start_at, endAt?.toISOString() ?? null),
        with: {
          kind: 'course' as const,
          title: course ? title : null,
          course: course ? course.course_code || course.name : null,
          start_at,
        },
        reservation: reservationId,
        meetingOf: parentId ?? id,
      },
    ];
  });
}

/**
 * Returns the host's meetings in Zoom that LMS Admin did not create; their topics are private. Null if Zoom did not
 * answer.
 */
async function inZoom({ zoom, records, signal }: BookingParts, host: string): Promise<Booking[] | null> {
  try {
    const all = await zoom.meetingsOf(host, signal);
    const ours = await records.known(all.map(({ number }) => number));
    return all.flatMap(({ number, start, duration }) => {
      if (start === null || ours.has(number)) return [];
      const from = Date.parse(start);
      return [
        {
          from,
          to: from + (duration ?? 0) * MINUTE,
          with: { kind: 'zoom' as const, title: null, course: null, start_at: new Date(from).toISOString() },
          reservation: null,
          meetingOf: null,
        },
      ];
    });
  } catch (error) {
    if (error instanceof ZoomError) return null;
    throw error;
  }
}
