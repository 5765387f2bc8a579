/** Changing logins by hand; later imports do not change the login's name and state (reference §10). */

import type { FastifyPluginAsync } from 'fastify';
import { nested, paramsOf, text } from '../../http/params.ts';
import { hasRight, requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { ApiError, forbidden, invalid, notFound } from '../http/errors.ts';
import { findAccount } from '../http/find.ts';
import { liveLogin } from '../http/lookup.ts';
import { viewOf } from '../http/view.ts';
import type { Pseudonym } from '../store/model.ts';
import { changeByHand, keepsSticky, STICKY } from '../store/sticky.ts';
import { loginJson } from './json/users.ts';
import { pathNumber, pathParam } from './lists.ts';

const LONGEST = 100;
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
const IDS = { sis_user_id: 'SIS ID', integration_id: 'Integration ID' } as const;
const USER_TYPES = new Set(['administrative', 'observer', 'staff', 'student', 'student_other', 'teacher']);

export function loginRoutes({ world }: SandboxContext): FastifyPluginAsync {
  return async (app) => {
    app.put('/accounts/:account_id/logins/:id', (request) => {
      const account = findAccount(request, pathParam(request, 'account_id'));
      requireRight(request, account, 'manage_user_logins');
      const login = world.pseudonyms.get(pathNumber(request, 'id'));
      if (!login || login.workflow_state === 'deleted') throw notFound();
      const params = paramsOf(request);
      const fields = nested(params, 'login') ?? {};
      // Canvas answers a change that contains nothing it knows with the text "null".
      if (!FIELDS.some((name) => name in fields)) throw new ApiError(400, null);
      const patch: Partial<Pseudonym> = {};
      const name = text(fields, 'unique_id')?.trim();
      if (name !== undefined) patch.unique_id = nameFor(name, login);
      const state = text(fields, 'workflow_state');
      if (state === 'active' || state === 'suspended') patch.workflow_state = state;
      for (const field of ['sis_user_id', 'integration_id'] as const) {
        if (!(field in fields)) continue;
        if (!hasRight(request, world.rootAccount, 'manage_sis')) throw forbidden();
        const id = text(fields, field) || null;
        const index = field === 'sis_user_id' ? world.pseudonyms.by.sis : world.pseudonyms.by.integration;
        const holder = index.get(id);
        if (holder && holder !== login) throw taken(field, `${IDS[field]} "${id}" is already in use`);
        patch[field] = id;
      }
      const type = text(fields, 'declared_user_type') || null;
      if (type !== null && !USER_TYPES.has(type))
        throw invalid('declared_user_type', 'is not included in the list', 'inclusion');
      if ('declared_user_type' in fields) patch.declared_user_type = type;
      changeByHand(world.pseudonyms, login, patch, STICKY.login, keepsSticky(params));
      return loginJson(viewOf(request, world.rootAccount), login);
    });
  };

  /** @throws ApiError 400 */
  function nameFor(name: string, login: Pseudonym): string {
    if (name === '') throw invalid('unique_id', 'is too short', 'too_short');
    if (name.length > LONGEST)
      throw invalid('unique_id', `is too long (maximum is ${LONGEST} characters)`, 'too_long');
    const holder = liveLogin(world, name);
    if (holder && holder !== login)
      throw taken('unique_id', 'ID already in use for this account and authentication provider');
    return name;
  }
}

const taken = (field: string, message: string) => invalid(field, message, 'taken');
