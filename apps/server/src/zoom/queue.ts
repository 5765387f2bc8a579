/** The queue of Zoom Event Run: courses that run once a day, each for the admin who added it (OP-62). */
import type { RunDays, ZoomQueue } from '@lms-admin/contract/zoom-runs';
import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import type { ActFor } from '../access/acting.ts';
import type { Scope } from '../access/scope.ts';
import type { Admin } from '../auth/admin.ts';
import type { Grants } from '../auth/grants.ts';
import type { LmsIdentity } from '../canvas/identity.ts';
import { createAudit } from '../platform/audit.ts';
import type { Db } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { zoomQueue } from '../platform/schema.ts';
import { storable } from '../platform/text.ts';
import { noCourse } from './course-access.ts';
import { queueResults, queueStates } from './queue-results.ts';
import { RUN_TOOL } from './run-start.ts';

export type QueueRow = typeof zoomQueue.$inferSelect;

export interface QueueParts {
  db: Db;
  log: Logger;
  grants: Grants;
  identity: LmsIdentity;
  scope: Scope;
  actFor: ActFor;
  /** Period in milliseconds in which each course runs once. */
  periodMs: number;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Called after courses have been added. */
  added: () => void;
}

export interface QueueChange {
  /** All courses that should be in the queue. */
  wanted: readonly number[];
  /** The list that the admin edited; null for the current one. */
  read: readonly number[] | null;
  /** When the newest entry of that list was added; null for the current list. */
  newestAt: Date | null;
  /** Number of days ahead that the runs of added courses cover. */
  days: RunDays;
  requestId: string;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MOST = 1_000;

export function mayRemove({ record }: Pick<Admin, 'record'>): boolean {
  return record.feature_permissions.zoom_update_courses_delete;
}

/** Returns the name of a period: a day (`2026-11-22`), or the start time of a shorter one. */
export function periodOf(now: number, periodMs: number): string {
  const began = new Date(Math.floor(now / periodMs) * periodMs).toISOString();
  return periodMs === DAY_MS ? began.slice(0, 10) : began;
}

export class Queue {
  readonly #parts: QueueParts;

  constructor(parts: QueueParts) {
    this.#parts = parts;
  }

