/** Refused files, mended in place: kept a day for who uploaded them, corrected by steps, checked anew after each. */
import { randomUUID } from 'node:crypto';
import type { DraftCorrection, DraftRows, OpenDraft, SisDraft } from '@lms-admin/contract/sis-drafts';
import { DRAFT_PAGE_ROWS } from '@lms-admin/contract/sis-drafts';
import type { SisFile } from '@lms-admin/contract/sis-files';
import { BadCsv, CsvReader, type CsvRow } from '@lms-admin/domain/csv-reader';
import type { Mending, MendStep } from '@lms-admin/domain/sis-mending';
import { looksBinary, sisHeader } from '@lms-admin/domain/sis-rows';
import { sisTableFor } from '@lms-admin/domain/sis-tables';
import { requireTool } from '../../access/rights.ts';
import type { Admin } from '../../auth/admin.ts';
import { type LmsIdentity, sameLms } from '../../canvas/identity.ts';
import { deletePieces, readPieces, storePieces } from '../../files/pieces.ts';
import type { Download } from '../../platform/answers.ts';
import type { Database, Db } from '../../platform/database.ts';
import { AppError } from '../../platform/errors.ts';
import { storable } from '../../platform/text.ts';
import { FileCheck, senderProblem } from '../check.ts';
import type { CheckServices } from '../policies/policy.ts';
import type { UploadCopy } from './copy.ts';
import { toOpenDraft, toSisDraft } from './draft-view.ts';
import { GroupedProblems } from './grouped-problems.ts';
import { type FileShape, type Looked, look, shapeOf } from './look.ts';
import { type Late, mendedBytes, mendedCsv, mendingOf, rowsOf } from './mended-rows.ts';
import { draftRowsOf } from './pages.ts';
import { nextSteps } from './steps.ts';
import {
  deleteDraft,
  findDraft,
  findOpenDrafts,
  noteFile,
  type StoredDraft,
  saveDraft,
  updateDraft,
} from './store.ts';

/** Late problems that are kept: they are those of rows that have been looked up one by one. */
const MOST_LATE = 10_000;

export interface Asking {
  signal: AbortSignal;
  requestId: string;
}

/** A mended file on its way through the check of an upload. */
export interface MendedFile {
  name: string;
  bytes: AsyncIterable<Uint8Array>;
  problems: GroupedProblems;
  reader: CsvReader;
  /** Rows that are blank since they were left out. */
  leftOut: number;
}

type DraftServices = CheckServices & { db: Database; identity: LmsIdentity };
/** The whole check, as of an upload; what fits becomes a checked file. */
type WholeCheck = (admin: Admin, file: MendedFile, asking: Asking) => Promise<SisFile>;

export class SisDrafts {
  readonly #services: DraftServices;
  readonly #db: Db;
  readonly #check: WholeCheck;
  /** Drafts that are being checked: twice at once would be work for nothing, since one of both comes too late. */
  readonly #busy = new Set<string>();

  constructor(services: DraftServices, check: WholeCheck) {
    this.#services = services;
    this.#db = services.db.db;
    this.#check = check;
  }

