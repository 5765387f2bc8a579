/** State of the work and the database: open jobs, the systems they wait for, failures, migrations, clocks. */
import type { SystemWork } from '@lms-admin/contract/system';
import { and, asc, count, desc, eq, gt, isNotNull, isNull, max, min } from 'drizzle-orm';
import type { Database, Db } from '../../platform/database.ts';
import { carriedOut, knownMigrations } from '../../platform/migrations.ts';
import { jobs } from '../../platform/schema.ts';
import { heldWork } from '../held.ts';

const FAILED_DAYS = 7;
const MOST_FAILED = 20;
const MOST_WAITS = 20;
const DAY_MS = 86_400_000;

export async function workOf(database: Database): Promise<SystemWork> {
  const { db } = database;
  const [held, open, signIns, waits, failed, migrations] = await Promise.all([
    heldWork(db),
    openJobs(db),
    waitingSignIns(db),
    waitingOutside(db),
    failedJobs(db),
    carriedOut(database),
  ]);
  return {
    held: held && {
      since: held.since.getTime(),
      backupOf: held.backupOf?.getTime() ?? null,
      jobs: held.jobs,
    },
    open,
    signIns,
    waits,
    failed,
    migrations: { ...migrations, known: knownMigrations().length },
  };
}

async function openJobs(db: Db): Promise<SystemWork['open']> {
  const rows = await db
    .select({ kind: jobs.kind, state: jobs.state, jobs: count(), oldest: min(jobs.createdAt) })
    .from(jobs)
    .where(isNull(jobs.endedAt))
    .groupBy(jobs.kind, jobs.state)
    .orderBy(asc(jobs.kind), asc(jobs.state));
  return rows.map((row) => ({ ...row, oldest: row.oldest?.getTime() ?? 0 }));
}

async function waitingSignIns(db: Db): Promise<SystemWork['signIns']> {
  const rows = await db
    .select({
      name: jobs.name,
      login: jobs.login,
      jobs: count(),
      since: min(jobs.updatedAt),
      until: max(jobs.waitUntil),
    })
    .from(jobs)
    .where(and(isNull(jobs.endedAt), eq(jobs.needsSignIn, true)))
    .groupBy(jobs.login, jobs.name)
    .orderBy(asc(jobs.name));
  return rows.map((row) => ({
    ...row,
    since: row.since?.getTime() ?? 0,
    until: row.until?.getTime() ?? null,
  }));
}

/**
 * Counts the jobs that wait for other systems; jobs that wait for other work are omitted: their reason names that work.
 */
async function waitingOutside(db: Db): Promise<SystemWork['waits']> {
  const isTroubled = and(isNotNull(jobs.troubleSince), isNotNull(jobs.waitWhy), eq(jobs.needsSignIn, false));
  const rows = await db
    .select({ why: jobs.waitWhy, jobs: count(), since: min(jobs.troubleSince) })
    .from(jobs)
    .where(and(isNull(jobs.endedAt), eq(jobs.state, 'waiting'), isTroubled))
    .groupBy(jobs.waitWhy)
    .orderBy(desc(count()), asc(jobs.waitWhy))
    .limit(MOST_WAITS);
  return rows.map(({ why, since, ...row }) => ({ ...row, why: why ?? '', since: since?.getTime() ?? 0 }));
}

/** Lists failed jobs, without work that was refused because of its input: that is not a failure of the installation. */
async function failedJobs(db: Db): Promise<SystemWork['failed']> {
  const since = new Date(Date.now() - FAILED_DAYS * DAY_MS);
  const rows = await db
    .select({ id: jobs.id, kind: jobs.kind, tool: jobs.tool, endedAt: jobs.endedAt })
    .from(jobs)
    .where(and(eq(jobs.state, 'failed'), eq(jobs.refused, false), gt(jobs.endedAt, since)))
    .orderBy(desc(jobs.endedAt))
    .limit(MOST_FAILED);
  return rows.map(({ endedAt, ...row }) => ({ ...row, at: endedAt?.getTime() ?? 0 }));
}

/** Returns the clocks of the database and of this process at the same moment, in milliseconds since 1970. */
export async function clocksOf(database: Database): Promise<{ server: number; database: number }> {
  const sentAt = Date.now();
  const { rows } = await database.exec(
    'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS clock',
  );
  return { server: (sentAt + Date.now()) / 2, database: Number(rows[0]?.clock) };
}
