/** Errors for refused uploads. */
import type { ErrorDetail } from '@lms-admin/contract/errors';
import { problemKind } from '@lms-admin/domain/sis-corrections';
import { RowProblems } from '../imports/row-problems.ts';
import { AppError, type ErrorOptions } from '../platform/errors.ts';

export function fileProblems(): RowProblems {
  return new RowProblems((details) => fileRefused('The file has problems.', { nothingSent: true, details }));
}

/** Collects problems of the rows of a zip, whose files cannot be corrected in place. */
export function zipProblems(): RowProblems {
  return new RowProblems((details) =>
    fileRefused('The file has problems.', {
      nothingSent: true,
      details,
      next: 'Correct these problems in the files and upload the zip again. Or upload the file with the problems separately to correct it here.',
    }),
  );
}

/** Returns the error for a refused file, with its problems. */
export function fileRefused(
  message: string,
  { details = [], ...more }: Pick<ErrorOptions, 'details' | 'next' | 'nothingSent' | 'cause'> = {},
): AppError {
  return new AppError('bad-request', {
    next: 'Correct these problems in the file and upload it again.',
    ...more,
    message,
    ...(details.length > 0 ? { details: details.map(withKind) } : {}),
  });
}

function withKind(detail: ErrorDetail): ErrorDetail {
  const kind = detail.kind ?? problemKind(detail.message);
  return kind === detail.message ? detail : { ...detail, kind };
}
