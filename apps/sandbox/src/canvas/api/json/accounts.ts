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
    uuid: view.world.uuidOfAccount(account),
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
  allow_course_admin_actions become_user block_content_editing create_collaborations create_conferences
  create_forum generate_observer_pairing_code import_outcomes import_sis lti_add_edit manage_account_banks
  manage_account_calendar_events manage_account_calendar_visibility manage_account_memberships
  manage_account_settings manage_admin_users manage_alerts manage_assignments_add manage_assignments_delete
  manage_assignments_edit manage_calendar manage_catalog manage_content manage_course_content_add
  manage_course_content_delete manage_course_content_edit manage_course_designer_enrollments
  manage_course_observer_enrollments manage_course_student_enrollments manage_course_ta_enrollments
  manage_course_teacher_enrollments manage_course_templates manage_courses_add manage_courses_admin
  manage_courses_conclude manage_courses_delete manage_courses_publish manage_courses_reset
  manage_data_services manage_developer_keys manage_feature_flags manage_files_add manage_files_delete
  manage_files_edit manage_grades manage_groups_add manage_groups_delete manage_groups_manage
  manage_interaction_alerts manage_master_courses manage_outcomes manage_proficiency_calculations
  manage_proficiency_scales manage_role_overrides manage_rubrics manage_sections_add manage_sections_delete
  manage_sections_edit manage_sis manage_storage_quotas manage_students manage_user_logins
  manage_user_observers manage_wiki_create manage_wiki_delete manage_wiki_update moderate_forum
  moderate_user_content post_to_forum read_announcements read_course_content read_course_list
  read_email_addresses read_files read_forum read_question_banks read_reports read_roster read_sis
  select_final_grade send_messages send_messages_all undelete_courses view_all_grades view_analytics
  view_audit_trail view_course_changes view_feature_flags view_group_pages view_notifications
  view_statistics view_user_logins
`);

/** What those who work on a course may all do. */
const WORKING = words(`
  create_collaborations create_conferences create_forum manage_assignments_add manage_assignments_delete
  manage_assignments_edit manage_calendar manage_content manage_course_content_add manage_course_content_delete
  manage_course_content_edit manage_course_observer_enrollments manage_course_student_enrollments manage_files_add
  manage_files_delete manage_files_edit manage_groups_add manage_groups_delete manage_groups_manage manage_rubrics
  manage_students manage_wiki_create manage_wiki_delete manage_wiki_update moderate_forum post_to_forum
  read_announcements read_forum read_question_banks read_reports read_roster send_messages send_messages_all
  view_group_pages
`);
const GRADING = words(`
  manage_grades read_email_addresses read_sis select_final_grade view_all_grades view_user_logins
`);
const SHAPING = words(`
  import_outcomes manage_outcomes manage_sections_add manage_sections_delete manage_sections_edit
`);

const ALLOWED_BY_TYPE: Readonly<Record<string, ReadonlySet<string>>> = {
  AccountAdmin: new Set(PERMISSION_NAMES),
  TeacherEnrollment: new Set([
    ...WORKING,
    ...GRADING,
    ...SHAPING,
    ...words(`
      allow_course_admin_actions manage_course_designer_enrollments manage_course_ta_enrollments
      manage_course_teacher_enrollments manage_interaction_alerts
    `),
  ]),
  TaEnrollment: new Set([...WORKING, ...GRADING]),
  DesignerEnrollment: new Set([...WORKING, ...SHAPING]),
  StudentEnrollment: new Set(
    words(`
      create_collaborations create_conferences create_forum post_to_forum read_announcements read_forum read_roster
      send_messages
    `),
  ),
  ObserverEnrollment: new Set(['read_announcements', 'read_forum']),
};

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

const GROUPS =
  /^(manage_(?:assignments|course_content|courses|files|groups|sections|wiki))_(?:add|admin|conclude|create|delete|edit|manage|publish|reset|update)$/;

/** Fine permissions name the coarse one they were split from. */
function groupOf(name: string): { group?: string } {
  const group = GROUPS.exec(name)?.[1];
  return group === undefined ? {} : { group };
}

function labelOf(view: View, type: string): string {
  const builtIn = view.world.roles.by.name.get(type).find((role) => role.workflow_state === 'built_in');
  return builtIn?.label ?? type;
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
      ...groupOf(name),
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
