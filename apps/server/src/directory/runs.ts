/** Records of the directory's runs: which one is running, and which one the copy is from. */
import type { DirectoryCounts } from '@lms-admin/domain/directory';
import { and, desc, eq, isNotNull, lt, ne } from 'drizzle-orm';
import type { Db } from '../platform/database.ts';
import { directoryRuns, jobs } from '../platform/schema.ts';

/** Number of runs kept for display, besides the one that the copy is from. */
const KEPT = 30;

const SHOWN = {
  number: directoryRuns.number,
  jobId: directoryRuns.jobId,
  lms: directoryRuns.lms,
  requestedAt: directoryRuns.requestedAt,
  startedAt: directoryRuns.startedAt,
  swappedAt: directoryRuns.swappedAt,
  counts: directoryRuns.counts,
  /** Taken from the job; null if the job was deleted. */
  state: jobs.state,
  outcome: jobs.outcome,
  stage: jobs.stage,
  waitWhy: jobs.waitWhy,
  problem: jobs.problem,
  note: jobs.note,
  endedAt: jobs.endedAt,
};

/** Returns the latest runs, newest first. */
export async function latestRuns(db: Db, most: number) {
  return db
    .select(SHOWN)
    .from(directoryRuns)
    .leftJoin(jobs, eq(jobs.id, directoryRuns.jobId))
    .orderBy(desc(directoryRuns.number))
    .limit(most);
}
export type Run = Awaited<ReturnType<typeof latestRuns>>[number];

/** Returns whether the run's job has not ended. */
export const isOpen = ({ state, endedAt }: Run): boolean => state !== null && endedAt === null;

/** Returns the run that the rows of the copy are from, or null if the copy is empty. */
export async function baseRun(db: Db): Promise<typeof directoryRuns.$inferSelect | null> {
  const [row] = await db
    .select()
    .from(directoryRuns)
    .where(isNotNull(directoryRuns.swappedAt))
    .orderBy(desc(directoryRuns.number))
    .limit(1);
  return row ?? null;
}

/** Returns the run of a job, or null if a backup was restored or the directory switched off since it started. */
export async function runOf(db: Db, jobId: string): Promise<typeof directoryRuns.$inferSelect | null> {
  const [row] = await db.select().from(directoryRuns).where(eq(directoryRuns.jobId, jobId));
  return row ?? null;
}

/** Records a run in the transaction of its job. @returns false if another run has started at the same time */
export async function claimRun(
  tx: Db,
  run: Pick<typeof directoryRuns.$inferInsert, 'number' | 'jobId' | 'lms' | 'requestedAt' | 'acceptSmaller'>,
): Promise<boolean> {
  const inserted = await tx
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
  return inserted.length > 0;
}

/** Records that the copy is from a run, in the transaction of the swap. */
export async function noteSwap(
  tx: Db,
  jobId: string,
  run: { reportId: number; startedAt: Date; swappedAt: Date; counts: DirectoryCounts },
): Promise<void> {
  await tx.update(directoryRuns).set(run).where(eq(directoryRuns.jobId, jobId));
}

/** Deletes the records of all runs. */
export async function forgetRuns(tx: Db): Promise<void> {
  await tx.delete(directoryRuns);
}
