/** Everything that Qualtrics answers, below `/qualtrics`: tokens, the API, the page of a survey. */

import type { FastifyPluginAsync } from 'fastify';
import { exportRoutes } from './api/exports.ts';
import { surveyRoutes } from './api/surveys.ts';
import { handleRoutes } from './handles.ts';
import { guardBy } from './http/calls.ts';
import type { QualtricsContext } from './http/context.ts';
import type { QualtricsClient } from './oauth/clients.ts';
import type { Credentials } from './oauth/credentials.ts';
import { tokenRoutes } from './oauth/routes.ts';
import { votePages } from './pages/vote.ts';

/** Where the API is. */
export const API = '/qualtrics/API/v3';

export function qualtricsRoutes(
  context: QualtricsContext,
  clients: readonly QualtricsClient[],
  credentials: Credentials,
): FastifyPluginAsync {
  const guard = guardBy(credentials, context);
  return async (app) => {
    app.decorateRequest('qualtrics', null);
    await app.register(handleRoutes(context));
    await app.register(tokenRoutes(clients, credentials), { prefix: '/qualtrics' });
    await app.register(votePages(context), { prefix: '/qualtrics' });
    await app.register(
      async (api) => {
        await api.register(surveyRoutes(context, guard));
        await api.register(exportRoutes(context, guard));
      },
      { prefix: API },
    );
  };
}
