/** Events of a group that lie in other courses: moved there in the LMS, they have its link, and no change of this course reaches them. */

import type { CanvasClient, CanvasToken } from '../canvas/types.ts';
import { OutsideError } from '../outbound/errors.ts';
import { mapLimited } from '../platform/limited.ts';
import { listed } from '../platform/text.ts';
import { type Calendar, readEvent } from './calendar.ts';
import { type CalendarEvent, courseOf, type Family } from './calendar-event.ts';
import { namesMeeting } from './families.ts';
import { eventOf } from './lost-main.ts';
import { ELSEWHERE } from './main-elsewhere.ts';
import { canvasProblem, EventProblem } from './problems.ts';
import type { RecordStore, ZoomRecord } from './records.ts';

const AT_ONCE = 8;
export interface EventElsewhere {
  /** Its title is the one that it had in this course: who asks may not be one to see the other. */
  event: CalendarEvent;
  /** Where it is; null: in a course that the person cannot see. */
  courseId: number | null;
}

export const REACH_THEM =
  'Open the course of these events, and unmerge or publish them there first. If you cannot, ask a person who can.';

/** What of these events is asked with. */
export interface GroupParts {
  canvas: CanvasClient;
  records: RecordStore;
  calendar: Calendar;
  token: CanvasToken;
  signal: AbortSignal;
}

/**
 * Events of other courses that have the link of this one, by what the records know and Canvas says now.
 * @throws EventProblem, CanvasError
 */
export async function groupElsewhere(
  { canvas, records, calendar, token, signal }: GroupParts,
  { own: { record } }: Family,
): Promise<EventElsewhere[]> {
  if (record === null) return [];
  // A main event that was moved away is merged with its heir: in a preview only these records say so.
  const moved = calendar.orphans.filter(({ parentId }) => parentId === record.id);
  const below = await records.below([record.id, ...moved.map(({ id }) => id)]);
  const here = new Set(
    calendar.families.flatMap(({ own, parts }) => [own, ...parts].map((one) => one.record?.id)),
  );
  const group = new Map([...moved, ...below].map((one) => [one.id, one]));
  // One that is given by section is told as a whole.
  const absent = [...group.values()].filter(({ id, sectionId }) => !here.has(id) && sectionId === 0);
  const found = await mapLimited(absent, AT_ONCE, async (one) => {
    const event = await read(one);
    if (event === undefined || !hasLink(one, event)) return [];
    const title = one.courseId === calendar.courseId ? one.title : ELSEWHERE;
    return [{ event: { ...(event ?? eventOf(one)), title }, courseId: event && courseOf(event) }];
  });
  return found.flat();

  /** Undefined: it is no longer in Canvas. */
  async function read({ eventId }: ZoomRecord): Promise<CalendarEvent | null | undefined> {
    try {
      return (await readEvent(canvas, Math.abs(eventId), { token, signal })) ?? undefined;
    } catch (error) {
      if (error instanceof OutsideError && error.kind === 'not-found') return undefined;
      if (error instanceof OutsideError && error.kind === 'refused' && !error.ofToken) return null;
      throw canvasProblem(error);
    }
  }

  function hasLink(of: ZoomRecord, event: CalendarEvent | null): boolean {
    if (event === null) return true;
    // Another record represents it here by now.
    if (courseOf(event) === calendar.courseId || calendar.of.has(event.id)) return false;
    // The record of a main event that was moved away stays behind: the event has what its text says.
    return of.eventId > 0 || (record?.meeting != null && namesMeeting(event, record.meeting));
  }
}

/** Why an event cannot get another link or visibility; null: it can. */
export function wordsOfGroup(events: readonly EventElsewhere[]): string | null {
  if (events.length === 0) return null;
  const names = [...new Set(events.map(nameOf))];
  const verb = events.length === 1 ? 'has' : 'have';
  return `${listed(names)} ${verb} its link too, and would not change with it: the classes would be split over two meetings, or students would keep a link that leads nowhere.`;
}

function nameOf({ event: { title }, courseId }: EventElsewhere): string {
  const course = courseId === null ? 'a course that you cannot see' : `course ${courseId}`;
  return title === ELSEWHERE ? `An event in ${course}` : `“${title}” in ${course}`;
}

/** Events of other courses would be left behind. */
export class LeftBehind extends EventProblem {}

/** @throws LeftBehind where events of other courses have the link; EventProblem, CanvasError */
export async function requireNoneElsewhere(parts: GroupParts, family: Family): Promise<void> {
  const words = wordsOfGroup(await groupElsewhere(parts, family));
  if (words !== null) throw new LeftBehind(words, REACH_THEM);
}
