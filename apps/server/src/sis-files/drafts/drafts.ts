/** Refused files, corrected in place: kept for a day for the uploader, corrected in steps, checked again after each. */
import { randomUUID } from 'node:crypto';
import type {
  DraftCorrection,
  DraftRows,
  DraftRowsQuery,
  OpenDraft,
  SisDraft,
} from '@lms-admin/contract/sis-drafts';
import { DRAFT_PAGE_ROWS } from '@lms-admin/contract/sis-drafts';
import type { SisFile } from '@lms-admin/contract/sis-files';
import { BadCsv, CsvReader, type CsvRow } from '@lms-admin/domain/csv-reader';
import type { CorrectionStep, Corrections } from '@lms-admin/domain/sis-corrections';
import { requireTool } from '../../access/rights.ts';
import type { Admin } from '../../auth/admin.ts';
import { type LmsIdentity, sameLms } from '../../canvas/identity.ts';
import { deletePieces, readPieces, storePieces } from '../../files/pieces.ts';
import type { Download } from '../../platform/answers.ts';
import type { Decoding } from '../../platform/csv/decode.ts';
import type { Database, Db } from '../../platform/database.ts';
import { AppError } from '../../platform/errors.ts';
import type { FileReading } from '../../platform/schema.ts';
import { storable } from '../../platform/text.ts';
import { FileCheck } from '../check.ts';
import type { CheckServices } from '../policies/policy.ts';
import type { StoredFile } from '../store.ts';
import { readingOf } from '../warnings.ts';
import type { UploadCopy } from './copy.ts';
import {
  correctedBytes,
  correctedCsv,
  correctionsOf,
  type Late,
  numberedFrom,
  rowsOf,
} from './corrected-rows.ts';
import { toOpenDraft, toSisDraft } from './draft-view.ts';
import { GroupedProblems } from './grouped-problems.ts';
import { type Looked, look, shapeOf } from './look.ts';
import { draftRowsOf } from './pages.ts';
import {
  alreadySubmitted,
  changedMeanwhile,
  correctable,
  isOfRows,
  lateIn,
  refusedDraft,
} from './refused.ts';
import { lateOf, type Opened, reopen } from './reopen.ts';
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

export interface Asking {
  signal: AbortSignal;
  requestId: string;
}

/** A corrected file for the check of an upload. */
export interface CorrectedFile {
  name: string;
  bytes: AsyncIterable<Uint8Array>;
  problems: GroupedProblems;
  reader: CsvReader;
  /** Rows that are empty because they are skipped. */
  leftOut: number;
  reading: FileReading | undefined;
}

type DraftServices = CheckServices & { db: Database; identity: LmsIdentity };
/** The full check of an upload; a valid file becomes a checked file. */
type WholeCheck = (admin: Admin, file: CorrectedFile, asking: Asking) => Promise<SisFile>;

export class SisDrafts {
  readonly #services: DraftServices;
  readonly #db: Db;
  readonly #check: WholeCheck;
  /** Drafts being checked: if two checks ran at the same time, the result of one would be out of date. */
  readonly #busy = new Set<string>();

  constructor(services: DraftServices, check: WholeCheck) {
    this.#services = services;
    this.#db = services.db.db;
    this.#check = check;
  }

