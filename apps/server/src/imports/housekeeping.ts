/** Deletes unused data: plans and uploaded files after a day, and stored parts without a record. */
import { and, count, eq, inArray, isNull, lt, min, notExists, sql } from 'drizzle-orm';
import type { Db } from '../platform/database.ts';
import { filePieces, files, imports, jobs, plans, sisDrafts, sisFiles } from '../platform/schema.ts';

/** One hour more than the time limit for submitting, because a submission may be under way. */
const MARGIN_MS = 3_600_000;

/** Returns the times of the next deletion of unused reviews, uploaded files and drafts. */
export async function nextTidied(db: Db): Promise<{ kind: string; number: number; next: Date | null }[]> {
  const tables = { reviews: plans, 'uploaded files': sisFiles, drafts: sisDrafts };
  return Promise.all(
    Object.entries(tables).map(async ([kind, table]) => {
      const [row] = await db
        .select({ number: count(), first: min(table.expiresAt) })
        .from(table)
        .where(table === plans ? notUndoable(db) : undefined);
      return {
        kind,
        number: row?.number ?? 0,
        next: row?.first ? new Date(row.first.getTime() + MARGIN_MS) : null,
      };
    }),
  );
}

/**
 * Selects reviews without an import that can be undone: undo needs the review as long as the rows of its import are
 * kept.
 */
const notUndoable = (db: Db) =>
  notExists(
    db
      .select({ id: imports.id })
      .from(imports)
      .innerJoin(jobs, eq(jobs.id, imports.id))
      .where(and(eq(imports.planId, plans.id), isNull(jobs.forgottenAt))),
  );

/** Runs one round. Can be run at any time and repeatedly. */
export async function tidy(db: Db): Promise<void> {
  await db.delete(plans).where(and(lt(plans.expiresAt, sql`now() - interval '1 hour'`), notUndoable(db)));
  // Checked files are deleted in the same way, but the CSV of a file that became an import belongs to the import.
  await db.delete(sisFiles).where(lt(sisFiles.expiresAt, sql`now() - interval '1 hour'`));
  await db.delete(sisDrafts).where(lt(sisDrafts.expiresAt, sql`now() - interval '1 hour'`));
  // Parts without a record belong to rejected rows, or to a process that stopped before it wrote the record.
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
