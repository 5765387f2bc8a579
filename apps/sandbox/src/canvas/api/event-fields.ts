/** What may be written to an event, and how Canvas completes it (reference §14.2, §14.3). */

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

/** A section's event has these of its parent, whatever is written to it (§14.2). */
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

const MOST_CHARACTERS = 255;
const TEXTS = ['title', 'description', 'location_name', 'location_address', 'comments'] as const;
const FLAGS = ['all_day', 'important_dates', 'blackout_date'] as const;

/**
 * The patch that a request asks for, with the dates as Canvas completes them. What is not sent is not touched: texts
 * leave the times as they are.
 * @param before what is there; null: a new event
 * @param zone of the caller
 * @throws ApiError 400 for a title that is too long
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
  // A title is never removed: without one it is that of before.
  if (patch.title === null || patch.title === '') delete patch.title;
  if ((patch.title?.length ?? 0) > MOST_CHARACTERS)
    throw invalid('title', `is too long (maximum is ${MOST_CHARACTERS} characters)`, 'too_long');
  return completed(patch, before, zone);
}

/** HTML as Canvas keeps it: without what could run or show something foreign (§14.4). */
function withoutForeign(description: string): string {
  return description
    .replace(/<(script|object|iframe)\b[^>]*>[\s\S]*?<\/\1\s*>/gi, '')
    .replace(/<\/?(?:script|object|embed|param|iframe)\b[^>]*>/gi, '');
}

/** A date that is missing is the other one; whole days go to midnight, and midnight without a length is a whole day. */
function completed(patch: Patch, before: CalendarEvent | null, callerZone: string): Patch {
  const timesGiven = 'start_at' in patch || 'end_at' in patch;
  if (!timesGiven && patch.all_day === undefined) return patch;
  const after = { ...(before ?? EMPTY_EVENT), ...patch };
  const start = after.start_at ?? after.end_at;
  let end = after.end_at ?? after.start_at;
  if (start !== null && end !== null && end < start) end = start;
  if (start === null) return { ...patch, start_at: null, end_at: null, all_day: false, all_day_date: null };
  const zone = after.time_zone_edited ?? callerZone;
  const ms = Date.parse(start);
  const midnight = beginningOfDay(ms, zone);
  if (patch.all_day || (timesGiven && start === end && midnight === ms)) {
    const at = timestamp(midnight);
    const date = new Date(wallClock(midnight, zone)).toISOString().slice(0, 10);
    return { ...patch, start_at: at, end_at: at, all_day: true, all_day_date: date };
  }
  return { ...patch, start_at: start, end_at: end, all_day: false, all_day_date: null };
}

/** The times of one section. */
export type SectionTimes = { code: string; fields: Params };

/**
 * The whole new set of a parent's section events (§14.2); null: the request says nothing of them.
 * @param code of the course
 * @throws ApiError 400
 */
export function readSectionTimes(caller: Caller, code: string, fields: Params): SectionTimes[] | null {
  const given = fields['child_event_data'];
  const items = (
    Array.isArray(given) ? given : Object.values(nested(fields, 'child_event_data') ?? {})
  ).filter(isParams);
  if (items.length === 0) return flag(fields, 'remove_child_events') ? [] : null;
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
