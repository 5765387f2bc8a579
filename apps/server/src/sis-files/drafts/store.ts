/** Drafts in the database: whose they are, the steps that lie over the file, what is still wrong. */
import type { MendStep } from '@lms-admin/domain/sis-mending';
import { and, desc, eq, gt, inArray, sql } from 'drizzle-orm';
import { deletePieces } from '../../files/pieces.ts';
import type { Db } from '../../platform/database.ts';
import { filePieces, type SisDraftSummary, sisDrafts } from '../../platform/schema.ts';

/** Milliseconds that a draft is kept, and how many of one admin are: the oldest make room. */
const KEPT_MS = 86_400_000;
const MOST_KEPT = 5;

export interface StoredDraft {
  id: string;
  name: string;
  lms: string;
  version: number;
  steps: MendStep[];
  summary: SisDraftSummary;
  expiresAt: Date;
}

type NewDraft = Omit<StoredDraft, 'expiresAt'> & { login: string };

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
    .offset(MOST_KEPT);
  if (old.length === 0) return;
  const ids = old.map(({ id }) => id);
  await db.delete(sisDrafts).where(inArray(sisDrafts.id, ids));
  for (const id of ids) await deletePieces(db, id);
}

/** The owner's draft, while it is kept. */
export async function findDraft(db: Db, login: string, id: string): Promise<StoredDraft | null> {
  const [row] = await db
    .select({
      id: sisDrafts.id,
      name: sisDrafts.name,
      lms: sisDrafts.lms,
      version: sisDrafts.version,
      steps: sisDrafts.steps,
      summary: sisDrafts.summary,
      expiresAt: sisDrafts.expiresAt,
    })
    .from(sisDrafts)
    .where(and(eq(sisDrafts.id, id), eq(sisDrafts.login, login), gt(sisDrafts.expiresAt, sql`now()`)));
  return row ?? null;
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