  /**
   * Keeps a refused file as a draft, if it can be corrected in place.
   * @param refusal error of the check
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
      const found: Decoding = { encoding: 'utf-8' };
      const shape = await shapeOf(rowsOf(bytes, reader, found));
      if (shape === null || !correctable(admin, shape)) return refusal;
      const delimiter = reader.delimiter ?? ',';
      const file = {
        shape,
        delimiter,
        late: [],
        reading: readingOf(found.encoding, delimiter, found.readings ?? []),
      };
      const looked = await look(rowsOf(bytes), correctionsOf([], shape), problems, file);
      if (problems.late) looked.summary.late = lateIn(looked.lines);
      await storePieces(this.#db, id, bytes);
      const lms = await this.#services.identity.lastSeen(admin.token);
      await saveDraft(this.#db, { id, login: admin.login, name: storable(name), lms, fileId: null }, looked);
    } catch (error) {
      await deletePieces(this.#db, id);
      // Part of the file cannot be parsed.
      if (error instanceof BadCsv) return refusal;
      throw error;
    }
    return refusedDraft(id, refusal, 'Correct it here, or in the file and upload it again.', problems);
  }

  /**
   * Turns a checked file into a draft in which these rows are wrong. The same file always gives the same draft with
   * its corrections; so does the file that a draft has become.
   * @returns the id of the draft
   */
  async reopen(admin: Admin, stored: StoredFile, why: Opened, { signal }: Asking): Promise<string> {
    const open = await findOpenDrafts(this.#db, admin.login);
    const { id } = stored.summary.file;
    const former =
      open.find(({ fileId }) => fileId === id) ?? open.find(({ summary }) => summary.from === id);
    if (!former) return reopen(this.#db, admin.login, stored, why);
    const { late: before, beside, shape } = former.summary;
    const places = correctionsOf(former.steps, shape).sentPlaces();
    const now = await lateOf(this.#db, stored, why, { late: before, places });
    // The LMS may have changed since, so that it would refuse other rows.
    if (JSON.stringify(now) !== JSON.stringify({ late: before, beside })) {
      const draft = { ...former, summary: { ...former.summary, ...now } };
      await this.#update(draft, draft.steps, await this.#checkRows(admin, draft, draft.steps, signal));
    }
    return former.id;
  }

  /** Lists the administrator's open drafts, newest first, without those that were submitted. */
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

  /** @throws AppError not-allowed; not-found, also for anyone but the uploader */
  async get(admin: Admin, id: string): Promise<SisDraft> {
    return toSisDraft(await this.#ownDraft(admin, id));
  }

  async rows(admin: Admin, id: string, { page, group, corrected }: DraftRowsQuery): Promise<DraftRows> {
    const { version, summary } = await this.#ownDraft(admin, id);
    const { listed, corrected_listed: count = 0 } = summary.draft;
    const span = corrected ? { from: listed, count } : { from: 0, count: listed };
    const kept = readPieces(this.#db, id, version);
    return { version, ...(await draftRowsOf(kept, span, { from: page * DRAFT_PAGE_ROWS, group })) };
  }

  /**
   * Adds a step, or undoes the last one.
   * @throws AppError conflict if the draft has changed in the meantime; bad-request
   */
  async correct(
    admin: Admin,
    id: string,
    { version, key, step }: DraftCorrection,
    { signal }: Asking,
  ): Promise<SisDraft> {
    const draft = await this.#openDraft(admin, id);
    // The answer to the first request was lost.
    const repeated = key !== undefined && draft.summary.key === key && draft.version === version + 1;
    if (repeated) return toSisDraft(draft);
    if (draft.version !== version) throw changedMeanwhile();
    return this.#alone(admin, id, async () => {
      const steps = await nextSteps(draft, step, (group) => this.#rowsOfGroup(draft, group));
      const looked = await this.#checkRows(admin, draft, steps, signal);
      looked.summary.key = key;
      return this.#update(draft, steps, looked);
    });
  }

  /** Turns the corrected draft into a checked file. @throws AppError bad-request when something is still wrong */
  async finish(admin: Admin, id: string, version: number, asking: Asking): Promise<SisFile> {
    const draft = await this.#currentDraft(admin, id, version);
    return this.#alone(admin, id, async () => {
      const { name, steps, summary } = draft;
      const { reading } = summary;
      const corrections = correctionsOf(steps, summary.shape);
      const problems = new GroupedProblems();
      const bytes = correctedBytes(this.#rowsAsUploaded(draft), corrections);
      const reader = new CsvReader(',', null);
      const leftOut = summary.draft.left_out;
      try {
        const file = await this.#check(admin, { name, bytes, problems, reader, leftOut, reading }, asking);
        await noteFile(this.#db, draft, file.id);
        return { ...file, draft: draft.id };
      } catch (error) {
        if (!isOfRows(error, problems)) throw error;
        const looked = await this.#look(draft, corrections, problems, []);
        looked.summary.late = lateIn(looked.lines);
        await this.#update(draft, steps, looked);
        throw refusedDraft(id, error, 'Correct the remaining problems.', problems);
      }
    });
  }

  /** Returns the corrected file for saving. */
  async csv(admin: Admin, id: string): Promise<Download> {
    const draft = await this.#ownDraft(admin, id);
    const { shape, delimiter } = draft.summary;
    const content = correctedCsv(this.#rowsAsUploaded(draft), correctionsOf(draft.steps, shape), delimiter);
    const name = `${draft.name.replace(/\.[^.]*$/, '')}-corrected.csv`;
    return { name, type: 'text/csv; charset=utf-8', content };
  }

  async #ownDraft(admin: Admin, id: string): Promise<StoredDraft> {
    requireTool(admin, 'sis-import');
    const draft = await findDraft(this.#db, admin.login, id);
    if (!draft || !this.#isOfThisLms(draft.lms)) {
      throw new AppError('not-found', {
        message: 'This file is no longer kept, because it was discarded or uploaded more than a day ago.',
        next: 'Upload the file again.',
      });
    }
    return draft;
  }

  async #currentDraft(admin: Admin, id: string, version: number): Promise<StoredDraft> {
    const draft = await this.#openDraft(admin, id);
    if (draft.version !== version) throw changedMeanwhile();
    return draft;
  }

  /** Reads a draft that is still open; a submitted one is closed, because its rows may have been applied. */
  async #openDraft(admin: Admin, id: string): Promise<StoredDraft> {
    const draft = await this.#ownDraft(admin, id);
    if (draft.sent?.nothing === false) throw alreadySubmitted();
    return draft;
  }

  /** Tells whether a check belongs to this LMS: one against another LMS is not valid here. */
  #isOfThisLms(lms: string): boolean {
    return sameLms(lms, this.#services.identity.known());
  }

  async #alone<T>(admin: Admin, id: string, work: () => Promise<T>): Promise<T> {
    if (this.#busy.has(id)) throw changedMeanwhile();
    this.#busy.add(id);
    try {
      return await work();
    } catch (error) {
      // If the draft was discarded in the meantime, this call throws the right error.
      await this.#ownDraft(admin, id);
      throw error;
    } finally {
      this.#busy.delete(id);
    }
  }

  #rowsAsUploaded({ id, summary }: StoredDraft): AsyncIterable<CsvRow[]> {
    return numberedFrom(summary.shape.headerRow, rowsOf(readPieces(this.#db, id)));
  }

  async #rowsOfGroup({ id, version, summary }: StoredDraft, group: number): Promise<number[]> {
    const kept = readPieces(this.#db, id, version);
    const span = { from: 0, count: summary.draft.listed };
    const { rows } = await draftRowsOf(kept, span, { from: 0, group, most: Number.POSITIVE_INFINITY });
    return rows.map(({ row }) => row);
  }

  /** Checks the file after these steps. Lookups of people are left to the full check. */
  async #checkRows(
    admin: Admin,
    draft: StoredDraft,
    steps: readonly CorrectionStep[],
    signal: AbortSignal,
  ): Promise<Looked> {
    const { late, shape } = draft.summary;
    const corrections = correctionsOf(steps, shape);
    const problems = new GroupedProblems();
    const report = problems.reportFor();
    const bytes = correctedBytes(this.#rowsAsUploaded(draft), corrections, { late, report });
    const check = new FileCheck({ services: this.#services, admin, signal }, problems, false);
    try {
      for await (const _ of check.texts(bytes, draft.name, false, () => {}, new CsvReader(',', null)));
    } catch (error) {
      if (!isOfRows(error, problems)) throw error;
    }
    return this.#look(draft, corrections, problems, late);
  }

  #look(
    draft: StoredDraft,
    corrections: Corrections,
    problems: GroupedProblems,
    late: Late,
  ): Promise<Looked> {
    const { shape, delimiter, beside, reading, from, replaced } = draft.summary;
    const file = { shape, delimiter, late, beside, reading, from, replaced };
    return look(this.#rowsAsUploaded(draft), corrections, problems, file);
  }

  async #update(draft: StoredDraft, steps: CorrectionStep[], looked: Looked): Promise<SisDraft> {
    const updated = await updateDraft(this.#db, draft, steps, looked);
    if (updated === null) throw changedMeanwhile();
    return toSisDraft(updated);
  }
}
