/** People and their logins (LMS reference §9.1). */
import { asNames, LONGEST_LOGIN, LONGEST_NAME, sisTable } from './table.ts';

const COLUMNS = [
  'user_id',
  'integration_id',
  'login_id',
  'password',
  'ssha_password',
  'authentication_provider_id',
  'first_name',
  'last_name',
  'full_name',
  'sortable_name',
  'short_name',
  'email',
  'pronouns',
  'declared_user_type',
  'canvas_password_notification',
  'home_account',
  'status',
] as const;
export type UsersColumn = (typeof COLUMNS)[number];

/** The header of new people, in its documented order (CU-12). */
export const USER_HEADER = [
  'user_id',
  'integration_id',
  'login_id',
  'first_name',
  'last_name',
  'sortable_name',
  'short_name',
  'email',
  'status',
] as const satisfies readonly UsersColumn[];

/** Columns that make the LMS treat a file as logins of existing people, instead of people. */
export const EXISTING_USER_COLUMNS = [
  'existing_user_id',
  'existing_integration_id',
  'existing_canvas_user_id',
] as const;

export const USERS = sisTable('user', COLUMNS, {
  title: 'Users',
  known: { by: [['user_id'], ['login_id']], without: EXISTING_USER_COLUMNS },
  senders: 'everybody',
  touches: { person: 'user_id', login: 'login_id' },
  makes: ['person', 'login'],
  deleting: ['deleted'],
  deletes: 'person',
  rows: {
    needs: [
      { oneOf: ['user_id'], what: 'SIS ID of the person' },
      { oneOf: ['login_id'], what: 'login' },
    ],
    states: ['active', 'suspended', 'deleted'],
    words: {
      declared_user_type: [
        'administrative',
        'observer',
        'staff',
        'student',
        'student_other',
        'teacher',
        '<delete>',
      ],
    },
    exactWords: ['declared_user_type'],
    emails: ['email'],
    longest: {
      ...asNames('user_id', 'integration_id', 'full_name', 'sortable_name', 'short_name'),
      login_id: LONGEST_LOGIN,
    },
    joined: {
      of: ['first_name', 'last_name'],
      unless: 'full_name',
      most: LONGEST_NAME,
      what: 'The name made up of first_name and last_name',
    },
  },
  once: ['user_id', 'login_id', 'integration_id'],
  secret: ['password', 'ssha_password'],
  templates: [
    {
      file: 'Users-Template.csv',
      place: 1,
      title: 'Users',
      use: 'Creates people, or changes their names and addresses.',
      columns: USER_HEADER,
      sample: {
        user_id: '1234567',
        integration_id: '1234567',
        login_id: 'sample.person@school.example',
        first_name: 'Sample',
        last_name: 'PERSON',
        sortable_name: 'PERSON, Sample',
        short_name: 'Sample PERSON',
        email: 'sample.person@school.example',
        status: 'active',
      },
      marked: 'login_id',
    },
    {
      file: 'Delete-Users-Template.csv',
      place: 3,
      title: 'Delete users',
      use: 'Deletes logins. People without another login lose all their enrolments.',
      columns: ['user_id', 'login_id', 'status'],
      sample: { user_id: '1234567', login_id: 'sample.person@school.example', status: 'deleted' },
      marked: 'login_id',
    },
  ],
});
