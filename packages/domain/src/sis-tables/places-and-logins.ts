/** Places, their ids, additional logins, and observers (LMS reference §9.2 to §9.4 and §9.7). */
import { asNames, LONGEST_LOGIN, sisTable } from './table.ts';
import { EXISTING_USER_COLUMNS } from './users.ts';

export const CHANGED_IDS = sisTable(
  'change_sis_id',
  ['old_id', 'new_id', 'old_integration_id', 'new_integration_id', 'type'],
  {
    title: 'Changed SIS IDs',
    known: { by: [['old_id', 'old_integration_id']] },
    senders: 'all',
    touches: {},
    makes: ['person', 'course', 'section', 'group-category', 'group'],
    deleting: [],
    rows: {
      needs: [
        { oneOf: ['type'], what: 'type' },
        { oneOf: ['old_id', 'old_integration_id'], what: 'old id' },
        { oneOf: ['new_id', 'new_integration_id'], what: 'new id' },
      ],
      states: [],
      words: { type: ['account', 'term', 'course', 'section', 'group', 'group_category', 'user'] },
      longest: asNames('new_id', 'new_integration_id'),
    },
  },
);

export const ACCOUNTS = sisTable(
  'account',
  ['account_id', 'parent_account_id', 'name', 'status', 'integration_id'],
  {
    title: 'Accounts',
    known: { by: [['account_id'], ['parent_account_id']] },
    senders: 'all',
    touches: {},
    once: ['account_id'],
    deleting: ['deleted'],
    rows: {
      needs: [{ oneOf: ['account_id'], what: 'SIS ID of the account' }],
      states: ['active', 'deleted'],
      // A row without a status leaves the state of an existing account unchanged.
      stateMayLack: true,
      longest: asNames('account_id', 'name', 'integration_id'),
    },
  },
);

export const TERMS = sisTable(
  'term',
  ['term_id', 'name', 'status', 'integration_id', 'date_override_enrollment_type', 'start_date', 'end_date'],
  {
    title: 'Terms',
    known: { by: [['term_id'], ['name']] },
    senders: 'all',
    touches: {},
    once: ['term_id'],
    // Apart from the term itself, each kind of enrolment can have dates.
    apart: 'date_override_enrollment_type',
    deleting: ['deleted'],
    rows: {
      needs: [
        { oneOf: ['term_id'], what: 'SIS ID of the term' },
        { oneOf: ['name'], what: 'name of the term', unless: 'date_override_enrollment_type' },
      ],
      states: ['active', 'deleted'],
      words: {
        date_override_enrollment_type: [
          'StudentEnrollment',
          'TeacherEnrollment',
          'TaEnrollment',
          'DesignerEnrollment',
        ],
      },
      dates: ['start_date', 'end_date'],
      longest: asNames('term_id', 'name', 'integration_id'),
    },
  },
);

export const ABSTRACT_COURSES = sisTable(
  'abstract_course',
  ['abstract_course_id', 'short_name', 'long_name', 'account_id', 'term_id', 'status'],
  {
    title: 'Abstract courses',
    known: { by: [['abstract_course_id'], ['short_name']], without: ['course_id'] },
    senders: 'all',
    touches: {},
    once: ['abstract_course_id'],
    deleting: ['deleted'],
    rows: {
      needs: [
        { oneOf: ['abstract_course_id'], what: 'SIS ID of the abstract course' },
        { oneOf: ['short_name'], what: 'short name' },
        { oneOf: ['long_name'], what: 'long name' },
      ],
      states: ['active', 'deleted'],
      longest: asNames('abstract_course_id', 'short_name', 'long_name'),
    },
  },
);

export const COURSES = sisTable(
  'course',
  [
    'course_id',
    'short_name',
    'long_name',
    'account_id',
    'term_id',
    'status',
    'integration_id',
    'start_date',
    'end_date',
    'course_format',
    'blueprint_course_id',
    'grade_passback_setting',
    'homeroom_course',
    'friendly_name',
    'abstract_course_id',
    'fallback_account_id',
  ],
  {
    title: 'Courses',
    known: { by: [['course_id'], ['short_name']] },
    senders: 'all',
    touches: { course: 'course_id' },
    makes: ['course'],
    once: ['course_id', 'integration_id'],
    deleting: ['deleted'],
    rows: {
      needs: [
        { oneOf: ['course_id'], what: 'SIS ID of the course' },
        { oneOf: ['short_name'], what: 'short name', unless: 'abstract_course_id' },
        { oneOf: ['long_name'], what: 'long name', unless: 'abstract_course_id' },
      ],
      states: ['active', 'deleted', 'completed', 'unpublished', 'published'],
      words: {
        course_format: ['online', 'on_campus', 'blended', 'not_set'],
        grade_passback_setting: ['nightly_sync', 'disabled', 'not_set'],
      },
      dates: ['start_date', 'end_date'],
      datesClear: true,
      longest: asNames('course_id', 'short_name', 'long_name', 'integration_id'),
    },
  },
);

