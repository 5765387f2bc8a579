/** Texts of ours in Best Teaching Award Report Data Configuration, beside the documented ones of the message table. */
const n = (count: number) => count.toLocaleString('en-GB');
const counted = (count: number, one: string, many: string) => `${n(count)} ${count === 1 ? one : many}`;
const rows = (count: number) => counted(count, 'row', 'rows');

export interface ChangeCounts {
  added: number;
  changed: number;
  gone: number;
}
const changes = ({ added, changed, gone }: ChangeCounts) =>
  `${n(added)} new, ${n(changed)} changed, ${n(gone)} gone`;

export const texts = {
  opening: {
    hint: 'Votes from before this day do not count. The date is saved as soon as it is complete.',
    saving: 'Saving …',
    saved: (date: string, when: string, who: string) => `${date} is saved. Last updated ${when} by ${who}.`,
    none: 'No date is saved yet, so all votes count.',
    incomplete: (date: string) =>
      date === ''
        ? 'This is no whole date yet, so nothing is saved.'
        : `This is no whole date yet. ${date} stays saved.`,
    otherYear: (date: string) =>
      date === ''
        ? 'The year must be from 2000 to 2099, so nothing is saved.'
        : `The year must be from 2000 to 2099. ${date} stays saved.`,
    heard: (date: string) => `${date} is saved.`,
    failed: 'The date was not saved.',
  },
  about: 'About the list',
  updatedAt: 'Last updated at',
  updatedBy: 'Last updated by',
  search: 'Search the list',
  emptyNext: 'Download the template, fill in a row for each course and professor, and upload it.',
  drop: {
    label: 'Upload a list',
    here: 'Drag a filled-in template here, or choose it. You see what it changes before anything is replaced.',
    limit: (bytes: number) => `.xls or .xlsx, the first sheet is read. At most ${n(bytes / 1024 / 1024)} MB.`,
    one: 'Choose one file at a time.',
    tooLarge: (name: string, bytes: number) =>
      `${name} is larger than ${n(bytes / 1024 / 1024)} MB. Remove other sheets and pictures, and choose it again.`,
    lost: (name: string) =>
      `${name} was not taken over: it has to be chosen again after the page was loaded anew.`,
  },
  upload: {
    sending: (name: string) => `Uploading ${name}`,
    checking: (name: string) => `Checking ${name}`,
    nothing: 'The list in force stays as it is.',
    cancel: 'Cancel the upload',
    again: 'Upload it again',
    failed: 'The file could not be uploaded.',
    stays: 'The list in force was not changed.',
  },
  check: {
    title: (name: string) => `Check of ${name}`,
    sheet: (sheet: string, count: number) => `${rows(count)} of the sheet “${sheet}” were read.`,
    problems: (count: number) =>
      count === 1
        ? '1 problem: nothing can be taken over until it is mended'
        : `${n(count)} problems: nothing can be taken over until they are mended`,
    problemsFirst: (shown: number) => `The first ${n(shown)} are shown.`,
    problemsNext: 'Mend them in the workbook, save it, and upload it again.',
    problemsLabel: 'Problems in the list',
    hints: (count: number) => `${counted(count, 'thing', 'things')} to look at`,
    hintsNext: 'They are taken as they are.',
    hintsLabel: 'Things to look at in the list',
    row: 'Row',
    column: 'Column',
    problem: 'What is wrong',
    hint: 'What to look at',
    next: 'What to do',
    ignored: (names: readonly string[]) =>
      `${names.length === 1 ? 'This column is' : 'These columns are'} not looked at: ${names.join(', ')}.`,
    same: 'This list is the same as the one in force.',
    sameNext: 'There is nothing to replace.',
    figures: 'What the file changes',
    added: 'New',
    changed: 'Changed',
    gone: 'Gone',
    unchanged: 'Unchanged',
    changesLabel: 'Changes to the list',
    change: 'Change',
    what: 'Old → new',
    from: (column: string, before: string | number, after: string | number) =>
      `${column}: ${before} → ${after}`,
    replace: 'Replace the list',
    discard: 'Discard the file',
    heard: (name: string, said: string) => `${name} is checked: ${said}.`,
    heardProblems: (count: number) => counted(count, 'problem', 'problems'),
    changes,
  },
  confirm: {
    title: 'Replace the list?',
    text: (count: number, said: ChangeCounts) =>
      `The new list of ${rows(count)} replaces the list in force: ${changes(said)}.`,
    kept: 'The list of before is kept, and one press brings it back.',
    first: 'There is no list in force yet.',
    yes: 'Replace the list',
    no: 'Keep the list',
    failed: 'The list was not replaced.',
    other: 'The list in force has changed since the file was checked.',
    otherNext: 'Check the file again to see what it changes now.',
    again: 'Check the file again',
  },
  previous: {
    title: 'The list of before',
    about: (count: number, when: string, who: string) => `${rows(count)}, of ${when} by ${who}.`,
    press: 'Bring it back',
    ask: 'Bring the list of before back?',
    text: (count: number, said: ChangeCounts | null) =>
      said === null
        ? `The list of before, of ${rows(count)}, replaces the list in force.`
        : `The list of before, of ${rows(count)}, replaces the list in force: ${changes(said)}.`,
    kept: 'The list that is in force now is kept in its place.',
    yes: 'Bring it back',
    no: 'Leave it',
    done: 'The list of before is in force again.',
    failed: 'The list of before was not brought back.',
  },
} as const;
