/** Opens the engine of a course for one turn of a job: both kinds of Zoom jobs work through it. */

import type { LmsIdentity } from '../canvas/identity.ts';
import type { CanvasClient } from '../canvas/types.ts';
import { type JobWork, RestUntil } from '../jobs/kind.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database.ts';
import { counted } from '../platform/text.ts';
import type { ZoomClient } from '../zoom-api/types.ts';
import { type CalendarParts, readCalendar } from './calendar.ts';
import { leaseCourse } from './course-lease.ts';
import { createHostDays, type HostDays } from './host-days.ts';
import { Engine } from './reconcile.ts';
import { ZoomRecords } from './records.ts';

export interface ZoomParts extends CalendarParts {
  db: Database;
  canvas: CanvasClient;
  zoom: ZoomClient;
  identity: LmsIdentity;
  config: Config;
}

export interface OpenCourse {
  engine: Engine;
  /**
   * Call it when all items that could be done are done.
   * @throws RestUntil the next day where some wait for the day of their host
   */
  restForWaiting(): Promise<void>;
  /** Lets other jobs change the course. */
  close(): Promise<void>;
}

/** The days of hosts, by the clock of what is outside. */
export function hostDaysOf({ db, canvas }: Pick<ZoomParts, 'db' | 'canvas'>): HostDays {
  return createHostDays(db.db, () => canvas.now());
}

/**
 * Claims a course for a job and reads its calendar.
 * @throws RestUntil while another job has the course; CanvasError
 */
export async function openCourse(parts: ZoomParts, work: JobWork, courseId: number): Promise<OpenCourse> {
  const { db, canvas, zoom, config } = parts;
  const { job, signal } = work;
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
    const calendar = await readCalendar(parts, records, courseId, { token, signal });
    const days = hostDaysOf(parts);
    const pause = (ms: number) => work.pause(ms);
    const engine = new Engine({
      zoom,
      canvas,
      token,
      days,
      records,
      lease,
      calendar,
      by: job.login,
      signal,
      pause,
    });
    return {
      engine,
      async restForWaiting() {
        const { todo } = await work.items.counts();
        if (todo === 0) return;
        const events = counted(todo, 'event waits', 'events wait');
        throw new RestUntil(
          days.waitUntil(),
          `${events} for the next day of a host, who may make 100 changes a day in Zoom.`,
        );
      },
      close: () => lease.release(),
    };
  } catch (error) {
    await lease.release().catch(() => {});
    throw error;
  }
}
