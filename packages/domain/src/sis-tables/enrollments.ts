/** People in courses and sections (LMS reference §9.5). */
import { sisTable } from './table.ts';

const COLUMNS = [
  'course_id',
  'root_account',
  'start_date',
  'end_date',
  'user_id',
  'user_integration_id',
  'role',
  'role_id',
  'section_id',
  'status',
  'associated_user_id',
  'limit_section_privileges',
  'notify',
  'temporary_enrollment_source_user_id',
] as const;
export type EnrollmentsColumn = (typeof COLUMNS)[number];

/** The two headers that the console writes, in their documented order (CE-20, OP-52). */
export const COURSE_LEVEL_HEADER = [
  'course_id',
  'user_id',
  'role_id',
  'status',
] as const satisfies readonly EnrollmentsColumn[];
export const SECTION_LEVEL_HEADER = [
  'course_id',
  'user_id',
  'role_id',
  'section_id',
  'status',
] as const satisfies readonly EnrollmentsColumn[];

/** For rows that restore the enrolments' own dates. */
export const DATES_HEADER = ['start_date', 'end_date'] as const satisfies readonly EnrollmentsColumn[];

export const ENROLLMENTS = sisTable('enrollment', COLUMNS, {
  title: 'Enrollments',
  known: {
    by: [
      ['section_id', 'course_id'],
      ['user_id', 'user_integration_id'],
    ],
  },
  senders: 'everybody',
  touches: {
    person: 'user_id',
    course: 'course_id',
    section: 'section_id',
    role: 'role_id',
    'role-name': 'role',
  },
  deleting: ['deleted'],
  deletes: 'enrolment',
  rows: {
    needs: [
      { oneOf: ['course_id', 'section_id'], what: 'course' },
      { oneOf: ['user_id', 'user_integration_id'], what: 'SIS ID of the person' },
      { oneOf: ['role_id', 'role'], what: 'role' },
    ],
    states: ['active', 'deleted', 'completed', 'inactive', 'deleted_last_completed'],
    dates: ['start_date', 'end_date'],
  },
  templates: [
    {
      file: 'Enrollments-Template.csv',
      place: 2,
      title: 'Enrollments',
      use: 'Adds people to courses or sections, or removes them.',
      columns: SECTION_LEVEL_HEADER,
      sample: { course_id: 'SAMPLE-COURSE-101', user_id: '1234567', role_id: '3', status: 'active' },
      marked: 'course_id',
    },
  ],
});
