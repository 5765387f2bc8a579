/** The columns of the two kinds of reports, table by table (reference §17.2). */
import type { ReportTable } from './kinds.ts';

const COLUMNS: Readonly<Record<ReportTable, string>> = {
  users:
    'canvas_user_id user_id integration_id authentication_provider_id login_id first_name last_name full_name sortable_name short_name email status created_by_sis',
  accounts: 'canvas_account_id account_id canvas_parent_id parent_account_id name status created_by_sis',
  terms: 'canvas_term_id term_id name status start_date end_date created_by_sis',
  courses:
    'canvas_course_id course_id integration_id short_name long_name canvas_account_id account_id canvas_term_id term_id status start_date end_date course_format canvas_blueprint_course_id blueprint_course_id created_by_sis',
  sections:
    'canvas_section_id section_id canvas_course_id course_id integration_id name status start_date end_date canvas_account_id account_id created_by_sis',
  enrollments:
    'canvas_course_id course_id canvas_user_id user_id role role_id canvas_section_id section_id status canvas_associated_user_id associated_user_id created_by_sis base_role_type limit_section_privileges canvas_enrollment_id',
  groups:
    'canvas_group_id group_id canvas_group_category_id group_category_id canvas_account_id account_id canvas_course_id course_id name status created_by_sis context_id context_type max_membership',
  group_membership: 'canvas_group_id group_id canvas_user_id user_id status created_by_sis',
  group_categories:
    'canvas_group_category_id group_category_id context_id context_type name role self_signup group_limit auto_leader status',
  xlist:
    'canvas_xlist_course_id xlist_course_id canvas_section_id section_id status canvas_nonxlist_course_id nonxlist_course_id',
  user_observers: 'canvas_observer_id observer_id canvas_student_id student_id status created_by_sis',
  admins:
    'admin_user_name canvas_user_id user_id canvas_account_id account_id role_id role status created_by_sis',
};

/** Columns of the import format: `ids` are SIS IDs; rows without `needed`, or by default without `ids`, are skipped. */
const SIS_COLUMNS: Readonly<Record<ReportTable, { ids: string; needed?: string; others: string }>> = {
  users: {
    ids: 'user_id',
    others:
      'integration_id authentication_provider_id login_id password first_name last_name full_name sortable_name short_name email status',
  },
  accounts: { ids: 'account_id', others: 'parent_account_id name status' },
  terms: { ids: 'term_id', others: 'name status start_date end_date' },
  courses: {
    ids: 'course_id',
    others:
      'integration_id short_name long_name account_id term_id status start_date end_date course_format blueprint_course_id',
  },
  sections: { ids: 'section_id course_id', others: 'integration_id name status start_date end_date' },
  enrollments: {
    ids: 'course_id user_id',
    needed: 'user_id',
    others: 'role role_id section_id status associated_user_id limit_section_privileges',
  },
  groups: { ids: 'group_id', others: 'group_category_id account_id course_id name status' },
  group_membership: { ids: 'group_id user_id', others: 'status' },
  group_categories: { ids: 'group_category_id', others: 'account_id course_id category_name status' },
  xlist: { ids: 'xlist_course_id section_id', others: 'status' },
  user_observers: { ids: 'observer_id student_id', others: 'status' },
  admins: { ids: 'user_id', others: 'account_id role_id role status' },
};

/** @returns the columns in order, and those that a row must have */
export function columnsOf(report: string, table: ReportTable): { columns: string[]; needed: string[] } {
  if (report !== 'sis_export_csv') return { columns: COLUMNS[table].split(' '), needed: [] };
  const { ids, needed, others } = SIS_COLUMNS[table];
  return { columns: `${ids} ${others}`.split(' '), needed: (needed ?? ids).split(' ') };
}
