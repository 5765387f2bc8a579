/** Texts of ours around the chips. */
const people = (count: number) => `${count.toLocaleString('en-GB')} ${count === 1 ? 'address' : 'addresses'}`;

export const texts = {
  list: (count: number) => people(count),
  shown: (shown: number, all: number) =>
    `${shown.toLocaleString('en-GB')} of ${all.toLocaleString('en-GB')} addresses`,
  remove: (email: string) => `Remove ${email}`,
  removed: (email: string) => `${email} removed.`,
  removeAll: 'Remove all',
  removedAll: (count: number) => `${people(count)} removed.`,
  undo: 'Undo',
  undone: (count: number) => `${people(count)} in the list again.`,
  search: 'Search within',
  noMatch: 'No address in the list contains this.',
  added: (added: number, all: number) => `${people(added)} added, ${all.toLocaleString('en-GB')} in all.`,
  known: (count: number) =>
    count === 1
      ? '1 of the pasted addresses was in the list already.'
      : `${count.toLocaleString('en-GB')} of the pasted addresses were in the list already.`,
  unread: (list: readonly string[]) =>
    `Not taken, because it is no complete address: ${list.slice(0, 5).join(', ')}${list.length > 5 ? ` and ${list.length - 5} more` : ''}.`,
  moreProblems: (count: number) => `… and ${count.toLocaleString('en-GB')} more.`,
  keys: 'In the list, arrow keys move and Delete removes.',
} as const;
