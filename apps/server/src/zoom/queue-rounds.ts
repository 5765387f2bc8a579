/** Rounds of the queue: each period starts one job for each course, on whichever server is first (OP-62). */
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
/** Minimum number of checks in a period, however short. */
const CHECKS = 20;

/** Another server was first, or the course was removed in the meantime. */
class Taken extends Error {}

export interface QueueRounds {
  /** Checks now which courses are due. */
  look(): void;
  /** Ends the rounds, and waits for a running check. */
  end(): Promise<void>;
}

/** Starts regular checks for due courses. */
export function startQueueRounds(parts: RoundParts): QueueRounds {
  let running: Promise<void> | null = null;
  let stopped = false;
  /** A check was requested during another one, which may have read an older queue. */
  let isRepeated = false;
  const look = () => {
    isRepeated = running !== null && !stopped;
    running ??= round(parts, () => stopped)
      .catch((error: unknown) => {
        if (!stopped)
          parts.log.warn({ err: error }, 'the Zoom queue could not be read; it will be tried again');
      })
      .finally(() => {
        running = null;
        if (isRepeated) look();
      });
  };
  look();
  const timer = setInterval(look, Math.min(CHECK_MS, parts.periodMs / CHECKS));
  timer.unref();
  return {
    look,
    async end() {
      stopped = true;
      isRepeated = false;
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

/** Records the job of a course's run and claims the run, in one transaction. */
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
    // The queue of another LMS must not run here.
    if ((await identity.lastSeen(grants.rootToken(row.grantId))) !== lms) return;
    const order = { course, days, queued: period };
    // A course removed and added again runs again, perhaps for other days.
    const key = `queue ${course} ${period} ${addedAt.getTime()}`;
    const start = { order, course: `course ${course}`, key, lms };
    const job = await startRun(parts, row, start, async (tx, id) => {
      if (!(await claim(tx, id))) throw new Taken();
    });
    // Needed if the response to the claim was lost.
    await claim(db, job.id);
  } catch (error) {
    if (error instanceof Taken) return;
    log.warn({ err: error, course }, 'a course of the Zoom queue could not be run yet');
  }
}
