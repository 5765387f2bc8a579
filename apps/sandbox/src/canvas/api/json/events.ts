import type { View } from '../../http/view.ts';
import type { CalendarEvent } from '../../store/model.ts';
import type { World } from '../../store/world.ts';

const COLOURS = ['#0B874B', '#8D9900', '#BD3C14', '#4D3D4D', '#254284', '#986C16', '#177B63', '#324A4D'];

/** Returns the calendar event object (§12). Children are nested on request. */
export function eventJson(view: View, event: CalendarEvent, children = true): Record<string, unknown> {
  const { world } = view;
  const parts = childrenOf(world, event);
  const effective = event.effective_context_code ?? event.context_code;
  const place = placeOf(view, effective);
  const query = `event_id=${event.id}&include_contexts=${effective}`;
  return {
    id: event.id,
    title: shownTitle(view, event),
    start_at: event.start_at,
    end_at: event.end_at,
    workflow_state: event.workflow_state,
    created_at: event.created_at,
    updated_at: event.updated_at,
    all_day: event.all_day,
    all_day_date: event.all_day_date,
    comments: event.comments,
    location_address: event.location_address,
    location_name: event.location_name,
    type: 'event',
    // Relative addresses are returned as absolute ones (§14.4).
    description: event.description?.replace(/\b(href|src)="\/(?!\/)/g, `$1="${view.base}/`) ?? null,
    child_events_count: parts.length,
    // The sections are missing here: only the children name them.
    all_context_codes: effective,
    context_code: event.context_code,
    ...(event.effective_context_code === null ? {} : { effective_context_code: effective }),
    context_name: place?.name ?? null,
    context_color: COLOURS[(place?.id ?? 0) % COLOURS.length],
    parent_event_id: event.parent_calendar_event_id,
    // A parent with section events only groups its children (§12).
    hidden: parts.length > 0,
    child_events: children ? parts.map((part) => eventJson(view, part, false)) : [],
    url: `${view.base}/api/v1/calendar_events/${event.id}`,
    html_url: `${view.base}/calendar?${query}`,
    duplicates: [],
    important_dates: event.important_dates,
    blackout_date: event.blackout_date,
    series_uuid: event.series_uuid,
    ...(event.series_uuid === null ? {} : { series_head: event.series_head }),
    rrule: event.rrule,
  };
}

/** Returns the title shown for an event: a section's event adds the section's name, once (§14.2). */
function shownTitle(view: View, { title, context_code: code }: CalendarEvent): string {
  const section = parseContextCode(code)?.kind === 'course_section' ? placeOf(view, code) : undefined;
  return !section || title.endsWith(` (${section.name})`) ? title : `${title} (${section.name})`;
}

/** Returns the section events of a parent, in order of creation. */
export function childrenOf(world: World, event: CalendarEvent): CalendarEvent[] {
  return world.calendarEvents.by.parent.get(event.id).filter((child) => child.workflow_state !== 'deleted');
}

export type ContextPlace = { kind: 'course' | 'group' | 'user' | 'course_section' | 'account'; id: number };

/** Reads `course_42`, `course_section_9` …, or returns null for any other text. */
export function parseContextCode(code: string): ContextPlace | null {
  const match = /^(course|group|user|course_section|account)_(\d{1,15})$/.exec(code);
  return match ? { kind: match[1] as ContextPlace['kind'], id: Number(match[2]) } : null;
}

function placeOf(view: View, code: string): { id: number; name: string } | undefined {
  const place = parseContextCode(code);
  if (!place) return undefined;
  const { world } = view;
  const tables = {
    course: world.courses,
    group: world.groups,
    user: world.users,
    course_section: world.sections,
    account: world.accounts,
  };
  return tables[place.kind].get(place.id);
}
