/** Calendar events (reference §12). */

import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { flag, isParams, list, nested, type Params, paramsOf, text } from '../../http/params.ts';
import { currentUser, hasRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { ApiError, forbidden, invalid, missing, notFound } from '../http/errors.ts';
import { paginate } from '../http/paging.ts';
import { type View, viewOf } from '../http/view.ts';
import type { CalendarEvent } from '../store/model.ts';
import { timestamp, type World } from '../store/world.ts';
import { mayRead } from './courses.ts';
import { type ContextPlace, childrenOf, eventJson, parseContextCode } from './json/events.ts';
import { pathParam } from './lists.ts';
import { beginningOfDay, endOfDay, readMoment } from './time-zones.ts';

const MOST_CONTEXTS = 10;

export function eventRoutes({ world }: SandboxContext): FastifyPluginAsync {
  return async (app) => {
    app.get('/calendar_events', (request, reply) => {
      const params = paramsOf(request);
      const window = windowOf(request, world, params);
      const type = text(params, 'type') ?? 'event';
      const events = type === 'event' ? eventsOf(request, world, contextsOf(request, params)) : [];
      const found = events.filter((event) => inWindow(event, window)).filter(extraTests(params));
      found.sort(byStart);
      const view = viewOf(request, world.rootAccount);
      const excludes = new Set(list(params, 'excludes'));
      return paginate(request, reply, found).map((event) => {
        const json = eventJson(view, event, !excludes.has('child_events'));
        if (excludes.has('child_events')) delete json['child_events'];
        if (excludes.has('description')) delete json['description'];
        return json;
      });
    });

    app.get('/calendar_events/:id', (request) => {
      const event = findEvent(world, request);
      if (!mayUse(request, world, event.context_code, 'read')) throw forbidden();
      return eventJson(viewOf(request, world.rootAccount), event);
    });

    app.post('/calendar_events', (request, reply) => {
      const fields = nested(paramsOf(request), 'calendar_event');
      if (!fields) throw missing('calendar_event');
      const code = text(fields, 'context_code') ?? '';
      const place = parseContextCode(code);
      if (!place || !placeExists(world, place)) throw notFound();
      if (!mayUse(request, world, code, 'manage')) throw forbidden();
      const event = world.calendarEvents.add({
        ...BLANK,
        ...written(request, world, fields),
        title: text(fields, 'title') ?? 'No Title',
        context_code: code,
        user_id: place.kind === 'user' ? place.id : null,
      });
      if (event.title.length > 255)
        throw invalid('title', 'is too long (maximum is 255 characters)', 'too_long');
      writeChildren(request, world, event, fields);
      void reply.code(201);
      return eventJson(viewOf(request, world.rootAccount), event);
    });

    app.put('/calendar_events/:id', (request) => {
      const event = findEvent(world, request);
      if (!mayUse(request, world, event.context_code, 'manage')) throw forbidden();
      const fields = nested(paramsOf(request), 'calendar_event') ?? {};
      world.calendarEvents.change(event, written(request, world, fields));
      writeChildren(request, world, event, fields);
      return eventJson(viewOf(request, world.rootAccount), event);
    });

    app.delete('/calendar_events/:id', (request) => {
      const event = findEvent(world, request);
      if (!mayUse(request, world, event.context_code, 'manage')) throw forbidden();
      const view = viewOf(request, world.rootAccount);
      const comments = text(paramsOf(request), 'cancel_reason') ?? event.comments;
      for (const child of childrenOf(view, event)) {
        world.calendarEvents.change(child, { workflow_state: 'deleted', comments });
      }
      world.calendarEvents.change(event, { workflow_state: 'deleted', comments });
      return eventJson(view, event);
    });
  };
}

const BLANK = {
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
  important_dates: false,
  blackout_date: false,
  series_uuid: null,
  rrule: null,
} as const;

type Window = { from: string; to: string } | 'undated' | 'all';

/** @throws ApiError 400 naming each date that is none (§12). */
function windowOf(request: FastifyRequest, world: World, params: Params): Window {
  if (flag(params, 'all_events')) return 'all';
  const undated = flag(params, 'undated');
  const zone = currentUser(request).time_zone ?? world.rootAccount.default_time_zone;
  const errors: Record<string, string> = {};
  const read = (name: string) => {
    const given = text(params, name);
    if (given === null || given === '') return null;
    const moment = readMoment(given, zone);
    if (!moment) errors[name] = `Invalid date or invalid datetime for ${name}`;
    return moment;
  };
  const start = read('start_date');
  const end = read('end_date');
  if (Object.keys(errors).length > 0) throw new ApiError(400, { errors });
  if (undated) return 'undated';
  const today = world.clock();
  const from = start?.ms ?? beginningOfDay(today, zone);
  // No end, or one before the start: the day of the start.
  let to = end ? (end.plain ? endOfDay(end.ms, zone) : end.ms) : endOfDay(start?.ms ?? today, zone);
  if (to < from) to = endOfDay(from, zone);
  return { from: timestamp(from), to: timestamp(to) };
}

function inWindow(event: CalendarEvent, window: Window): boolean {
  if (window === 'all') return true;
  if (window === 'undated') return event.start_at === null;
  if (event.start_at === null) return false;
  return event.start_at <= window.to && (event.end_at ?? event.start_at) >= window.from;
}

function extraTests(params: Params): (event: CalendarEvent) => boolean {
  const important = flag(params, 'important_dates');
  const blackout = flag(params, 'blackout_date');
  if (!important && !blackout) return () => true;
  return (event) => (important && event.important_dates) || (blackout && event.blackout_date);
}

/** The first ten contexts; without any, the caller's own calendar. */
function contextsOf(request: FastifyRequest, params: Params): string[] {
  const codes = list(params, 'context_codes');
  return codes.length > 0 ? codes.slice(0, MOST_CONTEXTS) : [`user_${currentUser(request).id}`];
}

/** Contexts that may not be read are left out silently (§12). Children stand inside of their parents. */
function eventsOf(request: FastifyRequest, world: World, codes: readonly string[]): CalendarEvent[] {
  const events: CalendarEvent[] = [];
  for (const code of new Set(codes)) {
    const place = parseContextCode(code);
    if (!place || !placeExists(world, place) || !mayUse(request, world, code, 'read')) continue;
    for (const event of world.calendarEvents.by.context.get(code)) {
      if (event.workflow_state !== 'deleted') events.push(event);
    }
  }
  return events;
}

function byStart(a: CalendarEvent, b: CalendarEvent): number {
  if (a.start_at !== b.start_at) {
    if (a.start_at === null) return 1;
    if (b.start_at === null) return -1;
    return a.start_at < b.start_at ? -1 : 1;
  }
  return a.id - b.id;
}

function findEvent(world: World, request: FastifyRequest): CalendarEvent {
  const id = pathParam(request, 'id');
  const event = /^\d{1,15}$/.test(id) ? world.calendarEvents.get(Number(id)) : undefined;
  if (!event || event.workflow_state === 'deleted') throw notFound();
  return event;
}

function placeExists(world: World, place: ContextPlace): boolean {
  switch (place.kind) {
    case 'course':
      return (world.courses.get(place.id)?.workflow_state ?? 'deleted') !== 'deleted';
    case 'course_section':
      return world.sections.get(place.id)?.workflow_state === 'active';
    case 'group':
      return world.groups.get(place.id)?.workflow_state === 'available';
    case 'account':
      return world.accounts.get(place.id)?.workflow_state === 'active';
    default:
      return (world.users.get(place.id)?.workflow_state ?? 'deleted') !== 'deleted';
  }
}

function mayUse(request: FastifyRequest, world: World, code: string, how: 'read' | 'manage'): boolean {
  const place = parseContextCode(code);
  if (!place) return false;
  if (place.kind === 'user') {
    return (
      place.id === currentUser(request).id ||
      (how === 'read' && hasRight(request, world.rootAccount, 'become_user'))
    );
  }
  if (place.kind === 'account') return hasRight(request, world.accounts.must(place.id), 'manage_calendar');
  const courseId =
    place.kind === 'course'
      ? place.id
      : place.kind === 'course_section'
        ? world.sections.get(place.id)?.course_id
        : groupCourse(world, place.id);
  const course = world.courses.get(courseId);
  if (!course) return hasRight(request, world.rootAccount, 'manage_calendar');
  return how === 'read' ? mayRead(request, course) : hasRight(request, course, 'manage_calendar');
}

function groupCourse(world: World, groupId: number): number | null {
  const group = world.groups.get(groupId);
  return group?.context_type === 'Course' ? group.context_id : null;
}

/** The fields of a request that may be written to an event. */
function written(request: FastifyRequest, world: World, fields: Params): Partial<CalendarEvent> {
  const patch: Partial<CalendarEvent> = {};
  const zone = currentUser(request).time_zone ?? world.rootAccount.default_time_zone;
  for (const name of [
    'title',
    'description',
    'location_name',
    'location_address',
    'comments',
    'rrule',
  ] as const) {
    if (name in fields) Object.assign(patch, { [name]: text(fields, name) });
  }
  for (const name of ['start_at', 'end_at'] as const) {
    if (!(name in fields)) continue;
    const moment = readMoment(text(fields, name) ?? '', zone);
    patch[name] = moment ? timestamp(moment.ms) : null;
  }
  if ('important_dates' in fields) patch.important_dates = flag(fields, 'important_dates');
  if ('blackout_date' in fields) patch.blackout_date = flag(fields, 'blackout_date');
  if (patch.start_at && patch.end_at === undefined) patch.end_at = patch.start_at;
  const isDay = patch.start_at && patch.start_at === patch.end_at && flag(fields, 'all_day');
  if (isDay) {
    patch.all_day = true;
    patch.all_day_date = (text(fields, 'start_at') ?? '').slice(0, 10);
  } else if ('all_day' in fields || patch.start_at !== undefined) patch.all_day = false;
  return patch;
}

/** Gives an event per section: `child_event_data[][context_code|start_at|end_at]` (§12). */
function writeChildren(request: FastifyRequest, world: World, parent: CalendarEvent, fields: Params): void {
  const given = fields['child_event_data'];
  const items: Params[] = (Array.isArray(given) ? given : isParams(given) ? Object.values(given) : []).filter(
    isParams,
  );
  if (items.length === 0) return;
  const view: View = viewOf(request, world.rootAccount);
  const existing = new Map(childrenOf(view, parent).map((child) => [child.context_code, child]));
  for (const item of items) {
    const code = text(item, 'context_code') ?? '';
    const place = parseContextCode(code);
    if (place?.kind !== 'course_section') continue;
    const section = world.sections.get(place.id);
    if (!section || `course_${section.course_id}` !== parent.context_code) continue;
    const patch = { ...written(request, world, item), title: `${parent.title} (${section.name})` };
    const child = existing.get(code);
    if (child) world.calendarEvents.change(child, patch);
    else {
      world.calendarEvents.add({
        ...BLANK,
        description: parent.description,
        location_name: parent.location_name,
        location_address: parent.location_address,
        user_id: null,
        ...patch,
        context_code: code,
        effective_context_code: parent.context_code,
        parent_calendar_event_id: parent.id,
      });
    }
    existing.delete(code);
  }
  for (const gone of existing.values()) world.calendarEvents.change(gone, { workflow_state: 'deleted' });
}
