/** `DELETE /accounts/:id/users/:user_id`: removes a person from the root account, with everything they have in it. */

import type { FastifyPluginAsync } from 'fastify';
import { requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { findAccount, findUser } from '../http/find.ts';
import type { User } from '../store/model.ts';
import { followStudent } from '../store/observing.ts';
import { uuidOf } from '../store/uuid.ts';
import type { World } from '../store/world.ts';
import { pathParam } from './lists.ts';

export function userRemovalRoutes({ world }: SandboxContext): FastifyPluginAsync {
  return async (app) => {
    app.delete('/accounts/:account_id/users/:user_id', (request) => {
      findAccount(request, pathParam(request, 'account_id'));
      const user = findUser(request, pathParam(request, 'user_id'));
      requireRight(request, world.rootAccount, 'manage_user_logins');
      if (world.loginsOf(user.id).some((login) => login.sis_user_id !== null))
        requireRight(request, world.rootAccount, 'manage_sis');
      removeUser(world, user);
      return { user: recordOf(user) };
    });
  };
}

function removeUser(world: World, user: User): void {
  const deleted = { workflow_state: 'deleted' } as const;
  for (const enrollment of world.enrollments.by.user.get(user.id).slice()) {
    if (enrollment.workflow_state === 'deleted') continue;
    followStudent(world, world.enrollments.change(enrollment, deleted));
  }
  for (const membership of world.groupMemberships.by.user.get(user.id))
    if (membership.workflow_state !== 'deleted') world.groupMemberships.change(membership, deleted);
  for (const admin of world.accountUsers.by.user.get(user.id))
    if (admin.workflow_state !== 'deleted') world.accountUsers.change(admin, deleted);
  const { student, observer } = world.userObservers.by;
  for (const link of [...student.get(user.id), ...observer.get(user.id)])
    if (link.workflow_state !== 'deleted') world.userObservers.change(link, deleted);
  for (const channel of world.channels.by.user.get(user.id))
    world.channels.change(channel, { workflow_state: 'retired' });
  for (const login of world.loginsOf(user.id)) world.pseudonyms.change(login, deleted);
  world.users.change(user, deleted);
}

/** Returns the record itself, which Canvas shows here instead of the User object. */
function recordOf(user: User): Record<string, unknown> {
  const { id, name, sortable_name, short_name, workflow_state, time_zone, locale } = user;
  return {
    id,
    name,
    sortable_name,
    short_name,
    workflow_state,
    time_zone,
    locale,
    uuid: uuidOf('user', id),
    pronouns: user.pronouns,
    created_at: user.created_at,
    updated_at: user.updated_at,
  };
}
