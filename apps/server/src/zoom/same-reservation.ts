/** One timetable reservation in several courses with different hosts: reported before a change is saved. */
import type { ZoomPreview } from '@lms-admin/contract/zoom-preview';
import { emailKey } from '@lms-admin/domain/emails';
import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Scope } from '../access/scope.ts';
import type { Admin } from '../auth/admin.ts';
import type { Database, Db } from '../platform/database.ts';
import { zoomEvents, zoomMeetings } from '../platform/schema.ts';
import type { ZoomClient } from '../zoom-api/types.ts';
import type { Calendar } from './calendar.ts';
import type { Slot } from './calendar-event.ts';
import type { ZoomRecord } from './records.ts';

interface Parts {
  db: Database;
  zoom: ZoomClient;
  scope: Scope;
  calendar: Calendar;
  /** The LMS of the course. */
  lms: string;
  admin: Admin;
  signal: AbortSignal;
}

/** @param planned events that will have a meeting of `host` */
export async function otherHosts(
  { db, zoom, scope, calendar, lms, admin, signal }: Parts,
  host: string,
  planned: readonly Slot[],
): Promise<ZoomPreview['elsewhere']> {
  // The placeholder account does not teach.
  const placeholder = emailKey(zoom.defaultOwner);
  if (emailKey(host) === placeholder) return [];
  const reservations = planned.flatMap(({ reservationId }) => reservationId ?? []);
  const found = await inOtherCourses(db.db, lms, calendar.courseId, reservations);
  const hosted = found.filter((one) => ![emailKey(host), placeholder].includes(emailKey(one.host)));
  const ids = [...new Set(hosted.map(({ record }) => record.courseId))];
  const courses = await scope.courses(admin, ids, signal);
  return planned.flatMap(({ event: { id: event, title, start_at }, reservationId }) =>
    hosted
      .filter(({ record }) => record.reservationId === reservationId)
      .map(({ record, host: its }) => {
        const course = courses.get(record.courseId);
        const other = course
          ? { title: record.title, course: course.course_code || course.name, host: its }
          : { title: null, course: null, host: null };
        return { event, title, start_at, with: other };
      }),
  );
}

/** Returns the events of other courses with one of these reservations, and the host of the meeting that they use. */
async function inOtherCourses(
  db: Db,
  lms: string,
  course: number,
  reservations: readonly string[],
): Promise<{ record: ZoomRecord; host: string }[]> {
  if (reservations.length === 0) return [];
  const main = alias(zoomEvents, 'main');
  // A merged event uses the meeting of its main event.
  const meeting = sql`case when ${main.id} is null then ${zoomEvents.meeting} else ${main.meeting} end`;
  return db
    .select({ record: zoomEvents, host: zoomMeetings.hostEmail })
    .from(zoomEvents)
    .leftJoin(main, eq(main.id, zoomEvents.parentId))
    .innerJoin(zoomMeetings, and(eq(zoomMeetings.lms, zoomEvents.lms), eq(zoomMeetings.number, meeting)))
    .where(
      and(
        eq(zoomEvents.lms, lms),
        ne(zoomEvents.courseId, course),
        inArray(zoomEvents.reservationId, reservations),
        isNull(zoomMeetings.goneAt),
      ),
    );
}
