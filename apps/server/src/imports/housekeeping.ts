/** Forgets what is no longer needed: plans and uploaded files after a day, CSVs a month after their import ended. */
import { and, eq, inArray, isNull, lt, ne, notExists, or, sql } from 'drizzle-orm';
import type { Jobs } from '../platform/jobs.ts';
import { importChunks, imports, plans, sisFiles } from '../platform/schema.ts';
import type { CoreServices } from '../services.ts';

const QUEUE = 'housekeeping';
const EVERY_TEN_MINUTES = '*/10 * * * *';
/** A CSV names people; it is kept for questions about an import, not for good. */
const CSV_KEPT = sql`interval '30 days'`;

/** Runs every ten minutes, in one process of all. */
export async function startHousekeeping(services: Pick<CoreServices, 'db'>, jobs: Jobs): Promise<void> {
  await jobs.schedule(QUEUE, EVERY_TEN_MINUTES, () => tidy(services));
}

/** One round. May be run at any time, and twice. */
export async function tidy(services: Pick<CoreServices, 'db'>): Promise<void> {
  const { db } = services.db;
  // An hour later than they may be submitted: a submission may be under way.
  await db.delete(plans).where(
    and(
      lt(plans.expiresAt, sql`now() - interval '1 hour'`),
      notExists(
        db
          .select({ id: imports.id })
          .from(imports)
          .where(and(eq(imports.planId, plans.id), ne(imports.step, 'final'))),
      ),
    ),
  );
  // The same; the CSV of one that became an import is the import's now.
  await db.delete(sisFiles).where(lt(sisFiles.expiresAt, sql`now() - interval '1 hour'`));
  // Pieces without a record belong to rows that were refused, or to a process that died before it wrote the record.
  const old = db
    .selectDistinct({ id: importChunks.importId })
    .from(importChunks)
    .leftJoin(imports, eq(imports.id, importChunks.importId))
    .leftJoin(sisFiles, eq(sisFiles.id, importChunks.importId))
    .where(
      or(
        and(
          isNull(imports.id),
          isNull(sisFiles.id),
          lt(importChunks.createdAt, sql`now() - interval '1 hour'`),
        ),
        and(eq(imports.step, 'final'), lt(imports.updatedAt, sql`now() - ${CSV_KEPT}`)),
      ),
    );
  await db.delete(importChunks).where(inArray(importChunks.importId, old));
}
