/** Calendar events: lists, one by ID, writing (reference §12, §14), and the notifications they cause. */

import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { list, nested, type Params, paramsOf, text } from '../../http/params.ts';
import { type Caller, currentCaller, seenBy } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { ApiError, forbidden, missing, notFound, refused } from '../http/errors.ts';
import { findUser } from '../http/find.ts';
import { paginate } from '../http/paging.ts';
import { viewOf } from '../http/view.ts';
import type { CalendarEvent } from '../store/model.ts';
import { newUuid } from '../store/uuid.ts';
import type { World } from '../store/world.ts';
import { EMPTY_EVENT, type EventFields, readFields, readSectionTimes, titleOf } from './event-fields.ts';
import { listedEvents } from './event-lists.ts';
import {
  courseOf,
  mayReadCalendar,
  mayReadPerson,
  mayWriteCalendar,
  placeExists,
  seesChildren,
} from './event-places.ts';
import { type Planned, refuseSections, seriesOf, withCopies } from './event-series.ts';
import { changeSeries, concernsSeries, deleteOfSeries } from './event-series-change.ts';
import { inWords } from './event-words.ts';
import { addEvent, changeEvent, deleteEvent } from './event-writing.ts';
import { childrenOf, eventJson, parseContextCode } from './json/events.ts';
import { includesOf, pathParam } from './lists.ts';

export function eventRoutes({ world }: SandboxContext): FastifyPluginAsync {
  const zoneOf = (request: FastifyRequest) =>
    currentCaller(request).user.time_zone ?? world.rootAccount.default_time_zone;

  const answerList = (request: FastifyRequest, reply: FastifyReply, viewer: Caller) => {
    const params = paramsOf(request);
    const view = viewOf(request, world.rootAccount);
    const excludes = new Set(list(params, 'excludes'));
    const words = wantsWords(request);
    const page = paginate(request, reply, listedEvents(viewer, params, zoneOf(request)));
    return page.map((event) => {
      const json = eventJson(view, event, !excludes.has('child_events') && seesChildren(viewer, event));
      if (excludes.has('child_events')) delete json['child_events'];
      if (excludes.has('description')) delete json['description'];
      return words ? inSeriesWords(json, event) : json;
    });
  };
  const answer = (request: FastifyRequest, event: CalendarEvent) =>
    eventJson(viewOf(request, world.rootAccount), event, seesChildren(currentCaller(request), event));
  /** Returns the answer to a change of a series, which always describes the repetition. */
  const answerOfSeries = (request: FastifyRequest, event: CalendarEvent) =>
    inSeriesWords(answer(request, event), event);
  /** Returns the time zone of a series, which is UTC for people without a time zone of their own. */
  const seriesZoneOf = (request: FastifyRequest) => currentCaller(request).user.time_zone ?? 'UTC';

  return async (app) => {
    app.get('/calendar_events', (request, reply) => answerList(request, reply, currentCaller(request)));

    app.get('/users/:user_id/calendar_events', (request, reply) => {
      const caller = currentCaller(request);
      const person = findUser(request, pathParam(request, 'user_id'));
      if (!mayReadPerson(caller, person.id)) throw forbidden();
      return answerList(request, reply, seenBy(caller, person));
    });

    // A deleted event can still be read here, and only here (§14.3).
    app.get('/calendar_events/:id', (request) => {
      const event = findEvent(world, request);
      if (!mayReadCalendar(currentCaller(request), event.context_code)) throw forbidden();
      return wantsWords(request) ? answerOfSeries(request, event) : answer(request, event);
    });

    app.post('/calendar_events', (request, reply) => {
      const caller = currentCaller(request);
      const params = paramsOf(request);
      // Without an event there is no calendar for it, so Canvas looks for the event first.
      const fields = nested(params, 'calendar_event') ?? {};
      const code = placeForNew(caller, text(fields, 'context_code') ?? '');
      const zone = zoneOf(request);
      const first: EventFields = {
        ...EMPTY_EVENT,
        title: titleOf(code),
        user_id: parseContextCode(code)?.kind === 'user' ? caller.user.id : null,
        ...readFields(fields, null, zone),
        context_code: code,
      };
      const sections = readSectionTimes(caller, code, fields);
      const rrule = text(fields, 'rrule') ?? '';
      let planned: Planned[];
      if (rrule === '') {
        const duplicate = nested(fields, 'duplicate') ?? nested(params, 'duplicate');
        planned = withCopies({ fields: first, sections }, duplicate, zone);
      } else {
        refuseSections(sections);
        const series = seriesOf(first, rrule, newUuid(), seriesZoneOf(request));
        planned = series.map((each) => ({ fields: each, sections: null }));
      }
      const [head, ...others] = planned.map((each) => addEvent(caller, each.fields, each.sections, zone));
      void reply.code(201);
      const duplicates = others.map((event) => ({ calendar_event: answerOfSeries(request, event) }));
      return { ...answerOfSeries(request, head as CalendarEvent), duplicates };
    });

    app.put('/calendar_events/:id', (request) => {
      const caller = currentCaller(request);
      const event = findEvent(world, request);
      if (event.workflow_state !== 'active' || !mayWriteCalendar(caller, event.context_code))
        throw forbidden();
      const fields = nested(paramsOf(request), 'calendar_event') ?? {};
      if (Object.keys(fields).length === 0) throw missing('calendar_event');
      const zone = zoneOf(request);
      const patch = { ...readFields(fields, event, zone), ...moveOf(caller, event, fields) };
      const sections = readSectionTimes(caller, event.context_code, fields);
      if (concernsSeries(event, fields)) {
        const change = { fields, patch, sections, which: whichOf(request) };
        const changed = changeSeries(caller, event, change, { zone, own: seriesZoneOf(request) });
        return Array.isArray(changed)
          ? changed.map((each) => answerOfSeries(request, each))
          : answerOfSeries(request, changed);
      }
      changeEvent(caller, event, patch, sections, zone);
      return answer(request, event);
    });

    app.delete('/calendar_events/:id', (request) => {
      const event = findEvent(world, request);
      // A locked event can be deleted; a deleted event cannot be deleted again.
      if (event.workflow_state === 'deleted' || !mayWriteCalendar(currentCaller(request), event.context_code))
        throw forbidden();
      // `cancel_reason` is only for the notices of appointments, which the practice LMS does not have.
      if (event.series_uuid !== null)
        return deleteOfSeries(world, event, whichOf(request)).map((each) => answerOfSeries(request, each));
      deleteEvent(world, event);
      return answer(request, event);
    });
  };

  /** @throws ApiError if the context cannot have a new event, as in Canvas */
  function placeForNew(caller: Caller, code: string): string {
    const place = parseContextCode(code);
    if (place && courseOf(world, place)?.workflow_state === 'deleted')
      throw new ApiError(400, { error: 'cannot create event for deleted course' });
    if (!place || !placeExists(world, place)) throw notFound();
    if (!mayWriteCalendar(caller, code)) throw forbidden();
    return code;
  }

  /** Returns the event's new calendar, if the request names one. @throws ApiError */
  function moveOf(caller: Caller, event: CalendarEvent, fields: Params): Partial<EventFields> {
    const code = text(fields, 'context_code') ?? '';
    if (code === '' || code === event.context_code) return {};
    const place = parseContextCode(code);
    if (!place || !placeExists(world, place)) throw notFound();
    if (event.parent_calendar_event_id !== null || childrenOf(world, event).length > 0)
      throw refused(400, 'Cannot move events with section-specific times between calendars');
    if (!mayWriteCalendar(caller, code)) throw forbidden();
    return { context_code: code };
  }
}

