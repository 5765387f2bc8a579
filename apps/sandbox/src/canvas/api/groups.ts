/** Groups: lists, one by id, made, changed and deleted by hand (reference §6.10, §15.3). */

import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { flag, list, type Params, paramsOf, text } from '../../http/params.ts';
import { currentUser, hasRight, requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { invalid } from '../http/errors.ts';
import { findGroup, findUser } from '../http/find.ts';
import { paginate } from '../http/paging.ts';
import { type View, viewOf } from '../http/view.ts';
import { addMember, liveMembership, mayJoin, maySignUp, membershipOf } from '../store/group-rules.ts';
import type { Group } from '../store/model.ts';
import { changeByHand, STICKY } from '../store/sticky.ts';
import type { World } from '../store/world.ts';
import { categoryOf } from './group-categories.ts';
import { addGroup, byName, codeOf, PLACES, placeOf, sisIdFor } from './group-places.ts';
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
        // Tags, which the school has not (§15.3), are the only ones of that kind.
        const isForTags = text(paramsOf(request), 'collaboration_state') === 'non_collaborative';
        const groups = world.groups.by.context
          .get(codeOf(place))
          .filter((group) => group.workflow_state === 'available' && !isForTags && isMine(group))
          .sort(byCategory);
        return paginate(request, reply, groups).map((group) => withIncludes(request, view, group));
      });
    }

    // The caller's own, wherever they are.
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
      const place = placeOf(world, category);
      requireRight(request, place, 'manage_groups');
      const params = paramsOf(request);
      const name = checkedName(text(params, 'name')?.trim() || 'Unnamed Group');
      const sis = sisIdFor(request, text(params, 'sis_group_id'), world.groups.by.sis, null);
      const group = addGroup(world, category, {
        name,
        description: text(params, 'description'),
        is_public: flag(params, 'is_public'),
        join_level: text(params, 'join_level') ?? 'invitation_only',
        sis_source_id: sis ?? null,
      });
      return writtenGroup(request, viewOf(request, place), group);
    });

    app.put('/groups/:group_id', (request) => {
      const group = findGroup(request, pathParam(request, 'group_id'));
      const place = placeOf(world, group);
      requireRight(request, place, 'manage_groups');
      const params = paramsOf(request);
      const patch: Partial<Group> = {};
      if ('name' in params) patch.name = checkedName(text(params, 'name')?.trim() || group.name);
      if ('description' in params) patch.description = text(params, 'description');
      if ('max_membership' in params) patch.max_membership = Number(text(params, 'max_membership')) || null;
      const sis = sisIdFor(request, text(params, 'sis_group_id'), world.groups.by.sis, group);
      if (sis !== undefined) patch.sis_source_id = sis;
      changeByHand(world.groups, group, patch, STICKY.group);
      if ('members' in params) setMembers(request, world, group, list(params, 'members'));
      return writtenGroup(request, viewOf(request, place), group);
    });

    app.delete('/groups/:group_id', (request) => {
      const group = findGroup(request, pathParam(request, 'group_id'));
      const place = placeOf(world, group);
      requireRight(request, place, 'manage_groups');
      world.groups.change(group, { workflow_state: 'deleted' });
      return groupJson(viewOf(request, place), group);
    });

    app.get('/groups/:group_id', (request) => {
      const group = findGroup(request, pathParam(request, 'group_id'));
      const place = placeOf(world, group);
      requireRight(request, place, 'manage_groups', 'read_roster');
      return withIncludes(request, viewOf(request, place), group);
    });

    app.get('/groups/:group_id/users', (request, reply) => {
      const group = findGroup(request, pathParam(request, 'group_id'));
      const place = placeOf(world, group);
      requireRight(request, place, 'manage_groups', 'read_roster');
      const view = viewOf(request, place);
      const term = searchTermOf(paramsOf(request));
      const users = membersOf(view, group)
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

  /** By category, then by name. */
  function byCategory(a: Group, b: Group): number {
    const [one, other] = [a, b].map((group) => world.groupCategories.must(group.group_category_id));
    if (!one || !other || one === other) return byName(a, b);
    return compareNames(one.name, other.name) || one.id - other.id;
  }

  /** A test for groups that the caller is in, where the parameter asks for it. */
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
  return {
    ...groupJson(view, group),
    ...(includes.has('users') ? { users: usersOf(view, group) } : {}),
    ...(includes.has('permissions') ? { permissions: permissionsOf(request, view, group) } : {}),
  };
}

/** A group that was made or changed is shown with more than one that is read. */
function writtenGroup(request: FastifyRequest, view: View, group: Group): Record<string, unknown> {
  const category = view.world.groupCategories.must(group.group_category_id);
  return {
    ...groupJson(view, group),
    users: usersOf(view, group),
    group_category: groupCategoryJson(view, category, currentUser(request).id),
    permissions: permissionsOf(request, view, group),
  };
}

function usersOf(view: View, group: Group): object[] {
  return membersOf(view, group).map((one) => userOf(view, view.world.users.must(one.user_id)));
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

/** @throws ApiError 400 for a name that is too long */
function checkedName(name: string): string {
  if (name.length > LONGEST_NAME)
    throw invalid('name', `is too long (maximum is ${LONGEST_NAME} characters)`, 'too_long');
  return name;
}

/** `members[]` is the whole list: others are removed, new ones added (§15.3). */
function setMembers(request: FastifyRequest, world: World, group: Group, ids: readonly string[]): void {
  const wanted = new Set(ids.map((id) => findUser(request, id).id));
  for (const membership of world.groupMemberships.by.group.get(group.id)) {
    if (membership.workflow_state === 'deleted' || wanted.has(membership.user_id)) continue;
    world.groupMemberships.change(membership, { workflow_state: 'deleted' });
  }
  for (const userId of wanted) {
    if (!mayJoin(world, group, userId)) continue;
    if (membershipOf(world, group, userId)?.workflow_state !== 'accepted') addMember(world, group, userId);
  }
}
