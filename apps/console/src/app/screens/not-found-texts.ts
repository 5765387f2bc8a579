/** Texts of an address that does not exist, or not any more. */
export const texts = {
  next: 'Check the address, or go on with one of your tools.',
  toHome: 'Go to the start page',
  title: (tool: string) => `You no longer have access to ${tool}`,
  what: 'An access administrator changed your access while this page was open. What you had sent is not affected.',
  left: 'You still have these tools:',
  none: 'You have no other tool.',
} as const;
