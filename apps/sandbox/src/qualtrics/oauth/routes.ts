/** The token endpoint for client credentials (Qualtrics reference §1). It is outside the API. */

import formbody from '@fastify/formbody';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { FIELD_BYTES, paramsOf, parseParams, text } from '../../http/params.ts';
import { answerTokenError, tokenRefusal } from '../http/errors.ts';
import type { QualtricsClient } from './clients.ts';
import { type Credentials, TOKEN_LIFE_SECONDS } from './credentials.ts';

export function tokenRoutes(
  clients: readonly QualtricsClient[],
  credentials: Credentials,
): FastifyPluginAsync {
  return async (app) => {
    app.setErrorHandler(answerTokenError);
    await app.register(formbody, { parser: parseParams, bodyLimit: FIELD_BYTES });
    app.post('/oauth2/token', (request, reply) => {
      const client = clientOf(request, clients);
      // The credentials should be in the form, but some clients put them in the query.
      const params = paramsOf(request);
      const grant = text(params, 'grant_type');
      if (grant === null) throw tokenRefusal(400, 'invalid_request');
      if (grant !== 'client_credentials') throw tokenRefusal(400, 'unsupported_grant_type');
      const requested = (text(params, 'scope') ?? '').split(' ').filter((scope) => scope !== '');
      if (requested.some((scope) => !client.scopes.some((known) => known === scope)))
        throw tokenRefusal(400, 'invalid_scope');
      const scopes = requested.length > 0 ? requested : client.scopes;
      void reply.header('cache-control', 'no-store');
      return {
        access_token: credentials.give(client, scopes),
        token_type: 'Bearer',
        expires_in: TOKEN_LIFE_SECONDS,
        scope: scopes.join(' '),
      };
    });
  };
}

/** @throws QualtricsError if the app is unknown or the secret is wrong */
function clientOf({ headers }: FastifyRequest, clients: readonly QualtricsClient[]): QualtricsClient {
  const [, encoded = ''] = /^Basic (.+)$/i.exec(headers.authorization ?? '') ?? [];
  const [id, ...secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  const client = clients.find((known) => known.id === id && known.secret === secret.join(':'));
  if (!client) throw tokenRefusal(401, 'invalid_client');
  return client;
}
