/** Texts of ours for what was pasted and not taken. */
import type { NotTaken } from '@lms-admin/domain/emails';

export const texts = {
  title: (count: number) => `Not taken: ${count.toLocaleString('en-GB')}.`,
  piece: ({ text, why }: NotTaken) => `${text} – ${why}`,
  dismiss: 'Dismiss',
} as const;
