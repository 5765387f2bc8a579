/** Refused files: which of them can be corrected in place, and what is said of them. */
import type { DraftRows } from '@lms-admin/contract/sis-drafts';
import { looksBinary, sisHeader } from '@lms-admin/domain/sis-rows';
import { sisTableFor } from '@lms-admin/domain/sis-tables';
import type { Admin } from '../../auth/admin.ts';
import { AppError } from '../../platform/errors.ts';
import { senderProblem } from '../check.ts';
import type { Late } from './corrected-rows.ts';
import type { GroupedProblems } from './grouped-problems.ts';
import type { FileShape } from './look.ts';

/** Late problems that are kept: they are those of rows that have been looked up one by one. */
const MOST_LATE = 10_000;

/** A picture, a file without rows, or one that this admin may not send whatever its rows say, is not corrected. */
export function correctable(admin: Admin, { header, rows }: FileShape): boolean {
  const table = sisTableFor(sisHeader(header));
  if (rows === 0 || header.length === 0) return false;
  if (table === null) return !looksBinary(header.join(','));
  return senderProblem(table, admin.record.perm !== 'ALL') === null;
}

/** Whether it refuses the file for these problems, and all of them are known. */
export function isOfRows(error: unknown, problems: GroupedProblems): error is AppError {
  return problems.any && !problems.tooMany && error instanceof AppError && error.code === 'bad-request';
}

/** The refusal of a file that can be corrected in place. */
export function refusedDraft(
  draft: string,
  { message }: AppError,
  next: string,
  { details }: GroupedProblems,
): AppError {
  return new AppError('bad-request', { message, next, details, draft });
}

export function changedMeanwhile(): AppError {
  return new AppError('conflict', {
    message: 'This file has been corrected elsewhere, perhaps in another tab. This correction was not saved.',
    next: 'Check the file as it is now, and correct the remaining problems.',
  });
}

/** Its import says what became of it. */
export function alreadySubmitted(): AppError {
  return new AppError('conflict', {
    message: 'This file has been submitted, perhaps in another tab. This correction was not saved.',
    next: 'Open its import in Activity.',
  });
}

/** What the whole check found beyond the check of rows, by row, column and value. */
export function lateIn(lines: readonly string[]): Late {
  const late: Late = [];
  for (const line of lines) {
    const { row, cells, problems } = JSON.parse(line) as DraftRows['rows'][number];
    for (const { column, message } of problems)
      if (column !== null && late.length < MOST_LATE) late.push([row, column, cells[column] ?? '', message]);
  }
  return late;
}
