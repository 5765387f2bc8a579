/** Refused files: decides which can be corrected in place, and describes them. */
import type { DraftRows } from '@lms-admin/contract/sis-drafts';
import { looksBinary, sisHeader } from '@lms-admin/domain/sis-rows';
import { sisTableFor } from '@lms-admin/domain/sis-tables';
import type { Admin } from '../../auth/admin.ts';
import { AppError } from '../../platform/errors.ts';
import { senderProblem } from '../check.ts';
import type { Late } from './corrected-rows.ts';
import type { GroupedProblems } from './grouped-problems.ts';
import type { FileShape } from './look.ts';

/** Maximum number of late problems kept: they come from lookups of individual rows. */
const MOST_LATE = 10_000;

/** Returns whether a file can be corrected: not a picture, a file without rows, or one that this admin can never send. */
export function correctable(admin: Admin, { header, rows }: FileShape): boolean {
  const table = sisTableFor(sisHeader(header));
  if (rows === 0 || header.length === 0) return false;
  if (table === null) return !looksBinary(header.join(','));
  return senderProblem(table, admin.record.perm !== 'ALL') === null;
}

/** Returns whether an error refuses the file for exactly these problems, and all of them are known. */
export function isOfRows(error: unknown, problems: GroupedProblems): error is AppError {
  return problems.any && !problems.tooMany && error instanceof AppError && error.code === 'bad-request';
}

/** Returns the error for a file that can be corrected in place. */
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

/** Returns the error for a submitted draft; its import shows the result. */
export function alreadySubmitted(): AppError {
  return new AppError('conflict', {
    message: 'This file has been submitted, perhaps in another tab. This correction was not saved.',
    next: 'Open its import in Activity.',
  });
}

/** Returns the problems of the full check beyond those of the row checks, by row, column and value. */
export function lateIn(lines: readonly string[]): Late {
  const late: Late = [];
  for (const line of lines) {
    const { row, cells, problems } = JSON.parse(line) as DraftRows['rows'][number];
    for (const { column, message } of problems)
      if (column !== null && late.length < MOST_LATE) late.push([row, column, cells[column] ?? '', message]);
  }
  return late;
}
