/** Opens the engine of a course for one turn of a job: both kinds of Zoom jobs work through it. */

import { counted } from '@lms-admin/domain/numbers';
import type { LmsIdentity } from '../canvas/identity.ts';
import type { CanvasClient, CanvasToken } from '../canvas/types.ts';
import { type JobWork, RestUntil } from '../jobs/kind.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database.ts';
import type { ZoomClient } from '../zoom-api/types.ts';
import { type Calendar, type CalendarParts, readCalendar } from './calendar.ts';
import { leaseCourse } from './course-lease.ts';
import { createHostDays, type HostDays } from './host-days.ts';
import { Engine } from './reconcile.ts';
import { type RecordStore, ZoomRecords } from './records.ts';
import { TrialRecords } from './trial-records.ts';

export interface ZoomParts extends CalendarParts {
  db: Database;
  canvas: CanvasClient;
  zoom: ZoomClient;
  identity: LmsIdentity;
  config: Config;
}

export interface OpenCourse {
  engine: Engine;
  records: RecordStore;
  /**
   * Call it when all items that could be done are done. @param more what else is said of the rest
   * @throws RestUntil the next day where some wait for the day of their host
   */
  restForWaiting(more?: string | null): Promise<void>;
  /** Lets other jobs change the course. */
  close(): Promise<void>;
}

/** The days of hosts, by the clock of what is outside. */
export function hostDaysOf({ db, canvas }: Pick<ZoomParts, 'db' | 'canvas'>): HostDays {
  return createHostDays(db.db, () => canvas.now());
}

/** The calendar with the records of events that were moved here from other courses. */
export async function ownCalendar(
  parts: CalendarParts,
  records: RecordStore,
  courseId: number,
  asking: { token: CanvasToken; signal?: AbortSignal },
): Promise<Calendar> {
  const calendar = await readCalendar(parts, records, courseId, asking);
  // What belongs to an event of another course has its record there.
  const here = calendar.families.filter(({ isGuest }) => !isGuest);
  const slots = here.flatMap(({ own, parts: each }) => [own, ...each]);
  const unknown = slots.filter(({ record }) => record === null).map(({ event }) => event.id);
  const moved = await records.move(courseId, unknown);
  return moved ? readCalendar(parts, records, courseId, asking) : calendar;
}

/** The calendar as a job would have it, with records that are changed in memory only. */
export async function calendarToBe(
  parts: CalendarParts,
  stored: RecordStore,
  courseId: number,
  asking: { token: CanvasToken; signal?: AbortSignal },
): Promise<{ calendar: Calendar; records: RecordStore }> {
  const records = new TrialRecords(stored);
  const calendar = await ownCalendar(parts, records, courseId, asking);
  await records.patchAll(calendar.inherited);
  return { calendar, records };
}

/**
 * Claims a course for a job and reads its calendar.
 * @throws RestUntil while another job has the course; CanvasError
 */
export async function openCourse(parts: ZoomParts, work: JobWork, courseId: number): Promise<OpenCourse> {
  const { db, canvas, zoom, config } = parts;
  const { job, signal, cancel } = work;
  const lease = await leaseCourse(db.db, {
    lms: job.lms,
    courseId,
    jobId: job.id,
    leaseMs: config.jobs.leaseMs,
    jobLeaseLeft: () => work.leaseLeft(),
  });
  try {
    const token = work.token();
    const records = new ZoomRecords(db.db, job.lms);
    const calendar = await ownCalendar(parts, records, courseId, { token, signal });
    const deleted = calendar.orphans.filter(({ takesPlace, eventId }) => takesPlace && eventId > 0);
    const gone = deleted.map(({ id }) => ({ id, patch: { takesPlace: false } }));
    await records.patchAll([...calendar.inherited, ...gone], job.login);
    const days = hostDaysOf(parts);
    const pause = (ms: number) => work.pause(ms);
    const engine = new Engine({
      zoom: zoom.afresh(),
      canvas,
      token,
      days,
      records,
      lease,
      calendar,
      by: job.login,
      signal,
      cancel,
      pause,
    });
    await engine.see();
    return {
      engine,
      records,
      async restForWaiting(more = null) {
        const { todo } = await work.items.counts();
        if (todo === 0) return;
        const events = counted(todo, 'event waits', 'events wait');
        const why = `${events} for the next day of a host, who may make 100 changes a day in Zoom.`;
        throw new RestUntil(days.waitUntil(), more ? `${why} ${more}` : why);
      },
      close: () => lease.release(),
    };
  } catch (error) {
    await lease.release().catch(() => {});
    throw error;
  }
}
