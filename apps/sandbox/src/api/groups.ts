/** Group categories, groups and memberships (reference §6.10). */

import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { currentUser, hasRight, requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { ApiError, invalid, refused } from '../http/errors.ts';
import { findAccount, findCourse, findGroup, findGroupCategory } from '../http/find.ts';
import { paginate } from '../http/paging.ts';
import { flag, list, type Params, paramsOf, text } from '../http/params.ts';
import { viewOf } from '../http/view.ts';
import type { Account, Course, Group, GroupCategory } from '../store/model.ts';
import type { World } from '../store/world.ts';
import { groupCategoryJson, groupJson, groupsOf, membershipJson, membersOf } from './json/groups.ts';
import { userOf } from './json/users.ts';
import { compareNames, includesOf, pathParam, searchTermOf } from './lists.ts';

const NO_SIS_RIGHT = 'You must have manage_sis permission to set sis attributes';
const RESERVED = new Set(['student groups', 'imported groups']);
const MEMBERSHIP_STATES = new Set(['accepted', 'invited', 'requested']);

type Place = Account | Course;

export function groupRoutes({ world }: SandboxContext): FastifyPluginAsync {
  const places: [path: string, find: (request: FastifyRequest) => Place][] = [
    ['/courses/:course_id', (request) => findCourse(request, pathParam(request, 'course_id'))],
    ['/accounts/:account_id', (request) => findAccount(request, pathParam(request, 'account_id'))],
  ];

  return async (app) => {
    for (const [path, find] of places) {
      app.get(`${path}/group_categories`, (request, reply) => {
        const place = find(request);
        requireRight(request, place, 'manage_groups');
        const view = viewOf(request, place);
        const wanted = text(paramsOf(request), 'collaboration_state');
        const categories =
          wanted === 'non_collaborative'
            ? []
            : world.groupCategories.by.context
                .get(codeOf(place))
                .filter((category) => category.deleted_at === null)
                .sort((a, b) => a.id - b.id);
        const callerId = currentUser(request).id;
        return paginate(request, reply, categories).map((category) =>
          groupCategoryJson(view, category, callerId),
        );
      });

      app.post(`${path}/group_categories`, (request) => {
        const place = find(request);
        requireRight(request, place, 'manage_groups');
        return createCategory(request, world, place);
      });

      app.get(`${path}/groups`, (request, reply) => {
        const place = find(request);
        requireRight(request, place, 'read_roster', 'manage_groups');
        const view = viewOf(request, place);
        const groups = world.groups.by.context
          .get(codeOf(place))
          .filter((group) => group.workflow_state === 'available')
          .sort(byName);
        return paginate(request, reply, groups).map((group) => groupJson(view, group));
      });
    }

    app.get('/group_categories/:group_category_id', (request) => {
      const category = categoryOf(request);
      const place = placeOf(world, category);
      requireRight(request, place, 'manage_groups');
      return {
        ...groupCategoryJson(viewOf(request, place), category, currentUser(request).id),
        ...countsOf(world, request, category),
      };
    });

    app.put('/group_categories/:group_category_id', (request) => {
      const category = categoryOf(request);
      const place = placeOf(world, category);
      requireRight(request, place, 'manage_groups');
      const params = paramsOf(request);
      const patch: Partial<GroupCategory> = {};
      if (text(params, 'name') !== null) patch.name = checkedName(world, place, params, category);
      Object.assign(patch, settingsOf(params));
      world.groupCategories.change(category, patch);
      setSisId(request, world, place, category, params);
      return groupCategoryJson(viewOf(request, place), category, currentUser(request).id);
    });

    app.delete('/group_categories/:group_category_id', (request) => {
      const category = categoryOf(request);
      const place = placeOf(world, category);
      requireRight(request, place, 'manage_groups');
      for (const group of groupsOf(viewOf(request, place), category)) {
        world.groups.change(group, { workflow_state: 'deleted' });
      }
      world.groupCategories.change(category, { deleted_at: world.now() });
      return groupCategoryJson(viewOf(request, place), category, currentUser(request).id);
    });

    app.get('/group_categories/:group_category_id/groups', (request, reply) => {
      const category = categoryOf(request);
      const place = placeOf(world, category);
      requireRight(request, place, 'manage_groups', 'read_roster');
      const view = viewOf(request, place);
      const groups = groupsOf(view, category).sort(byName);
      return paginate(request, reply, groups).map((group) => groupJson(view, group));
    });

    app.get('/group_categories/:group_category_id/users', (request, reply) => {
      const category = categoryOf(request);
      const place = placeOf(world, category);
      requireRight(request, place, 'manage_groups', 'read_roster');
      const view = viewOf(request, place);
      const grouped = groupedUsers(world, category);
      const unassigned = flag(paramsOf(request), 'unassigned');
      const ids =
        place === world.rootAccount || !('course_code' in place) ? grouped : studentsOf(world, place);
      const term = searchTermOf(paramsOf(request));
      const users = [...ids]
        .filter((id) => !unassigned || !grouped.has(id))
        .map((id) => world.users.must(id))
        .filter((user) => term === null || user.name.toLowerCase().includes(term))
        .sort((a, b) => compareNames(a.sortable_name, b.sortable_name) || a.id - b.id);
      return paginate(request, reply, users).map((user) => userOf(view, user));
    });

    app.get('/groups/:group_id', (request) => {
      const group = findGroup(request, pathParam(request, 'group_id'));
      const place = placeOf(world, group);
      requireRight(request, place, 'manage_groups', 'read_roster');
      const view = viewOf(request, place);
      const json = groupJson(view, group);
      if (includesOf(request).has('users')) {
        json['users'] = membersOf(view, group).map((m) => userOf(view, world.users.must(m.user_id)));
      }
      return json;
    });

    app.get('/groups/:group_id/memberships', (request, reply) => {
      const group = findGroup(request, pathParam(request, 'group_id'));
      const place = placeOf(world, group);
      requireRight(request, place, 'manage_groups', 'read_roster');
      const asked = list(paramsOf(request), 'filter_states').filter((state) => MEMBERSHIP_STATES.has(state));
      const states = asked.length > 0 ? new Set(asked) : MEMBERSHIP_STATES;
      const memberships = world.groupMemberships.by.group
        .get(group.id)
        .filter((membership) => states.has(membership.workflow_state));
      const view = viewOf(request, place);
      return paginate(request, reply, memberships).map((membership) => membershipJson(view, membership));
    });

    app.get('/groups/:group_id/users', (request, reply) => {
      const group = findGroup(request, pathParam(request, 'group_id'));
      const place = placeOf(world, group);
      requireRight(request, place, 'manage_groups', 'read_roster');
      const view = viewOf(request, place);
      const users = membersOf(view, group)
        .map((membership) => world.users.must(membership.user_id))
        .sort((a, b) => compareNames(a.sortable_name, b.sortable_name) || a.id - b.id);
      return paginate(request, reply, users, { counted: false }).map((user) => userOf(view, user));
    });
  };
}

/** @throws ApiError 404 with a body of its own (§6.10). */
function categoryOf(request: FastifyRequest): GroupCategory {
  const category = findGroupCategory(request, pathParam(request, 'group_category_id'));
  if (!category) throw new ApiError(404, { status: 'not found' });
  return category;
}

function createCategory(request: FastifyRequest, world: World, place: Place): Record<string, unknown> {
  const params = paramsOf(request);
  const category = world.groupCategories.add({
    name: checkedName(world, place, params, null),
    role: null,
    context_type: contextType(place),
    context_id: place.id,
    self_signup: null,
    auto_leader: null,
    group_limit: null,
    ...settingsOf(params),
    deleted_at: null,
    sis_source_id: null,
    sis_batch_id: null,
  });
  // Canvas saves the category first and sets the SIS id after it (§6.10): a refusal leaves the category.
  setSisId(request, world, place, category, params);
  const count = Number(text(params, 'create_group_count') ?? text(params, 'split_group_count') ?? 0);
  for (let n = 1; n <= Math.min(count, 200); n++) addGroup(world, category, `${category.name} ${n}`);
  return {
    ...groupCategoryJson(viewOf(request, place), category, currentUser(request).id),
    ...countsOf(world, request, category),
  };
}

/** @throws ApiError 400 for a name that is blank, reserved, or taken in the same place (§6.10). */
function checkedName(world: World, place: Place, params: Params, self: GroupCategory | null): string {
  const name = text(params, 'name')?.trim() ?? '';
  if (name === '') throw invalid('name', 'Name is required');
  if (name.length > 250) throw invalid('name', 'Enter a shorter category name');
  if ('course_code' in place && RESERVED.has(name.toLowerCase()))
    throw invalid('name', `${name} is a reserved name.`);
  const taken = world.groupCategories.by.context
    .get(codeOf(place))
    .some((other) => other !== self && other.deleted_at === null && other.name === name);
  if (taken) throw invalid('name', `${name} is already in use.`);
  return name;
}

function settingsOf(
  params: Params,
): Partial<Pick<GroupCategory, 'self_signup' | 'auto_leader' | 'group_limit'>> {
  const settings: ReturnType<typeof settingsOf> = {};
  const signup = text(params, 'self_signup');
  if (signup === 'enabled' || signup === 'restricted') settings.self_signup = signup;
  const leader = text(params, 'auto_leader');
  if (leader === 'first' || leader === 'random') settings.auto_leader = leader;
  const limit = Number(text(params, 'group_limit') ?? Number.NaN);
  if (Number.isInteger(limit) && limit > 0) settings.group_limit = limit;
  return settings;
}

/** @throws ApiError 401 without the right, 400 when the SIS id is taken. */
function setSisId(
  request: FastifyRequest,
  world: World,
  place: Place,
  category: GroupCategory,
  params: Params,
): void {
  const sis = text(params, 'sis_group_category_id');
  if (sis === null) return;
  if (!hasRight(request, place, 'manage_sis')) throw refused(401, NO_SIS_RIGHT);
  const holder = world.groupCategories.by.sis.get(sis);
  if (sis !== '' && holder && holder !== category) {
    throw invalid('sis_source_id', `SIS ID "${sis}" is already in use`);
  }
  world.groupCategories.change(category, { sis_source_id: sis || null });
}

function addGroup(world: World, category: GroupCategory, name: string): void {
  world.groups.add({
    name,
    description: null,
    workflow_state: 'available',
    context_type: category.context_type,
    context_id: category.context_id,
    group_category_id: category.id,
    join_level: 'invitation_only',
    is_public: false,
    max_membership: category.group_limit,
    leader_id: null,
    sis_source_id: null,
    sis_batch_id: null,
    stuck_sis_fields: null,
  });
}

function countsOf(world: World, request: FastifyRequest, category: GroupCategory): Record<string, number> {
  const place = placeOf(world, category);
  const grouped = groupedUsers(world, category);
  const all = 'course_code' in place ? studentsOf(world, place) : grouped;
  return {
    groups_count: groupsOf(viewOf(request, place), category).length,
    unassigned_users_count: [...all].filter((id) => !grouped.has(id)).length,
  };
}

function groupedUsers(world: World, category: GroupCategory): Set<number> {
  const ids = new Set<number>();
  for (const group of world.groups.by.category.get(category.id)) {
    if (group.workflow_state !== 'available') continue;
    for (const membership of world.groupMemberships.by.group.get(group.id)) {
      if (membership.workflow_state === 'accepted') ids.add(membership.user_id);
    }
  }
  return ids;
}

function studentsOf(world: World, course: Course): Set<number> {
  return new Set(
    world.enrollments.by.course
      .get(course.id)
      .filter((e) => e.type === 'StudentEnrollment' && ['active', 'invited'].includes(e.workflow_state))
      .map((e) => e.user_id),
  );
}

function placeOf(world: World, of: GroupCategory | Group): Place {
  return of.context_type === 'Course'
    ? world.courses.must(of.context_id)
    : world.accounts.must(of.context_id);
}

function contextType(place: Place): 'Course' | 'Account' {
  return 'course_code' in place ? 'Course' : 'Account';
}

function codeOf(place: Place): string {
  return `${contextType(place)}_${place.id}`;
}

function byName(a: Group, b: Group): number {
  return compareNames(a.name, b.name) || a.id - b.id;
}
