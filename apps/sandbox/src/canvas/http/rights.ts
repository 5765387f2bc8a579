/**
 * Who may do what. Rights carry Canvas's permission names; each account role and each enrolment type
 * grants a fixed set, an account's rights hold in all accounts and courses below it (reference §3, §6).
 */

export type Right =
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
  | 'read_course_content'
  | 'read_course_list'
  | 'read_email_addresses'
  | 'read_reports'
  | 'read_roster'
  | 'read_sis'
  | 'read_terms'
  | 'view_user_logins';

export const ALL_RIGHTS: readonly Right[] = [
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

const TEACHING: readonly Right[] = [
  'manage_calendar',
  'manage_groups',
  'manage_sections',
  'read_course_content',
  'read_email_addresses',
  'read_reports',
  'read_roster',
  'read_sis',
  'view_user_logins',
];

/** Rights in a course by the type of an active enrolment in it. */
const ENROLLMENT_RIGHTS: Readonly<Record<string, readonly Right[]>> = {
  TeacherEnrollment: TEACHING,
  TaEnrollment: TEACHING,
  DesignerEnrollment: ['manage_calendar', 'manage_groups', 'manage_sections', 'read_course_content'],
  StudentEnrollment: ['read_course_content', 'read_roster'],
  ObserverEnrollment: ['read_course_content'],
};

/** The rights an account role grants. */
export function rightsOfAccountRole(name: string): readonly Right[] {
  return ACCOUNT_ROLE_RIGHTS[name] ?? [];
}

/** The rights an active enrolment of this type grants in its course. */
export function rightsOfEnrollment(type: string): readonly Right[] {
  return ENROLLMENT_RIGHTS[type] ?? [];
}
