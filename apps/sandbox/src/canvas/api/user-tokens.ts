/** Tokens that a person created by hand, without their values (Access Tokens API). */

import type { FastifyPluginAsync } from 'fastify';
import { currentUser, requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { findUser } from '../http/find.ts';
import { paginate } from '../http/paging.ts';
import type { TokenStore } from '../oauth/tokens.ts';
import { pathParam } from './lists.ts';

/** How many characters of the value are shown. */
const HINT = 5;

export function userTokenRoutes({ world }: SandboxContext, tokens: TokenStore): FastifyPluginAsync {
  return async (app) => {
    app.get('/users/:user_id/user_generated_tokens', (request, reply) => {
      const user = findUser(request, pathParam(request, 'user_id'));
      if (user.id !== currentUser(request).id) requireRight(request, world.rootAccount, 'become_user');
      return paginate(request, reply, tokens.ofUser(user.id)).map((one, at) => ({
        id: at + 1,
        user_id: user.id,
        purpose: 'LMS Admin',
        app_name: 'User-Generated',
        token_hint: one.token.slice(0, HINT),
        expires_at: one.expiresAt === null ? null : new Date(one.expiresAt).toISOString(),
        scopes: one.scopes ?? [],
        workflow_state: 'active',
      }));
    });
  };
}
