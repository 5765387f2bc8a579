/** Refused files, mended in place: kept a day for who uploaded them, corrected by steps, checked anew after each. */
import { randomUUID } from 'node:crypto';
import type { DraftCorrection, DraftRows, OpenDraft, SisDraft } from '@lms-admin/contract/sis-drafts';
import { DRAFT_PAGE_ROWS } from '@lms-admin/contract/sis-drafts';
import { type SisFile } from '@lms-admin/contract/sis-files';
import { BadCsv, CsvReader } from '@lms-admin/domain/csv-reader';
import { Mending, type MendStep } from '@lms-admin/domain/sis-mending';
import { looksBinary, sisHeader } from '@lms-admin/domain/sis-rows';
import { sisTableFor } from '@lms-admin/domain/sis-tables';
import { requireTool } from '../../access/rights.ts';
import type { Admin } from '../../auth/admin.ts';
import { type LmsIdentity, sameLms } from '../../canvas/identity.ts';
import { deletePieces, readPieces, storePieces } from '../../files/pieces.ts';
import type { Download } from '../../platform/answers.ts';
import type { Database } from '../../platform/database.ts';
import { AppError } from '../../platform/errors.ts';
import { storable } from '../../platform/text.ts';
import { FileCheck, senderProblem } from '../check.ts';
import type { CheckServices } from '../policies/policy.ts';
import type { UploadCopy } from './copy.ts';
import { toOpenDraft, toSisDraft } from './draft-view.ts';
import { GroupedProblems } from './grouped-problems.ts';
import { type FileShape, type Looked, look, shapeOf } from './look.ts';
import { mendedBytes, mendedCsv, rowsOf } from './mended-rows.ts';
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

export interface SisDrafts {
  /**
   * Keeps what was refused, where it can be mended in place.
   * @param refusal what the check has thrown
   * @returns the refusal, naming the draft if there is one
   */
  keep(
    admin: Admin,
    name: string,
    copy: UploadCopy,
    problems: GroupedProblems,
    refusal: AppError,
  ): Promise<AppError>;
  /** The drafts of this administrator that are still open, newest first: those that were submitted are not. */
  open(admin: Admin): Promise<OpenDraft[]>;
  /** Deletes a draft. @throws AppError not-allowed, not-found */
  discard(admin: Admin, id: string): Promise<void>;
  /** @throws AppError not-allowed, not-found: also for anybody but who uploaded the file */
  get(admin: Admin, id: string): Promise<SisDraft>;
  rows(admin: Admin, id: string, asked: { page: number; group?: number | undefined }): Promise<DraftRows>;
  /** Takes a step, or the last one back. @throws AppError conflict when the draft has changed meanwhile; bad-request */
  correct(admin: Admin, id: string, correction: DraftCorrection, asking: Asking): Promise<SisDraft>;
  /** What was mended becomes a checked file, as by an upload. @throws AppError bad-request when something is still wrong */
  finish(admin: Admin, id: string, version: number, asking: Asking): Promise<SisFile>;
  /** What was mended, to be saved. */
  csv(admin: Admin, id: string): Promise<Download>;
}

