/** Imports for the rest of the back end: submit once, read the state, list, and read the messages (area IMP). */
import type { ImportMessage, ImportRowMessage, SisImport, SubmitPayload } from '@lms-admin/contract/imports';
import { asc, desc, eq } from 'drizzle-orm';
import { mayCall } from '../access/rights.ts';
import type { Admin } from '../auth/admin.ts';
import { type LmsIdentity, sameLms } from '../canvas/identity.ts';
import { CanvasError } from '../canvas/types.ts';
import { mayOpen } from '../jobs/present.ts';
import type { Db } from '../platform/database.ts';
import { AppError } from '../platform/errors.ts';
import { importMessages, imports, jobs } from '../platform/schema.ts';
import { createLinks } from './links.ts';
import { createLmsImports } from './lms-imports.ts';
import {
  attachmentUrl,
  foreignSisImport,
  type ImportRow,
  importRecords,
  linksFromLms,
  toSisImport,
} from './record.ts';
import { type FailedRows, failedRows, rowsWithMessages } from './rows.ts';
import type { ImportSources, Submission } from './sources.ts';
import { Submissions } from './submissions.ts';
import { offeringUndo } from './undoing.ts';
import type { SubmitServices } from './work.ts';

/** Number of imports in the list of recent ones. */
const RECENT = 50;
const MESSAGES_PER_PAGE = 100;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export class Imports {
  readonly #db: Db;
  readonly #identity: LmsIdentity;
  readonly #attachments: SubmitServices['attachments'];
  readonly #lms: ReturnType<typeof createLmsImports>;
  readonly #links: ReturnType<typeof createLinks>;
  readonly #submissions: Submissions;

  /** @param sources the tools' sources of rows to import */
  constructor(services: SubmitServices, sources: ImportSources) {
    this.#db = services.db.db;
    this.#identity = services.identity;
    this.#attachments = services.attachments;
    this.#lms = createLmsImports(services.canvas);
    this.#links = createLinks(this.#db, this.#lms);
    this.#submissions = new Submissions(services, sources);
  }

  /** Records and starts an import. A repeat with the same key or plan returns the first one (OP-42). */
  submit(admin: Admin, payload: SubmitPayload, asking: Submission = {}): Promise<SisImport> {
    return this.#submissions.submit(admin, payload, asking);
  }

  /** Takes our id (UUID), or a number of the LMS if the admin's `perm` is `ALL`. @throws AppError not-found (OP-40) */
  async status(admin: Admin, id: string, signal?: AbortSignal): Promise<SisImport> {
    const row = await this.#visible(admin, id);
    const now = this.#identity.known();
    if (row && !mayOpen(row, admin)) return withoutNames(toSisImport(row, this.#attachments, now));
    if (row) {
      const fresh = await this.#links.fresh(admin, row, now);
      const shown = toSisImport(fresh, this.#attachments, now, admin);
      const [one = shown] = await offeringUndo(this.#db, [shown]);
      return one;
    }
    if (UUID.test(id) || admin.record.perm !== 'ALL') throw notFound();
    try {
      return foreignSisImport(await this.#lms.get(admin.token, Number(id), signal), this.#attachments);
    } catch (error) {
      if (error instanceof CanvasError && error.kind === 'not-found') throw notFound();
      throw error;
    }
  }

  /** Returns the admin's own latest imports, newest first. */
  async recent(admin: Admin): Promise<SisImport[]> {
    const rows = await importRecords(this.#db)
      .where(eq(jobs.login, admin.login))
      .orderBy(desc(jobs.createdAt))
      .limit(RECENT);
    const now = this.#identity.known();
    return offeringUndo(
      this.#db,
      rows.map((row) => toSisImport(row, this.#attachments, now, admin)),
    );
  }

  /**
   * Returns a page of the messages about an import's rows, in row order.
   * @param page counted from 1, 100 messages each
   * @throws AppError not-allowed, not-found
   */
  async messages(
    admin: Admin,
    id: string,
    page: number,
  ): Promise<{ messages: ImportMessage[]; more: boolean }> {
    const row = await this.#watched(admin, id);
    const found = await this.#db
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

  /**
   * Returns a page of the rows that have messages, with the admin's own cells.
   * @param page counted from 1, 100 rows each
   * @throws AppError not-allowed, not-found
   */
  async rows(admin: Admin, id: string, page: number): Promise<{ rows: ImportRowMessage[]; more: boolean }> {
    return rowsWithMessages(this.#db, await this.#watched(admin, id), page);
  }

  /**
   * Returns a file that the LMS keeps for an import, read from the LMS.
   * @param name as in `errors_attachment` and `csv_attachments`
   * @throws AppError not-allowed, not-found
   */
  async attachment(
    admin: Admin,
    id: string,
    name: string,
    signal?: AbortSignal,
  ): Promise<{ name: string; content: AsyncIterable<Uint8Array> }> {
    if (!mayCall(admin, 'sis-import-status')) throw new AppError('not-allowed');
    const url = attachmentUrl(await this.#linked(admin, id, signal), name);
    if (url === null) throw new AppError('not-found', { message: 'This import does not have this file.' });
    return { name: `sis-import-${id}-${name}.csv`, content: await this.#attachments.read(url, signal) };
  }

  /**
   * Returns the rows with messages as a CSV.
   * @param file name of the file within a zip
   * @throws AppError not-allowed, not-found, bad-request
   */
  async failedRows(admin: Admin, id: string, file: string | null): Promise<FailedRows> {
    return failedRows(this.#db, await this.#watched(admin, id), file);
  }

  /**
   * Returns a record that this admin can see: their own, or any for `ALL`, who can also use the LMS's number (OP-40).
   */
  async #visible(admin: Admin, id: string): Promise<ImportRow | null> {
    const all = admin.record.perm === 'ALL';
    if (!UUID.test(id) && !(all && /^[1-9]\d{0,15}$/.test(id))) throw notFound();
    const rows = await importRecords(this.#db).where(
      UUID.test(id) ? eq(imports.id, id) : eq(imports.canvasId, Number(id)),
    );
    // Another LMS, or the practice LMS before a reset, may have used the same number.
    const row = UUID.test(id) ? rows[0] : rows.find((one) => sameLms(one.lms, this.#identity.known()));
    if (!row) return null;
    if (row.login !== admin.login && !all) throw notFound();
    return row;
  }

  /** Returns the record. Messages and files name people and courses, so other admins need access to the tool. */
  async #watched(admin: Admin, id: string): Promise<ImportRow> {
    if (!mayCall(admin, 'sis-import-status')) throw new AppError('not-allowed');
    const row = await this.#visible(admin, id);
    if (!row) throw notFound();
    if (!mayOpen(row, admin)) throw new AppError('not-allowed');
    return row;
  }

  /** Returns the record with fresh links; for an import that LMS Admin did not send, the data of the LMS. */
  async #linked(admin: Admin, id: string, signal?: AbortSignal) {
    if (UUID.test(id))
      return this.#links.fresh(admin, await this.#watched(admin, id), this.#identity.known());
    if (admin.record.perm !== 'ALL') throw notFound();
    return linksFromLms(await this.#lms.get(admin.token, Number(id), signal));
  }
}

/** Removes the LMS's messages about rows and its files, because they name people. */
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
  return new AppError('not-found', { message: 'The import was not found.' });
}
