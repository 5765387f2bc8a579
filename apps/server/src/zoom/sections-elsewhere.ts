/**
 * Events of cross-listed sections. Such an event stays with the event of the course that gives it by section, which is where the
 * LMS has its text from, while the calendar of the section's present course lists it.
 */
import { z } from 'zod';
import { one, type Reader } from '../canvas/resources/reading.ts';
import { sectionById } from '../canvas/resources/sections.ts';
import { OutsideError } from '../outbound/errors.ts';
import { mapLimited } from '../platform/limited.ts';
import { type CalendarEvent, calendarEvent, courseOf, type Family, sectionOf } from './calendar-event.ts';
import { EventProblem } from './problems.ts';

const withChildren = z.object({ child_events: z.array(calendarEvent).default([]) });

/** Sections and events that are read at the same time. */
const AT_ONCE = 6;

/** Whether an event belongs to an event of another course, and is listed here since its section is in this one now. */
export function isGuest(event: CalendarEvent, courseId: number): boolean {
  return event.parent_event_id !== null && (courseOf(event) ?? courseId) !== courseId;
}

/** Such an event, as a course has it that can change nothing of it. */
export function guestFamily(event: CalendarEvent): Family {
  const own = { event, sectionId: sectionOf(event), reservationId: null, record: null };
  return { own, parts: [own], isGuest: true };
}

/**
 * The events of a course with those of its cross-listed sections, which the list leaves out: people of these sections have the
 * texts of the course's event before them. Sections that were deleted have no one.
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

/** Why a change of this course does not reach the event. */
export function guestProblem({ own: { event } }: Family): EventProblem {
  return new EventProblem(guestWords(event), 'Change it in that course.');
}

/** What a run of this course says of the event. */
export function guestWords(event: CalendarEvent): string {
  return `This event of a cross-listed section belongs to course ${courseOf(event)}: its meeting and link are kept up to date there.`;
}

export function guestDead({ own: { event } }: Family): EventProblem {
  return new EventProblem(
    `Its text has a link that leads to no meeting that can be held. It belongs to course ${courseOf(event)}: run that course, or publish the event there.`,
  );
}

/** Whether a section is there. What the LMS does not tell counts as there. */
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

/** As the LMS lists them. */
function byStart(a: CalendarEvent, b: CalendarEvent): number {
  const [one, other] = [a, b].map(({ start_at }) => (start_at === null ? Infinity : Date.parse(start_at)));
  return one === other ? a.id - b.id : (one ?? 0) - (other ?? 0);
}
