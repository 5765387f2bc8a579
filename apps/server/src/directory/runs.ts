/** The record of the runs: which goes on, which is the base. */
import type { DirectoryCounts } from '@lms-admin/domain/directory';
import { and, desc, eq, isNotNull, lt, ne } from 'drizzle-orm';
import type { Db } from '../platform/database.ts';
import { directoryRuns, jobs } from '../platform/schema.ts';

/** Runs that are kept to be shown, beside the base. */
const KEPT = 30;

const SHOWN = {
  number: directoryRuns.number,
  jobId: directoryRuns.jobId,
  lms: directoryRuns.lms,
  askedAt: directoryRuns.askedAt,
  startedAt: directoryRuns.startedAt,
  swappedAt: directoryRuns.swappedAt,
  counts: directoryRuns.counts,
  /** Of its job; null where that was removed. */
  state: jobs.state,
  outcome: jobs.outcome,
  stage: jobs.stage,
  waitWhy: jobs.waitWhy,
  problem: jobs.problem,
  note: jobs.note,
  endedAt: jobs.endedAt,
};

/** The latest ones, the newest first. */
export async function latestRuns(db: Db, most: number) {
  return db
    .select(SHOWN)
    .from(directoryRuns)
    .leftJoin(jobs, eq(jobs.id, directoryRuns.jobId))
    .orderBy(desc(directoryRuns.number))
    .limit(most);
}
export type Run = Awaited<ReturnType<typeof latestRuns>>[number];

/** Whether its job has not ended. */
export const isOpen = ({ state, endedAt }: Run): boolean => state !== null && endedAt === null;

/** Whose rows the copy has; null: it is empty. */
export async function baseRun(db: Db): Promise<typeof directoryRuns.$inferSelect | null> {
  const [row] = await db
    .select()
    .from(directoryRuns)
    .where(isNotNull(directoryRuns.swappedAt))
    .orderBy(desc(directoryRuns.number))
    .limit(1);
  return row ?? null;
}

/** That of a job; null: a backup was restored, or the directory was switched off, since it began. */
export async function runOf(db: Db, jobId: string): Promise<typeof directoryRuns.$inferSelect | null> {
  const [row] = await db.select().from(directoryRuns).where(eq(directoryRuns.jobId, jobId));
  return row ?? null;
}

/** Records a run, in the transaction of its job. @returns false: another one has begun in this moment */
export async function claimRun(
  tx: Db,
  run: Pick<typeof directoryRuns.$inferInsert, 'number' | 'jobId' | 'lms' | 'askedAt' | 'acceptSmaller'>,
): Promise<boolean> {
  const made = await tx
    .insert(directoryRuns)
    .values(run)
    .onConflictDoNothing()
    .returning({ number: directoryRuns.number });
  const base = await baseRun(tx);
  await tx
    .delete(directoryRuns)
    .where(
      and(
        lt(directoryRuns.number, run.number - KEPT),
        base ? ne(directoryRuns.number, base.number) : undefined,
      ),
    );
  return made.length > 0;
}

/** Records that a run is the base, in the transaction of the swap. */
export async function noteSwap(
  tx: Db,
  jobId: string,
  run: { reportId: number; startedAt: Date; swappedAt: Date; counts: DirectoryCounts },
): Promise<void> {
  await tx.update(directoryRuns).set(run).where(eq(directoryRuns.jobId, jobId));
}

/** Forgets all runs. */
export async function forgetRuns(tx: Db): Promise<void> {
  await tx.delete(directoryRuns);
}
