/** Texts of Course Student Export; prescribed ones are in the contract. */
import { counted } from '@lms-admin/domain/numbers';

const students = (count: number) => counted(count, 'student', 'students');

export const texts = {
  purpose: [
    'Choose the course whose students you want to export.',
    'Check the course, and choose the type of file.',
    '',
  ],
  ways: 'Ways to export',
  groupsHint: 'Adds a column with the groups of each student.',
  soon: 'More ways to export are planned.',
  soonNext: 'Use “Quick Export” to export a single course.',
  course: 'The course',
  name: 'Course Name',
  file: 'File',
  formats: { xlsx: 'Excel', csv: 'CSV' },
  formatHints: {
    xlsx: 'An Excel file with filters.',
    csv: 'Plain rows for other programs. Excel can open this file too.',
  },
  unread: 'The course could not be loaded.',
  comes: 'File contents',
  rows: (count: number) =>
    `One row for each student who is enrolled or invited: about ${counted(count, 'row', 'rows')} below the header. Teachers and others are not included.`,
  fileName: 'File name',
  columns: 'Columns',
  receipt: 'What was exported',
  what: 'Export',
  figure: (what: string) => (what === 'students' ? 'Rows, one for each student' : what),
  kept: 'The file is kept for a day. You can also download it in Activity. Nothing in the LMS has changed.',
  export: 'Export',
  sum: (count: number, groups: boolean) => `${students(count)}${groups ? ' · with groups' : ''}`,
  start: 'Starting the export',
  ended: {
    failed: 'Nothing was exported.',
    cancelled: 'The export was cancelled.',
    notKept: 'The file is no longer available.',
  },
  notKeptNext: 'Files with students are deleted after a day. Export the course again.',
  review: 'Back to the review',
  failed: 'The export could not be started.',
  retry: 'Try again',
} as const;
