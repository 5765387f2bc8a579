/** Texts in the list of people. */
export const texts = {
  name: 'Name',
  email: 'Email',
  id: 'SIS ID',
  change: 'Change',
  failed: 'The list could not be loaded.',
  empty: 'This list is empty.',
} as const;