/**
 * Creates the routes for notifications sent to people about events. Only the sandbox has them, for tests and
 * demonstrations.
 */
export function noticeRoutes(world: World): FastifyPluginAsync {
  return async (app) => {
    app.get('/sandbox/notices', () => ({ notices: [...world.eventNotices.values()] }));
  };
}

/**
 * Returns whether the request asks for a description of the repetition in words. The documentation says
 * `includes`; Canvas reads `include`.
 */
function wantsWords(request: FastifyRequest): boolean {
  return ['includes', 'include'].some((name) => includesOf(request, name).has('series_natural_language'));
}

/** Adds a description of the repetition, in words, to an event of a series. */
function inSeriesWords(json: Record<string, unknown>, { series_uuid, rrule }: CalendarEvent) {
  return series_uuid === null || rrule === null ? json : { ...json, series_natural_language: inWords(rrule) };
}

function whichOf(request: FastifyRequest): string {
  const params = paramsOf(request);
  return text(params, 'which') ?? text(nested(params, 'calendar_event') ?? {}, 'which') ?? 'one';
}

function findEvent(world: World, request: FastifyRequest): CalendarEvent {
  const id = pathParam(request, 'id');
  const event = /^\d{1,15}$/.test(id) ? world.calendarEvents.get(Number(id)) : undefined;
  if (!event) throw notFound();
  return event;
}
