/**
 * Main events that the calendar of a course does not contain: those that are gone, and those that are in another
 * course.
 */
import type { CanvasClient, CanvasToken } from '../canvas/types.ts';
import { mapLimited } from '../platform/limited.ts';
import { type CalendarEvent, courseOf, type Family } from './calendar-event.ts';
import { eventOf, nextOf } from './lost-main.ts';
import { findEvent } from './one-event.ts';
import type { RecordStore, ZoomRecord } from './records.ts';

/** Events that are looked for at the same time. */
const AT_ONCE = 6;

interface Asking {
  canvas: CanvasClient;
  token: CanvasToken;
  signal?: AbortSignal;
}

/** The course whose calendar was read. */
interface Here {
  courseId: number;
  families: readonly Family[];
}

export interface MainsAway {
  /** Main events that another event of the course replaces. */
  gone: ZoomRecord[];
  /** Main events in another course, which are changed only from there. */
  moved: ZoomRecord[];
}

/**
 * @param mains records without an event in this calendar; only those that events of the calendar are merged with are
 * looked up
 * @param topOf the main event's record for the record that an event names
 * @throws CanvasError
 */
export async function mainsAway(
  asking: Asking,
  records: RecordStore,
  { mains, topOf, ...here }: Here & { mains: readonly ZoomRecord[]; topOf: (id: number) => number },
): Promise<MainsAway> {
  const parents = new Set(
    here.families.flatMap(({ own: { record } }) => (record?.parentId ? topOf(record.parentId) : [])),
  );
  const found: MainsAway = { gone: [], moved: [] };
  const away = new Map(mains.filter(({ id }) => parents.has(id)).map((main) => [main.id, main]));
  await mapLimited([...away.values()], AT_ONCE, async (main) => {
    const isGone = await isMainGone(asking, records, main, here);
    (isGone ? found.gone : found.moved).push(main);
  });
  return found;
}

/**
 * Returns whether an event of this course should replace its main event, which is not in the course. A main event
 * that moved to another course took its record there, unless it has a reservation.
 * @throws CanvasError
 */
async function isMainGone(
  { canvas, ...asking }: Asking,
  records: RecordStore,
  main: ZoomRecord,
  here: Here,
): Promise<boolean> {
  const isOfHere = main.courseId === here.courseId;
  // The event of a reservation is created again, and is then found by its reservation in its own course.
  if (!isOfHere && main.reservationId !== null) return false;
  const event = await findEvent(canvas, main.eventId, asking);
  if (event === 'unseen') return false;
  if (!isOfHere) return event === 'gone' && (await isNextHere({ canvas, ...asking }, records, main, here));
  if (event === 'gone') return true;
  const course = courseOf(event);
  // Another record represents the event, or the event is now in a person's calendar.
  return course === null || course === here.courseId || (await isKnownIn(records, course, main));
}

/** Returns whether the event of this record has another record in its current course. */
async function isKnownIn(records: RecordStore, course: number, main: ZoomRecord): Promise<boolean> {
  const there = await records.ofCourses([course]);
  return there.records.some(({ id, eventId }) => id !== main.id && eventId === main.eventId);
}

/**
 * Returns whether the event that takes the place of a deleted main event is in this course. All courses of the group
 * must come to the same result: otherwise, the group would have two main events.
 * @throws CanvasError
 */
async function isNextHere(
  { canvas, ...asking }: Asking,
  records: RecordStore,
  main: ZoomRecord,
  { courseId, families }: Here,
): Promise<boolean> {
  const known = new Map(families.map(({ own: { event, record } }) => [record?.id, event]));
  const group = (await records.below([main.id])).filter(({ sectionId }) => sectionId === 0);
  const events = await mapLimited(group, AT_ONCE, async (record): Promise<CalendarEvent[]> => {
    const found = known.get(record.id) ?? (await findEvent(canvas, record.eventId, asking));
    if (found === 'gone') return [];
    // An event that the person cannot see is used as it was recorded.
    const event = found === 'unseen' ? eventOf(record) : found;
    // The record of a reservation stays in its course.
    return record.reservationId === null || courseOf(event) === record.courseId ? [event] : [];
  });
  const all = events.flat();
  // The main event's own course replaces it without looking at other courses.
  const own = all.filter((event) => courseOf(event) === main.courseId);
  if (nextOf(own, canvas.now()) !== undefined) return false;
  const next = nextOf(all, canvas.now());
  return next !== undefined && courseOf(next) === courseId;
}
