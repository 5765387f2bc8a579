/** The way of an uploaded list, from the choice of the file to its check. Pure. */
import {
  type ListChanges,
  type ListCheck,
  type ListEntry,
  MAX_AWARD_FILE_BYTES,
} from '@lms-admin/contract/awards';
import { ApiError } from '../../api/errors.ts';
import { type ChangeCounts, texts } from './texts.ts';

/** A check of a workbook whose header is that of the template. */
export type CheckedList = Extract<ListCheck, { template: true }>;

export type UploadState =
  | { at: 'none' }
  /** `percent` is null once every byte has left, and the rows are being read. */
  | { at: 'sending'; name: string; percent: number | null }
  | { at: 'failed'; name: string; error: unknown }
  | { at: 'checked'; name: string; check: CheckedList };

export const NOTHING: UploadState = { at: 'none' };

/** Why a file is not uploaded at all; null where it may be. */
export function refusalOf(files: readonly Pick<File, 'name' | 'size'>[]): string | null {
  const [file] = files;
  if (files.length > 1) return texts.drop.one;
  return file !== undefined && file.size > MAX_AWARD_FILE_BYTES
    ? texts.drop.tooLarge(file.name, MAX_AWARD_FILE_BYTES)
    : null;
}

/** Refusals that the same file would meet again: it is the file that is wrong (BTA-36). */
const OF_THE_FILE: readonly string[] = ['bad-request', 'too-large', 'too-many-rows'];

export function isOfTheFile(error: unknown): boolean {
  return error instanceof ApiError && OF_THE_FILE.includes(error.code);
}

/** Whether another list came into force meanwhile. */
export function isOutdated(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409;
}

export function countsOf({ added, changed, gone }: ListChanges): ChangeCounts {
  return { added: added.length, changed: changed.length, gone: gone.length };
}

/** Whether the list would be another one. */
export function changesAnything(changes: ListChanges): boolean {
  const { added, changed, gone } = countsOf(changes);
  return added + changed + gone > 0;
}

/** A row of the list that changes. */
export interface ChangeRow {
  place: number;
  change: string;
  entry: ListEntry;
  /** `Enrolled: 40 → 45`, for each field; none for rows that are new or gone. */
  what: string[];
}

/** All changes as one list: what goes first, since no one sees it in the file. */
export function changeRows({ added, changed, gone }: ListChanges): ChangeRow[] {
  const { check } = texts;
  const rows = [
    ...gone.map((entry) => ({ change: check.gone, entry, what: [] })),
    ...changed.map(({ entry, fields }) => ({
      change: check.changed,
      entry,
      what: fields.map(({ column, from, to }) => check.from(column, from, to)),
    })),
    ...added.map((entry) => ({ change: check.added, entry, what: [] })),
  ];
  return rows.map((row, place) => ({ ...row, place }));
}

/** What a check is for people who hear it. */
export function heardOf(name: string, { problem_count, changes }: CheckedList): string {
  const said =
    changes === null ? texts.check.heardProblems(problem_count) : texts.check.changes(countsOf(changes));
  return texts.check.heard(name, said);
}
