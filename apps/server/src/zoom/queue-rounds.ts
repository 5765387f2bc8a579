/** The queue worked off: once in each period, by whichever server is first, a job a course (OP-62). */
import { and, asc, eq, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import type { Grants } from '../auth/grants.ts';
import type { LmsIdentity } from '../canvas/identity.ts';
import type { Files } from '../files/files.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Db } from '../platform/database.ts';
import { zoomQueue } from '../platform/schema.ts';
import { periodOf, type QueueRow } from './queue.ts';
import { startRun } from './run-start.ts';

export interface RoundParts {
  db: Db;
  log: Logger;
  grants: Grants;
  identity: LmsIdentity;
  files: Files;
  jobs: Jobs;
  periodMs: number;
  now: () => number;
}

const CHECK_MS = 60_000;
/** Of a short period several looks fall into it. */
const CHECKS = 20;

/** Another server was first, or the course was removed meanwhile. */
class Taken extends Error {}

export interface QueueRounds {
  /** Looks at once which courses are due. */
  look(): void;
  /** Ends it, waiting for a look that is under way. */
  end(): Promise<void>;
}

/** Begins to look now and then which courses are due. */
export function startQueueRounds(parts: RoundParts): QueueRounds {
  let running: Promise<void> | null = null;
  let stopped = false;
  /** A look was asked for while one was under way, which may have read the queue before. */
  let again = false;
  const look = () => {
    again = running !== null && !stopped;
    running ??= round(parts, () => stopped)
      .catch((error: unknown) => {
        if (!stopped) parts.log.warn({ err: error }, 'the Zoom queue was not looked at; tried again');
      })
      .finally(() => {
        running = null;
        if (again) look();
      });
  };
  look();
  const timer = setInterval(look, Math.min(CHECK_MS, parts.periodMs / CHECKS));
  timer.unref();
  return {
    look,
    async end() {
      stopped = true;
      again = false;
      clearInterval(timer);
      await running;
    },
  };
}

async function round(parts: RoundParts, stopped: () => boolean): Promise<void> {
  const { db, now, periodMs } = parts;
  const period = periodOf(now(), periodMs);
  const due = await db
    .select()
    .from(zoomQueue)
    .where(sql`${zoomQueue.lastDay} is distinct from ${period}`)
    .orderBy(asc(zoomQueue.addedAt));
  for (const row of due) {
    if (stopped()) return;
    await begin(parts, row, period);
  }
}

/** Records the job of a course's run and claims the run with it, in one. */
async function begin(parts: RoundParts, row: QueueRow, period: string): Promise<void> {
  const { db, log, grants, identity, now } = parts;
  const { lms, courseId: course, days, login, addedAt } = row;
  const claim = async (on: Db, job: string) => {
    const claimed = await on
      .update(zoomQueue)
      .set({ lastDay: period, lastRunAt: new Date(now()), lastJob: job })
      .where(
        and(
          eq(zoomQueue.lms, lms),
          eq(zoomQueue.courseId, course),
          eq(zoomQueue.login, login),
          eq(zoomQueue.days, days),
          sql`${zoomQueue.lastDay} is distinct from ${period}`,
        ),
      )
      .returning({ id: zoomQueue.courseId });
    return claimed.length > 0;
  };
  try {
    // The queue of another LMS is not this one's.
    if ((await identity.lastSeen(grants.rootToken(row.grantId))) !== lms) return;
    const order = { course, days, queued: period };
    // Removed and added again it is run again: its days may be others.
    const key = `queue ${course} ${period} ${addedAt.getTime()}`;
    const asked = { order, course: `course ${course}`, key, lms };
    const job = await startRun(parts, row, asked, async (tx, id) => {
      if (!(await claim(tx, id))) throw new Taken();
    });
    // Where the answer to the claim was lost.
    await claim(db, job.id);
  } catch (error) {
    if (error instanceof Taken) return;
    log.warn({ err: error, course }, 'a course of the Zoom queue could not be run yet');
  }
}
