/** Sentences for refused access changes. */
import type { ChangeRefusal } from '@lms-admin/domain/access-records';
import { AppError } from '../platform/errors.ts';

const WORDS: Readonly<Record<ChangeRefusal, { message: string; next: string }>> = {
  'no-right': { message: 'You can no longer change access.', next: 'Ask another access administrator.' },
  'own-admin': {
    message: 'You cannot remove your own right to change access, or end it earlier. Nothing was changed.',
    next: 'Ask another access administrator.',
  },
  'last-admin': {
    message:
      'This change would leave no one who can change access, or would end this right earlier. Nothing was changed.',
    next: 'First give another person the right to change access, without an end date, and have them sign in.',
  },
  'admin-needs-all': {
    message: 'Only a person with access to the whole school can change access. Nothing was changed.',
    next: 'Choose “Whole school”, or remove “Access” from the tools.',
  },
};

export function refusalError(refusal: ChangeRefusal): AppError {
  return new AppError(refusal === 'no-right' ? 'not-allowed' : 'conflict', WORDS[refusal]);
}

export function refusalWords(refusal: ChangeRefusal | null): string | null {
  return refusal === null ? null : `${WORDS[refusal].message} ${WORDS[refusal].next}`;
}
