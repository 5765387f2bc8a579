/** Event fields that can be written, and how Canvas completes them (reference §14.2, §14.3). */

import { flag, isParams, nested, type Params, text } from '../../http/params.ts';
import { beginningOfDay, readMoment, wallClock, zoneNamed } from '../../http/time-zones.ts';
import type { Caller } from '../http/auth.ts';
import { invalid } from '../http/errors.ts';
import type { CalendarEvent, Row } from '../store/model.ts';
import { timestamp } from '../store/world.ts';
import { mayWriteCalendar, placeExists } from './event-places.ts';
import { parseContextCode } from './json/events.ts';

export type EventFields = Omit<CalendarEvent, keyof Row>;
type Patch = Partial<EventFields>;

/** A section's event takes these fields from its parent, whatever is written to it (§14.2). */
export const FROM_PARENT = [
  'title',
  'description',
  'location_name',
  'location_address',
  'important_dates',
] as const;

export const EMPTY_EVENT: Omit<EventFields, 'title' | 'context_code'> = {
  description: null,
  workflow_state: 'active',
  start_at: null,
  end_at: null,
  all_day: false,
  all_day_date: null,
  location_name: null,
  location_address: null,
  comments: null,
  effective_context_code: null,
  parent_calendar_event_id: null,
  user_id: null,
  important_dates: false,
  blackout_date: false,
  time_zone_edited: null,
  series_uuid: null,
  series_head: null,
  rrule: null,
};

/** Maximum numbers of characters. */
const MOST_CHARACTERS = { title: 255, comments: 255, description: 511_999 } as const;
const TEXTS = ['title', 'description', 'location_name', 'location_address', 'comments'] as const;
const FLAGS = ['all_day', 'important_dates', 'blackout_date'] as const;

/**
 * Reads the patch that a request asks for, with dates completed as in Canvas. Fields that are not sent do not
 * change: a change of texts leaves the times alone.
 * @param before the present event; null for a new event
 * @param zone the caller's time zone
 * @throws ApiError 400 for a text that is too long
 */
export function readFields(fields: Params, before: CalendarEvent | null, zone: string): Patch {
  const patch: Patch = {};
  for (const name of TEXTS) if (name in fields) Object.assign(patch, { [name]: text(fields, name) });
  for (const name of FLAGS) if (name in fields) patch[name] = flag(fields, name);
  for (const name of ['start_at', 'end_at'] as const) {
    if (!(name in fields)) continue;
    const moment = readMoment(text(fields, name) ?? '', zone);
    patch[name] = moment ? timestamp(moment.ms) : null;
  }
  if ('time_zone_edited' in fields)
    patch.time_zone_edited = zoneNamed(text(fields, 'time_zone_edited') ?? '');
  if (patch.description) patch.description = withoutForeign(patch.description);
  // An empty title becomes the default title for the type of calendar.
  if (patch.title === null && before) patch.title = titleOf(before.context_code);
  else if (patch.title === null) delete patch.title;
  for (const [name, most] of Object.entries(MOST_CHARACTERS))
    if ((patch[name as keyof typeof MOST_CHARACTERS]?.length ?? 0) > most)
      throw invalid(name, `is too long (maximum is ${most} characters)`, 'too_long');
  return completed(patch, before, zone);
}

/** Cleans HTML as Canvas does: removes scripts, comments and foreign content (§14.4). */
function withoutForeign(description: string): string {
  return description
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<(script|object|iframe)\b[^>]*>[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/<\/?(?:script|object|embed|param|iframe)\b[^>]*>/gi, '');
}

/** Returns the default title of an event. */
export function titleOf(code: string): string {
  const kind = parseContextCode(code)?.kind ?? '';
  const words = kind.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')} Event`;
}

/**
 * Completes dates. A missing date copies the other one; all-day events start at midnight of each day, and a midnight
 * without a duration means all day. The all-day date is kept when the event stops being all-day.
 */
function completed(patch: Patch, before: CalendarEvent | null, callerZone: string): Patch {
  const present = before ?? EMPTY_EVENT;
  const timesGiven = 'start_at' in patch || 'end_at' in patch;
  const marked = patch.all_day !== undefined && patch.all_day !== present.all_day;
  if (!timesGiven && !marked) return patch;
  const after = { ...present, ...patch };
  const zone = after.time_zone_edited ?? callerZone;
  const midnight = (at: string | null) =>
    at === null ? null : timestamp(beginningOfDay(Date.parse(at), zone));
  let start = after.start_at ?? after.end_at;
  let end = after.end_at ?? after.start_at;
  if (start !== null && end !== null && end < start) end = start;
  let { all_day, all_day_date } = after;
  if (marked && all_day) [start, end] = [midnight(start), midnight(end)];
  else if (start !== present.start_at || end !== present.end_at)
    all_day = start !== null && start === end && isMidnight(start, zone);
  if (all_day && (all_day_date === null || start !== present.start_at)) {
    [start, end] = [midnight(start), midnight(end)];
    all_day_date =
      start === null ? null : new Date(wallClock(Date.parse(start), zone)).toISOString().slice(0, 10);
  }
  return { ...patch, start_at: start, end_at: end, all_day, all_day_date };
}

/** Returns whether a time is midnight, to the minute. */
function isMidnight(at: string, zone: string): boolean {
  const ms = Date.parse(at);
  return ms - beginningOfDay(ms, zone) < 60_000;
}

/** The times for one section. */
export type SectionTimes = { code: string; fields: Params };

/**
 * Reads the complete new set of a parent's section events (§14.2), or returns null if the request does not
 * mention them.
 * @param code the course's code
 * @throws ApiError 400
 */
export function readSectionTimes(caller: Caller, code: string, fields: Params): SectionTimes[] | null {
  const given = fields['child_event_data'];
  const items = (
    Array.isArray(given) ? given : Object.values(nested(fields, 'child_event_data') ?? {})
  ).filter(isParams);
  // An empty list is a complete set, too.
  const isEmptyList = Array.isArray(given) && given.length === 0;
  if (items.length === 0) return isEmptyList || flag(fields, 'remove_child_events') ? [] : null;
  const times = items.map((item) => ({ code: text(item, 'context_code') ?? '', fields: item }));
  if (new Set(times.map((each) => each.code)).size < times.length)
    throw invalid('child_event_data', 'Duplicate child event contexts');
  const { world } = caller;
  for (const each of times) {
    const place = parseContextCode(each.code);
    const section = place?.kind === 'course_section' ? world.sections.get(place.id) : undefined;
    const fits = place && section && placeExists(world, place) && `course_${section.course_id}` === code;
    if (!fits || !mayWriteCalendar(caller, each.code))
      throw invalid('child_event_data', 'Invalid child event context');
  }
  return times;
}
