/**
 * Events of cross-listed sections. Such an event belongs to the event of its section's original course, from which the
 * LMS takes its text, while the calendar of the section's current course lists it.
 */
import { z } from 'zod';
import { one, type Reader } from '../canvas/resources/reading.ts';
import { sectionById } from '../canvas/resources/sections.ts';
import { OutsideError } from '../outbound/errors.ts';
import { mapLimited } from '../platform/limited.ts';
import { type CalendarEvent, calendarEvent, courseOf, type Family, sectionOf } from './calendar-event.ts';
import { EventProblem } from './problems.ts';

const withChildren = z.object({ child_events: z.array(calendarEvent).default([]) });

/** Sections and events read at the same time. */
const AT_ONCE = 6;

/**
 * Returns whether an event belongs to another course's event, and is listed here because its section is now in this
 * course.
 */
export function isGuest(event: CalendarEvent, courseId: number): boolean {
  return event.parent_event_id !== null && (courseOf(event) ?? courseId) !== courseId;
}

/** Returns the family of an event in a course that cannot change it. */
export function guestFamily(event: CalendarEvent): Family {
  const own = { event, sectionId: sectionOf(event), reservationId: null, record: null };
  return { own, parts: [own], isGuest: true };
}

/**
 * Adds the events of cross-listed sections, which the list of a course omits: people in these sections see the texts
 * of the course's event. Deleted sections have no people.
 * @throws CanvasError
 */
export async function withSectionsElsewhere(
  asking: Reader,
  listed: readonly CalendarEvent[],
): Promise<readonly CalendarEvent[]> {
  const ids = new Set(listed.map(({ id }) => id));
  const here = new Map<number, number>();
  for (const { parent_event_id: id } of listed) if (id !== null) here.set(id, (here.get(id) ?? 0) + 1);
  const incomplete = listed.filter(
    ({ id, hidden, child_events_count }) => hidden && child_events_count > (here.get(id) ?? 0),
  );
  if (incomplete.length === 0) return listed;
  const read = await mapLimited(incomplete, AT_ONCE, ({ id }) => childrenIn(asking, id));
  const found = read.flat().filter(({ id, context_code }) => !ids.has(id) && sectionOf({ context_code }) > 0);
  const named = [...new Set(found.map(({ context_code }) => context_code))];
  const there = await mapLimited(named, AT_ONCE, async (code) =>
    (await isThere(asking, code)) ? code : null,
  );
  const more = found.filter(({ context_code }) => there.includes(context_code));
  return [...listed, ...more].sort(byStart);
}

/** Returns why a change of this course cannot affect the event. */
export function guestProblem({ own: { event } }: Family): EventProblem {
  return new EventProblem(guestWords(event), 'Change it in that course.');
}

/** Returns a run's message about the event. */
export function guestWords(event: CalendarEvent): string {
  return `This event of a cross-listed section belongs to course ${courseOf(event)}. Its meeting and link are kept up to date there.`;
}

export function guestDead({ own: { event } }: Family): EventProblem {
  return new EventProblem(
    `Its text has a link that does not lead to a valid meeting. It belongs to course ${courseOf(event)}. Start a run for that course, or publish the event there.`,
  );
}

/** Returns whether a section exists. If that is unknown, it counts as existing. */
async function isThere(asking: Reader, code: string): Promise<boolean> {
  try {
    await sectionById(asking, sectionOf({ context_code: code }));
    return true;
  } catch (error) {
    if (!(error instanceof OutsideError) || error.ofToken) throw error;
    if (error.kind === 'not-found') return false;
    if (error.kind === 'refused') return true;
    throw error;
  }
}

async function childrenIn(reader: Reader, eventId: number): Promise<CalendarEvent[]> {
  const { child_events } = await one(reader, `calendar_events/${eventId}`, withChildren);
  return child_events.filter(({ workflow_state }) => workflow_state !== 'deleted');
}

/** Orders events as the LMS does. */
function byStart(a: CalendarEvent, b: CalendarEvent): number {
  const [one, other] = [a, b].map(({ start_at }) => (start_at === null ? Infinity : Date.parse(start_at)));
  return one === other ? a.id - b.id : (one ?? 0) - (other ?? 0);
}
