/** Errors for rejected uploads and lists of the award. */

import { MAX_LISTED } from '@lms-admin/contract/awards';
import { awardImportMessages } from '@lms-admin/contract/messages/awards';
import type { ListProblem } from '@lms-admin/domain/award-entries';
import { counted } from '@lms-admin/domain/numbers';
import { AppError } from '../platform/errors.ts';
import { storable } from '../platform/text.ts';

/** Returns the error for a file that cannot be read (BTA-36). @param next the problem and its remedy */
export function invalidFile(next: string): AppError {
  return new AppError('bad-request', { message: awardImportMessages.invalidFile, next });
}

/** Returns the error for rows without the columns of the template (BTA-35). */
export function notValid({ message, next }: { message: string; next: string }): AppError {
  return new AppError('bad-request', {
    message: awardImportMessages.notValid,
    next: storable(`${message} ${next}`),
  });
}

/** Returns the error for rows with problems: no row is stored (OP-89). */
export function listRefused(problems: readonly ListProblem[]): AppError {
  return new AppError('bad-request', {
    message: `The list has ${counted(problems.length, 'problem')}. The current list is not changed.`,
    next: 'Correct these problems in the file, and upload it again.',
    details: problems.slice(0, MAX_LISTED).map(({ row, column, message, next }) => ({
      row,
      field: column,
      message: storable(`${message} ${next}`),
    })),
  });
}

/** Returns the error for a list that someone has changed in the meantime. */
export function listChanged(): AppError {
  return new AppError('conflict', {
    message: 'The current list has been replaced in the meantime. Nothing was changed.',
    next: 'Check the changes again before you continue.',
  });
}
