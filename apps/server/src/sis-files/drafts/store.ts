/** Drafts in the database: whose they are, the steps that lie over the file, what is still wrong. */
import { MAX_DRAFTS } from '@lms-admin/contract/sis-drafts';
import type { MendStep } from '@lms-admin/domain/sis-mending';
import { and, desc, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import { deletePieces, storePieces } from '../../files/pieces.ts';
import type { Db } from '../../platform/database.ts';
import { filePieces, imports, type SisDraftSummary, sisDrafts } from '../../platform/schema.ts';
import type { Looked } from './look.ts';

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

type NewDraft = Pick<StoredDraft, 'id' | 'name' | 'lms' | 'fileId'> & { login: string };

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

/** Saves the first version of a draft, without any steps; the file itself has been stored. */
export async function saveDraft(db: Db, draft: NewDraft, { lines, summary }: Looked): Promise<void> {
  await storePieces(db, draft.id, inPieces(lines), 1);
  const createdAt = new Date();
  const expiresAt = new Date(createdAt.getTime() + KEPT_MS);
  await db.insert(sisDrafts).values({ ...draft, version: 1, steps: [], summary, createdAt, expiresAt });
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

/**
 * Replaces what is there. The rows of the version before are kept for who is reading them.
 * @returns the draft as it is now; null when another version was first
 */
export async function updateDraft(
  db: Db,
  draft: StoredDraft,
  steps: MendStep[],
  { lines, summary }: Looked,
): Promise<StoredDraft | null> {
  const { id } = draft;
  const version = draft.version + 1;
  await storePieces(db, id, inPieces(lines), version);
  const updated = await db
    .update(sisDrafts)
    .set({ version, steps, summary })
    .where(and(eq(sisDrafts.id, id), eq(sisDrafts.version, draft.version)))
    .returning({ id: sisDrafts.id });
  if (updated.length === 0) return null;
  await db
    .delete(filePieces)
    .where(
      and(eq(filePieces.fileId, id), gt(filePieces.part, 0), sql`${filePieces.part} < ${draft.version}`),
    );
  return { ...draft, version, steps, summary };
}

/** Rows with problems as they are kept. */
async function* inPieces(lines: readonly string[]): AsyncGenerator<string, void, void> {
  for (let at = 0; at < lines.length; at += 100) yield `${lines.slice(at, at + 100).join('\n')}\n`;
}
