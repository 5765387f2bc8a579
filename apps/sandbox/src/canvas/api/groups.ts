/** Groups: lists, one by ID; creating, changing and deleting by hand (reference §6.10, §15.3). */

import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { flag, list, nested, type Params, paramsOf, text } from '../../http/params.ts';
import { currentCaller, currentUser, hasRight, requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { ApiError, invalid, notFound } from '../http/errors.ts';
import { findGroup, findGroupCategory } from '../http/find.ts';
import { lookupUser } from '../http/lookup.ts';
import { paginate } from '../http/paging.ts';
import { type View, viewOf } from '../http/view.ts';
import { LIVE } from '../store/enrollment-rules.ts';
import {
  addMember,
  deleteGroup,
  liveMembership,
  mayJoin,
  maySignUp,
  membershipOf,
  ownCategory,
} from '../store/group-rules.ts';
import type { Group, GroupCategory, User } from '../store/model.ts';
import { changeByHand, keepsSticky, STICKY } from '../store/sticky.ts';
import type { World } from '../store/world.ts';
import { categoryOf } from './group-categories.ts';
import { addGroup, byName, codeOf, PLACES, placeOf, readablePlace, sisIdFor } from './group-places.ts';
import { groupCategoryJson, groupJson, membersOf } from './json/groups.ts';
import { avatarUrl, userMatches, userOf } from './json/users.ts';
import { compareNames, includesOf, pathParam, searchTermOf } from './lists.ts';

const LONGEST_NAME = 255;

export function groupRoutes({ world }: SandboxContext): FastifyPluginAsync {
  return async (app) => {
    for (const [path, find] of PLACES) {
      app.get(`${path}/groups`, (request, reply) => {
        const place = find(request);
        requireRight(request, place, 'read_roster', 'manage_groups');
        const view = viewOf(request, place);
        const isMine = ownGroups(request, paramsOf(request), 'only_own_groups');
        // Only tags have this state, and the school has no tags (§15.3).
        const isForTags = text(paramsOf(request), 'collaboration_state') === 'non_collaborative';
        const groups = world.groups.by.context
          .get(codeOf(place))
          .filter((group) => group.workflow_state === 'available' && !isForTags && isMine(group))
          .filter(named(view, text(paramsOf(request), 'filter')))
          .sort(byCategory);
        return paginate(request, reply, groups).map((group) => withIncludes(request, view, group));
      });
    }

    // The caller's own groups, in all places.
    app.get('/users/self/groups', (request, reply) => {
      const view = viewOf(request, world.rootAccount);
      const where = text(paramsOf(request), 'context_type');
      const isMine = ownGroups(request, { mine: true }, 'mine');
      const groups = [...world.groups.values()]
        .filter((group) => group.workflow_state === 'available' && isMine(group))
        .filter((group) => where === null || group.context_type === where)
        .sort(byName);
      return paginate(request, reply, groups, { counted: false }).map((group) => groupJson(view, group));
    });

    app.post('/group_categories/:group_category_id/groups', (request) => {
      const category = categoryOf(request);
      requireRight(request, placeOf(world, category), 'manage_groups');
      return create(request, category);
    });

    // A group without a category is a community of the school, which anyone may found.
    app.post('/groups', (request) => {
      const given = text(paramsOf(request), 'group_category_id');
      if (given !== null) {
        const category = findGroupCategory(request, given);
        if (!category) throw notFound();
        requireRight(request, placeOf(world, category), 'manage_groups');
        return create(request, category);
      }
      const root = { context_type: 'Account', context_id: world.rootAccount.id } as const;
      return create(request, ownCategory(world, root));
    });

    app.put('/groups/:group_id', (request) => {
      const group = findGroup(request, pathParam(request, 'group_id'));
      const place = placeOf(world, group);
      requireRight(request, place, 'manage_groups');
      const params = paramsOf(request);
      const patch = patchOf(request, group);
      changeByHand(world.groups, group, patch, STICKY.group, keepsSticky(params));
      if ('members' in params)
        setMembers(
          world,
          currentUser(request),
          group,
          list(params, 'members').flatMap((id) => id.split(',')),
        );
      return writtenGroup(request, viewOf(request, place), group);
    });

    app.delete('/groups/:group_id', (request) => {
      const group = findGroup(request, pathParam(request, 'group_id'));
      const place = placeOf(world, group);
      requireRight(request, place, 'manage_groups');
      deleteGroup(world, group);
      return groupJson(viewOf(request, place), group);
    });

    app.get('/groups/:group_id', (request) => {
      const group = findGroup(request, pathParam(request, 'group_id'));
      return withIncludes(request, viewOf(request, readablePlace(request, group, 'group')), group);
    });

    app.get('/groups/:group_id/users', (request, reply) => {
      const group = findGroup(request, pathParam(request, 'group_id'));
      const view = viewOf(request, readablePlace(request, group, 'group'));
      const withoutInactive = flag(paramsOf(request), 'exclude_inactive');
      const term = searchTermOf(paramsOf(request));
      const users = membersOf(view, group)
        .filter((membership) => !withoutInactive || takesPart(world, group, membership.user_id))
        .map((membership) => world.users.must(membership.user_id))
        .filter((user) => term === null || userMatches(view, user, term))
        .sort((a, b) => compareNames(a.sortable_name, b.sortable_name) || a.id - b.id);
      const withPicture = includesOf(request).has('avatar_url');
      return paginate(request, reply, users, { counted: false }).map((user) => ({
        ...userOf(view, user),
        ...(withPicture ? { avatar_url: avatarUrl(view, user) } : {}),
      }));
    });
  };

  function create(request: FastifyRequest, category: GroupCategory): Record<string, unknown> {
    const params = paramsOf(request);
    const isCommunity = category.role === 'communities';
    const name = checkedName(text(params, 'name') ?? 'Unnamed Group');
    const sis = sisIdFor(request, text(params, 'sis_group_id'), world.groups.by.sis, null);
    const group = addGroup(world, category, {
      name,
      description: text(params, 'description'),
      is_public: isCommunity && flag(params, 'is_public'),
      join_level: text(params, 'join_level') ?? 'invitation_only',
      max_membership: checkedLimit(params) ?? category.group_limit,
      sis_source_id: sis ?? null,
    });
    // The founder of a community belongs to it and moderates it.
    if (isCommunity) {
      const founder = addMember(world, group, currentUser(request).id);
      world.groupMemberships.change(founder, { moderator: true });
    }
    return writtenGroup(request, viewOf(request, placeOf(world, category)), group);
  }

  /** Sorts by category, then by name. */
  function byCategory(a: Group, b: Group): number {
    const [one, other] = [a, b].map((group) => world.groupCategories.must(group.group_category_id));
    if (!one || !other || one === other) return byName(a, b);
    return compareNames(one.name, other.name) || one.id - other.id;
  }

  /** Creates a test for the caller's own groups, if the parameter asks for them. */
  function ownGroups(request: FastifyRequest, params: Params, name: string): (group: Group) => boolean {
    if (!flag(params, name)) return () => true;
    const memberships = world.groupMemberships.by.user.get(currentUser(request).id);
    const own = memberships.filter((one) => one.workflow_state === 'accepted');
    const ids = new Set(own.map((one) => one.group_id));
    return (group) => ids.has(group.id);
  }
}

function withIncludes(request: FastifyRequest, view: View, group: Group): Record<string, unknown> {
  const includes = includesOf(request);
  const category = view.world.groupCategories.get(group.group_category_id);
  return {
    ...groupJson(view, group),
    ...(includes.has('favorites') ? { is_favorite: false } : {}),
    ...(includes.has('group_category') && category
      ? { group_category: groupCategoryJson(view, category, currentUser(request).id) }
      : {}),
    ...(includes.has('users') ? { users: usersOf(request, view, group) } : {}),
    ...(includes.has('permissions') ? { permissions: permissionsOf(request, view, group) } : {}),
  };
}

/** Returns a created or changed group, with more fields than a group that is only read. */
function writtenGroup(request: FastifyRequest, view: View, group: Group): Record<string, unknown> {
  const category = view.world.groupCategories.must(group.group_category_id);
  return {
    ...groupJson(view, group),
    users: usersOf(request, view, group),
    group_category: groupCategoryJson(view, category, currentUser(request).id),
    permissions: permissionsOf(request, view, group),
  };
}

/** Returns the members; people who do not work on the course see only those who are active in it. */
function usersOf(request: FastifyRequest, view: View, group: Group): object[] {
  const { world } = view;
  const seesAll =
    hasRight(request, placeOf(world, group), 'manage_groups') ||
    flag(paramsOf(request), 'include_inactive_users');
  return membersOf(view, group)
    .filter((one) => seesAll || takesPart(world, group, one.user_id))
    .map((one) => world.users.must(one.user_id))
    .sort((a, b) => compareNames(a.sortable_name, b.sortable_name) || a.id - b.id)
    .map((user) => userOf(view, user));
}

/** Returns whether a member is active in the group's course. */
function takesPart(world: World, group: Group, userId: number): boolean {
  return (
    group.context_type !== 'Course' ||
    world.enrollments.by.user
      .get(userId)
      .some((e) => e.course_id === group.context_id && LIVE.has(e.workflow_state))
  );
}

/** Creates a test for groups whose name, or a member's name, contains the text. */
function named(view: View, filter: string | null): (group: Group) => boolean {
  const wanted = filter?.toLowerCase() ?? '';
  if (wanted === '') return () => true;
  const fits = ({ name }: { name: string }) => name.toLowerCase().includes(wanted);
  return (group) =>
    fits(group) || membersOf(view, group).some((one) => fits(view.world.users.must(one.user_id)));
}

function permissionsOf(request: FastifyRequest, { world }: View, group: Group): object {
  const { id } = currentUser(request);
  const mayManage = hasRight(request, placeOf(world, group), 'manage_groups');
  const isMember = liveMembership(world, group, id)?.workflow_state === 'accepted';
  return {
    create_discussion_topic: mayManage || isMember,
    join: maySignUp(world, group, id),
    create_announcement: mayManage,
  };
}

/** Reads the fields that a request changes. @throws ApiError 400, 401 */
function patchOf(request: FastifyRequest, group: Group): Partial<Group> {
  const { world } = currentCaller(request);
  const params = paramsOf(request);
  const patch: Partial<Group> = {};
  if ('name' in params) patch.name = checkedName(text(params, 'name') ?? '');
  if ('description' in params) patch.description = text(params, 'description');
  if ('join_level' in params) patch.join_level = text(params, 'join_level') || 'invitation_only';
  if ('is_public' in params) {
    const isPublic = flag(params, 'is_public');
    // A public group stays public; only communities can be public.
    if (group.is_public && !isPublic) throw invalid('is_public', 'is invalid', 'invalid');
    const { role } = world.groupCategories.must(group.group_category_id);
    patch.is_public = isPublic && role === 'communities';
  }
  if ('max_membership' in params)
    patch.max_membership =
      checkedLimit(params) ?? world.groupCategories.must(group.group_category_id).group_limit;
  const leader = nested(params, 'leader');
  if (leader) {
    const id = Number(text(leader, 'id'));
    if (!liveMembership(world, group, id)) throw new ApiError(400, {});
    patch.leader_id = id;
  } else if ('leader' in params) patch.leader_id = null;
  const sis = sisIdFor(request, text(params, 'sis_group_id'), world.groups.by.sis, group, 'update');
  if (sis !== undefined) patch.sis_source_id = sis;
  return patch;
}

/** @throws ApiError 400 for a name that is empty or too long */
function checkedName(name: string): string {
  if (name.trim() === '') throw invalid('name', 'Name is required');
  if (name.length > LONGEST_NAME) throw invalid('name', 'Enter a shorter group name');
  return name;
}

/** Reads the limit on members in a request. @throws ApiError 400 unless the limit is a positive number */
function checkedLimit(params: Params): number | null {
  const given = text(params, 'max_membership') || null;
  if (given === null) return null;
  const limit = Number.parseInt(given, 10) || 0;
  if (limit < 1) throw invalid('max_membership', 'Must be greater than 1');
  return limit;
}

/** Replaces the members: `members[]` is the complete list (§15.3); people outside the course are ignored. */
function setMembers(world: World, self: User, group: Group, ids: readonly string[]): void {
  const wanted = new Set(ids.map((id) => lookupUser(world, id, self)?.id ?? -1));
  for (const membership of world.groupMemberships.by.group.get(group.id)) {
    if (membership.workflow_state === 'deleted' || wanted.has(membership.user_id)) continue;
    world.groupMemberships.change(membership, { workflow_state: 'deleted' });
  }
  for (const userId of wanted) {
    if (userId < 0 || !mayJoin(world, group, userId)) continue;
    if (membershipOf(world, group, userId)?.workflow_state !== 'accepted') addMember(world, group, userId);
  }
}
