/** Imports as the rest of the back end sees them: submit once, ask how it stands, list, read the messages (area IMP). */
import { randomUUID } from 'node:crypto';
import type { ImportMessage, ImportRowMessage, SisImport, SubmitPayload } from '@lms-admin/contract/imports';
import { asc, desc, eq } from 'drizzle-orm';
import { mayCall, requireTool } from '../access/rights.ts';
import type { Admin } from '../auth/admin.ts';
import { sameLms } from '../canvas/identity.ts';
import { CanvasError } from '../canvas/types.ts';
import { deletePieces, storePieces } from '../files/pieces.ts';
import { mayOpen } from '../jobs/present.ts';
import { AppError } from '../platform/errors.ts';
import { importMessages, imports, jobs } from '../platform/schema.ts';
import { createLinks } from './links.ts';
import { createLmsImports } from './lms-imports.ts';
import { noSuchPlan, toolOfPlan, undoOfPlan } from './plan-store.ts';
import {
  attachmentUrl,
  foreignSisImport,
  type ImportRow,
  importRecords,
  linksFromLms,
  toSisImport,
} from './record.ts';
import { type FailedRows, failedRows, rowsSaid } from './rows.ts';
import { type HandMadeCsv, headerOf, rowsByHand } from './rows-by-hand.ts';
import { type ImportSources, type NewImport, planSourceFor, type Submission } from './sources.ts';
import { createRecorder } from './submit.ts';
import { offeringUndo } from './undoable.ts';
import type { SubmitServices } from './work.ts';

export interface Imports {
  /** Records and starts an import; a repeat with the same key or plan answers with the first one (OP-42). */
  submit(admin: Admin, payload: SubmitPayload, asking?: Submission): Promise<SisImport>;
  /** Our id (UUID), or a number of the LMS for admins whose `perm` is `ALL`. @throws AppError not-found (OP-40) */
  status(admin: Admin, id: string, signal?: AbortSignal): Promise<SisImport>;
  /** The admin's own latest imports, newest first. */
  recent(admin: Admin): Promise<SisImport[]>;
  /**
   * A page of what was said about an import's rows, in their order.
   * @param page counted from 1, 100 messages each
   * @throws AppError not-allowed, not-found
   */
  messages(admin: Admin, id: string, page: number): Promise<{ messages: ImportMessage[]; more: boolean }>;
  /**
   * A page of the rows that something was said about, with the admin's own cells.
   * @param page counted from 1, 100 rows each
   * @throws AppError not-allowed, not-found
   */
  rows(admin: Admin, id: string, page: number): Promise<{ rows: ImportRowMessage[]; more: boolean }>;
  /**
   * A file that the LMS keeps about an import, read in the LMS.
   * @param name as in `errors_attachment` and `csv_attachments`
   * @throws AppError not-allowed, not-found
   */
  attachment(
    admin: Admin,
    id: string,
    name: string,
    signal?: AbortSignal,
  ): Promise<{ name: string; content: AsyncIterable<Uint8Array> }>;
  /**
   * Those rows as a CSV.
   * @param file which file of a zip, by its name
   * @throws AppError not-allowed, not-found, bad-request
   */
  failedRows(admin: Admin, id: string, file: string | null): Promise<FailedRows>;
}

