/** Texts of Create Users; prescribed ones are in the contract. */
import { counted, grouped } from '@lms-admin/domain/numbers';

const people = (count: number) => counted(count, 'person', 'people');
const rows = (count: number) => counted(count, 'row', 'rows');

export const texts = {
  purpose: [
    'Type people row by row, or paste them from a spreadsheet into the first row.',
    'Check the data of each person.',
    '',
  ],
  notSetUp: 'Create Users is not set up.',
  notSetUpNext: "LMS Admin does not know the school's email domain. Ask IT Support to set it.",
  form: 'People to create',
  backToForm: 'Back to the form',
  columns: 'Columns to paste: PeopleSoft ID, email, first name, last name.',
  rowWord: 'Row',
  row: (number: number) => `Row ${grouped(number)}`,
  field: (name: string, row: number) => `${name}, row ${grouped(row)}`,
  checking: 'Looking up in the LMS',
  add: 'Add row',
  most: (most: number) => `Up to ${people(most)} at a time.`,
  removeLast: (number: number) => `Remove row ${grouped(number)}`,
  removeBlank: (count: number) => `Remove ${grouped(count)} empty ${count === 1 ? 'row' : 'rows'}`,
  leaveOutRepeated: (count: number) => `Remove ${grouped(count)} duplicate ${count === 1 ? 'row' : 'rows'}`,
  clear: 'Clear all',
  undo: 'Undo',
  done: {
    paste: 'The cells were pasted.',
    clear: 'All rows were cleared.',
    'leave-out': 'The rows were removed.',
  },
  pasted: (count: number) => `${rows(count)} pasted.`,
  leftOver: (count: number) =>
    `${rows(count)} ${count === 1 ? 'was' : 'were'} not added, because the form is full.`,
  columnsLeft: (count: number) => `${counted(count, 'column was', 'columns were')} not used.`,
  /** Describes the result of a paste. */
  pasteSum(paste: { rows: number; repeats: number; without: number }): string {
    const parts = [
      `${rows(paste.rows)} pasted`,
      ...(paste.repeats > 0 ? [counted(paste.repeats, 'duplicate', 'duplicates')] : []),
      ...(paste.without > 0 ? [`${grouped(paste.without)} without an email`] : []),
    ];
    return `${parts.join(', ')}.`;
  },
  duplicate: {
    psID: (row: number) => `Row ${grouped(row)} has the same PeopleSoft ID.`,
    email: (row: number) => `Row ${grouped(row)} has the same email.`,
  },
  tooLong: (name: string) => `${name} is too long.`,
  notChecked: 'Could not be looked up in the LMS.',
  failedTitle: (count: number) => `${counted(count, 'entry', 'entries')} could not be looked up`,
  failedText:
    'The LMS did not answer. This does not mean that these people do not exist. You can create them after they have been looked up.',
  failedMeaning: 'This does not mean that these people do not exist.',
  retry: 'Look up again',
  existingTitle: (count: number) => `${people(count)} ${count === 1 ? 'is' : 'are'} already in the LMS`,
  existingText: (count: number) =>
    `Correct the PeopleSoft ID or email, or remove ${count === 1 ? 'this row' : 'these rows'}.`,
  leaveOut: (count: number) => `Remove ${rows(count)}`,
  sum: (count: number) => people(count),
  errors: (count: number) => `${rows(count)} to correct`,
  waiting: (count: number) => `Looking up ${counted(count, 'entry', 'entries')} in the LMS …`,
  preview: 'Users to be created',
  previewEmpty: 'Nothing has been entered yet.',
  review: (count: number, button: string) =>
    count === 1
      ? `“${button}” creates 1 person in the LMS.`
      : `“${button}” creates ${people(count)} in the LMS.`,
  reviewNote: 'Nothing has been sent yet. People who are already in the LMS are not changed.',
  result: {
    title: 'People',
    table: 'Result for each person',
    name: 'Name',
    outcome: 'Result',
    outcomes: {
      created: 'Created',
      existed:
        'Already existed: this person was created while your import was being sent. They now have the name and login from your row. Check them in the LMS',
      'not-created': 'Not created',
      unknown: 'Unknown',
    },
    open: (name: string) => `${name}, opens in the LMS in a new tab`,
    sum: (created: number, all: number, unknown: number) => {
      if (unknown === all) return 'It is unknown how many people were created.';
      const rest = unknown === 0 ? '' : ` The result of ${people(unknown)} is unknown.`;
      return `${grouped(created)} of ${people(all)} created.${rest}`;
    },
    lookupFailed: 'LMS Admin could not check who is now in the LMS.',
    correct: (count: number) => `Correct ${people(count)} and try again`,
  },
} as const;
