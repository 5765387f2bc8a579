/** Drafts in the database: their owner, the correction steps, and the remaining problems. */
import { MAX_DRAFTS } from '@lms-admin/contract/sis-drafts';
import type { CorrectionStep } from '@lms-admin/domain/sis-corrections';
import { and, desc, eq, gt, inArray, sql } from 'drizzle-orm';
import { deletePieces, storePieces } from '../../files/pieces.ts';
import { noneApplied } from '../../imports/record.ts';
import type { Db } from '../../platform/database.ts';
import { filePieces, imports, jobs, type SisDraftSummary, sisDrafts } from '../../platform/schema.ts';
import type { Looked } from './look.ts';

/** Milliseconds for which a draft is kept. */
const KEPT_MS = 86_400_000;

export interface StoredDraft {
  id: string;
  name: string;
  lms: string;
  version: number;
  steps: CorrectionStep[];
  summary: SisDraftSummary;
  /** The checked file that it came from, or last became. */
  fileId: string | null;
  /** The import of that file once submitted, and whether it applied no rows. */
  sent: { import: string; nothing: boolean } | null;
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
/** Tells whether a file can still be submitted: a submitted file is closed, unless its import has applied no rows. */
const isOpen = ({ sent }: Pick<StoredDraft, 'sent'>) => sent === null || sent.nothing;

/** Creates the query for drafts with the imports of their files, to be filtered further. */
function drafts(db: Db) {
  return db
    .select({ ...STORED, of: imports, endedAt: jobs.endedAt })
    .from(sisDrafts)
    .leftJoin(imports, eq(imports.id, sisDrafts.fileId))
    .leftJoin(jobs, eq(jobs.id, imports.id))
    .$dynamic();
}

type Read = Awaited<ReturnType<typeof drafts>>[number];

function toDraft({ of, endedAt, ...draft }: Read): StoredDraft {
  return { ...draft, sent: of && { import: of.id, nothing: noneApplied({ ...of, endedAt }) } };
}

/** Saves the first version of a draft, without any steps; the file itself has already been stored. */
export async function saveDraft(db: Db, draft: NewDraft, looked: Looked): Promise<void> {
  const { summary } = looked;
  await storePieces(db, draft.id, inPieces(looked), 1);
  const createdAt = new Date();
  const expiresAt = new Date(createdAt.getTime() + KEPT_MS);
  const old = await pushedOut(db, draft.login);
  const replaced = old.flatMap((one) =>
    one.steps.length > 0 && one.expiresAt > createdAt && isOpen(one)
      ? [{ name: one.name, steps: one.steps.length }]
      : [],
  );
  await db.insert(sisDrafts).values({
    ...draft,
    version: 1,
    steps: [],
    summary: { ...summary, replaced },
    createdAt,
    expiresAt,
  });
  if (old.length === 0) return;
  const ids = old.map(({ id }) => id);
  await db.delete(sisDrafts).where(inArray(sisDrafts.id, ids));
  for (const id of ids) await deletePieces(db, id);
}

/**
 * Lists the drafts to delete in favour of a new one: submitted ones first, then those without corrections, then the
 * oldest.
 */
async function pushedOut(db: Db, login: string): Promise<StoredDraft[]> {
  const all = (await drafts(db).where(eq(sisDrafts.login, login)).orderBy(sisDrafts.createdAt)).map(toDraft);
  const worth = (one: StoredDraft) =>
    !isOpen(one) || one.expiresAt <= new Date() ? 0 : one.steps.length === 0 ? 1 : 2;
  return all.sort((a, b) => worth(a) - worth(b)).slice(0, Math.max(0, all.length + 1 - MAX_DRAFTS));
}

/** Finds the owner's draft, if it still exists. */
export async function findDraft(db: Db, login: string, id: string): Promise<StoredDraft | null> {
  const [row] = await drafts(db).where(and(eq(sisDrafts.id, id), eq(sisDrafts.login, login), kept));
  return row ? toDraft(row) : null;
}

/** Finds the owner's drafts, newest first, without those whose file has been submitted and may have been applied. */
export async function findOpenDrafts(db: Db, login: string): Promise<StoredDraft[]> {
  const found = await drafts(db)
    .where(and(eq(sisDrafts.login, login), kept))
    .orderBy(desc(sisDrafts.createdAt));
  return found.map(toDraft).filter(isOpen);
}

/** Records the checked file that the draft has become. */
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
 * Replaces the draft's contents. The previous version's rows are kept for current readers.
 * @returns the draft as it is now; null if another version was stored first
 */
export async function updateDraft(
  db: Db,
  draft: StoredDraft,
  steps: CorrectionStep[],
  looked: Looked,
): Promise<StoredDraft | null> {
  const { id } = draft;
  const { summary } = looked;
  const version = draft.version + 1;
  await storePieces(db, id, inPieces(looked), version);
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

/** Yields the listed rows as stored: those with problems, then those with corrected cells. */
async function* inPieces({ lines, corrected }: Looked): AsyncGenerator<string, void, void> {
  for (const list of [lines, corrected])
    for (let at = 0; at < list.length; at += 100) yield `${list.slice(at, at + 100).join('\n')}\n`;
}
