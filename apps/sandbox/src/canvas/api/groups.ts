/** Groups: lists, one by id, made, changed and deleted by hand (reference §6.10, §15.3). */

import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { flag, list, paramsOf, text } from '../../http/params.ts';
import { requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { invalid } from '../http/errors.ts';
import { findGroup, findUser } from '../http/find.ts';
import { paginate } from '../http/paging.ts';
import { viewOf } from '../http/view.ts';
import { addMember, mayJoin, membershipOf } from '../store/group-rules.ts';
import type { Group } from '../store/model.ts';
import { changeByHand, STICKY } from '../store/sticky.ts';
import type { World } from '../store/world.ts';
import { categoryOf } from './group-categories.ts';
import { addGroup, byName, codeOf, PLACES, placeOf, sisIdFor } from './group-places.ts';
import { groupJson, membersOf } from './json/groups.ts';
import { userOf } from './json/users.ts';
import { compareNames, includesOf, pathParam } from './lists.ts';

const LONGEST_NAME = 255;

export function groupRoutes({ world }: SandboxContext): FastifyPluginAsync {
  return async (app) => {
    for (const [path, find] of PLACES) {
      app.get(`${path}/groups`, (request, reply) => {
        const place = find(request);
        requireRight(request, place, 'read_roster', 'manage_groups');
        const view = viewOf(request, place);
        // Tags, which the school has not (§15.3), are the only ones of that kind.
        const isForTags = text(paramsOf(request), 'collaboration_state') === 'non_collaborative';
        const groups = world.groups.by.context
          .get(codeOf(place))
          .filter((group) => group.workflow_state === 'available' && !isForTags)
          .sort(byName);
        return paginate(request, reply, groups).map((group) => groupJson(view, group));
      });
    }

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
      return groupJson(viewOf(request, place), group);
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
      return groupJson(viewOf(request, place), group);
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
      const view = viewOf(request, place);
      const json = groupJson(view, group);
      if (includesOf(request).has('users')) {
        json['users'] = membersOf(view, group).map((m) => userOf(view, world.users.must(m.user_id)));
      }
      return json;
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
