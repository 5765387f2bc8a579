/** Texts of ours for waiting, empty and failed places. */
export const texts = {
  loading: 'Loading',
  retry: 'Try again',
  reference: 'Reference to quote',
  failed: 'That did not work',
  unexpected: 'Something went wrong on this page.',
  unexpectedNext: 'Try again. If it happens once more, please contact IT Support.',
  detail: (row: number, message: string) => `Row ${row}: ${message}`,
  copy: 'Copy',
  copied: 'Copied',
} as const;
