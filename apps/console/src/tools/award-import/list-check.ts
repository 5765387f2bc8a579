/** States of an uploaded list, from the choice of the file to its check. Pure. */
import {
  type ListChanges,
  type ListCheck,
  type ListEntry,
  MAX_AWARD_FILE_BYTES,
} from '@lms-admin/contract/awards';
import { ApiError } from '../../api/errors.ts';
import { type ChangeCounts, texts } from './texts.ts';

/** The check of an Excel file with the header of the template. */
export type CheckedList = Extract<ListCheck, { template: true }>;

export type UploadState =
  | { at: 'none' }
  /** `percent` is null once every byte has been sent and the server is reading the rows. */
  | { at: 'sending'; name: string; percent: number | null }
  | { at: 'failed'; name: string; error: unknown }
  | { at: 'checked'; name: string; check: CheckedList };

export const NOTHING: UploadState = { at: 'none' };

/** Explains why a file is not uploaded; null if it is. */
export function refusalOf(files: readonly Pick<File, 'name' | 'size'>[]): string | null {
  const [file] = files;
  if (files.length > 1) return texts.drop.one;
  return file !== undefined && file.size > MAX_AWARD_FILE_BYTES
    ? texts.drop.tooLarge(file.name, MAX_AWARD_FILE_BYTES)
    : null;
}

/** Errors that the same file would cause again, because the file is wrong (BTA-36). */
const OF_THE_FILE: readonly string[] = ['bad-request', 'too-large', 'too-many-rows'];

export function isOfTheFile(error: unknown): boolean {
  return error instanceof ApiError && OF_THE_FILE.includes(error.code);
}

/** Tells whether another list has become the current one in the meantime. */
export function isOutdated(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409;
}

export function countsOf({ added, changed, gone }: ListChanges): ChangeCounts {
  return { added: added.length, changed: changed.length, gone: gone.length };
}

export function changesAnything(changes: ListChanges): boolean {
  const { added, changed, gone } = countsOf(changes);
  return added + changed + gone > 0;
}

/** A changed row of the list. */
export interface ChangeRow {
  place: number;
  change: string;
  entry: ListEntry;
  /** `Enrolled: 40 → 45`, for each field; empty for new and removed rows. */
  what: string[];
}

/** Combines all changes in one list, removals first, because they cannot be seen in the file. */
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

/** Summarises a check for screen readers. */
export function heardOf(name: string, { problem_count, changes }: CheckedList): string {
  const summary =
    changes === null ? texts.check.heardProblems(problem_count) : texts.check.changes(countsOf(changes));
  return texts.check.heard(name, summary);
}
