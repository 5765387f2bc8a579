/** One job at a time changes the meetings of a course, since events share meetings and texts. */
import { and, eq, sql } from 'drizzle-orm';
import { RestUntil } from '../jobs/kind.ts';
import type { Db } from '../platform/database.ts';
import { zoomCourses } from '../platform/schema.ts';

/** How soon another job asks again: not all of them at once. */
const again = () => new Date(Date.now() + 1_000 + Math.random() * 1_000);
const BUSY = 'Another job is changing the meetings of this course; this one continues after it.';

export interface CourseLease {
  /** Call it before each call that changes something. @throws RestUntil when the course is no longer ours */
  hold(): void;
  /** Lets others in. */
  release(): Promise<void>;
}

export interface LeasedCourse {
  lms: string;
  courseId: number;
  /** Who claims it: the same job gets it back at once after a crash. */
  jobId: string;
  leaseMs: number;
  /** What is left of the lease on the job itself, in milliseconds. */
  jobLeaseLeft: () => number;
}

/** Claims a course and keeps it. @throws RestUntil while another job has it */
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
  if (!claimed) throw new RestUntil(again(), BUSY);

  const renewal = setInterval(() => {
    const asked = Date.now();
    db.update(zoomCourses)
      .set({ claimedUntil: end })
      .where(isOurs)
      .returning({ id: zoomCourses.courseId })
      .then(
        ([still]) => {
          until = still ? asked + leaseMs : 0;
        },
        // A database that does not answer is no lost lease; its own end is.
        () => {},
      );
  }, leaseMs / 3);
  renewal.unref();

  return {
    hold() {
      if (Date.now() < until && jobLeaseLeft() > 0) return;
      throw new RestUntil(again(), BUSY);
    },
    async release() {
      clearInterval(renewal);
      await db.delete(zoomCourses).where(isOurs);
    },
  };
}
