/** Tables that we pass on with their rows unchecked (LMS reference §9.2 to §9.4 and §9.7). */
import { sisTable } from './table.ts';
import { EXISTING_USER_COLUMNS } from './users.ts';

export const CHANGED_IDS = sisTable(
  'change_sis_id',
  ['old_id', 'new_id', 'old_integration_id', 'new_integration_id', 'type'],
  {
    title: 'Changed SIS ids',
    known: { by: [['old_id', 'old_integration_id']] },
    senders: 'all',
    touches: {},
    makes: ['person', 'course', 'section', 'group-category', 'group'],
    deleting: [],
    rows: null,
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
    rows: null,
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
    deleting: ['deleted'],
    rows: null,
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
    rows: null,
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
    once: ['course_id'],
    deleting: ['deleted'],
    rows: null,
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
    once: ['section_id'],
    deleting: ['deleted'],
    rows: null,
  },
);

export const CROSS_LISTINGS = sisTable('xlist', ['xlist_course_id', 'section_id', 'status'], {
  title: 'Cross-listings',
  known: { by: [['xlist_course_id'], ['section_id']] },
  senders: 'all',
  touches: { course: 'xlist_course_id', section: 'section_id' },
  makes: ['course'],
  deleting: ['deleted'],
  rows: null,
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
    rows: null,
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
    rows: null,
  },
);

export const OBSERVERS = sisTable('user_observer', ['observer_id', 'student_id', 'status'], {
  title: 'User observers',
  known: { by: [['observer_id'], ['student_id']] },
  senders: 'all',
  touches: { person: 'student_id' },
  deleting: ['deleted'],
  rows: null,
});
