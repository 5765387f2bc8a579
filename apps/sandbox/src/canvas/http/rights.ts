/**
 * Who may do what. Rights carry Canvas's permission names; each account role and each enrolment type
 * grants a fixed set, an account's rights hold in all accounts and courses below it (reference §3, §6).
 */

export type Right =
  | 'add_observers'
  | 'add_staff'
  | 'add_students'
  | 'become_user'
  | 'import_sis'
  | 'manage_account_memberships'
  | 'manage_account_settings'
  | 'manage_calendar'
  | 'manage_courses'
  | 'manage_groups'
  | 'manage_role_overrides'
  | 'manage_sections'
  | 'manage_sis'
  | 'manage_user_logins'
  | 'manage_user_observers'
  | 'read_course_content'
  | 'read_course_list'
  | 'read_email_addresses'
  | 'read_reports'
  | 'read_roster'
  | 'read_sis'
  | 'read_terms'
  | 'view_user_logins';

export const ALL_RIGHTS: readonly Right[] = [
  'add_observers',
  'add_staff',
  'add_students',
  'become_user',
  'import_sis',
  'manage_account_memberships',
  'manage_account_settings',
  'manage_calendar',
  'manage_courses',
  'manage_groups',
  'manage_role_overrides',
  'manage_sections',
  'manage_sis',
  'manage_user_logins',
  'manage_user_observers',
  'read_course_content',
  'read_course_list',
  'read_email_addresses',
  'read_reports',
  'read_roster',
  'read_sis',
  'read_terms',
  'view_user_logins',
];

/** Rights by the name of an account role. `AccountMembership` alone grants nothing, as on a fresh Canvas. */
const ACCOUNT_ROLE_RIGHTS: Readonly<Record<string, readonly Right[]>> = {
  AccountAdmin: ALL_RIGHTS,
};

/** What those who work on a course may all do in it. */
const WORKING: readonly Right[] = [
  'add_observers',
  'add_students',
  'manage_calendar',
  'manage_groups',
  'read_course_content',
  'read_reports',
  'read_roster',
];

/** What only those see who teach. */
const TEACHING: readonly Right[] = ['read_email_addresses', 'read_sis', 'view_user_logins'];

/** Rights in a course by the type of an active enrolment in it. Sections are not for TAs, people's ids not for designers. */
const ENROLLMENT_RIGHTS: Readonly<Record<string, readonly Right[]>> = {
  TeacherEnrollment: [...WORKING, ...TEACHING, 'add_staff', 'manage_sections'],
  TaEnrollment: [...WORKING, ...TEACHING],
  DesignerEnrollment: [...WORKING, 'manage_sections'],
  StudentEnrollment: ['read_course_content', 'read_roster'],
  ObserverEnrollment: ['read_course_content'],
};

/** What is left of them once the enrolment or the course is concluded: reading. */
const CONCLUDED_RIGHTS: Readonly<Record<string, readonly Right[]>> = {
  TeacherEnrollment: [...TEACHING, 'read_course_content', 'read_roster'],
  TaEnrollment: [...TEACHING, 'read_course_content', 'read_roster'],
  DesignerEnrollment: ['read_course_content', 'read_roster'],
  StudentEnrollment: ['read_course_content'],
  ObserverEnrollment: ['read_course_content'],
};

/** The rights an account role grants. */
export function rightsOfAccountRole(name: string): readonly Right[] {
  return ACCOUNT_ROLE_RIGHTS[name] ?? [];
}

/** The rights an enrolment of this type grants in its course. */
export function rightsOfEnrollment(type: string, concluded: boolean): readonly Right[] {
  return (concluded ? CONCLUDED_RIGHTS : ENROLLMENT_RIGHTS)[type] ?? [];
}
