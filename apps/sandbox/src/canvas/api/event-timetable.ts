/**
 * Timetables from another system (reference §14.4): a course's events by their own codes, or by weekdays. The
 * work is done after the answer, without a job to poll.
 */

import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { isParams, nested, type Params, type ParamValue, paramsOf, text } from '../../http/params.ts';
import { readMoment } from '../../http/time-zones.ts';
import { currentCaller, requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { ApiError, missing, notFound } from '../http/errors.ts';
import { findCourse } from '../http/find.ts';
import { lookupSection } from '../http/lookup.ts';
import type { CalendarEvent, Course, Section, TimetableWeek } from '../store/model.ts';
import { timestamp, type World } from '../store/world.ts';
import { EMPTY_EVENT } from './event-fields.ts';
import { pathParam } from './lists.ts';
import { type Lesson, lessonsOf, readWeeks } from './timetable-weeks.ts';

export function timetableRoutes({ world }: SandboxContext): FastifyPluginAsync {
  const courseOf = (request: FastifyRequest): Course => {
    const course = findCourse(request, pathParam(request, 'course_id'));
    requireRight(request, course, 'manage_calendar');
    return course;
  };

  const sectionOf = (course: Course, id: string): Section => {
    const section = lookupSection(world, id);
    if (section?.workflow_state !== 'active' || section.course_id !== course.id) throw notFound();
    return section;
  };

  return async (app) => {
    app.post('/courses/:course_id/calendar_events/timetable_events', (request) => {
      const course = courseOf(request);
      const params = paramsOf(request);
      const sectionId = text(params, 'course_section_id');
      const section = sectionId === null ? null : sectionOf(course, sectionId);
      const zone = currentCaller(request).user.time_zone ?? course.time_zone;
      const lessons = itemsOf(params['events']).map((item) => lessonIn(item, zone));
      if (lessons.length === 0) throw missing('events');
      const named = withCodes(codeOf(course, section), lessons);
      setImmediate(() => write(world, course, section, named));
      return { status: 'ok' };
    });

    app.post('/courses/:course_id/calendar_events/timetable', (request) => {
      const course = courseOf(request);
      const given = nested(paramsOf(request), 'timetables');
      if (!given) throw missing('timetables');
      const parts = Object.entries(given).map(([id, items]) => {
        const section = id === 'all' ? null : sectionOf(course, id);
        const weeks = readWeeks(world, course, section, itemsOf(items));
        return { id, section, weeks, lessons: withCodes(codeOf(course, section), lessonsOf(course, weeks)) };
      });
      const sections = Object.fromEntries(parts.map(({ id, weeks }) => [id, weeks]));
      const kept = world.timetables.by.course.get(course.id);
      if (kept) world.timetables.change(kept, { weeks: sections });
      else world.timetables.add({ course_id: course.id, weeks: sections });
      setImmediate(() => {
        for (const { section, lessons } of parts) write(world, course, section, lessons);
        // A section missing from the new timetable loses the events of an earlier one.
        const named = new Set(parts.map(({ section }) => section?.id));
        for (const section of world.sections.by.course.get(course.id))
          if (!named.has(section.id)) write(world, course, section, []);
      });
      return { status: 'ok' };
    });

    app.get(
      '/courses/:course_id/calendar_events/timetable',
      (request): Record<string, TimetableWeek[]> =>
        world.timetables.by.course.get(courseOf(request).id)?.weeks ?? {},
    );
  };
}

/** Returns the items of `x[][a]`, of `x[0][a]`, or of a list in a JSON body. */
function itemsOf(given: ParamValue | undefined): Params[] {
  const items = Array.isArray(given) ? given : isParams(given) ? Object.values(given) : [];
  return items.filter(isParams);
}

/** @throws ApiError 400 unless both times are given */
function lessonIn(item: Params, zone: string): Lesson {
  const [start, end] = [text(item, 'start_at'), text(item, 'end_at')].map(
    (at) => readMoment(at ?? '', zone)?.ms,
  );
  if (start === undefined || end === undefined)
    throw new ApiError(400, { errors: ['start_at and end_at are required'] });
  return {
    start,
    end,
    title: text(item, 'title'),
    place: text(item, 'location_name'),
    code: text(item, 'code'),
  };
}

type Named = Lesson & { code: string };

/**
 * Gives each lesson a code; a lesson without one gets its place and times as the code.
 * @throws ApiError 400 for duplicate codes
 */
function withCodes(context: string, lessons: readonly Lesson[]): Named[] {
  const named = lessons.map((lesson) => ({
    ...lesson,
    code: lesson.code ?? `${context}_${lesson.start / 1000}-${lesson.end / 1000}`,
  }));
  if (new Set(named.map(({ code }) => code)).size < named.length)
    throw new ApiError(400, { errors: ['events (or codes) are not unique'] });
  return named;
}

function codeOf(course: Course, section: Section | null): string {
  return section ? `course_section_${section.id}` : `course_${course.id}`;
}

/** Writes the given events; other timetable events in the same place are deleted. */
function write(world: World, course: Course, section: Section | null, lessons: readonly Named[]): void {
  // After a reset, another course has this ID.
  if (world.courses.get(course.id) !== course) return;
  const context = codeOf(course, section);
  const { calendarEvents, timetableEvents } = world;
  const present = new Map<string, CalendarEvent>();
  for (const { code, event_id } of timetableEvents.by.context.get(context))
    present.set(code, calendarEvents.must(event_id));
  for (const { code, start, end, title, place } of lessons) {
    const event = present.get(code);
    present.delete(code);
    const fields = {
      workflow_state: 'active' as const,
      title: title ?? course.name,
      start_at: timestamp(start),
      end_at: timestamp(end),
      ...(place === null ? {} : { location_name: place }),
    };
    if (event) {
      calendarEvents.change(event, fields);
      continue;
    }
    const effective_context_code = section ? `course_${course.id}` : null;
    const added = calendarEvents.add({
      ...EMPTY_EVENT,
      context_code: context,
      effective_context_code,
      ...fields,
    });
    timetableEvents.add({ context_code: context, code, event_id: added.id });
  }
  for (const event of present.values())
    if (event.workflow_state !== 'deleted') calendarEvents.change(event, { workflow_state: 'deleted' });
}