  /** Reads the courses in the admin's scope and those they added; all of them for `perm` `ALL`. */
  async read(admin: Admin): Promise<ZoomQueue> {
    const { db, scope, periodMs, now } = this.#parts;
    const lms = await this.#lms(admin);
    const seen = await this.#visible(admin, await this.#rows(lms));
    const rows = seen.map(({ row }) => row);
    const results = await queueResults(db, lms, rows);
    const failing = [...results].flatMap(([id, { failing_since }]) => (failing_since === null ? [] : [id]));
    // Without the cache: a cached course may have been deleted since.
    const fresh = await scope.withoutCache().courses(admin, failing);
    const accounts = seen.map(({ row, course }) => {
      const now = failing.includes(row.courseId) ? fresh.get(row.courseId) : course;
      return { row, account: now?.account_id ?? null };
    });
    const states = await queueStates(this.#parts, admin, accounts);
    const at = now();
    const period = periodOf(at, periodMs);
    const isDue = seen.some(({ row }) => row.lastDay !== period);
    return {
      courseIds: seen.map(({ row }) => row.courseId),
      courses: seen.map(({ row, course }) => ({
        id: row.courseId,
        code: course?.course_code ?? '',
        name: course?.name ?? `Course ${row.courseId}`,
        added_by: row.name,
        added_at: row.addedAt.toISOString(),
        days: row.days,
        last_run_at: row.lastRunAt?.toISOString() ?? null,
        last_job: row.lastJob,
        ...(results.get(row.courseId) ?? { outcome: null, problem: null, failing_since: null }),
        state: states.get(row.courseId) ?? 'works',
      })),
      may_remove: mayRemove(admin),
      next_run_at: new Date(isDue ? at : Math.floor(at / periodMs + 1) * periodMs).toISOString(),
      every_hours: periodMs / HOUR_MS,
      newest_at: rows.at(-1)?.addedAt.toISOString() ?? null,
    };
  }

  /**
   * Adds and removes courses by comparison with the list that was read, so that concurrent changes by others are kept.
   * @throws AppError not-allowed for a removal without the permission, not-found for a course out of scope; then
   * nothing changes
   */
  async change(admin: Admin, change: QueueChange): Promise<void> {
    const lms = await this.#lms(admin);
    const rows = await this.#rows(lms);
    const wants = new Set(change.wanted);
    const before = new Set(change.read ?? (await this.#visible(admin, rows)).map(({ row }) => row.courseId));
    const removed = [...before].filter((id) => !wants.has(id));
    const added = [...wants].filter((id) => !before.has(id));
    if (removed.length > 0 && !mayRemove(admin)) {
      throw new AppError('not-allowed', {
        message: 'You do not have permission to remove courses from the queue.',
        next: 'Ask IT Support for the permission if you need it.',
      });
    }
    const there = rows.filter(({ courseId }) => removed.includes(courseId));
    await this.#requireReach(admin, there, added, removed);
    // A course that was removed and added again since is a new entry, which this admin has not seen.
    const gone = there.filter(({ addedAt }) => change.newestAt === null || addedAt <= change.newestAt);
    const released = await this.#write(admin, lms, { added, removed: gone }, change);
    if (added.length > 0) this.#parts.added();
    const { grants, log } = this.#parts;
    for (const grant of new Set(released)) {
      await grants.releaseWhenIdle(grant).catch((error: unknown) => {
        log.warn({ err: error, grant }, 'the grant could not be released; it will be tried again later');
      });
    }
  }

  /** @throws AppError not-found */
  async #requireReach(
    admin: Admin,
    gone: readonly QueueRow[],
    added: readonly number[],
    removed: readonly number[],
  ): Promise<void> {
    if ((await this.#visible(admin, gone)).length < gone.length) throw noCourse();
    // A request for removal must not reveal whether another admin's course is in the queue.
    const queued = new Set(gone.map(({ courseId }) => courseId));
    const changedCourses = [...added, ...removed.filter((id) => !queued.has(id))];
    if ((await this.#parts.scope.courses(admin, changedCourses)).size < changedCourses.length)
      throw noCourse();
  }

  /** @returns grants that may not be needed any more */
  #write(
    admin: Admin,
    lms: string,
    { added, removed }: { added: number[]; removed: QueueRow[] },
    { days, requestId }: QueueChange,
  ): Promise<string[]> {
    const { db, log } = this.#parts;
    return db.transaction(async (tx) => {
      const left = removed.length === 0 ? [] : await this.#remove(tx, lms, removed);
      const inserted = added.length === 0 ? [] : await this.#add(tx, lms, admin, added, days);
      const audit = createAudit(tx, log);
      const line = { login: admin.login, tool: RUN_TOOL, requestId };
      if (left.length > 0) {
        const courses = left.map(({ courseId }) => courseId);
        await audit.write({ ...line, event: 'zoom-queue-removed', detail: { courses } });
      }
      if (inserted.length > 0)
        await audit.write({ ...line, event: 'zoom-queue-added', detail: { courses: inserted, days } });
      return left.flatMap(({ grantId }) => grantId ?? []);
    });
  }

  /** Returns the current LMS; requested only if it is not known yet. */
  async #lms(admin: Admin): Promise<string> {
    const { identity } = this.#parts;
    return identity.known() || identity.lastSeen(admin.token);
  }

  #rows(lms: string) {
    return this.#parts.db
      .select()
      .from(zoomQueue)
      .where(eq(zoomQueue.lms, lms))
      .orderBy(asc(zoomQueue.addedAt), asc(zoomQueue.courseId));
  }

  /** Returns the entries that the admin can see: all for `perm` `ALL`; their own entries even if the course is gone. */
  async #visible(admin: Admin, rows: readonly QueueRow[]) {
    const courses = await this.#parts.scope.courses(
      admin,
      rows.map(({ courseId }) => courseId),
    );
    return rows.flatMap((row) => {
      const course = courses.get(row.courseId);
      const isSeen = course || row.login === admin.login || admin.record.perm === 'ALL';
      return isSeen ? [{ row, course }] : [];
    });
  }

  async #remove(tx: Db, lms: string, rows: readonly QueueRow[]): Promise<QueueRow[]> {
    const ids = rows.map(({ courseId }) => courseId);
    const found = await tx
      .select()
      .from(zoomQueue)
      .where(and(eq(zoomQueue.lms, lms), inArray(zoomQueue.courseId, ids)))
      .for('update');
    const meant = new Map(rows.map((row) => [row.courseId, row.addedAt.getTime()]));
    const left = found.filter(({ courseId, addedAt }) => meant.get(courseId) === addedAt.getTime());
    if (left.length > 0)
      await tx.delete(zoomQueue).where(
        and(
          eq(zoomQueue.lms, lms),
          inArray(
            zoomQueue.courseId,
            left.map(({ courseId }) => courseId),
          ),
        ),
      );
    return left;
  }

  /** Adds entries to the queue; those that others have added in the meantime stay theirs. */
  async #add(tx: Db, lms: string, admin: Admin, courses: number[], days: RunDays): Promise<number[]> {
    const { login, name, canvasUserId } = admin;
    const grantId = this.#parts.grants.hasServiceToken ? null : admin.grantId;
    const who = { login, name: storable(name), canvasUserId, grantId };
    const inserted = await tx
      .insert(zoomQueue)
      .values(courses.map((courseId) => ({ lms, courseId, ...who, days })))
      .onConflictDoNothing()
      .returning();
    const [all] = await tx
      .select({ count: sql<number>`count(*)::int` })
      .from(zoomQueue)
      .where(eq(zoomQueue.lms, lms));
    if ((all?.count ?? 0) > MOST) {
      throw new AppError('bad-request', {
        message: `The queue can have at most ${MOST} courses.`,
        next: 'Remove courses that no longer need runs.',
      });
    }
    return inserted.map(({ courseId }) => courseId);
  }
}

/** Returns whether the queue runs courses with this grant. */
export async function queueNeedsGrant(db: Db, grantId: string): Promise<boolean> {
  const rows = await db
    .select({ id: zoomQueue.courseId })
    .from(zoomQueue)
    .where(eq(zoomQueue.grantId, grantId))
    .limit(1);
  return rows.length > 0;
}
