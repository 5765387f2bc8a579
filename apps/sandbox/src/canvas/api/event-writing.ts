/**
 * Writing events together with their section events, the parent's span and notifications (reference §14.2,
 * §14.3).
 */

import type { Caller } from '../http/auth.ts';
import type { CalendarEvent, EventNotice } from '../store/model.ts';
import type { World } from '../store/world.ts';
import { EMPTY_EVENT, type EventFields, FROM_PARENT, readFields, type SectionTimes } from './event-fields.ts';
import { courseOf } from './event-places.ts';
import { childrenOf, parseContextCode } from './json/events.ts';

/** Adds an event, with one for each section if requested. */
export function addEvent(
  caller: Caller,
  fields: EventFields,
  sections: readonly SectionTimes[] | null,
  zone: string,
): CalendarEvent {
  const { world } = caller;
  const event = world.calendarEvents.add(fields);
  if (sections) replaceSectionEvents(caller, event, sections, zone);
  tell(caller, 'new_event_created', event);
  return event;
}

/** Changes an event. Its children take on its texts; its parent takes on their times. */
export function changeEvent(
  caller: Caller,
  event: CalendarEvent,
  patch: Partial<EventFields>,
  sections: readonly SectionTimes[] | null,
  zone: string,
): void {
  const { world } = caller;
  const parent = world.calendarEvents.get(event.parent_calendar_event_id);
  const moved = write(world, event, parent ? { ...patch, ...textsOf(parent) } : patch);
  for (const child of childrenOf(world, event)) write(world, child, textsOf(event));
  if (sections) replaceSectionEvents(caller, event, sections, zone);
  else if (childrenOf(world, event).length > 0) spanChildren(world, event);
  if (parent) spanChildren(world, parent);
  if (moved) tell(caller, 'event_date_changed', event);
}

/** Deletes an event and its children; deleting the last child deletes its parent. */
export function deleteEvent(world: World, event: CalendarEvent): void {
  const patch = { workflow_state: 'deleted' as const };
  for (const child of childrenOf(world, event)) world.calendarEvents.change(child, patch);
  world.calendarEvents.change(event, patch);
  const parent = world.calendarEvents.get(event.parent_calendar_event_id);
  if (!parent || parent.workflow_state === 'deleted') return;
  if (childrenOf(world, parent).length === 0) world.calendarEvents.change(parent, patch);
  else spanChildren(world, parent);
}

/** Writes the events of the named sections and deletes those of all other sections. */
function replaceSectionEvents(
  caller: Caller,
  parent: CalendarEvent,
  sections: readonly SectionTimes[],
  zone: string,
): void {
  const { world } = caller;
  const present = new Map(childrenOf(world, parent).map((child) => [child.context_code, child]));
  for (const { code, fields } of sections) {
    const child = present.get(code);
    present.delete(code);
    const patch = { ...readFields(fields, child ?? null, zone), ...textsOf(parent) };
    if (child) {
      if (write(world, child, patch)) tell(caller, 'event_date_changed', child);
      continue;
    }
    const added = world.calendarEvents.add({
      ...EMPTY_EVENT,
      user_id: parent.user_id,
      ...patch,
      context_code: code,
      effective_context_code: parent.context_code,
      parent_calendar_event_id: parent.id,
    });
    tell(caller, 'new_event_created', added);
  }
  for (const gone of present.values()) world.calendarEvents.change(gone, { workflow_state: 'deleted' });
  spanChildren(world, parent);
}

/** Makes a parent last from the first start to the last end; without children it keeps its last times. */
function spanChildren(world: World, parent: CalendarEvent): void {
  const children = childrenOf(world, parent);
  const starts = children.flatMap(({ start_at }) => start_at ?? []).sort();
  const ends = children.flatMap(({ end_at }) => end_at ?? []).sort();
  if (starts.length > 0) write(world, parent, { start_at: starts[0] ?? null, end_at: ends.at(-1) ?? null });
}

function textsOf(parent: CalendarEvent): Pick<CalendarEvent, (typeof FROM_PARENT)[number]> {
  const { title, description, location_name, location_address, important_dates } = parent;
  return { title, description, location_name, location_address, important_dates };
}

/**
 * Writes only differences, so that saving without changes leaves no trace. Returns true if the times have
 * changed.
 */
function write(world: World, event: CalendarEvent, patch: Partial<EventFields>): boolean {
  const names = Object.keys(patch) as (keyof EventFields)[];
  const changed = names.filter((name) => patch[name] !== event[name]);
  if (changed.length === 0) return false;
  world.calendarEvents.change(event, patch);
  return changed.includes('start_at') || changed.includes('end_at');
}

/**
 * Notifies the people in a published course, except the person who acts. A parent of section events causes no
 * notification; a new series causes one, for its head.
 */
function tell({ world, user }: Caller, kind: EventNotice['kind'], event: CalendarEvent): void {
  if (childrenOf(world, event).length > 0 || event.workflow_state !== 'active') return;
  if (kind === 'new_event_created' && event.series_uuid !== null && !event.series_head) return;
  const place = parseContextCode(event.context_code);
  const people = new Set<number>();
  if (place?.kind === 'group')
    for (const member of world.groupMemberships.by.group.get(place.id)) {
      if (member.workflow_state === 'accepted') people.add(member.user_id);
    }
  else {
    const course = courseOf(world, place);
    if (!place || course?.workflow_state !== 'available') return;
    for (const enrollment of world.enrollments.by.course.get(course.id))
      if (
        enrollment.workflow_state === 'active' &&
        (place.kind === 'course' || enrollment.course_section_id === place.id)
      )
        people.add(enrollment.user_id);
  }
  people.delete(user.id);
  if (people.size === 0) return;
  world.eventNotices.add({
    kind,
    event_id: event.id,
    context_code: event.context_code,
    people: people.size,
  });
}
