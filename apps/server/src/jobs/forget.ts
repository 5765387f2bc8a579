/** Forgets what names people some time after a job's end: input, checkpoint, result, items, files, and what its kind keeps. */
import { and, asc, eq, inArray, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import type { Files } from '../files/files.ts';
import type { Db } from '../platform/database.ts';
import { files as filesTable, jobItems, jobs } from '../platform/schema.ts';
import type { ListedKind } from './kind.ts';

/** Jobs forgotten in one transaction. */
const AT_ONCE = 100;

/** One round. May be run at any time, and twice. */
export async function forgetOldJobs(db: Db, files: Files, kinds: readonly ListedKind[]): Promise<void> {
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
            lt(jobs.endedAt, sql`now() - ${kind.keptDays}::int * interval '1 day'`),
          ),
        )
        .orderBy(asc(jobs.endedAt))
        .limit(AT_ONCE);
      if (old.length === 0) break;
      const ids = old.map(({ id }) => id);
      await files.forget(ids);
      await db.transaction(async (tx) => {
        await kind.forget?.(tx, ids);
        await tx.delete(jobItems).where(inArray(jobItems.jobId, ids));
        await tx
          .update(jobs)
          .set({ input: null, checkpoint: null, result: null, forgottenAt: new Date() })
          .where(inArray(jobs.id, ids));
      });
      if (ids.length < AT_ONCE) break;
    }
  }
}

/** Files that were written for a job which then was not begun: the process died in between. */
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
