/** Administrators of an account: the account's own, not those of the accounts above it. */
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { flag, list, paramsOf, text } from '../../http/params.ts';
import { currentUser, requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { notFound } from '../http/errors.ts';
import { findAccount, findUser } from '../http/find.ts';
import { lookupUser } from '../http/lookup.ts';
import { paginate } from '../http/paging.ts';
import { viewOf } from '../http/view.ts';
import type { Account, AccountUser, Role, User } from '../store/model.ts';
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
      return paginate(request, reply, admins).map((admin) => shown(request, account, admin));
    });

    // The caller's own roles can be read without that permission.
    app.get('/accounts/:account_id/admins/self', (request, reply) => {
      const account = findAccount(request, pathParam(request, 'account_id'));
      const { id } = currentUser(request);
      const own = world.accountUsers.by.account
        .get(account.id)
        .filter(({ user_id, workflow_state }) => user_id === id && workflow_state === 'active');
      return paginate(request, reply, own).map((admin) => shown(request, account, admin));
    });

    app.post('/accounts/:account_id/admins', (request) => {
      const account = findAccount(request, pathParam(request, 'account_id'));
      const user = findUser(request, text(paramsOf(request), 'user_id') ?? '');
      // A person without a login in this account is unknown.
      if (world.loginsOf(user.id).length === 0) throw notFound();
      const role = roleOf(request, account);
      requireRight(request, account, 'manage_account_memberships');
      const held = membership(account, user, role);
      const admin = held
        ? world.accountUsers.change(held, { workflow_state: 'active' })
        : world.accountUsers.add({
            account_id: account.id,
            user_id: user.id,
            role_id: role.id,
            workflow_state: 'active',
            sis_batch_id: null,
          });
      return shown(request, account, admin);
    });

    app.delete('/accounts/:account_id/admins/:user_id', (request) => {
      const account = findAccount(request, pathParam(request, 'account_id'));
      const user = findUser(request, pathParam(request, 'user_id'));
      const admin = membership(account, user, roleOf(request, account));
      if (admin?.workflow_state !== 'active') throw notFound();
      requireRight(request, account, 'manage_account_memberships');
      world.accountUsers.change(admin, { workflow_state: 'deleted' });
      return shown(request, account, admin);
    });
  };

  function shown(request: FastifyRequest, account: Account, admin: AccountUser): Record<string, unknown> {
    const { id, role_id, user_id, workflow_state } = admin;
    const user = userOf(viewOf(request, account), world.users.must(user_id));
    return { id, role: world.roles.must(role_id).name, role_id, user, workflow_state };
  }

  function membership(account: Account, user: User, role: Role): AccountUser | undefined {
    return world.accountUsers.by.account
      .get(account.id)
      .find(({ user_id, role_id }) => user_id === user.id && role_id === role.id);
  }

  /** Finds the role by number or name; without either, the role is account admin. @throws ApiError 404 */
  function roleOf(request: FastifyRequest, account: Account): Role {
    const params = paramsOf(request);
    const [id, name] = [text(params, 'role_id'), text(params, 'role')];
    const isHere = (role: Role) =>
      role.base_role_type === 'AccountMembership' && world.isRoleAvailable(role, account.id);
    const named = world.roles.by.name.get(name ?? 'AccountAdmin').find(isHere);
    const role = id === null ? named : world.roles.get(Number(id));
    if (!role || !isHere(role)) throw notFound();
    return role;
  }
}
