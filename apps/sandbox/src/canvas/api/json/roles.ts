import type { View } from '../../http/view.ts';
import type { Role } from '../../store/model.ts';
import { accountJson } from './accounts.ts';

/** Roles by letter: X and M are account roles, the others course roles. */
const ROLES: Readonly<Record<string, string>> = {
  AccountAdmin: 'X',
  AccountMembership: 'M',
  TeacherEnrollment: 'T',
  TaEnrollment: 'A',
  DesignerEnrollment: 'D',
  StudentEnrollment: 'S',
  ObserverEnrollment: 'O',
};

/** Canvas's permissions, each with the roles that can have it and the roles that have it from the start. */
const PERMISSIONS: readonly (readonly [possible: string, usual: string, names: string])[] = [
  [
    'XM',
    'X',
    `add_course_template become_user delete_course_template edit_course_template import_sis
    manage_account_calendar_events manage_account_calendar_visibility manage_alerts manage_courses_add
    manage_courses_admin manage_data_services manage_developer_keys manage_feature_flags manage_impact
    manage_master_courses manage_sis manage_storage_quotas manage_user_logins manage_user_observers
    moderate_user_content new_quizzes_view_ip_address read_course_content read_course_list undelete_courses
    view_course_changes view_feature_flags view_grade_changes view_statistics`,
  ],
  ['M', 'X', 'manage_account_memberships manage_account_settings manage_role_overrides'],
  [
    'XMTDA',
    'XTD',
    `manage_courses_conclude manage_courses_publish manage_sections_add manage_sections_delete
    manage_sections_edit`,
  ],
  [
    'XMTD',
    'X',
    `manage_account_banks manage_courses_delete manage_courses_reset manage_proficiency_calculations
    manage_proficiency_scales`,
  ],
  [
    'XMTDA',
    'XTDA',
    `add_observer_to_course add_student_to_course manage_course_visibility manage_groups_add
    manage_groups_delete manage_groups_manage manage_lti_add manage_lti_delete manage_lti_edit manage_rubrics
    manage_students read_reports remove_observer_from_course remove_student_from_course`,
  ],
  [
    'XMTDASO',
    'XTDAS',
    'create_collaborations create_conferences create_forum post_to_forum read_roster send_messages',
  ],
  ['XMTDAO', 'X', 'generate_observer_pairing_code'],
  ['XMTDAO', 'XTD', 'import_outcomes'],
  [
    'XMTDA',
    'XT',
    `add_designer_to_course add_ta_to_course add_teacher_to_course allow_course_admin_actions
    remove_designer_from_course remove_ta_from_course remove_teacher_from_course`,
  ],
  [
    'XMTDAO',
    'XTDA',
    `manage_assignments_add manage_assignments_delete manage_assignments_edit manage_course_content_add
    manage_course_content_delete manage_course_content_edit manage_files_add manage_files_delete
    manage_files_edit manage_wiki_create manage_wiki_delete manage_wiki_update read_question_banks`,
  ],
  ['XMTDASO', 'XTDA', 'manage_calendar moderate_forum send_messages_all view_group_pages'],
  ['XMTA', 'XTA', 'manage_grades select_final_grade view_user_logins'],
  ['XMTA', 'XT', 'manage_interaction_alerts'],
  ['XMTDASO', 'XTD', 'manage_outcomes'],
  ['XMTDASO', 'XTDASO', 'read_announcements read_forum'],
  ['XMTDASO', 'XTA', 'read_email_addresses'],
  // TAs have this permission here from the start (§16).
  ['XMTAS', 'XTA', 'read_sis'],
  ['XMT', 'X', 'new_quizzes_multiple_session_detection view_audit_trail'],
  ['XMTDA', 'XTA', 'view_all_grades'],
];

/** Permissions that exist only in a root account. */
const ROOT_ONLY: ReadonlySet<string> = new Set([
  'become_user',
  'import_sis',
  'manage_impact',
  'manage_sis',
  'manage_user_logins',
  'manage_user_observers',
  'view_course_changes',
]);

/** Patterns of granular permissions, and the names of the coarse ones to which they belong. */
const GROUPS: readonly (readonly [RegExp, string])[] = [
  [/^manage_assignments_.*/, 'manage_assignments_and_quizzes'],
  [/^(?:add|remove)_(teacher|ta|designer|observer|student)_.*/, 'manage_course_$1_enrollments'],
  [/^(?:add|delete|edit)_course_template$/, 'manage_course_templates'],
  [/^(manage_account_calendar)_.*/, '$1'],
  [/^(manage_(?:course_content|courses|files|groups|lti|sections|wiki))_.*/, '$1'],
];

type Permission = { name: string; possible: string; usual: string; group: { group?: string } };

const ALL: readonly Permission[] = PERMISSIONS.flatMap(([possible, usual, names]) =>
  names.split(/\s+/).map((name) => {
    const found = GROUPS.find(([pattern]) => pattern.test(name));
    return { name, possible, usual, group: found ? { group: name.replace(...found) } : {} };
  }),
).sort((a, b) => (a.name < b.name ? -1 : 1));

/** Returns the permissions that a built-in role, or one that is based on it, has from the start. */
export function permissionsOf(role: Pick<Role, 'name' | 'base_role_type'>): ReadonlySet<string> {
  const letter = ROLES[role.name] ?? ROLES[role.base_role_type];
  const has = ALL.filter(({ usual }) => letter !== undefined && usual.includes(letter));
  return new Set(has.map(({ name }) => name));
}

/** The names of all permissions. */
export const PERMISSION_NAMES: readonly string[] = ALL.map(({ name }) => name);

/** Returns whether a permission exists only in a root account. */
export function isForRoot(name: string): boolean {
  return ROOT_ONLY.has(name);
}

/** Returns the Role object (§6.5), as an account shows it; only custom roles have an `account`. */
export function roleJson(view: View, role: Role, inRoot: boolean): object {
  // A custom role starts with the permissions of its base type.
  const letter = ROLES[role.name] ?? ROLES[role.base_role_type] ?? '';
  const permissions: Record<string, object> = {};
  for (const { name, possible, usual, group } of ALL) {
    if (ROOT_ONLY.has(name) && !inRoot) continue;
    const enabled = letter !== '' && usual.includes(letter);
    const isFixed = letter === '' || !possible.includes(letter);
    permissions[name] = {
      enabled,
      locked: isFixed,
      readonly: isFixed,
      explicit: false,
      ...(enabled ? { applies_to_self: true, applies_to_descendants: true } : {}),
      ...group,
    };
  }
  const account = view.world.accounts.get(role.account_id);
  return {
    id: role.id,
    role: role.name,
    label: role.label,
    base_role_type: role.base_role_type,
    base_role_type_label: labelOf(view, role.base_role_type),
    is_account_role: role.base_role_type === 'AccountMembership',
    workflow_state: role.workflow_state,
    created_at: role.created_at,
    last_updated_at: role.updated_at,
    ...(account ? { account: accountJson(view, account) } : {}),
    permissions,
  };
}

function labelOf(view: View, type: string): string {
  const builtIn = view.world.roles.by.name.get(type).find((role) => role.workflow_state === 'built_in');
  return builtIn?.label ?? type;
}
