/** Errors for refused uploads. */
import type { ErrorDetail } from '@lms-admin/contract/errors';
import { RowProblems } from '../imports/row-problems.ts';
import { AppError } from '../platform/errors.ts';

export function fileProblems(): RowProblems {
  return new RowProblems((details) => fileRefused('The file has problems. Nothing has been sent.', details));
}

/** Collects problems of the rows of a zip, whose files cannot be corrected in place. */
export function zipProblems(): RowProblems {
  return new RowProblems((details) =>
    fileRefused(
      'The file has problems. Nothing has been sent.',
      details,
      'Correct these problems in the files and upload the zip again. Or upload the file with the problems separately to correct it here.',
    ),
  );
}

/** Returns the error for a refused file, with its problems. */
export function fileRefused(message: string, details: readonly ErrorDetail[] = [], next?: string): AppError {
  return new AppError('bad-request', {
    message,
    next: next ?? 'Correct these problems in the file and upload it again.',
    ...(details.length > 0 ? { details } : {}),
  });
}
