/** The token endpoint of server-to-server OAuth (Zoom reference §2). */

import formbody from '@fastify/formbody';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { FIELD_BYTES, paramsOf, parseParams, text } from '../../http/params.ts';
import { baseUrl } from '../../http/urls.ts';
import { answerTokenError, tokenRefusal } from '../http/errors.ts';
import type { Limits } from '../http/limits.ts';
import { ACCOUNT_ID, type ZoomClient } from './clients.ts';
import { TOKEN_LIFE_SECONDS, type Tokens } from './tokens.ts';

export function tokenRoutes(
  clients: readonly ZoomClient[],
  tokens: Tokens,
  limits: Limits,
): FastifyPluginAsync {
  return async (app) => {
    app.setErrorHandler(answerTokenError);
    await app.register(formbody, { parser: parseParams, bodyLimit: FIELD_BYTES });
    app.post('/oauth/token', (request, reply) => {
      limits.enterToken();
      const client = clientOf(request, clients);
      // The credentials should be in the form, but many clients put them in the query.
      const params = paramsOf(request);
      const grant = text(params, 'grant_type');
      if (grant === null) throw tokenRefusal('invalid_request', 'The grant type is missing');
      if (grant !== 'account_credentials')
        throw tokenRefusal('unsupported_grant_type', 'unsupported grant type');
      if (text(params, 'account_id') !== ACCOUNT_ID)
        throw tokenRefusal('invalid_request', 'Account does not exist');
      void reply.header('cache-control', 'no-store');
      return {
        access_token: tokens.give(client),
        token_type: 'bearer',
        expires_in: TOKEN_LIFE_SECONDS,
        scope: client.scopes.join(' '),
        api_url: `${baseUrl(request)}/zoom`,
      };
    });
  };
}

/** @throws ZoomError if the app is unknown or disabled, or the secret is wrong */
function clientOf(request: FastifyRequest, clients: readonly ZoomClient[]): ZoomClient {
  const [, encoded = ''] = /^Basic (.+)$/i.exec(request.headers.authorization ?? '') ?? [];
  const [id, ...secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  const client = clients.find((known) => known.id === id && known.secret === secret.join(':'));
  if (!client) throw tokenRefusal('invalid_client', 'Invalid client_id or client_secret');
  if (!client.active) throw tokenRefusal('invalid_client', 'The app is not activated');
  return client;
}
