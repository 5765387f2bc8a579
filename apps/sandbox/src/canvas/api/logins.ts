/** Changes of logins by hand; imports then leave name and state of the login alone (reference §10). */

import type { FastifyPluginAsync } from 'fastify';
import { nested, paramsOf, text } from '../../http/params.ts';
import { hasRight, requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { forbidden, invalid, notFound } from '../http/errors.ts';
import { findAccount } from '../http/find.ts';
import { liveLogin } from '../http/lookup.ts';
import { viewOf } from '../http/view.ts';
import type { Pseudonym } from '../store/model.ts';
import { changeByHand, STICKY } from '../store/sticky.ts';
import { loginJson } from './json/users.ts';
import { pathParam } from './lists.ts';

const LONGEST = 100;

export function loginRoutes({ world }: SandboxContext): FastifyPluginAsync {
  return async (app) => {
    app.put('/accounts/:account_id/logins/:id', (request) => {
      const account = findAccount(request, pathParam(request, 'account_id'));
      requireRight(request, account, 'manage_user_logins');
      const login = world.pseudonyms.get(Number(pathParam(request, 'id')));
      if (!login || login.workflow_state === 'deleted') throw notFound();
      const fields = nested(paramsOf(request), 'login') ?? {};
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
        if (holder && holder !== login) throw taken(field, id ?? '');
        patch[field] = id;
      }
      changeByHand(world.pseudonyms, login, patch, STICKY.login);
      return loginJson(viewOf(request, world.rootAccount), login);
    });
  };

  /** @throws ApiError 400 */
  function nameFor(name: string, login: Pseudonym): string {
    if (name === '') throw invalid('unique_id', 'is too short', 'too_short');
    if (name.length > LONGEST)
      throw invalid('unique_id', `is too long (maximum is ${LONGEST} characters)`, 'too_long');
    const holder = liveLogin(world, name);
    if (holder && holder !== login) throw taken('unique_id', name);
    return name;
  }
}

const taken = (field: string, value: string) =>
  invalid(field, `ID already in use for this account and authentication provider: ${value}`, 'taken');
