/** Texts for invalid lines of a paste. */

import type { NotTaken } from '@lms-admin/domain/emails';
import { grouped } from '@lms-admin/domain/numbers';

export const texts = {
  title: (count: number) => `Not added: ${grouped(count)}.`,
  piece: ({ text, why }: NotTaken) => `${text} – ${why}`,
  dismiss: 'Dismiss',
} as const;
