/** The events in a list: contexts, window, filters, order (reference §12, §14.1). */

import { flag, list, type Params, text } from '../../http/params.ts';
import { beginningOfDay, endOfDay, readMoment } from '../../http/time-zones.ts';
import type { Caller } from '../http/auth.ts';
import { ApiError, forbidden } from '../http/errors.ts';
import type { CalendarEvent } from '../store/model.ts';
import { timestamp, type World } from '../store/world.ts';
import { mayReadCalendar, placeExists, seesSection } from './event-places.ts';
import { parseContextCode } from './json/events.ts';

const MOST_CONTEXTS = 10;
/** Canvas's own patterns: two digits per part, seconds in every time, one of four separators in a plain date. */
const PLAIN_DATE = /^\d{4}[- /.](?:0[1-9]|1[0-2])[- /.](?:0[1-9]|[12]\d|3[01])$/;
const ISO_DATE =
  /^\d{4}-(?:1[0-2]|0[1-9])-(?:3[01]|0[1-9]|[12]\d)T(?:2[0-3]|[01]\d):[0-5]\d:(?:60|[0-5]\d)(?:\.\d+)?(?:Z|[+-](?:2[0-3]|[01]\d):[0-5]\d)?$/;
/** The practice LMS has no appointment groups: one is neither counted nor rejected. */
const APPOINTMENT_GROUP = /^appointment_group_\d+$/;

/**
 * Returns the events that the parameters ask for, in order.
 * @param viewer the person whose view is shown
 * @param zone the caller's time zone, in which plain dates are read
 * @throws ApiError 400 for an invalid date, 403 for a context that does not exist or cannot be read
 */
export function listedEvents(viewer: Caller, params: Params, zone: string): CalendarEvent[] {
  const { world } = viewer;
  // A missing permission is reported before invalid dates.
  const codes = contextsOf(viewer, params);
  const window = windowOf(world, params, zone);
  const type = text(params, 'type');
  if (type === 'assignment' || type === 'sub_assignment') return [];
  const important = flag(params, 'important_dates');
  const blackout = flag(params, 'blackout_date');
  const chosen = (event: CalendarEvent) =>
    (!important || event.important_dates) && (!blackout || event.blackout_date);
  return eventsOf(viewer, codes)
    .filter((event) => inWindow(event, window) && chosen(event))
    .sort(byStart);
}

type Window = { from: string; to: string } | 'undated' | 'all';

/** @throws ApiError 400 that names each invalid date (§12). */
function windowOf(world: World, params: Params, zone: string): Window {
  // `all_events` overrides the dates, which are then not even read (§14.1).
  if (flag(params, 'all_events')) return 'all';
  if (flag(params, 'undated')) return 'undated';
  const errors: Record<string, string> = {};
  const read = (name: string) => {
    const given = text(params, name);
    if (given === null || given === '') return null;
    const plain = PLAIN_DATE.test(given) ? given.replace(/[ /.]/g, '-') : null;
    const moment = plain !== null || ISO_DATE.test(given) ? readMoment(plain ?? given, zone) : null;
    if (!moment) errors[name] = `Invalid date or invalid datetime for ${name}`;
    return moment;
  };
  const start = read('start_date');
  const end = read('end_date');
  if (Object.keys(errors).length > 0) throw new ApiError(400, { errors });
  const today = world.clock();
  const from = start?.ms ?? beginningOfDay(today, zone);
  let to = endOfDay(end?.ms ?? today, zone);
  if (end && !end.plain) to = end.ms;
  if (to < from) to = endOfDay(from, zone);
  return { from: timestamp(from), to: timestamp(to) };
}

function inWindow(event: CalendarEvent, window: Window): boolean {
  if (window === 'all') return true;
  if (window === 'undated') return event.start_at === null && event.end_at === null;
  if (event.start_at === null) return false;
  return event.start_at <= window.to && (event.end_at ?? event.start_at) >= window.from;
}

/**
 * Returns the first ten contexts, because Canvas silently drops the rest. Without any context, returns the
 * viewer's own calendar (§14.1).
 * @throws ApiError 403 if a context does not exist or cannot be read
 */
function contextsOf(viewer: Caller, params: Params): string[] {
  const named = list(params, 'context_codes').filter((code) => !APPOINTMENT_GROUP.test(code));
  const codes = [...new Set(named.slice(0, MOST_CONTEXTS))];
  if (list(params, 'context_codes').length === 0) codes.push(`user_${viewer.user.id}`);
  for (const code of codes) {
    const place = parseContextCode(code);
    if (!place || !placeExists(viewer.world, place) || !mayReadCalendar(viewer, code)) throw forbidden();
  }
  return codes;
}

/**
 * Returns the events in the contexts. A course includes its sections, whose events are listed alongside their
 * parents (§14.1).
 */
function eventsOf(viewer: Caller, codes: readonly string[]): CalendarEvent[] {
  const { world } = viewer;
  const found = new Set<CalendarEvent>();
  const take = (code: string) => {
    for (const event of world.calendarEvents.by.context.get(code))
      if (event.workflow_state !== 'deleted') found.add(event);
  };
  for (const code of codes) {
    take(code);
    const place = parseContextCode(code);
    if (place?.kind !== 'course') continue;
    for (const section of world.sections.by.course.get(place.id))
      if (section.workflow_state === 'active' && seesSection(viewer, section))
        take(`course_section_${section.id}`);
  }
  return [...found];
}

function byStart(a: CalendarEvent, b: CalendarEvent): number {
  if (a.start_at !== b.start_at) {
    if (a.start_at === null) return 1;
    if (b.start_at === null) return -1;
    return a.start_at < b.start_at ? -1 : 1;
  }
  return a.id - b.id;
}
