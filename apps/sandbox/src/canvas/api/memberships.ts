/** Members of a group (reference §6.10, §15.3). */

import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { flag, list, paramsOf, text } from '../../http/params.ts';
import { currentUser, requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { forbidden, invalid, notFound } from '../http/errors.ts';
import { findGroup, findUser } from '../http/find.ts';
import { lookupUser } from '../http/lookup.ts';
import { paginate } from '../http/paging.ts';
import { viewOf } from '../http/view.ts';
import {
  addMember,
  haveCommonSection,
  isFull,
  liveMembership,
  mayJoin,
  maySignUp,
} from '../store/group-rules.ts';
import type { Group, GroupMembership } from '../store/model.ts';
import { placeOf, readablePlace } from './group-places.ts';
import { membershipJson } from './json/groups.ts';
import { pathNumber, pathParam } from './lists.ts';

export function membershipRoutes({ world }: SandboxContext): FastifyPluginAsync {
  const membershipsOf = (group: Group) =>
    world.groupMemberships.by.group.get(group.id).filter((each) => each.workflow_state !== 'deleted');

  /** Finds a membership by its ID or the person's ID; `self` is the caller in both cases. */
  const find = (request: FastifyRequest, group: Group): GroupMembership => {
    const given = pathParam(request, 'membership_id');
    const user = given === 'self' ? given : pathParam(request, 'user_id');
    const userId = user === '' ? null : findUser(request, user).id;
    const id = pathNumber(request, 'membership_id');
    const found = membershipsOf(group).find((each) =>
      userId === null ? each.id === id : each.user_id === userId,
    );
    if (!found) throw notFound();
    return found;
  };

  /** Returns whether the membership is the caller's own, in a group that people choose themselves. */
  const isOwnChoice = (request: FastifyRequest, group: Group, userId: number): boolean =>
    userId === currentUser(request).id && maySignUp(world, group, userId);

  return async (app) => {
    app.get('/groups/:group_id/memberships', (request, reply) => {
      const group = findGroup(request, pathParam(request, 'group_id'));
      const place = readablePlace(request, group, 'members');
      const requested = new Set(list(paramsOf(request), 'filter_states'));
      // `deleted` is not a valid filter: it returns nothing.
      const memberships = membershipsOf(group).filter(
        ({ workflow_state }) => requested.size === 0 || requested.has(workflow_state),
      );
      const view = viewOf(request, place);
      return paginate(request, reply, memberships).map((membership) => membershipJson(view, membership));
    });

    app.post('/groups/:group_id/memberships', (request) => {
      const group = findGroup(request, pathParam(request, 'group_id'));
      const place = placeOf(world, group);
      const user = findUser(request, text(paramsOf(request), 'user_id') ?? '');
      if (!isOwnChoice(request, group, user.id)) requireRight(request, place, 'manage_groups');
      if (!mayJoin(world, group, user.id)) throw forbidden();
      const isNew = liveMembership(world, group, user.id) === undefined;
      if (isNew && isFull(world, group)) throw invalid('group_id', 'The group is full.');
      const isRestricted =
        world.groupCategories.get(group.group_category_id)?.self_signup === 'restricted' &&
        group.context_type === 'Course';
      if (isNew && isRestricted && !haveCommonSection(world, group, [user.id]))
        throw invalid(
          'user_id',
          `${user.name} does not share a section with the other members of ${group.name}.`,
        );
      const membership = addMember(world, group, user.id);
      return { ...membershipJson(viewOf(request, place), membership), just_created: isNew };
    });

    app.delete('/groups/:group_id/users', (request) => {
      const group = findGroup(request, pathParam(request, 'group_id'));
      requireRight(request, placeOf(world, group), 'manage_groups');
      const self = currentUser(request);
      const wanted = new Set(
        list(paramsOf(request), 'user_ids').map((id) => lookupUser(world, id, self)?.id),
      );
      const gone = membershipsOf(group).filter((one) => wanted.has(one.user_id));
      for (const membership of gone) world.groupMemberships.change(membership, { workflow_state: 'deleted' });
      return {
        message: 'Bulk delete completed',
        deleted_user_ids: gone.map((one) => one.user_id),
        unauthorized_user_ids: [],
      };
    });

    for (const path of ['/groups/:group_id/memberships/:membership_id', '/groups/:group_id/users/:user_id']) {
      app.get(path, (request) => {
        const group = findGroup(request, pathParam(request, 'group_id'));
        const membership = find(request, group);
        const place = readablePlace(request, group, 'group');
        return membershipJson(viewOf(request, place), membership);
      });

      app.put(path, (request) => {
        const group = findGroup(request, pathParam(request, 'group_id'));
        const membership = find(request, group);
        const place = placeOf(world, group);
        requireRight(request, place, 'manage_groups');
        const params = paramsOf(request);
        if (text(params, 'workflow_state') === 'accepted')
          world.groupMemberships.change(membership, { workflow_state: 'accepted' });
        if ('moderator' in params)
          world.groupMemberships.change(membership, { moderator: flag(params, 'moderator') });
        return membershipJson(viewOf(request, place), membership);
      });

      app.delete(path, (request) => {
        const group = findGroup(request, pathParam(request, 'group_id'));
        const membership = find(request, group);
        if (!isOwnChoice(request, group, membership.user_id))
          requireRight(request, placeOf(world, group), 'manage_groups');
        world.groupMemberships.change(membership, { workflow_state: 'deleted' });
        return { ok: true };
      });
    }
  };
}
