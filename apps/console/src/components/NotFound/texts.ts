/** Texts of ours about people who were not found. */
export const texts = {
  list: 'Not found',
  create: 'Create these users',
  showAll: (count: number) => `Show all ${count.toLocaleString('en-GB')}`,
} as const;
