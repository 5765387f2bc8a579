/** Checked files in the database: uploader and description; their CSVs are stored under the same id. */
import type { SisFile } from '@lms-admin/contract/sis-files';
import { and, desc, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import { requireTool } from '../access/rights.ts';
import type { Admin } from '../auth/admin.ts';
import { type LmsIdentity, sameLms } from '../canvas/identity.ts';
import { deletePieces } from '../files/pieces.ts';
import type { Db } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { type ImportFile, imports, type SisFileSummary, sisDrafts, sisFiles } from '../platform/schema.ts';

/** Milliseconds for which an uploaded file is kept for submission. */
const KEPT_MS = 86_400_000;
/** Maximum number of waiting files of one admin; the oldest are removed for new ones. */
const MOST_WAITING = 20;

export interface StoredFile {
  summary: SisFileSummary;
  files: ImportFile[];
  /** The LMS that the file was checked against. */
  lms: string;
  createdAt: Date;
  importId: string | null;
  /** The draft that became this file, if it still exists. */
  draft: string | null;
}

export async function saveFile(
  db: Db,
  login: string,
  summary: SisFileSummary,
  files: ImportFile[],
  lms: string,
): Promise<StoredFile> {
  const createdAt = new Date();
  await db.insert(sisFiles).values({
    id: summary.file.id,
    login,
    summary,
    files,
    lms,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + KEPT_MS),
  });
  await makeRoom(db, login);
  return { summary, files, lms, createdAt, importId: null, draft: null };
}

/** True for a file whose submission has not begun: claiming it changes its expiry. */
const UNCLAIMED = sql`${sisFiles.expiresAt} <= ${sisFiles.createdAt} + ${KEPT_MS} * interval '1 millisecond'`;

/** Prevents repeated uploads from filling the disk. A file that is being submitted stays. */
async function makeRoom(db: Db, login: string): Promise<void> {
  const old = await db
    .select({ id: sisFiles.id })
    .from(sisFiles)
    .leftJoin(imports, eq(imports.id, sisFiles.id))
    .where(and(eq(sisFiles.login, login), isNull(imports.id), UNCLAIMED))
    .orderBy(desc(sisFiles.createdAt))
    .offset(MOST_WAITING);
  if (old.length === 0) return;
  const ids = old.map(({ id }) => id);
  const gone = await db
    .delete(sisFiles)
    .where(and(inArray(sisFiles.id, ids), UNCLAIMED))
    .returning({ id: sisFiles.id });
  for (const { id } of gone) await deletePieces(db, id);
}

/**
 * Claims a file for the import that is about to be recorded, so that later uploads do not replace it.
 * @returns whether it still existed
 */
export async function claimFile(db: Db, login: string, id: string): Promise<boolean> {
  const claimed = await db
    .update(sisFiles)
    .set({
      expiresAt: sql`greatest(now(), ${sisFiles.createdAt}) + ${2 * KEPT_MS} * interval '1 millisecond'`,
    })
    .where(and(eq(sisFiles.id, id), eq(sisFiles.login, login)))
    .returning({ id: sisFiles.id });
  // An import can wait for a day; if no row was applied, the draft is needed again.
  if (claimed.length > 0)
    await db
      .update(sisDrafts)
      .set({
        expiresAt: sql`greatest(${sisDrafts.expiresAt}, now() + ${2 * KEPT_MS} * interval '1 millisecond')`,
      })
      .where(and(eq(sisDrafts.fileId, id), eq(sisDrafts.login, login)));
  return claimed.length > 0;
}

/** A draft that was opened from the file and not finished since is not the one that became the file. */
const BECAME = sql`${sisDrafts.summary}->>'from' is distinct from ${sisFiles.id}::text`;

/** Finds the owner's file, if it still exists. */
export async function findFile(db: Db, login: string, id: string): Promise<StoredFile | null> {
  const [row] = await db
    .select({
      summary: sisFiles.summary,
      files: sisFiles.files,
      lms: sisFiles.lms,
      createdAt: sisFiles.createdAt,
      importId: imports.id,
      draft: sisDrafts.id,
    })
    .from(sisFiles)
    .leftJoin(imports, eq(imports.id, sisFiles.id))
    .leftJoin(sisDrafts, and(eq(sisDrafts.fileId, sisFiles.id), gt(sisDrafts.expiresAt, sql`now()`), BECAME))
    .where(and(eq(sisFiles.id, id), eq(sisFiles.login, login), gt(sisFiles.expiresAt, sql`now()`)));
  return row ?? null;
}

/**
 * Reads the admin's own file.
 * @throws AppError not-allowed; not-found, including if it was checked against another LMS: that check is not valid for
 * this one
 */
export async function requireFile(
  db: Db,
  identity: LmsIdentity,
  admin: Admin,
  id: string,
): Promise<StoredFile> {
  requireTool(admin, 'sis-import');
  const found = await findFile(db, admin.login, id);
  if (found && sameLms(found.lms, identity.known())) return found;
  throw new AppError('not-found', {
    message: 'The file was not found.',
    next: 'Files are kept for a day. Upload the file again.',
  });
}

/** Returns the file as sent to the browser. */
export function toSisFile({ summary, createdAt, importId, draft }: StoredFile): SisFile {
  return { ...summary.file, created_at: createdAt.toISOString(), import_id: importId, draft };
}
