/** Texts of Best Teaching Award Report Data Configuration; prescribed ones are in the contract. */
import { counted, grouped } from '@lms-admin/domain/numbers';

const rows = (count: number) => counted(count, 'row', 'rows');

export interface ChangeCounts {
  added: number;
  changed: number;
  gone: number;
}
const changes = ({ added, changed, gone }: ChangeCounts) =>
  `${grouped(added)} new, ${grouped(changed)} changed, ${grouped(gone)} removed`;

export const texts = {
  opening: {
    hint: 'Votes cast before this day do not count. The date is saved as soon as it is complete.',
    saving: 'Saving …',
    saved: (date: string, when: string, who: string) => `${date} is saved. Last updated ${when} by ${who}.`,
    none: 'No date is saved yet, so all votes count.',
    incomplete: (date: string) =>
      date === ''
        ? 'Enter a complete date. Nothing has been saved.'
        : `Enter a complete date. The saved date is still ${date}.`,
    otherYear: (date: string) =>
      date === ''
        ? 'The year must be from 2000 to 2099. Nothing has been saved.'
        : `The year must be from 2000 to 2099. The saved date is still ${date}.`,
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
    here: 'Drop the completed template here, or select it. You can check the changes before the list is replaced.',
    limit: (bytes: number) =>
      `An .xls or .xlsx file of up to ${grouped(bytes / 1024 / 1024)} MB. Only its first sheet is read.`,
    one: 'Select one file at a time.',
    tooLarge: (name: string, bytes: number) =>
      `${name} is larger than ${grouped(bytes / 1024 / 1024)} MB. Remove other sheets and pictures, and select the file again.`,
    lost: (name: string) => `The page was reloaded, so ${name} was not used. Select it again.`,
  },
  upload: {
    sending: (name: string) => `Uploading ${name}`,
    checking: (name: string) => `Checking ${name}`,
    nothing: 'The current list is not changed.',
    cancel: 'Cancel the upload',
    retry: 'Upload again',
    failed: 'The file could not be uploaded.',
    stays: 'The current list was not changed.',
  },
  check: {
    title: (name: string) => `Check results for ${name}`,
    sheet: (sheet: string, count: number) =>
      `${rows(count)} in the sheet “${sheet}” ${count === 1 ? 'was' : 'were'} read.`,
    problems: (count: number) =>
      count === 1
        ? '1 problem. Correct it before you replace the list.'
        : `${grouped(count)} problems. Correct them before you replace the list.`,
    problemsFirst: (shown: number) => `The first ${grouped(shown)} are shown.`,
    problemsNext: (count: number) =>
      `Correct ${count === 1 ? 'it' : 'them'} in Excel, save the file and upload it again.`,
    problemsLabel: 'Problems in the list',
    hints: (count: number) => `${counted(count, 'value', 'values')} to check`,
    hintsNext: (count: number) => (count === 1 ? 'It is used as entered.' : 'They are used as entered.'),
    hintsLabel: 'Values to check in the list',
    row: 'Row',
    column: 'Column',
    problem: 'Problem',
    hint: 'What to check',
    next: 'What to do',
    ignored: (names: readonly string[]) =>
      `${names.length === 1 ? 'This column is' : 'These columns are'} not used: ${names.join(', ')}.`,
    same: 'This list is the same as the current one.',
    sameNext: 'There is nothing to replace.',
    figures: 'Changes in this file',
    added: 'New',
    changed: 'Changed',
    gone: 'Removed',
    unchanged: 'Unchanged',
    changesLabel: 'Changes to the list',
    change: 'Change',
    what: 'Old → new',
    from: (column: string, before: string | number, after: string | number) =>
      `${column}: ${before} → ${after}`,
    replace: 'Replace the list',
    discard: 'Discard the file',
    heard: (name: string, summary: string) => `Check results for ${name}: ${summary}.`,
    heardProblems: (count: number) => counted(count, 'problem', 'problems'),
    changes,
  },
  confirm: {
    title: 'Replace the list?',
    text: (count: number, counts: ChangeCounts) =>
      `The new list of ${rows(count)} replaces the current list: ${changes(counts)}.`,
    kept: 'The current list is kept as the previous list. You can restore it at any time.',
    first: 'No list has been uploaded yet.',
    yes: 'Replace the list',
    no: 'Keep the list',
    failed: 'The list was not replaced.',
    other: 'The current list has changed since the file was checked.',
    otherNext: 'Check the file again to see what it changes now.',
    retry: 'Check the file again',
  },
  previous: {
    title: 'Previous list',
    about: (count: number, when: string, who: string) => `${rows(count)}, last updated ${when} by ${who}.`,
    press: 'Restore the list',
    ask: 'Restore the previous list?',
    text: (count: number, counts: ChangeCounts | null) =>
      counts === null
        ? `The previous list of ${rows(count)} replaces the current list.`
        : `The previous list of ${rows(count)} replaces the current list: ${changes(counts)}.`,
    kept: 'The current list is kept as the previous list.',
    yes: 'Restore the list',
    no: 'Keep the current list',
    done: 'The previous list was restored.',
    failed: 'The previous list was not restored.',
  },
} as const;