/** Imports in the list of recent ones. */
const RECENT = 50;
const MESSAGES_PER_PAGE = 100;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @param sources what the tools hand over to be imported */
export function createImports(services: SubmitServices, sources: ImportSources): Imports {
  const { attachments, identity } = services;
  const { db } = services.db;
  const lms = createLmsImports(services.canvas);
  const links = createLinks(db, lms);
  const recorder = createRecorder(services);

  async function submit(admin: Admin, payload: SubmitPayload, asking: Submission = {}): Promise<SisImport> {
    if (typeof payload === 'string' || Array.isArray(payload))
      return submitRows(admin, payload, null, asking);
    if ('csv' in payload) return submitRows(admin, payload.csv, payload.key ?? null, asking);
    if ('plan' in payload) {
      const key = `plan ${payload.plan}`;
      const first = await recorder.earlier(admin, key);
      return first ?? recorder.record(admin, key, await checkPlan(admin, payload.plan), asking);
    }
    requireTool(admin, ...sources.file.tools);
    const key = `id ${payload.file}`;
    const first = await recorder.earlier(admin, key);
    if (first) return first;
    const { deletions, new_courses: newCourses } = payload;
    const checked = await sources.file.check(admin, payload.file, { deletions, newCourses }, asking);
    return recorder.record(admin, key, checked, asking);
  }

  async function checkPlan(admin: Admin, id: string): Promise<NewImport> {
    const tool = await toolOfPlan(db, admin.login, id);
    if (tool === null) throw noSuchPlan();
    const plan = await planSourceFor(sources, tool).check(admin, id);
    return { ...plan, undo: await undoOfPlan(db, admin.login, id) };
  }

  /** A repeat with the same key finds the first one. The header decides what the rows are. */
  async function submitRows(admin: Admin, csv: HandMadeCsv, given: string | null, asking: Submission) {
    const id = randomUUID();
    const key = given === null ? `id ${id}` : `rows ${given}`;
    const first = given === null ? null : await recorder.earlier(admin, key);
    if (first) return first;
    const header = await headerOf(rowsByHand(csv));
    const source = sources.rows.find((one) => one.takes(header));
    if (!source) throw new Error('no kind of rows takes what the others do not');
    const { texts, ...what } = await source.check(admin, csv, asking);
    await storePieces(db, id, asAsync(texts));
    const answer = await recorder.record(admin, key, { ...what, id, csvReady: true }, asking);
    // A repeat that came at the same time was faster: its CSV is the one that counts.
    if (answer.id !== id) await deletePieces(db, id);
    return answer;
  }

  async function status(admin: Admin, id: string, signal?: AbortSignal): Promise<SisImport> {
    const row = await visible(admin, id);
    const now = identity.known();
    if (row && !mayOpen(row, admin)) return withoutNames(toSisImport(row, attachments, now));
    if (row) {
      const shown = toSisImport(await links.fresh(admin, row, now), attachments, now, admin);
      const [one = shown] = await offeringUndo(db, [shown]);
      return one;
    }
    if (UUID.test(id) || admin.record.perm !== 'ALL') throw notFound();
    try {
      return foreignSisImport(await lms.get(admin.token, Number(id), signal), attachments);
    } catch (error) {
      if (error instanceof CanvasError && error.kind === 'not-found') throw notFound();
      throw error;
    }
  }

  /** The record, if this admin may see it: their own, or any for `ALL`, who may also ask by the LMS's number (OP-40). */
  async function visible(admin: Admin, id: string): Promise<ImportRow | null> {
    const all = admin.record.perm === 'ALL';
    if (!UUID.test(id) && !(all && /^[1-9]\d{0,15}$/.test(id))) throw notFound();
    const rows = await importRecords(db).where(
      UUID.test(id) ? eq(imports.id, id) : eq(imports.canvasId, Number(id)),
    );
    // Another LMS, or the practice campus before a reset, has given the same numbers.
    const row = UUID.test(id) ? rows[0] : rows.find((one) => sameLms(one.lms, identity.known()));
    if (!row) return null;
    if (row.login !== admin.login && !all) throw notFound();
    return row;
  }

  async function recent(admin: Admin): Promise<SisImport[]> {
    const rows = await importRecords(db)
      .where(eq(jobs.login, admin.login))
      .orderBy(desc(jobs.createdAt))
      .limit(RECENT);
    return offeringUndo(
      db,
      rows.map((row) => toSisImport(row, attachments, identity.known(), admin)),
    );
  }

  /** Messages and files name people and courses: those of others are for people who may use the tool themselves. */
  async function watched(admin: Admin, id: string): Promise<ImportRow> {
    if (!mayCall(admin, 'sis-import-status')) throw new AppError('not-allowed');
    const row = await visible(admin, id);
    if (!row) throw notFound();
    if (!mayOpen(row, admin)) throw new AppError('not-allowed');
    return row;
  }

  /** The record with fresh links; of an import that LMS Admin did not send, what the LMS says. */
  async function linked(admin: Admin, id: string, signal?: AbortSignal) {
    if (UUID.test(id)) return links.fresh(admin, await watched(admin, id), identity.known());
    if (admin.record.perm !== 'ALL') throw notFound();
    return linksFromLms(await lms.get(admin.token, Number(id), signal));
  }

  async function attachment(admin: Admin, id: string, name: string, signal?: AbortSignal) {
    if (!mayCall(admin, 'sis-import-status')) throw new AppError('not-allowed');
    const url = attachmentUrl(await linked(admin, id, signal), name);
    if (url === null) throw new AppError('not-found', { message: 'This import has no such file.' });
    return { name: `sis-import-${id}-${name}.csv`, content: await attachments.read(url, signal) };
  }

  async function messages(admin: Admin, id: string, page: number) {
    const row = await watched(admin, id);
    const found = await db
      .select({ file: importMessages.file, message: importMessages.message, row: importMessages.row })
      .from(importMessages)
      .where(eq(importMessages.importId, row.id))
      .orderBy(asc(importMessages.seq))
      .limit(MESSAGES_PER_PAGE + 1)
      .offset((page - 1) * MESSAGES_PER_PAGE);
    return {
      messages: found.slice(0, MESSAGES_PER_PAGE),
      more: found.length > MESSAGES_PER_PAGE,
    };
  }

  return {
    submit,
    status,
    recent,
    messages,
    attachment,
    rows: async (admin, id, page) => rowsSaid(db, await watched(admin, id), page),
    failedRows: async (admin, id, file) => failedRows(db, await watched(admin, id), file),
  };
}

async function* asAsync(texts: readonly string[]): AsyncGenerator<string, void, void> {
  yield* texts;
}

/** What the LMS says of rows, and its files, name people. */
function withoutNames(one: SisImport): SisImport {
  return {
    ...one,
    processing_warnings: [],
    processing_errors: [],
    errors_attachment: null,
    attachment_pending: false,
    csv_attachments: [],
    note: null,
  };
}

function notFound(): AppError {
  return new AppError('not-found', { message: 'There is no such import.' });
}
