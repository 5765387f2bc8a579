/** Opens the engine of a course for one turn of a job; both kinds of Zoom jobs use it. */

import { grouped } from '@lms-admin/domain/numbers';
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
   * Must be called when all possible items are done.
   * @param more further text about the other items
   * @throws RestUntil the next day if some wait for their host's daily limit
   */
  restForWaiting(more?: string | null): Promise<void>;
  /** Releases the course for other jobs. */
  close(): Promise<void>;
}

/** Creates the daily limits of hosts, by the clock of other systems. */
export function hostDaysOf({ db, canvas }: Pick<ZoomParts, 'db' | 'canvas'>): HostDays {
  return createHostDays(db.db, () => canvas.now());
}

/** Reads the calendar with the records of events that were moved here from other courses. */
export async function ownCalendar(
  parts: CalendarParts,
  records: RecordStore,
  courseId: number,
  asking: { token: CanvasToken; signal?: AbortSignal },
): Promise<Calendar> {
  const calendar = await readCalendar(parts, records, courseId, asking);
  // Events that belong to another course's event have their records there.
  const here = calendar.families.filter(({ isGuest }) => !isGuest);
  const slots = here.flatMap(({ own, parts: each }) => [own, ...each]);
  const unknown = slots.filter(({ record }) => record === null).map(({ event }) => event.id);
  const moved = await records.move(courseId, unknown);
  return moved ? readCalendar(parts, records, courseId, asking) : calendar;
}

/** Returns the calendar as a job would see it, with records that are changed only in memory. */
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
    const deleted = calendar.orphans.filter(
      ({ id, takesPlace }) => takesPlace && !calendar.lostMains.get(id)?.isElsewhere,
    );
    const gone = deleted.map(({ id }) => ({ id, patch: { takesPlace: false } }));
    await records.patchAll([...calendar.inherited, ...gone], job.login);
    const days = hostDaysOf(parts);
    const pause = (ms: number) => work.pause(ms);
    const engine = new Engine({
      zoom: zoom.withoutCache(),
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
        const why =
          todo === 1
            ? '1 event waits for the next day, because Zoom allows 100 changes per host per day.'
            : `${grouped(todo)} events wait for the next day, because Zoom allows 100 changes per host per day.`;
        throw new RestUntil(days.waitUntil(), more ? `${why} ${more}` : why);
      },
      close: () => lease.release(),
    };
  } catch (error) {
    await lease.release().catch(() => {});
    throw error;
  }
}