export const SECTIONS = sisTable(
  'section',
  ['section_id', 'course_id', 'name', 'status', 'integration_id', 'start_date', 'end_date'],
  {
    title: 'Sections',
    known: { by: [['section_id'], ['name']] },
    senders: 'all',
    touches: { section: 'section_id', course: 'course_id' },
    makes: ['section'],
    once: ['section_id', 'integration_id'],
    deleting: ['deleted'],
    rows: {
      needs: [
        { oneOf: ['section_id'], what: 'SIS ID of the section' },
        { oneOf: ['course_id'], what: 'SIS ID of the course' },
        { oneOf: ['name'], what: 'name of the section', toDelete: false },
      ],
      states: ['active', 'deleted'],
      dates: ['start_date', 'end_date'],
      longest: asNames('section_id', 'name', 'integration_id'),
    },
  },
);

export const CROSS_LISTINGS = sisTable('xlist', ['xlist_course_id', 'section_id', 'status'], {
  title: 'Cross-listings',
  known: { by: [['xlist_course_id'], ['section_id']] },
  senders: 'all',
  touches: { course: 'xlist_course_id', section: 'section_id' },
  makes: ['course'],
  deleting: ['deleted'],
  rows: {
    needs: [
      { oneOf: ['xlist_course_id'], what: 'SIS ID of the course' },
      { oneOf: ['section_id'], what: 'SIS ID of the section' },
    ],
    states: ['active', 'deleted'],
    longest: asNames('xlist_course_id'),
  },
});

export const LOGINS = sisTable(
  'login',
  [
    'user_id',
    'integration_id',
    'login_id',
    'password',
    'ssha_password',
    'authentication_provider_id',
    ...EXISTING_USER_COLUMNS,
    'root_account',
    'email',
  ],
  {
    title: 'Logins',
    known: { by: [EXISTING_USER_COLUMNS] },
    senders: 'all',
    touches: { person: 'user_id', login: 'login_id' },
    makes: ['login'],
    once: ['login_id'],
    deleting: ['deleted'],
    rows: {
      needs: [
        { oneOf: ['user_id'], what: 'SIS ID of the login' },
        { oneOf: ['login_id'], what: 'login' },
        { oneOf: EXISTING_USER_COLUMNS, what: 'ID of the person who gets the login' },
      ],
      states: [],
      emails: ['email'],
      longest: { ...asNames('user_id', 'integration_id'), login_id: LONGEST_LOGIN },
    },
    secret: ['password', 'ssha_password'],
  },
);

export const ADMINS = sisTable(
  'admin',
  ['user_id', 'account_id', 'role_id', 'role', 'status', 'root_account'],
  {
    title: 'Administrators',
    known: { by: [['account_id'], ['user_id']] },
    senders: 'nobody',
    touches: { person: 'user_id', role: 'role_id', 'role-name': 'role' },
    deleting: ['deleted'],
    rows: {
      needs: [
        { oneOf: ['user_id'], what: 'SIS ID of the person' },
        { oneOf: ['role_id', 'role'], what: 'role' },
      ],
      states: ['active', 'deleted'],
    },
  },
);

export const OBSERVERS = sisTable('user_observer', ['observer_id', 'student_id', 'status'], {
  title: 'User observers',
  known: { by: [['observer_id'], ['student_id']] },
  senders: 'all',
  touches: { person: 'student_id' },
  deleting: ['deleted'],
  rows: {
    needs: [
      { oneOf: ['observer_id'], what: 'SIS ID of the observer' },
      { oneOf: ['student_id'], what: 'SIS ID of the student' },
    ],
    different: ['observer_id', 'student_id'],
    states: ['active', 'deleted'],
  },
});
