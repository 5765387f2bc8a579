/** Texts of ours in Course Student Export, beside the documented ones of the message table. */
const n = (count: number) => count.toLocaleString('en-GB');
const students = (count: number) => `${n(count)} ${count === 1 ? 'student' : 'students'}`;

export const texts = {
  purpose: [
    'Name the course whose students you want as a file.',
    'Look at what was found, and choose the kind of file.',
    '',
  ],
  ways: 'Ways to export',
  groupsHint: 'Adds a column with the groups of each student.',
  soon: 'More ways to export are on their way.',
  soonNext: 'Until then a single course is exported under Quick Export.',
  course: 'The course',
  name: 'Course Name',
  file: 'File',
  formats: { xlsx: 'Excel', csv: 'CSV' },
  formatHints: {
    xlsx: 'A workbook with a filter, ready to be read.',
    csv: 'Plain rows for other programs; Excel opens it as well.',
  },
  unread: 'The course could not be read.',
  comes: 'What the file will hold',
  rows: (count: number) =>
    `One row for each student who is enrolled or invited: about ${n(count)} ${count === 1 ? 'row' : 'rows'} below the header. Teachers and others are not in it.`,
  fileName: 'Name of the file',
  columns: 'Columns',
  receipt: 'What was exported',
  what: 'Export',
  figure: (what: string) => (what === 'students' ? 'Rows, one for each student' : what),
  kept: 'The file is kept for a day; it is also found in Activity. Nothing in the LMS has changed.',
  export: 'Export',
  sum: (count: number, groups: boolean) => `${students(count)}${groups ? ' · with groups' : ''}`,
  start: 'Starting the export',
  ended: {
    failed: 'Nothing was exported.',
    cancelled: 'The export was cancelled.',
    notKept: 'The file is no longer kept.',
  },
  notKeptNext: 'Files of students are removed a day after they were made. Export the course again.',
  review: 'Back to the review',
  failed: 'The export could not be started.',
  again: 'Try again',
} as const;
