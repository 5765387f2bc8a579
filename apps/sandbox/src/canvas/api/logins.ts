/**
 * Logins by hand: lists, adding, changing, deleting (Logins of the API documentation). Imports then do not change a
 * login's name and state (reference §10).
 */

import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { nested, type Params, paramsOf, text } from '../../http/params.ts';
import { currentUser, hasRight, requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { ApiError, forbidden, invalid, notFound, refused } from '../http/errors.ts';
import { findAccount, findUser } from '../http/find.ts';
import { paginate } from '../http/paging.ts';
import { viewOf } from '../http/view.ts';
import type { Account, Pseudonym, User } from '../store/model.ts';
import { changeByHand, keepsSticky, STICKY } from '../store/sticky.ts';
import { loginJson } from './json/users.ts';
import { pathNumber, pathParam } from './lists.ts';
import { type LoginFields, loginErrors, mustBeRight, providerOf } from './login-fields.ts';

/** The fields of a login that Canvas knows. */
const FIELDS = [
  'unique_id',
  'password',
  'sis_user_id',
  'authentication_provider_id',
  'integration_id',
  'workflow_state',
  'declared_user_type',
] as const;

export function loginRoutes({ world }: SandboxContext): FastifyPluginAsync {
  return async (app) => {
    app.get('/users/:user_id/logins', (request, reply) => {
      const user = readable(request, findUser(request, pathParam(request, 'user_id')));
      return paginate(request, reply, world.loginsOf(user.id)).map((login) => shown(request, login));
    });

    app.get('/accounts/:account_id/logins', (request, reply) => {
      const account = findAccount(request, pathParam(request, 'account_id'));
      const user = readable(request, personOf(request));
      mustBeRoot(account);
      return paginate(request, reply, world.loginsOf(user.id)).map((login) => shown(request, login));
    });

    app.post('/accounts/:account_id/logins', (request) => {
      const account = findAccount(request, pathParam(request, 'account_id'));
      const user = personOf(request);
      mustBeRoot(account);
      requireRight(request, account, 'manage_user_logins');
      const given = nested(paramsOf(request), 'login') ?? {};
      const fields = read(request, given);
      const state = stateOf(given);
      mustBeRight(loginErrors(world, fields, null));
      const { password, ...rest } = fields;
      const login = world.pseudonyms.add({
        user_id: user.id,
        unique_id: '',
        sis_user_id: null,
        integration_id: null,
        workflow_state: state ?? 'active',
        authentication_provider_id: null,
        password_auto_generated: !password,
        declared_user_type: null,
        sis_communication_channel_id: null,
        sis_batch_id: null,
        last_request_at: null,
        stuck_sis_fields: null,
        ...rest,
      });
      return shown(request, login);
    });

    app.put('/accounts/:account_id/logins/:id', (request) => {
      requireRight(request, findAccount(request, pathParam(request, 'account_id')), 'manage_user_logins');
      const login = liveLogin(request);
      const params = paramsOf(request);
      const given = nested(params, 'login') ?? {};
      const fields = read(request, given);
      const state = stateOf(given);
      mustBeRight(loginErrors(world, fields, login));
      const { password, ...patch } = fields;
      const more = {
        ...(state === undefined ? {} : { workflow_state: state }),
        ...(password ? { password_auto_generated: false } : {}),
      };
      changeByHand(world.pseudonyms, login, { ...patch, ...more }, STICKY.login, keepsSticky(params));
      return shown(request, login);
    });

    app.delete('/users/:user_id/logins/:id', (request) => {
      const user = findUser(request, pathParam(request, 'user_id'));
      const login = liveLogin(request);
      if (login.user_id !== user.id) throw notFound();
      requireRight(request, world.rootAccount, 'manage_user_logins');
      if (login.sis_user_id !== null) requireRight(request, world.rootAccount, 'manage_sis');
      if (world.loginsOf(user.id).length < 2) throw invalid('base', 'Users must have at least one login');
      changeByHand(world.pseudonyms, login, { workflow_state: 'deleted' }, STICKY.login);
      return shown(request, login);
    });
  };

  function shown(request: FastifyRequest, login: Pseudonym): Record<string, unknown> {
    return loginJson(viewOf(request, world.rootAccount), login);
  }

  /**
   * Returns the person if the caller can read their logins: everyone can read their own.
   * @throws ApiError 403
   */
  function readable(request: FastifyRequest, user: User): User {
    if (user.id !== currentUser(request).id) requireRight(request, world.rootAccount, 'view_user_logins');
    return user;
  }

  /** Finds a login that is not deleted. @throws ApiError 404 */
  function liveLogin(request: FastifyRequest): Pseudonym {
    const login = world.pseudonyms.get(pathNumber(request, 'id'));
    if (!login || login.workflow_state === 'deleted') throw notFound();
    return login;
  }

  /**
   * Reads the fields that a request writes.
   * @throws ApiError 400 if Canvas knows none of them, 403 for IDs without permission, 404 for an unknown
   * provider
   */
  function read(request: FastifyRequest, given: Params): LoginFields {
    // Canvas looks up the provider first, and answers a request without any known field with the text "null".
    const provider = providerOf(world, given);
    if (!FIELDS.some((name) => name in given)) throw new ApiError(400, null);
    const fields: LoginFields = provider === undefined ? {} : { authentication_provider_id: provider };
    if ('unique_id' in given) fields.unique_id = text(given, 'unique_id')?.trim() ?? '';
    if ('declared_user_type' in given) fields.declared_user_type = text(given, 'declared_user_type') || null;
    for (const name of ['sis_user_id', 'integration_id'] as const) {
      if (!(name in given)) continue;
      if (!hasRight(request, world.rootAccount, 'manage_sis')) throw forbidden();
      fields[name] = text(given, name) || null;
    }
    if ('password' in given) fields.password = text(given, 'password');
    return fields;
  }
}

/** Finds the person whom the parameters of a request name, or the caller if they name none. */
function personOf(request: FastifyRequest): User {
  const params = paramsOf(request);
  const given = text(params, 'user_id') ?? text(nested(params, 'user') ?? {}, 'id');
  return given === null ? currentUser(request) : findUser(request, given);
}

/** @throws ApiError 400: logins belong to the root account */
function mustBeRoot(account: Account): void {
  if (account.parent_account_id !== null) throw refused(400, 'Action must be called on a root account.');
}

/** @throws ApiError 400 for a state that a login cannot be given */
function stateOf(given: Params): 'active' | 'suspended' | undefined {
  if (!('workflow_state' in given)) return undefined;
  const state = text(given, 'workflow_state');
  if (state !== 'active' && state !== 'suspended') throw invalid('workflow_state', 'invalid workflow_state');
  return state;
}
