/** Drafts in the database: whose they are, the steps that lie over the file, what is still wrong. */
import { MAX_DRAFTS } from '@lms-admin/contract/sis-drafts';
import type { MendStep } from '@lms-admin/domain/sis-mending';
import { and, desc, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import { deletePieces } from '../../files/pieces.ts';
import type { Db } from '../../platform/database.ts';
import { filePieces, imports, type SisDraftSummary, sisDrafts } from '../../platform/schema.ts';

/** Milliseconds that a draft is kept. */
const KEPT_MS = 86_400_000;

export interface StoredDraft {
  id: string;
  name: string;
  lms: string;
  version: number;
  steps: MendStep[];
  summary: SisDraftSummary;
  /** The checked file that it came from, or that it became last. */
  fileId: string | null;
  createdAt: Date;
  expiresAt: Date;
}

type NewDraft = Omit<StoredDraft, 'createdAt' | 'expiresAt'> & { login: string };

const STORED = {
  id: sisDrafts.id,
  name: sisDrafts.name,
  lms: sisDrafts.lms,
  version: sisDrafts.version,
  steps: sisDrafts.steps,
  summary: sisDrafts.summary,
  fileId: sisDrafts.fileId,
  createdAt: sisDrafts.createdAt,
  expiresAt: sisDrafts.expiresAt,
};
const kept = gt(sisDrafts.expiresAt, sql`now()`);

export async function saveDraft(db: Db, draft: NewDraft): Promise<void> {
  const createdAt = new Date();
  await db
    .insert(sisDrafts)
    .values({ ...draft, createdAt, expiresAt: new Date(createdAt.getTime() + KEPT_MS) });
  const old = await db
    .select({ id: sisDrafts.id })
    .from(sisDrafts)
    .where(eq(sisDrafts.login, draft.login))
    .orderBy(desc(sisDrafts.createdAt))
    .offset(MAX_DRAFTS);
  if (old.length === 0) return;
  const ids = old.map(({ id }) => id);
  await db.delete(sisDrafts).where(inArray(sisDrafts.id, ids));
  for (const id of ids) await deletePieces(db, id);
}

/** The owner's draft, while it is kept. */
export async function findDraft(db: Db, login: string, id: string): Promise<StoredDraft | null> {
  const [row] = await db
    .select(STORED)
    .from(sisDrafts)
    .where(and(eq(sisDrafts.id, id), eq(sisDrafts.login, login), kept));
  return row ?? null;
}

/** The owner's drafts, newest first, without those whose file has been submitted. */
export async function findOpenDrafts(db: Db, login: string): Promise<StoredDraft[]> {
  return db
    .select(STORED)
    .from(sisDrafts)
    .leftJoin(imports, eq(imports.id, sisDrafts.fileId))
    .where(and(eq(sisDrafts.login, login), kept, isNull(imports.id)))
    .orderBy(desc(sisDrafts.createdAt));
}

/** Notes which checked file the draft has become. */
export async function noteFile(db: Db, { id, version }: StoredDraft, fileId: string): Promise<void> {
  await db
    .update(sisDrafts)
    .set({ fileId })
    .where(and(eq(sisDrafts.id, id), eq(sisDrafts.version, version)));
}

/** Deletes the owner's draft with its rows. */
export async function deleteDraft(db: Db, login: string, id: string): Promise<void> {
  const deleted = await db
    .delete(sisDrafts)
    .where(and(eq(sisDrafts.id, id), eq(sisDrafts.login, login)))
    .returning({ id: sisDrafts.id });
  if (deleted.length > 0) await deletePieces(db, id);
}

/** Replaces what is there, unless somebody else was first. The rows of the version before are kept for who is reading them. */
export async function updateDraft(
  db: Db,
  { id, version }: StoredDraft,
  next: Pick<StoredDraft, 'version' | 'steps' | 'summary'>,
): Promise<boolean> {
  const updated = await db
    .update(sisDrafts)
    .set(next)
    .where(and(eq(sisDrafts.id, id), eq(sisDrafts.version, version)))
    .returning({ id: sisDrafts.id });
  if (updated.length === 0) return false;
  await db
    .delete(filePieces)
    .where(and(eq(filePieces.fileId, id), gt(filePieces.part, 0), sql`${filePieces.part} < ${version}`));
  return true;
}
