/** Results of the queue's runs: how the latest run ended, since when runs have failed, and whether they can run. */
import { ZOOM_RUN, type ZoomQueue } from '@lms-admin/contract/zoom-runs';
import { inArray, sql } from 'drizzle-orm';
import type { ActFor } from '../access/acting.ts';
import type { Scope } from '../access/scope.ts';
import type { Admin } from '../auth/admin.ts';
import type { Db } from '../platform/database.ts';
import { jobs, type zoomQueue } from '../platform/schema.ts';
import { RUN_TOOL } from './run-start.ts';

type Queued = ZoomQueue['courses'][number];
type Row = typeof zoomQueue.$inferSelect;
export type QueueResult = Pick<Queued, 'outcome' | 'failing_since' | 'problem'>;

const NONE: QueueResult = { outcome: null, failing_since: null, problem: null };

/** Returns the results by course. Runs from before a course was added to the queue are omitted. */
export async function queueResults(
  db: Db,
  lms: string,
  rows: readonly Row[],
): Promise<Map<number, QueueResult>> {
  const latest = rows.flatMap(({ lastJob }) => lastJob ?? []);
  if (latest.length === 0) return new Map();
  // The database returns a number of 64 bits as text.
  const course = sql<string>`split_part(${jobs.key}, ' ', 2)::bigint`;
  const ended = db.$with('ended').as(
    db
      .select({
        course: course.as('course'),
        failed: sql<boolean>`${jobs.outcome} = 'failed'`.as('failed'),
        at: jobs.createdAt,
        good: sql<Date | null>`max(${jobs.createdAt}) filter (where ${jobs.outcome} <> 'failed') over (partition by ${course})`.as(
          'good',
        ),
      })
      .from(jobs)
      .where(
        sql`${jobs.kind} = ${ZOOM_RUN} and ${jobs.lms} = ${lms} and ${jobs.key} like 'queue %' and ${jobs.endedAt} is not null`,
      ),
  );
  const [last, failing] = await Promise.all([
    db
      .select({ id: jobs.id, outcome: jobs.outcome, problem: jobs.problem })
      .from(jobs)
      .where(inArray(jobs.id, latest)),
    db
      .with(ended)
      .select({ course: ended.course, since: sql<string>`min(${ended.at})` })
      .from(ended)
      .where(sql`${ended.failed} and (${ended.good} is null or ${ended.at} > ${ended.good})`)
      .groupBy(ended.course),
  ]);
  const byJob = new Map(last.map((one) => [one.id, one]));
  const sinceOf = new Map(failing.map(({ course: id, since }) => [Number(id), new Date(since)]));
  return new Map(
    rows.map((row) => {
      const job = byJob.get(row.lastJob ?? '');
      const since = sinceOf.get(row.courseId);
      const outcome = job?.outcome ?? null;
      const added = row.addedAt;
      return [
        row.courseId,
        job === undefined
          ? NONE
          : {
              outcome,
              failing_since: since ? (since > added ? since : added).toISOString() : null,
              problem: outcome === 'failed' ? (job.problem?.message ?? null) : null,
            },
      ] as const;
    }),
  );
}

/**
 * Returns whether the runs of a course can work: `gone` if the requesting admin cannot find the course, `no-access`
 * if the admin who added it can no longer run it.
 */
export async function queueStates(
  { actFor, scope }: { actFor: ActFor; scope: Scope },
  admin: Admin,
  seen: readonly { row: Row; account: number | null }[],
): Promise<Map<number, Queued['state']>> {
  const states = new Map<number, Queued['state']>();
  // The owner's token may be gone, so only their permissions are checked.
  const fresh = scope.withoutCache();
  for (const { row, account } of seen) {
    let state: Queued['state'] = account === null ? 'gone' : 'works';
    try {
      const adder = actFor({ ...row, tool: RUN_TOOL });
      // An admin with limited scope cannot see what is in other admins' scope.
      const asks = account !== null && admin.record.perm === 'ALL' && row.login !== admin.login;
      if (asks && !(await fresh.account({ ...adder, token: admin.token }, account))) state = 'no-access';
    } catch {
      state = 'no-access';
    }
    states.set(row.courseId, state);
  }
  return states;
}