  /**
   * Keeps what was refused, where it can be mended in place.
   * @param refusal what the check has thrown
   * @returns the refusal, naming the draft if there is one
   */
  async keep(
    admin: Admin,
    name: string,
    copy: UploadCopy,
    problems: GroupedProblems,
    refusal: AppError,
  ): Promise<AppError> {
    if (!isOfRows(refusal, problems)) return refusal;
    const id = randomUUID();
    try {
      const bytes = await copy.whole();
      const reader = new CsvReader(null);
      const shape = await shapeOf(rowsOf(bytes, reader));
      if (shape === null || !mendable(admin, shape)) return refusal;
      const delimiter = reader.delimiter ?? ',';
      const file = { shape, delimiter, late: [] };
      const looked = await look(rowsOf(bytes), mendingOf([], shape), problems, file);
      if (problems.late) looked.summary.late = lateIn(looked.lines);
      await storePieces(this.#db, id, bytes);
      const lms = await this.#services.identity.lastSeen(admin.token);
      await saveDraft(this.#db, { id, login: admin.login, name: storable(name), lms, fileId: null }, looked);
    } catch (error) {
      await deletePieces(this.#db, id);
      // From some row on it cannot be read.
      if (error instanceof BadCsv) return refusal;
      throw error;
    }
    return refusedDraft(id, refusal, 'Correct it here, or in the file and upload it again.', problems);
  }

  /** The drafts of this administrator that are still open, newest first: those that were submitted are not. */
  async open(admin: Admin): Promise<OpenDraft[]> {
    requireTool(admin, 'sis-import');
    const drafts = await findOpenDrafts(this.#db, admin.login);
    return drafts.filter(({ lms }) => this.#isOfThisLms(lms)).map(toOpenDraft);
  }

  /** Deletes a draft. @throws AppError not-allowed, not-found */
  async discard(admin: Admin, id: string): Promise<void> {
    const draft = await this.#ownDraft(admin, id);
    await deleteDraft(this.#db, admin.login, draft.id);
  }

  /** @throws AppError not-allowed, not-found: also for anybody but who uploaded the file */
  async get(admin: Admin, id: string): Promise<SisDraft> {
    return toSisDraft(await this.#ownDraft(admin, id));
  }

  async rows(
    admin: Admin,
    id: string,
    { page, group }: { page: number; group?: number | undefined },
  ): Promise<DraftRows> {
    const { version } = await this.#ownDraft(admin, id);
    const listed = readPieces(this.#db, id, version);
    return { version, ...(await draftRowsOf(listed, page * DRAFT_PAGE_ROWS, group)) };
  }

  /** Takes a step, or the last one back. @throws AppError conflict when the draft has changed meanwhile; bad-request */
  async correct(
    admin: Admin,
    id: string,
    { version, step }: DraftCorrection,
    { signal }: Asking,
  ): Promise<SisDraft> {
    const draft = await this.#currentDraft(admin, id, version);
    return this.#alone(id, async () => {
      const steps = await nextSteps(draft, step, (group) => this.#rowsOfGroup(draft, group));
      return this.#update(draft, steps, await this.#checkRows(admin, draft, steps, signal));
    });
  }

  /** What was mended becomes a checked file, as by an upload. @throws AppError bad-request when something is still wrong */
  async finish(admin: Admin, id: string, version: number, asking: Asking): Promise<SisFile> {
    const draft = await this.#currentDraft(admin, id, version);
    return this.#alone(id, async () => {
      const { name, steps, summary } = draft;
      const mending = mendingOf(steps, summary.shape);
      const problems = new GroupedProblems();
      const bytes = mendedBytes(this.#rowsAsUploaded(draft), mending);
      const reader = new CsvReader(',', null);
      const leftOut = summary.draft.left_out;
      try {
        const file = await this.#check(admin, { name, bytes, problems, reader, leftOut }, asking);
        await noteFile(this.#db, draft, file.id);
        return file;
      } catch (error) {
        if (!isOfRows(error, problems)) throw error;
        const looked = await this.#look(draft, mending, problems, []);
        looked.summary.late = lateIn(looked.lines);
        await this.#update(draft, steps, looked);
        throw refusedDraft(id, error, 'Correct what is still wrong.', problems);
      }
    });
  }

  /** What was mended, to be saved. */
  async csv(admin: Admin, id: string): Promise<Download> {
    const draft = await this.#ownDraft(admin, id);
    const { shape, delimiter } = draft.summary;
    const content = mendedCsv(this.#rowsAsUploaded(draft), mendingOf(draft.steps, shape), delimiter);
    const name = `${draft.name.replace(/\.[^.]*$/, '')}-mended.csv`;
    return { name, type: 'text/csv; charset=utf-8', content };
  }

  async #ownDraft(admin: Admin, id: string): Promise<StoredDraft> {
    requireTool(admin, 'sis-import');
    const draft = await findDraft(this.#db, admin.login, id);
    if (!draft || !this.#isOfThisLms(draft.lms)) {
      throw new AppError('not-found', {
        message: 'This draft is not kept any more: it was discarded, or uploaded more than a day ago.',
        next: 'Upload the file again.',
      });
    }
    return draft;
  }

  async #currentDraft(admin: Admin, id: string, version: number): Promise<StoredDraft> {
    const draft = await this.#ownDraft(admin, id);
    if (draft.version !== version) throw changedMeanwhile();
    return draft;
  }

  /** What was checked against another LMS says nothing about this one. */
  #isOfThisLms(lms: string): boolean {
    return sameLms(lms, this.#services.identity.known());
  }

  async #alone<T>(id: string, work: () => Promise<T>): Promise<T> {
    if (this.#busy.has(id)) throw changedMeanwhile();
    this.#busy.add(id);
    try {
      return await work();
    } finally {
      this.#busy.delete(id);
    }
  }

  #rowsAsUploaded({ id }: StoredDraft): AsyncIterable<CsvRow[]> {
    return rowsOf(readPieces(this.#db, id));
  }

  async #rowsOfGroup({ id, version }: StoredDraft, group: number): Promise<number[]> {
    const listed = readPieces(this.#db, id, version);
    const { rows } = await draftRowsOf(listed, 0, group, Number.POSITIVE_INFINITY);
    return rows.map(({ row }) => row);
  }

  /** Checks the file as these steps leave it. What asks about each person is left to the whole check. */
  async #checkRows(
    admin: Admin,
    draft: StoredDraft,
    steps: readonly MendStep[],
    signal: AbortSignal,
  ): Promise<Looked> {
    const { late, shape } = draft.summary;
    const mending = mendingOf(steps, shape);
    const problems = new GroupedProblems();
    const report = problems.reportFor();
    const bytes = mendedBytes(this.#rowsAsUploaded(draft), mending, { late, report });
    const check = new FileCheck({ services: this.#services, admin, signal }, problems, false);
    try {
      for await (const _ of check.texts(bytes, draft.name, false, () => {}, new CsvReader(',', null)));
    } catch (error) {
      if (!isOfRows(error, problems)) throw error;
    }
    return this.#look(draft, mending, problems, late);
  }

  #look(draft: StoredDraft, mending: Mending, problems: GroupedProblems, late: Late): Promise<Looked> {
    const { shape, delimiter } = draft.summary;
    return look(this.#rowsAsUploaded(draft), mending, problems, { shape, delimiter, late });
  }

  async #update(draft: StoredDraft, steps: MendStep[], looked: Looked): Promise<SisDraft> {
    const updated = await updateDraft(this.#db, draft, steps, looked);
    if (updated === null) throw changedMeanwhile();
    return toSisDraft(updated);
  }
}

/** A picture, a file without rows, or one that this admin may not send whatever its rows say, is not mended. */
function mendable(admin: Admin, { header, rows }: FileShape): boolean {
  const table = sisTableFor(sisHeader(header));
  if (rows === 0 || header.length === 0) return false;
  if (table === null) return !looksBinary(header.join(','));
  return senderProblem(table, admin.record.perm !== 'ALL') === null;
}

/** Whether it refuses the file for these problems, and all of them are known. */
function isOfRows(error: unknown, problems: GroupedProblems): error is AppError {
  return problems.any && !problems.tooMany && error instanceof AppError && error.code === 'bad-request';
}

function refusedDraft(
  draft: string,
  { message }: AppError,
  next: string,
  { details }: GroupedProblems,
): AppError {
  return new AppError('bad-request', { message, next, details, draft });
}

function changedMeanwhile(): AppError {
  return new AppError('conflict', {
    message:
      'This file has been corrected elsewhere meanwhile, perhaps in another tab. This correction was not made.',
    next: 'Look at the file as it is now, and correct what is still wrong.',
  });
}

/** What the whole check found beyond the check of rows, by row, column and value. */
function lateIn(lines: readonly string[]): Late {
  const late: Late = [];
  for (const line of lines) {
    const { row, cells, problems } = JSON.parse(line) as DraftRows['rows'][number];
    for (const { column, message } of problems)
      if (column !== null && late.length < MOST_LATE) late.push([row, column, cells[column] ?? '', message]);
  }
  return late;
}
