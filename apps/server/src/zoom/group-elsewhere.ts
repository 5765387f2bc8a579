/** Events of a group that were moved to other courses: they keep its link, and cannot be changed from this course. */

import type { CanvasClient, CanvasToken } from '../canvas/types.ts';
import { mapLimited } from '../platform/limited.ts';
import { listed } from '../platform/text.ts';
import type { Calendar } from './calendar.ts';
import { type CalendarEvent, courseOf, type Family } from './calendar-event.ts';
import { namesMeeting } from './families.ts';
import { eventOf } from './lost-main.ts';
import { ELSEWHERE } from './main-elsewhere.ts';
import { type FoundEvent, findEvent } from './one-event.ts';
import { canvasProblem, EventProblem } from './problems.ts';
import type { RecordStore, ZoomRecord } from './records.ts';

const AT_ONCE = 8;
export interface EventElsewhere {
  /** The event, with the title that it had in this course: the admin may not be allowed to see the current one. */
  event: CalendarEvent;
  /** Course of the event; null if the person cannot see it. */
  courseId: number | null;
}

export const REACH_THEM =
  'Open the course of these events, and unmerge or publish them there first. If you cannot, ask someone who has access to that course.';

/** Parts for reading these events. */
export interface GroupParts {
  canvas: CanvasClient;
  records: RecordStore;
  calendar: Calendar;
  token: CanvasToken;
  signal: AbortSignal;
}

/**
 * Finds events of other courses with this event's link, from the records and Canvas.
 * @throws EventProblem, CanvasError
 */
export async function groupElsewhere(
  { canvas, records, calendar, token, signal }: GroupParts,
  { own: { record } }: Family,
): Promise<EventElsewhere[]> {
  if (record === null) return [];
  // A deleted main event is merged with its successor; in a preview, only these records show that.
  const moved = calendar.orphans.filter(({ parentId }) => parentId === record.id);
  const below = await records.below([record.id, ...moved.map(({ id }) => id)]);
  const here = new Set(
    calendar.families.flatMap(({ own, parts }) => [own, ...parts].map((one) => one.record?.id)),
  );
  const group = new Map([...moved, ...below].map((one) => [one.id, one]));
  // An event with section times is reported as a whole.
  const absent = [...group.values()].filter(({ id, sectionId }) => !here.has(id) && sectionId === 0);
  const found = await mapLimited(absent, AT_ONCE, async (one) => {
    const found = await find(one);
    const event = found === 'unseen' ? null : found;
    if (event === 'gone' || !hasLink(one, event)) return [];
    const title = one.courseId === calendar.courseId ? one.title : ELSEWHERE;
    return [{ event: { ...(event ?? eventOf(one)), title }, courseId: event && courseOf(event) }];
  });
  return found.flat();

  async function find({ eventId }: ZoomRecord): Promise<FoundEvent> {
    try {
      return await findEvent(canvas, eventId, { token, signal });
    } catch (error) {
      throw canvasProblem(error);
    }
  }

  function hasLink(of: ZoomRecord, event: CalendarEvent | null): boolean {
    if (event === null) return true;
    // Another record now represents the event in this course.
    if (courseOf(event) === calendar.courseId || calendar.of.has(event.id)) return false;
    // The record of a reservation stays behind, so only the event's text shows whether it has the link.
    return of.reservationId === null || (record?.meeting != null && namesMeeting(event, record.meeting));
  }
}

/** Returns why an event cannot get another link or visibility; null if it can. */
export function wordsOfGroup(events: readonly EventElsewhere[]): string | null {
  if (events.length === 0) return null;
  const names = listed([...new Set(events.map(nameOf))]);
  const verb = events.length === 1 ? 'has' : 'have';
  return `${names.charAt(0).toUpperCase()}${names.slice(1)} ${verb} the same link and would not change with this event. Classes would be split between two meetings, or students would keep a link that leads nowhere.`;
}

function nameOf({ event: { title }, courseId }: EventElsewhere): string {
  const course = courseId === null ? 'a course that you cannot see' : `course ${courseId}`;
  return title === ELSEWHERE ? `an event in ${course}` : `“${title}” in ${course}`;
}

/** Thrown because events of other courses would keep an outdated link. */
export class LeftBehind extends EventProblem {}

/** @throws LeftBehind if events of other courses have the link; EventProblem, CanvasError */
export async function requireNoneElsewhere(parts: GroupParts, family: Family): Promise<void> {
  const words = wordsOfGroup(await groupElsewhere(parts, family));
  if (words !== null) throw new LeftBehind(words, REACH_THEM);
}