export function createSisDrafts(
  services: CheckServices & { db: Database; identity: LmsIdentity },
  check: (admin: Admin, file: MendedFile, asking: Asking) => Promise<SisFile>,
): SisDrafts {
  const { db } = services.db;
  /** Drafts that are being checked: twice at once would be work for nothing, since one of both comes too late. */
  const busy = new Set<string>();

  async function found(admin: Admin, id: string): Promise<StoredDraft> {
    requireTool(admin, 'sis-import');
    const draft = await findDraft(db, admin.login, id);
    // What was checked against another LMS says nothing about this one.
    if (!draft || !sameLms(draft.lms, services.identity.known())) {
      throw new AppError('not-found', {
        message: 'This draft is not kept any more: it was discarded, or uploaded more than a day ago.',
        next: 'Upload the file again.',
      });
    }
    return draft;
  }

  const sourceOf = ({ id }: StoredDraft) => rowsOf(readPieces(db, id));

  async function alone<T>(id: string, work: () => Promise<T>): Promise<T> {
    if (busy.has(id)) throw changedMeanwhile();
    busy.add(id);
    try {
      return await work();
    } finally {
      busy.delete(id);
    }
  }

  /** Checks the file as these steps leave it. What asks about each person is left to the whole check. */
  async function checked(
    admin: Admin,
    draft: StoredDraft,
    steps: readonly MendStep[],
    signal: AbortSignal,
  ): Promise<Looked> {
    const { late, shape } = draft.summary;
    const mending = mendingOf(steps, shape);
    const problems = new GroupedProblems();
    const bytes = mendedBytes(sourceOf(draft), mending, { late, report: problems.reportFor() });
    const one = new FileCheck({ services, admin, signal }, problems, false);
    try {
      for await (const _ of one.texts(bytes, draft.name, false, () => {}, new CsvReader(',', null)));
    } catch (error) {
      if (!problems.any || !isRefusal(error) || problems.tooMany) throw error;
    }
    return look(sourceOf(draft), mending, problems, { shape, delimiter: draft.summary.delimiter, late });
  }

  async function update(
    draft: StoredDraft,
    steps: MendStep[],
    { lines, summary }: Looked,
  ): Promise<SisDraft> {
    const version = draft.version + 1;
    await storePieces(db, draft.id, inPieces(lines), version);
    if (!(await updateDraft(db, draft, { version, steps, summary }))) throw changedMeanwhile();
    return toSisDraft({ ...draft, version, steps, summary });
  }

  return {
    async keep(admin, name, copy, problems, refusal) {
      if (!problems.any || problems.tooMany || !isRefusal(refusal)) return refusal;
      const id = randomUUID();
      try {
        const bytes = await copy.whole();
        const reader = new CsvReader(null);
        const shape = await shapeOf(rowsOf(bytes, reader));
        if (shape === null || !mendable(admin, shape)) return refusal;
        const delimiter = reader.delimiter ?? ',';
        const { lines, summary } = await look(rowsOf(bytes), mendingOf([], shape), problems, {
          shape,
          delimiter,
          late: [],
        });
        if (problems.late) summary.late = lateIn(lines);
        await storePieces(db, id, bytes);
        await storePieces(db, id, inPieces(lines), 1);
        const lms = await services.identity.lastSeen(admin.token);
        await saveDraft(db, {
          id,
          login: admin.login,
          name: storable(name),
          lms,
          version: 1,
          steps: [],
          summary,
          fileId: null,
        });
      } catch (error) {
        await deletePieces(db, id);
        // From some row on it cannot be read.
        if (error instanceof BadCsv) return refusal;
        throw error;
      }
      return new AppError('bad-request', {
        message: refusal.message,
        next: 'Correct it here, or in the file and upload it again.',
        details: problems.details,
        draft: id,
      });
    },

    async open(admin) {
      requireTool(admin, 'sis-import');
      const drafts = await findOpenDrafts(db, admin.login);
      return drafts.filter(({ lms }) => sameLms(lms, services.identity.known())).map(toOpenDraft);
    },

    async discard(admin, id) {
      const draft = await found(admin, id);
      await deleteDraft(db, admin.login, draft.id);
    },

    async get(admin, id) {
      return toSisDraft(await found(admin, id));
    },

    async rows(admin, id, { page, group }) {
      const { version } = await found(admin, id);
      const { rows, total } = await draftRowsOf(readPieces(db, id, version), page * DRAFT_PAGE_ROWS, group);
      return { version, rows, total };
    },

    async correct(admin, id, { version, step }, { signal }) {
      const draft = await found(admin, id);
      if (draft.version !== version) throw changedMeanwhile();
      return alone(id, async () => {
        const rowsOfGroup = async (group: number) => {
          const rows: number[] = [];
          const all = await draftRowsOf(
            readPieces(db, id, draft.version),
            0,
            group,
            Number.POSITIVE_INFINITY,
          );
          for (const { row } of all.rows) rows.push(row);
          return rows;
        };
        const steps = await nextSteps(draft, step, rowsOfGroup);
        return update(draft, steps, await checked(admin, draft, steps, signal));
      });
    },

    async finish(admin, id, version, asking) {
      const draft = await found(admin, id);
      if (draft.version !== version) throw changedMeanwhile();
      return alone(id, async () => {
        const { steps, summary } = draft;
        const { shape } = summary;
        const mending = mendingOf(steps, shape);
        const problems = new GroupedProblems();
        const bytes = mendedBytes(sourceOf(draft), mending);
        const reader = new CsvReader(',', null);
        const leftOut = summary.draft.left_out;
        try {
          const file = await check(admin, { name: draft.name, bytes, problems, reader, leftOut }, asking);
          await noteFile(db, draft, file.id);
          return file;
        } catch (error) {
          if (!problems.any || problems.tooMany || !isRefusal(error)) throw error;
          const { delimiter } = summary;
          const seen = await look(sourceOf(draft), mending, problems, { shape, delimiter, late: [] });
          seen.summary.late = lateIn(seen.lines);
          await update(draft, steps, seen);
          throw new AppError('bad-request', {
            message: error.message,
            next: 'Correct what is still wrong.',
            details: problems.details,
            draft: id,
          });
        }
      });
    },

    async csv(admin, id) {
      const draft = await found(admin, id);
      const { shape, delimiter } = draft.summary;
      const content = mendedCsv(sourceOf(draft), mendingOf(draft.steps, shape), delimiter);
      const name = `${draft.name.replace(/\.[^.]*$/, '')}-mended.csv`;
      return { name, type: 'text/csv; charset=utf-8', content };
    },
  };
}

function mendingOf(steps: readonly MendStep[], { header, width }: FileShape): Mending {
  return new Mending(steps, { header: header.length, width });
}

/** A picture, a file without rows, or one that this admin may not send whatever its rows say, is not mended. */
function mendable(admin: Admin, { header, rows }: FileShape): boolean {
  const table = sisTableFor(sisHeader(header));
  if (rows === 0 || header.length === 0) return false;
  if (table === null) return !looksBinary(header.join(','));
  return senderProblem(table, admin.record.perm !== 'ALL') === null;
}

function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'bad-request';
}

function changedMeanwhile(): AppError {
  return new AppError('conflict', {
    message:
      'This file has been corrected elsewhere meanwhile, perhaps in another tab. This correction was not made.',
    next: 'Look at the file as it is now, and correct what is still wrong.',
  });
}

/** What the whole check found beyond the check of rows, by row, column and value. */
function lateIn(lines: readonly string[]): StoredDraft['summary']['late'] {
  const late: StoredDraft['summary']['late'] = [];
  for (const line of lines) {
    const { row, cells, problems } = JSON.parse(line) as DraftRows['rows'][number];
    for (const { column, message } of problems)
      if (column !== null && late.length < MOST_LATE) late.push([row, column, cells[column] ?? '', message]);
  }
  return late;
}

/** Rows with problems as they are kept. */
export async function* inPieces(lines: readonly string[]): AsyncGenerator<string, void, void> {
  for (let at = 0; at < lines.length; at += 100) yield `${lines.slice(at, at + 100).join('\n')}\n`;
}
