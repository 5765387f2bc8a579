/**
 * The school's synchroniser, on demand: it deletes its events in a course and creates them again from the timetable,
 * with new IDs (reference timetable.md §5). It uses Canvas's API like any client.
 */

import type { FastifyInstance, InjectOptions } from 'fastify';
import { momentOfWallClock } from '../http/time-zones.ts';
import { SYNCHRONISED_MARK, synchronisedText, ZONES } from '../seed/timetable.ts';
import type { SchoolTimetable } from './timetable.ts';

/** IDs of Canvas events. */
export type Synchronised = { course: number; deleted: number[]; created: number[] };

/** Canvas did not carry out a request. */
export class NotSynchronised extends Error {}

type CanvasEvent = { id: number; title: string; parent_event_id: number | null };

/** @throws NotSynchronised with Canvas's answer */
export async function synchronise(
  app: FastifyInstance,
  token: string,
  timetable: SchoolTimetable,
  course: number,
): Promise<Synchronised> {
  const ask = async <T>(
    method: NonNullable<InjectOptions['method']>,
    path: string,
    payload?: object,
  ): Promise<T> => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await app.inject({ method, url: `/api/v1${path}`, headers, ...(payload && { payload }) });
    if (answer.statusCode >= 300)
      throw new NotSynchronised(`${method} ${path}: ${answer.statusCode} ${answer.body}`);
    return answer.json<T>();
  };
  const list = `/calendar_events?context_codes[]=course_${course}&all_events=1&excludes[]=description&per_page=100`;
  const present: CanvasEvent[] = [];
  for (let page = 1; present.length === (page - 1) * 100; page++)
    present.push(...(await ask<CanvasEvent[]>('GET', `${list}&page=${page}`)));
  const own = present.filter(
    ({ title, parent_event_id: parent }) => parent === null && title.endsWith(SYNCHRONISED_MARK),
  );
  for (const { id } of own) await ask('DELETE', `/calendar_events/${id}`);
  const created: number[] = [];
  for (const { reservation, course: plan } of timetable.synchronised(course)) {
    const { title, description, location } = synchronisedText(reservation, plan);
    const at = (wall: number) => new Date(momentOfWallClock(wall, ZONES[reservation.campus])).toISOString();
    const calendar_event = {
      context_code: `course_${course}`,
      title,
      description,
      location_name: location,
      start_at: at(reservation.start),
      end_at: at(reservation.end),
    };
    created.push((await ask<CanvasEvent>('POST', '/calendar_events', { calendar_event })).id);
  }
  return { course, deleted: own.map(({ id }) => id), created };
}
