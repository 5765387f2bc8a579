/** Texts for loading, empty and error states. */
export const texts = {
  loading: 'Loading',
  retry: 'Try again',
  reference: 'Reference',
  failed: 'Something went wrong',
  unexpected: 'Something went wrong on this page.',
  unexpectedNext: 'Try again. If it keeps happening, contact IT Support.',
  detail: (row: number, message: string) => `Row ${row}: ${message}`,
  copy: 'Copy',
  copied: 'Copied',
} as const;
