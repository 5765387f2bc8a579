import { uuidOf } from '../../http/uuid.ts';
import type { View } from '../../http/view.ts';
import type { Account, Role, Term } from '../../store/model.ts';

const FRIENDLY_ZONES: Readonly<Record<string, string>> = {
  'Europe/Paris': 'Paris',
  'Asia/Singapore': 'Singapore',
  'Asia/Dubai': 'Abu Dhabi',
};

/** The Account object (§6.1). `counts` holds the includes that were asked for. */
export function accountJson(view: View, account: Account, counts: Record<string, number> = {}): object {
  const root = account.parent_account_id === null;
  const zone = account.default_time_zone;
  return {
    id: account.id,
    name: account.name,
    workflow_state: account.workflow_state,
    parent_account_id: account.parent_account_id,
    root_account_id: root ? null : view.world.rootAccount.id,
    uuid: uuidOf('account', account.id),
    default_storage_quota_mb: 500,
    default_user_storage_quota_mb: 50,
    default_group_storage_quota_mb: 50,
    default_time_zone: zone,
    default_time_zone_friendly_name: FRIENDLY_ZONES[zone] ?? zone,
    course_template_id: null,
    ...(view.sis && !root
      ? { sis_account_id: account.sis_source_id, integration_id: account.integration_id }
      : {}),
    ...(view.manageSis && !root ? { sis_import_id: account.sis_batch_id } : {}),
    ...counts,
  };
}

/** The Term object (§6.2). */
export function termJson(view: View, term: Term, overrides = false): Record<string, unknown> {
  return {
    id: term.id,
    name: term.name,
    start_at: term.start_at,
    end_at: term.end_at,
    created_at: term.created_at,
    workflow_state: term.workflow_state,
    grading_period_group_id: null,
    ...(view.sis ? { sis_term_id: term.sis_source_id } : {}),
    ...(view.manageSis ? { sis_import_id: term.sis_batch_id } : {}),
    ...(overrides ? { overrides: term.overrides } : {}),
  };
}

const PERMISSION_NAMES = words(`
  become_user import_sis manage_account_memberships manage_account_settings
  manage_calendar manage_courses_add manage_courses_admin manage_groups_add
  manage_groups_manage manage_role_overrides manage_sections_add manage_sections_edit
  manage_sis manage_user_logins read_course_content read_course_list
  read_email_addresses read_reports read_roster read_sis
  view_all_grades view_user_logins
`);

const ALLOWED_BY_TYPE: Readonly<Record<string, ReadonlySet<string>>> = {
  AccountAdmin: new Set(PERMISSION_NAMES),
  TeacherEnrollment: new Set(
    words(`
    manage_calendar manage_groups_add manage_groups_manage manage_sections_add
    manage_sections_edit read_course_content read_email_addresses read_reports
    read_roster read_sis view_all_grades view_user_logins
  `),
  ),
  TaEnrollment: new Set([
    'manage_calendar',
    'read_course_content',
    'read_reports',
    'read_roster',
    'read_sis',
  ]),
  DesignerEnrollment: new Set(['manage_calendar', 'read_course_content', 'manage_sections_edit']),
  StudentEnrollment: new Set(['read_course_content', 'read_roster']),
  ObserverEnrollment: new Set(['read_course_content']),
};

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** The Role object (§6.5); `account` is there for custom roles only. */
export function roleJson(view: View, role: Role): object {
  const allowed = ALLOWED_BY_TYPE[role.name] ?? ALLOWED_BY_TYPE[role.base_role_type];
  const permissions: Record<string, object> = {};
  for (const name of PERMISSION_NAMES) {
    permissions[name] = {
      enabled: allowed?.has(name) ?? false,
      locked: false,
      readonly: false,
      explicit: false,
      ...(allowed?.has(name) ? { applies_to_self: true, applies_to_descendants: true } : {}),
    };
  }
  const account = view.world.accounts.get(role.account_id);
  return {
    id: role.id,
    role: role.name,
    label: role.label,
    base_role_type: role.base_role_type,
    is_account_role: role.base_role_type === 'AccountMembership',
    workflow_state: role.workflow_state,
    created_at: role.created_at,
    last_updated_at: role.updated_at,
    ...(account ? { account: accountJson(view, account) } : {}),
    permissions,
  };
}
