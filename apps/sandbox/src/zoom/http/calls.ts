/** Checks before every API call: the app, its scopes and the limits. */

import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import type { Faults } from '../../faults/faults.ts';
import type { Scope } from '../oauth/clients.ts';
import { CLASSIC } from '../oauth/clients.ts';
import type { Tokens } from '../oauth/tokens.ts';
import type { CallFault } from './context.ts';
import { badToken, missingScope } from './errors.ts';
import type { Label, Limits } from './limits.ts';

/** Creates the checks before a route that needs a scope and counts under a label (Zoom reference §2, §5). */
export type Guard = (scope: Scope, label: Label) => { onRequest: onRequestAsyncHookHandler };

export function guardBy(tokens: Tokens, limits: Limits, faults: Faults<CallFault>): Guard {
  return (scope, label) => ({
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      const text = tokenText(request);
      const token = text === null ? undefined : tokens.find(text);
      if (!token) throw badToken();
      if (tokens.hasExpired(token)) throw badToken(true);
      if (!token.scopes.includes(scope) && !token.scopes.includes(CLASSIC[scope])) throw missingScope(scope);
      limits.enter(label, reply);
      if (request.method !== 'GET' && faults.takeOwn()) throw limits.tooManyAtOnce(label);
    },
  });
}

/** Reads the bearer token, or returns null if there is none. */
export function tokenText({ headers }: FastifyRequest): string | null {
  return /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}
