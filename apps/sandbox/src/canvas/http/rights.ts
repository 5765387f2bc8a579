/**
 * Permissions, under Canvas's names. Each account role and each enrolment type grants a fixed set; an
 * account's permissions apply to all accounts and courses below it (reference §3, §6).
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
  | 'view_group_pages'
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
  'view_group_pages',
  'view_user_logins',
];

/** Permissions that exist only in a root account: the administrators of a sub-account do not have them. */
export const ROOT_ONLY: ReadonlySet<Right> = new Set([
  'become_user',
  'import_sis',
  'manage_sis',
  'manage_user_logins',
  'manage_user_observers',
]);

/**
 * Permissions by the name of an account role. `AccountMembership` alone grants nothing, as on a fresh Canvas.
 */
const ACCOUNT_ROLE_RIGHTS: Readonly<Record<string, readonly Right[]>> = {
  AccountAdmin: ALL_RIGHTS,
};

/** Permissions in a course for everyone who works on it. */
const WORKING: readonly Right[] = [
  'add_observers',
  'add_students',
  'manage_calendar',
  'manage_groups',
  'read_course_content',
  'read_reports',
  'read_roster',
  'view_group_pages',
];

/** Permissions in a course for teachers only. */
const TEACHING: readonly Right[] = ['read_email_addresses', 'read_sis', 'view_user_logins'];

/**
 * Permissions in a course by type of active enrolment. TAs have none for sections, designers none for
 * people's IDs.
 */
const ENROLLMENT_RIGHTS: Readonly<Record<string, readonly Right[]>> = {
  TeacherEnrollment: [...WORKING, ...TEACHING, 'add_staff', 'manage_sections'],
  TaEnrollment: [...WORKING, ...TEACHING],
  DesignerEnrollment: [...WORKING, 'manage_sections'],
  StudentEnrollment: ['read_course_content', 'read_roster'],
  ObserverEnrollment: ['read_course_content'],
};

/** Permissions that remain when the enrolment or the course is concluded: reading. */
const CONCLUDED_RIGHTS: Readonly<Record<string, readonly Right[]>> = {
  TeacherEnrollment: [...TEACHING, 'read_course_content', 'read_roster', 'view_group_pages'],
  TaEnrollment: [...TEACHING, 'read_course_content', 'read_roster', 'view_group_pages'],
  DesignerEnrollment: ['read_course_content', 'read_roster', 'view_group_pages'],
  StudentEnrollment: ['read_course_content'],
  ObserverEnrollment: ['read_course_content'],
};

/** Returns the permissions that an account role grants. */
export function rightsOfAccountRole(name: string): readonly Right[] {
  return ACCOUNT_ROLE_RIGHTS[name] ?? [];
}

/** Returns the permissions that an enrolment of this type grants in its course. */
export function rightsOfEnrollment(type: string, concluded: boolean): readonly Right[] {
  return (concluded ? CONCLUDED_RIGHTS : ENROLLMENT_RIGHTS)[type] ?? [];
}
