/** The tables of account reports about people and groups (reference §17.2). */
import type { ReportRow, ReportScope } from './scope.ts';

export function* userRows(scope: ReportScope): Generator<ReportRow> {
  const { world } = scope;
  const here = scope.peopleHere();
  for (const login of world.pseudonyms.values()) {
    if (here !== null && !here.has(login.user_id)) continue;
    if (!scope.isThere(login.workflow_state, login.sis_user_id) || !scope.isCreatedSo(login.sis_batch_id))
      continue;
    const user = world.users.must(login.user_id);
    const [first, last] = nameParts(user.sortable_name);
    yield {
      canvas_user_id: user.id,
      user_id: login.sis_user_id,
      integration_id: login.integration_id,
      authentication_provider_id: login.authentication_provider_id,
      login_id: login.unique_id,
      password: null,
      first_name: first,
      last_name: last,
      full_name: user.name,
      sortable_name: user.sortable_name,
      short_name: user.short_name,
      email: world.emailOf(user.id),
      status: login.workflow_state,
      created_by_sis: login.sis_batch_id !== null,
    };
  }
}

/** Finds the place of a group or a category, or returns null outside the account. */
function placeOf(
  scope: ReportScope,
  { context_type, context_id }: { context_type: string; context_id: number },
) {
  const course = context_type === 'Course' ? scope.world.courses.must(context_id) : null;
  const account = course?.account_id ?? context_id;
  if (!scope.holds(account)) return null;
  return {
    canvas_account_id: course ? null : account,
    account_id: course ? null : scope.sisAccount(account),
    canvas_course_id: course?.id ?? null,
    course_id: course?.sis_source_id ?? null,
    context_id,
    context_type,
  };
}

export function* groupRows(scope: ReportScope): Generator<ReportRow> {
  const { groups, groupCategories } = scope.world;
  for (const one of groups.values()) {
    const place = placeOf(scope, one);
    if (place === null || !scope.isCreatedSo(one.sis_batch_id)) continue;
    if (!scope.isThere(one.workflow_state, one.sis_source_id)) continue;
    yield {
      canvas_group_id: one.id,
      group_id: one.sis_source_id,
      canvas_group_category_id: one.group_category_id,
      group_category_id: groupCategories.get(one.group_category_id)?.sis_source_id ?? null,
      ...place,
      name: one.name,
      status: one.workflow_state,
      created_by_sis: one.sis_batch_id !== null,
      max_membership: one.max_membership,
    };
  }
}

export function* membershipRows(scope: ReportScope): Generator<ReportRow> {
  const { groups, groupMemberships } = scope.world;
  for (const group of groups.values()) {
    if (placeOf(scope, group) === null) continue;
    for (const one of groupMemberships.by.group.get(group.id)) {
      const isLive = group.workflow_state !== 'deleted' && one.workflow_state !== 'deleted';
      if (!isLive && (!scope.request.includeDeleted || one.sis_batch_id === null)) continue;
      const login = scope.login(one.user_id);
      if (!login || !scope.isImported(one.sis_batch_id)) continue;
      yield {
        canvas_group_id: group.id,
        group_id: group.sis_source_id,
        canvas_user_id: one.user_id,
        user_id: login.sis_user_id,
        status: one.workflow_state,
        created_by_sis: one.sis_batch_id !== null,
      };
    }
  }
}

export function* categoryRows(scope: ReportScope): Generator<ReportRow> {
  for (const one of scope.world.groupCategories.values()) {
    const place = placeOf(scope, one);
    const state = one.deleted_at === null ? 'active' : 'deleted';
    if (place === null || (state === 'deleted' && !scope.request.includeDeleted)) continue;
    // Only an export checks whether an import created the category.
    if (scope.request.sisExport && one.sis_batch_id === null) continue;
    yield {
      canvas_group_category_id: one.id,
      group_category_id: one.sis_source_id,
      ...place,
      name: one.name,
      category_name: one.name,
      role: one.role,
      self_signup: one.self_signup,
      group_limit: one.group_limit,
      auto_leader: one.auto_leader,
      status: state,
    };
  }
}

export function* observerRows(scope: ReportScope): Generator<ReportRow> {
  const here = scope.peopleHere();
  for (const one of scope.world.userObservers.values()) {
    if (here !== null && !here.has(one.user_id)) continue;
    if (one.workflow_state === 'deleted' && !scope.request.includeDeleted) continue;
    const [observer, student] = [scope.login(one.observer_id), scope.login(one.user_id)];
    if (!observer || !student || !scope.isImported(one.sis_batch_id)) continue;
    yield {
      canvas_observer_id: one.observer_id,
      observer_id: observer.sis_user_id,
      canvas_student_id: one.user_id,
      student_id: student.sis_user_id,
      status: one.workflow_state,
      created_by_sis: one.sis_batch_id !== null,
    };
  }
}

export function* adminRows(scope: ReportScope): Generator<ReportRow> {
  const { accountUsers, roles, users } = scope.world;
  for (const one of accountUsers.values()) {
    if (!scope.holds(one.account_id)) continue;
    if (one.workflow_state === 'deleted' && !scope.request.includeDeleted) continue;
    const login = scope.login(one.user_id);
    if (!login || (scope.request.sisExport && one.sis_batch_id === null)) continue;
    yield {
      admin_user_name: users.must(one.user_id).name,
      canvas_user_id: one.user_id,
      user_id: login.sis_user_id,
      canvas_account_id: one.account_id,
      account_id: scope.sisAccount(one.account_id),
      role_id: one.role_id,
      role: roles.must(one.role_id).name,
      status: one.workflow_state,
      created_by_sis: one.sis_batch_id !== null,
    };
  }
}

/** Takes first and last name from a sortable name, as Canvas does. */
function nameParts(sortable: string): [first: string | null, last: string | null] {
  const [before = '', ...behind] = sortable.trim().split(/\s*,\s*/);
  if (behind.length > 0) return [behind.join(' '), before];
  const words = before.split(/\s+/);
  const last = words.length > 1 ? (words.pop() ?? null) : null;
  return [words.join(' ') || null, last];
}
