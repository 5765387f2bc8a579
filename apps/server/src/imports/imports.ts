/** Imports as the rest of the back end sees them: submit once, ask how it stands, list, read the messages (area IMP). */
import type { ImportMessage, ImportRowMessage, SisImport, SubmitPayload } from '@lms-admin/contract/imports';
import { asc, desc, eq } from 'drizzle-orm';
import { type Admin, mayCall } from '../access/admin.ts';
import { CanvasError } from '../canvas/types.ts';
import { AppError } from '../platform/errors.ts';
import { importMessages, imports } from '../platform/schema.ts';
import type { ImportsPort, Submission } from '../services.ts';
import { createLinks } from './links.ts';
import { createLmsImports } from './lms-imports.ts';
import { foreignSisImport, type ImportRow, toSisImport } from './record.ts';
import { type FailedRows, failedRows, rowsSaid } from './rows.ts';
import type { ImportRunner } from './runner.ts';
import { createRecorder, type SubmitServices } from './submit.ts';
import { submitFile } from './submit-file.ts';
import { submitPlan } from './submit-plan.ts';
import { submitRows } from './submit-rows.ts';

export interface Imports extends ImportsPort {
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

export function createImports(services: SubmitServices, runner: ImportRunner): Imports {
  const { config } = services;
  const { db } = services.db;
  const lms = createLmsImports(services.canvas);
  const links = createLinks(db, lms);
  const recorder = createRecorder(services, runner);

  async function submit(admin: Admin, payload: SubmitPayload, asking: Submission = {}): Promise<SisImport> {
    if (typeof payload === 'string' || Array.isArray(payload)) {
      return submitRows(services, recorder, admin, payload, null, asking);
    }
    if ('plan' in payload) return submitPlan(services, recorder, admin, payload.plan, asking);
    if ('file' in payload) return submitFile(services, recorder, admin, payload, asking);
    return submitRows(services, recorder, admin, payload.csv, payload.key ?? null, asking);
  }

  async function status(admin: Admin, id: string, signal?: AbortSignal): Promise<SisImport> {
    const row = await visible(admin, id);
    if (row) return toSisImport(await links.fresh(admin, row), config.lms);
    if (UUID.test(id) || admin.record.perm !== 'ALL') throw notFound();
    try {
      return foreignSisImport(await lms.get(admin.token, Number(id), signal), config.lms);
    } catch (error) {
      if (error instanceof CanvasError && error.kind === 'not-found') throw notFound();
      throw error;
    }
  }

  /** The record, if this admin may see it: their own, or any for `ALL`, who may also ask by the LMS's number (OP-40). */
  async function visible(admin: Admin, id: string): Promise<ImportRow | null> {
    const all = admin.record.perm === 'ALL';
    if (!UUID.test(id) && !(all && /^[1-9]\d{0,15}$/.test(id))) throw notFound();
    const [row] = await db
      .select()
      .from(imports)
      .where(UUID.test(id) ? eq(imports.id, id) : eq(imports.canvasId, Number(id)));
    if (!row) return null;
    if (row.login !== admin.login && !all) throw notFound();
    return row;
  }

  async function recent(admin: Admin): Promise<SisImport[]> {
    const rows = await db
      .select()
      .from(imports)
      .where(eq(imports.login, admin.login))
      .orderBy(desc(imports.createdAt))
      .limit(RECENT);
    return rows.map((row) => toSisImport(row, config.lms));
  }

  /** Messages name people and courses: they are for those who may see the import itself. */
  async function watched(admin: Admin, id: string): Promise<ImportRow> {
    if (!mayCall(admin, 'sis-import-status')) throw new AppError('not-allowed');
    const row = await visible(admin, id);
    if (!row) throw notFound();
    return row;
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
    rows: async (admin, id, page) => rowsSaid(db, await watched(admin, id), page),
    failedRows: async (admin, id, file) => failedRows(db, await watched(admin, id), file),
  };
}

function notFound(): AppError {
  return new AppError('not-found', { message: 'There is no such import.' });
}
