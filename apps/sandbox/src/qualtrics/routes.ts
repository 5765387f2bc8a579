/** Everything that Qualtrics answers under `/qualtrics`: tokens, the API and the page of a survey. */

import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import { answerUnknown } from '../http/plumbing.ts';
import { exportRoutes } from './api/exports.ts';
import { surveyRoutes } from './api/surveys.ts';
import { handleRoutes } from './handles.ts';
import { guardBy } from './http/calls.ts';
import type { QualtricsContext } from './http/context.ts';
import type { QualtricsClient } from './oauth/clients.ts';
import type { Credentials } from './oauth/credentials.ts';
import { tokenRoutes } from './oauth/routes.ts';
import { votePages } from './pages/vote.ts';

const BASE = '/qualtrics';
/** The API's path. */
export const API = `${BASE}/API/v3`;

export function qualtricsRoutes(
  context: QualtricsContext,
  clients: readonly QualtricsClient[],
  credentials: Credentials,
): FastifyPluginAsync {
  const guard = guardBy(credentials, context);
  return async (app) => {
    app.decorateRequest('qualtrics', null);
    await app.register(handleRoutes(context));
    await app.register(
      async (qualtrics) => {
        qualtrics.addHook('onSend', async (_request, reply) => withoutCharset(reply));
        // Set here, so that the hook above sees these answers.
        qualtrics.setNotFoundHandler(answerUnknown);
        await qualtrics.register(tokenRoutes(clients, credentials));
        await qualtrics.register(votePages(context));
        await qualtrics.register(
          async (api) => {
            await api.register(surveyRoutes(context, guard));
            await api.register(exportRoutes(context, guard));
          },
          { prefix: API.slice(BASE.length) },
        );
      },
      { prefix: BASE },
    );
  };
}

/** Removes the charset from the JSON content type, which has none, not even in errors (§1). */
function withoutCharset(reply: FastifyReply): void {
  if (String(reply.getHeader('content-type')).startsWith('application/json;'))
    void reply.header('content-type', 'application/json');
}
