/** How uploads and lists of the award are refused. */

import { MAX_TOLD } from '@lms-admin/contract/awards';
import { awardImportMessages } from '@lms-admin/contract/messages/awards';
import type { ListProblem } from '@lms-admin/domain/award-entries';
import { counted } from '@lms-admin/domain/numbers';
import { AppError } from '../platform/errors.ts';
import { storable } from '../platform/text.ts';

/** A file that cannot be read (BTA-36). @param next what is the matter, and what to do */
export function invalidFile(next: string): AppError {
  return new AppError('bad-request', { message: awardImportMessages.invalidFile, next });
}

/** Rows without the columns of the template (BTA-35). */
export function notValid({ message, next }: { message: string; next: string }): AppError {
  return new AppError('bad-request', {
    message: awardImportMessages.notValid,
    next: storable(`${message} ${next}`),
  });
}

/** Rows with problems: none of them is taken (OP-89). */
export function listRefused(problems: readonly ListProblem[]): AppError {
  return new AppError('bad-request', {
    message: `The list has ${counted(problems.length, 'problem')}. The current list does not change.`,
    next: 'Correct these problems in the file, and upload it again.',
    details: problems.slice(0, MAX_TOLD).map(({ row, column, message, next }) => ({
      row,
      field: column,
      message: storable(`${message} ${next}`),
    })),
  });
}

/** Someone has changed the list meanwhile. */
export function listChanged(): AppError {
  return new AppError('conflict', {
    message: 'The current list has been replaced in the meantime. Nothing was changed.',
    next: 'Check the changes again, and then decide.',
  });
}
