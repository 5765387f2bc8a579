/** The rows of account reports (reference §17.2): each is a record with the fields of both kinds. */
import type { Course, Enrollment, EnrollmentType } from '../store/model.ts';
import type { ReportTable } from './kinds.ts';
import { adminRows, categoryRows, groupRows, membershipRows, observerRows, userRows } from './rows-people.ts';
import type { ReportRow, ReportScope } from './scope.ts';

const SIS_WORDS: Readonly<Record<EnrollmentType, string>> = {
  StudentEnrollment: 'student',
  StudentViewEnrollment: 'student',
  TeacherEnrollment: 'teacher',
  TaEnrollment: 'ta',
  ObserverEnrollment: 'observer',
  DesignerEnrollment: 'designer',
};

const TABLES: Readonly<Record<ReportTable, (scope: ReportScope) => Iterable<ReportRow>>> = {
  users: userRows,
  accounts: subAccounts,
  terms,
  courses: courseRows,
  sections,
  enrollments,
  groups: groupRows,
  group_membership: membershipRows,
  group_categories: categoryRows,
  xlist: crossListings,
  user_observers: observerRows,
  admins: adminRows,
};

/** Returns the rows of a table. */
export const rowsOf = (table: ReportTable, scope: ReportScope): Iterable<ReportRow> => TABLES[table](scope);

/** Lists the sub-accounts; for a sub-account, only its direct children. */
function* subAccounts(scope: ReportScope): Generator<ReportRow> {
  const { accounts } = scope.world;
  const all = scope.isRoot ? accounts.values() : accounts.by.parent.get(scope.request.account.id);
  for (const one of all) {
    if (one.parent_account_id === null || !scope.isCreatedSo(one.sis_batch_id)) continue;
    if (!scope.isThere(one.workflow_state, one.sis_source_id)) continue;
    yield {
      canvas_account_id: one.id,
      account_id: one.sis_source_id,
      canvas_parent_id: one.parent_account_id,
      parent_account_id: scope.sisAccount(one.parent_account_id),
      name: one.name,
      status: one.workflow_state,
      created_by_sis: one.sis_batch_id !== null,
    };
  }
}

function* terms(scope: ReportScope): Generator<ReportRow> {
  for (const one of scope.world.terms.values()) {
    if (!scope.isThere(one.workflow_state, one.sis_source_id) || !scope.isCreatedSo(one.sis_batch_id))
      continue;
    yield {
      canvas_term_id: one.id,
      term_id: one.sis_source_id,
      name: one.name,
      status: one.workflow_state,
      start_date: scope.date(one.start_at),
      end_date: scope.date(one.end_at),
      created_by_sis: one.sis_batch_id !== null,
    };
  }
}

function* courseRows(scope: ReportScope): Generator<ReportRow> {
  const { terms, courses } = scope.world;
  for (const one of courses.values()) {
    if (!scope.hasCourse(one) || !isCourseThere(scope, one) || !scope.isCreatedSo(one.sis_batch_id)) continue;
    const dates = one.restrict_enrollments_to_course_dates;
    yield {
      canvas_course_id: one.id,
      course_id: one.sis_source_id,
      integration_id: one.integration_id,
      short_name: one.course_code,
      long_name: one.name,
      canvas_account_id: one.account_id,
      account_id: scope.sisAccount(one.account_id),
      canvas_term_id: one.enrollment_term_id,
      term_id: terms.must(one.enrollment_term_id).sis_source_id,
      status: scope.request.sisExport ? importState(one) : courseState(one),
      start_date: dates ? scope.date(one.start_at) : null,
      end_date: dates ? scope.date(one.conclude_at) : null,
      course_format: one.course_format,
      canvas_blueprint_course_id: one.blueprint_course_id,
      blueprint_course_id: courses.get(one.blueprint_course_id)?.sis_source_id ?? null,
      created_by_sis: one.sis_batch_id !== null,
    };
  }
}

function* sections(scope: ReportScope): Generator<ReportRow> {
  const { includeDeleted } = scope.request;
  const { courses, sections } = scope.world;
  for (const one of sections.values()) {
    const course = courses.must(one.course_id);
    if (!scope.hasCourse(course)) continue;
    const isLive = one.workflow_state !== 'deleted';
    const isNamed = one.sis_source_id !== null && course.sis_source_id !== null;
    if (!(includeDeleted ? isLive || isNamed : isLive && course.workflow_state !== 'deleted')) continue;
    if (!scope.isCreatedSo(one.sis_batch_id)) continue;
    const dates = one.restrict_enrollments_to_section_dates;
    yield {
      canvas_section_id: one.id,
      section_id: one.sis_source_id,
      canvas_course_id: course.id,
      course_id: course.sis_source_id,
      integration_id: one.integration_id,
      name: one.name,
      status: one.workflow_state,
      start_date: dates ? scope.date(one.start_at) : null,
      end_date: dates ? scope.date(one.end_at) : null,
      canvas_account_id: course.account_id,
      account_id: scope.sisAccount(course.account_id),
      created_by_sis: one.sis_batch_id !== null,
    };
  }
}

