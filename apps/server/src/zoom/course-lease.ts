/** One job at a time changes the meetings of a course, since events share meetings and texts. */
import { and, eq, sql } from 'drizzle-orm';
import { RestUntil } from '../jobs/kind.ts';
import type { Db } from '../platform/database.ts';
import { zoomCourses } from '../platform/schema.ts';

/** Returns the moment when another job asks again; random, so that not all jobs ask at the same moment. */
const soon = () => new Date(Date.now() + 1_000 + Math.random() * 1_000);
const BUSY =
  'Other work is changing the meetings of this course. This work continues when the other work has ended.';

export interface CourseLease {
  /**
   * Must be called before each call that changes something.
   * @throws RestUntil when the lease on the course is lost
   */
  hold(): void;
  /** Releases the course for other jobs. */
  release(): Promise<void>;
}

export interface LeasedCourse {
  lms: string;
  courseId: number;
  /** The claiming job, which gets the course back immediately after a crash. */
  jobId: string;
  leaseMs: number;
  /** Remaining time of the lease on the job, in milliseconds. */
  jobLeaseLeft: () => number;
}

/** Claims a course and keeps renewing the lease. @throws RestUntil while another job has the course */
export async function leaseCourse(db: Db, leased: LeasedCourse): Promise<CourseLease> {
  const { lms, courseId, jobId, leaseMs, jobLeaseLeft } = leased;
  let until = Date.now() + leaseMs;
  const isOurs = and(
    eq(zoomCourses.lms, lms),
    eq(zoomCourses.courseId, courseId),
    eq(zoomCourses.claimedBy, jobId),
  );
  const end = sql`now() + ${leaseMs} * interval '1 millisecond'`;
  const [claimed] = await db
    .insert(zoomCourses)
    .values({ lms, courseId, claimedBy: jobId, claimedUntil: end })
    .onConflictDoUpdate({
      target: [zoomCourses.lms, zoomCourses.courseId],
      set: { claimedBy: jobId, claimedUntil: end },
      setWhere: sql`${zoomCourses.claimedBy} = ${jobId} or ${zoomCourses.claimedUntil} < now()`,
    })
    .returning();
  if (!claimed) throw new RestUntil(soon(), BUSY);

  const renewal = setInterval(() => {
    const sentAt = Date.now();
    db.update(zoomCourses)
      .set({ claimedUntil: end })
      .where(isOurs)
      .returning({ id: zoomCourses.courseId })
      .then(
        ([renewed]) => {
          until = renewed ? sentAt + leaseMs : 0;
        },
        // A failed database call does not mean a lost lease; only its expiry does.
        () => {},
      );
  }, leaseMs / 3);
  renewal.unref();

  return {
    hold() {
      if (Date.now() < until && jobLeaseLeft() > 0) return;
      throw new RestUntil(soon(), BUSY);
    },
    async release() {
      clearInterval(renewal);
      await db.delete(zoomCourses).where(isOurs);
    },
  };
}
