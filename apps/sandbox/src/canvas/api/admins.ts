/** Administrators of an account: the account's own, not those of the accounts above it. */
import type { FastifyPluginAsync } from 'fastify';
import { flag, list, paramsOf } from '../../http/params.ts';
import { currentUser, requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { findAccount } from '../http/find.ts';
import { lookupUser } from '../http/lookup.ts';
import { paginate } from '../http/paging.ts';
import { viewOf } from '../http/view.ts';
import { userOf } from './json/users.ts';
import { pathParam } from './lists.ts';

export function adminRoutes({ world }: SandboxContext): FastifyPluginAsync {
  return async (app) => {
    app.get('/accounts/:account_id/admins', (request, reply) => {
      const account = findAccount(request, pathParam(request, 'account_id'));
      requireRight(request, account, 'manage_account_memberships');
      const params = paramsOf(request);
      const caller = currentUser(request);
      const people = new Set(list(params, 'user_id').map((id) => lookupUser(world, id, caller)?.id));
      const deleted = flag(params, 'include_deleted');
      const admins = [...world.accountUsers.by.account.get(account.id)]
        .filter(({ workflow_state }) => deleted || workflow_state === 'active')
        .filter(({ user_id }) => people.size === 0 || people.has(user_id))
        .sort((a, b) => a.id - b.id);
      const view = viewOf(request, account);
      return paginate(request, reply, admins).map(({ id, role_id, user_id, workflow_state }) => ({
        id,
        role: world.roles.must(role_id).name,
        role_id,
        user: userOf(view, world.users.must(user_id)),
        workflow_state,
      }));
    });
  };
}