function* enrollments(scope: ReportScope): Generator<ReportRow> {
  const { courses, sections, roles, enrollments } = scope.world;
  const { types, states } = scope.request;
  for (const one of enrollments.values()) {
    const course = courses.must(one.course_id);
    if (!scope.hasCourse(course)) continue;
    const section = sections.must(one.course_section_id);
    // Filtered by the enrolment's own state, but shown with the state that includes its course and section.
    if (!isEnrollmentThere(scope, one) || !scope.isCreatedSo(one.sis_batch_id)) continue;
    if ((types && !types.has(one.type)) || (states && !states.has(one.workflow_state))) continue;
    const login = scope.login(one.user_id, one.sis_pseudonym_id);
    const isNamed = course.sis_source_id !== null || section.sis_source_id !== null;
    if (!login || (scope.request.sisExport && !isNamed)) continue;
    const role = roles.must(one.role_id);
    yield {
      canvas_course_id: course.id,
      course_id: course.sis_source_id,
      canvas_user_id: one.user_id,
      user_id: login.sis_user_id,
      role: role.workflow_state === 'built_in' ? SIS_WORDS[one.type] : role.name,
      role_id: one.role_id,
      canvas_section_id: section.id,
      section_id: section.sis_source_id,
      status: enrollmentState(course, section.workflow_state, one),
      canvas_associated_user_id: one.associated_user_id,
      associated_user_id:
        one.associated_user_id === null ? null : (scope.login(one.associated_user_id)?.sis_user_id ?? null),
      created_by_sis: one.sis_batch_id !== null,
      base_role_type: one.type,
      limit_section_privileges: one.limit_privileges_to_course_section,
      canvas_enrollment_id: one.id,
    };
  }
}

/** Lists the cross-listings, by the course that now contains the section. */
function* crossListings(scope: ReportScope): Generator<ReportRow> {
  const { courses, sections } = scope.world;
  for (const one of sections.values()) {
    const home = courses.get(one.nonxlist_course_id);
    const target = courses.must(one.course_id);
    if (!home || !scope.hasCourse(target) || !scope.isCreatedSo(one.sis_batch_id)) continue;
    const isNamed = one.sis_source_id !== null && target.sis_source_id !== null;
    const isLive = one.workflow_state !== 'deleted' && target.workflow_state !== 'deleted';
    if (!(scope.request.includeDeleted ? isLive || isNamed : isLive && target.workflow_state !== 'completed'))
      continue;
    yield {
      canvas_xlist_course_id: target.id,
      xlist_course_id: target.sis_source_id,
      canvas_section_id: one.id,
      section_id: one.sis_source_id,
      status: one.workflow_state,
      canvas_nonxlist_course_id: home.id,
      nonxlist_course_id: home.sis_source_id,
    };
  }
}

/** Milliseconds for which deleted courses without an SIS ID are shown. */
const GONE_SHOWN_MS = 120 * 24 * 3600 * 1000;

function isCourseThere({ world, request }: ReportScope, course: Course): boolean {
  const { workflow_state: state, sis_source_id: sisId, updated_at: updated } = course;
  if (!request.includeDeleted) return state !== 'deleted' && state !== 'completed';
  return state !== 'deleted' || sisId !== null || world.clock() - Date.parse(updated) < GONE_SHOWN_MS;
}

const NO_IMPORT_KNOWS: ReadonlySet<string> = new Set(['rejected', 'invited', 'creation_pending']);

function isEnrollmentThere({ request }: ReportScope, enrollment: Enrollment): boolean {
  const { workflow_state: state, sis_batch_id: sisBatch } = enrollment;
  if (request.sisExport && NO_IMPORT_KNOWS.has(state)) return false;
  if (!request.includeDeleted) return state !== 'deleted' && state !== 'completed';
  return state !== 'deleted' || sisBatch !== null;
}

/** Returns the state in the words of an import, which has one word for published and unpublished courses. */
function importState({ workflow_state: state }: Course): string {
  return state === 'deleted' || state === 'completed' ? state : 'active';
}

function courseState({ workflow_state: state }: Course): string {
  if (state === 'completed') return 'concluded';
  if (state === 'available') return 'active';
  return state === 'deleted' ? 'deleted' : 'unpublished';
}

/** Returns the state of an enrolment, which follows its course and its section. */
function enrollmentState(course: Course, section: string, { workflow_state: state }: Enrollment): string {
  if (course.workflow_state === 'deleted' || section === 'deleted') return 'deleted';
  if (state === 'completed') return 'concluded';
  return state === 'creation_pending' ? 'invited' : state;
}
