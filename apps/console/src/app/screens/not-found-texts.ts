/** Texts for an address that does not exist, or to which the administrator has lost access. */
export const texts = {
  next: 'Check the address, or continue with one of your tools.',
  toHome: 'Go to the start page',
  title: (tool: string) => `You no longer have access to ${tool}`,
  what: 'An access administrator changed your access while this page was open. Changes that you already submitted are not affected.',
  left: 'You still have these tools:',
  none: 'You have no other tools.',
} as const;
