/** Removes data that names people from ended jobs: input, checkpoint, result, items, files, and the kind's own data. */
import { and, asc, count, eq, inArray, isNotNull, isNull, lt, min, sql } from 'drizzle-orm';
import type { Files } from '../files/files.ts';
import type { Db } from '../platform/database.ts';
import { files as filesTable, jobItems, jobs } from '../platform/schema.ts';
import { KEPT_DAYS, type KeptDays, type ListedKind } from './kind.ts';

const DAY_MS = 86_400_000;
/** Jobs cleaned up in one transaction. */
const AT_ONCE = 100;

/** Runs one round. It is safe to run it at any time, and twice. */
export async function forgetOldJobs(
  db: Db,
  files: Files,
  kinds: readonly ListedKind[],
  days: KeptDays = KEPT_DAYS,
): Promise<void> {
  await forgetOrphans(db, files);
  for (const kind of kinds) {
    for (;;) {
      const old = await db
        .select({ id: jobs.id })
        .from(jobs)
        .where(
          and(
            eq(jobs.kind, kind.id),
            isNull(jobs.forgottenAt),
            lt(jobs.endedAt, sql`now() - ${days[kind.keeps]}::int * interval '1 day'`),
          ),
        )
        .orderBy(asc(jobs.endedAt))
        .limit(AT_ONCE);
      if (old.length === 0) break;
      await forgetJobs(
        { db, files },
        kind,
        old.map(({ id }) => id),
      );
      if (old.length < AT_ONCE) break;
    }
  }
}

/** Removes the personal data of ended jobs of one kind. */
export async function forgetJobs(
  { db, files }: { db: Db; files: Files },
  kind: ListedKind,
  ids: readonly string[],
): Promise<void> {
  await files.forget(ids);
  await db.transaction(async (tx) => {
    await kind.forget?.(tx, ids);
    await tx.delete(jobItems).where(inArray(jobItems.jobId, [...ids]));
    await tx
      .update(jobs)
      .set({ input: null, checkpoint: null, result: null, forgottenAt: new Date() })
      .where(inArray(jobs.id, [...ids]));
  });
}

export interface NextForgotten {
  /** Number of jobs whose details are still kept, including unfinished ones. */
  number: number;
  /** When the details of the next job are removed; null if no job has ended. */
  next: Date | null;
}

/** Finds the time of the next removal for each kind of data. */
export async function nextForgotten(
  db: Db,
  kinds: readonly ListedKind[],
  days: KeptDays,
): Promise<Map<string, NextForgotten>> {
  const rows = await db
    .select({ kind: jobs.kind, number: count(), oldest: min(jobs.endedAt) })
    .from(jobs)
    .where(isNull(jobs.forgottenAt))
    .groupBy(jobs.kind);
  const found = new Map(rows.map((row) => [row.kind, row]));
  return new Map(
    kinds.map(({ id, keeps }) => {
      const { number = 0, oldest = null } = found.get(id) ?? {};
      return [id, { number, next: oldest && new Date(oldest.getTime() + days[keeps] * DAY_MS) }];
    }),
  );
}

/** Removes files written for a job that was never recorded because the process died in between. */
async function forgetOrphans(db: Db, files: Files): Promise<void> {
  const orphans = await db
    .select({ jobId: filesTable.jobId })
    .from(filesTable)
    .leftJoin(jobs, eq(jobs.id, filesTable.jobId))
    .where(
      and(
        isNotNull(filesTable.jobId),
        isNull(jobs.id),
        lt(filesTable.createdAt, sql`now() - interval '1 day'`),
      ),
    )
    .limit(AT_ONCE);
  await files.forget(orphans.flatMap(({ jobId }) => jobId ?? []));
}
