/** Forgets what became of nothing: plans and uploaded files after a day, pieces that belong to no record. */
import { and, eq, inArray, isNull, lt, notExists, sql } from 'drizzle-orm';
import type { Db } from '../platform/database.ts';
import { filePieces, files, imports, jobs, plans, sisDrafts, sisFiles } from '../platform/schema.ts';

/** One round. May be run at any time, and twice. */
export async function tidy(db: Db): Promise<void> {
  // An hour later than they may be submitted: a submission may be under way. One that was submitted is kept as long as the rows
  // of its import are, since taking the import back needs it.
  await db.delete(plans).where(
    and(
      lt(plans.expiresAt, sql`now() - interval '1 hour'`),
      notExists(
        db
          .select({ id: imports.id })
          .from(imports)
          .innerJoin(jobs, eq(jobs.id, imports.id))
          .where(and(eq(imports.planId, plans.id), isNull(jobs.forgottenAt))),
      ),
    ),
  );
  // The same; the CSV of one that became an import is the import's now.
  await db.delete(sisFiles).where(lt(sisFiles.expiresAt, sql`now() - interval '1 hour'`));
  await db.delete(sisDrafts).where(lt(sisDrafts.expiresAt, sql`now() - interval '1 hour'`));
  // Pieces without a record belong to rows that were refused, or to a process that died before it wrote the record.
  const lost = db
    .selectDistinct({ id: filePieces.fileId })
    .from(filePieces)
    .leftJoin(imports, eq(imports.id, filePieces.fileId))
    .leftJoin(sisFiles, eq(sisFiles.id, filePieces.fileId))
    .leftJoin(sisDrafts, eq(sisDrafts.id, filePieces.fileId))
    .leftJoin(files, eq(files.id, filePieces.fileId))
    .where(
      and(
        isNull(imports.id),
        isNull(sisFiles.id),
        isNull(sisDrafts.id),
        isNull(files.id),
        lt(filePieces.createdAt, sql`now() - interval '1 hour'`),
      ),
    );
  await db.delete(filePieces).where(inArray(filePieces.fileId, lost));
}
