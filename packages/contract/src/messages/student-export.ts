/** Texts of Course Student Export (area EXP), verbatim; our own are marked. */
import { grouped } from '@lms-admin/domain/numbers';
export const studentExportMessages = {
  steps: ['Select Course', 'Review Selection', 'Download'], // EXP-02
  tabs: ['Quick Export', 'Coming Soon'], // EXP-03
  course: 'Course ID', // EXP-03
  groups: 'Include Groups', // EXP-04
  needCourse: 'Please Enter Correct Course ID', // EXP-05
  loading: 'Course details are loading.. please wait.', // EXP-06
  facts: {
    id: 'Course ID', // EXP-07
    by: 'Requested By',
    code: 'Course Code',
    sis: 'Sis Course ID',
    students: 'Student Count',
  },
  notFound: 'Course ID not found.', // EXP-08
  nobody: 'Nothing to export, Student count is 0.', // EXP-09
  downloading: (format: 'Excel' | 'csv') =>
    `Downloading.. ${format} export will download automatically. Don't close the browser.`, // EXP-11
  downloaded: 'Student data successfully downloaded, If not please', // EXP-12
  clickHere: 'Click Here',
  /** Ours: the limit of a workbook. */
  tooLarge: (most: number) =>
    `This course has more than ${grouped(most)} students, the maximum for an Excel file.`,
} as const;
