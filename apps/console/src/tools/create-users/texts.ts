/** Texts of ours in Create Users, beside the documented ones of the message table. Short, plain, without blame. */
const n = (count: number) => count.toLocaleString('en-GB');
const people = (count: number) => `${n(count)} ${count === 1 ? 'person' : 'people'}`;
const rows = (count: number) => `${n(count)} ${count === 1 ? 'row' : 'rows'}`;

export const texts = {
  purpose: [
    'Type people row by row, or paste them from a spreadsheet into the first row.',
    'Look at what the LMS will be told about each person.',
    '',
  ],
  notSetUp: 'Creating users is not set up here.',
  notSetUpNext: "The school's e-mail domain is not known to LMS Admin. Please ask IT Support to set it.",
  form: 'People to be created',
  columns: 'Columns to paste: PeopleSoft ID, e-mail, first name, last name.',
  rowWord: 'Row',
  row: (number: number) => `Row ${n(number)}`,
  field: (name: string, row: number) => `${name}, row ${n(row)}`,
  checking: 'Looking it up in the LMS',
  add: 'Add row',
  most: (most: number) => `At most ${people(most)} at once.`,
  removeLast: (number: number) => `Remove row ${n(number)}`,
  removeBlank: (count: number) => `Remove ${n(count)} empty ${count === 1 ? 'row' : 'rows'}`,
  leaveOutRepeated: (count: number) => `Leave out ${n(count)} repeated ${count === 1 ? 'row' : 'rows'}`,
  clear: 'Clear all',
  undo: 'Undo',
  done: {
    paste: 'The cells were pasted.',
    clear: 'All rows were cleared.',
    'leave-out': 'The rows were left out.',
  },
  pasted: (count: number) => `${rows(count)} pasted.`,
  leftOver: (count: number) => `${rows(count)} were left out: there is no room for more.`,
  columnsLeft: (count: number) => `${n(count)} ${count === 1 ? 'column was' : 'columns were'} not read.`,
  /** What a paste came to. */
  pasteSum(paste: { rows: number; repeats: number; without: number }): string {
    const parts = [
      `${rows(paste.rows)} pasted`,
      ...(paste.repeats > 0 ? [`${n(paste.repeats)} ${paste.repeats === 1 ? 'repeat' : 'repeats'}`] : []),
      ...(paste.without > 0 ? [`${n(paste.without)} without an e-mail`] : []),
    ];
    return `${parts.join(', ')}.`;
  },
  duplicate: {
    psID: (row: number) => `Row ${n(row)} has the same PeopleSoft ID.`,
    email: (row: number) => `Row ${n(row)} has the same e-mail.`,
  },
  tooLong: (name: string) => `${name} is too long.`,
  notChecked: 'Could not be looked up in the LMS.',
  failedTitle: (count: number) => `${n(count)} ${count === 1 ? 'entry' : 'entries'} could not be looked up`,
  failedText:
    'The LMS did not answer, which does not say whether these people exist. They can be created once it has been asked.',
  failedMeaning: 'That does not say whether these people exist.',
  again: 'Look up again',
  existingTitle: (count: number) => `${people(count)} ${count === 1 ? 'exists' : 'exist'} in the LMS already`,
  existingText: (count: number) =>
    `Correct the PeopleSoft ID or e-mail, or leave ${count === 1 ? 'this row' : 'these rows'} out.`,
  leaveOut: (count: number) => `Leave out ${rows(count)}`,
  sum: (count: number) => people(count),
  errors: (count: number) => `${rows(count)} to correct`,
  waiting: (count: number) => `Looking up ${n(count)} ${count === 1 ? 'entry' : 'entries'} in the LMS …`,
  correctFirst: (count: number) => `Go back: ${rows(count)} to correct.`,
  preview: 'Users as they will be created',
  previewEmpty: 'Nothing has been entered yet.',
  review: (count: number, button: string) =>
    count === 1 ? `${button} creates 1 person in the LMS.` : `${button} creates ${people(count)} in the LMS.`,
  reviewNote: 'Nothing has been sent yet. Nobody who exists in the LMS already is changed.',
  result: {
    title: 'Each person',
    table: 'What became of each person',
    name: 'Name',
    outcome: 'Result',
    outcomes: {
      created: 'Created',
      existed:
        'Existed already: others created this person while your import was sent, and the LMS gave them the name and login of your row. Check them in the LMS',
      'not-created': 'Not created',
      unknown: 'Not known',
    },
    open: (name: string) => `${name}, opens in the LMS in a new tab`,
    sum: (created: number, all: number, unknown: number) => {
      if (unknown === all) return 'How many people were created is not known.';
      const rest = unknown === 0 ? '' : ` Of ${people(unknown)} it is not known.`;
      return `${n(created)} of ${people(all)} created.${rest}`;
    },
    lookupFailed: 'The LMS could not be asked who exists now.',
    correct: (count: number) => `Correct ${people(count)} and try again`,
  },
} as const;
