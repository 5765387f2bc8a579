/** Everything that Zoom answers under `/zoom`: tokens, the API and the pages. */

import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { Faults } from '../faults/faults.ts';
import { answerUnknown } from '../http/plumbing.ts';
import { createRoutes } from './api/create.ts';
import { meetingRoutes } from './api/meetings.ts';
import { pastRoutes } from './api/past.ts';
import { trackingRoutes } from './api/tracking.ts';
import { updateRoutes } from './api/update.ts';
import { userRoutes } from './api/users.ts';
import { handleRoutes } from './handles.ts';
import { guardBy } from './http/calls.ts';
import type { CallFault, ZoomContext } from './http/context.ts';
import { notAnObject, track } from './http/errors.ts';
import type { ZoomClient } from './oauth/clients.ts';
import { tokenRoutes } from './oauth/routes.ts';
import type { Tokens } from './oauth/tokens.ts';
import { icsPages } from './pages/ics.ts';
import { joinPages } from './pages/join.ts';

export function zoomRoutes(
  context: ZoomContext,
  clients: readonly ZoomClient[],
  tokens: Tokens,
  faults: Faults<CallFault>,
): FastifyPluginAsync {
  const guard = guardBy(tokens, context.limits, faults);
  return async (app) => {
    await app.register(handleRoutes(context));
    await app.register(
      async (zoom) => {
        zoom.addHook('onSend', async (_request, reply) => track(reply));
        // Set here, so that the hook above sees these answers.
        zoom.setNotFoundHandler(answerUnknown);
        readJson(zoom);
        await zoom.register(tokenRoutes(clients, tokens, context.limits));
        await zoom.register(joinPages(context));
        await zoom.register(icsPages(context));
        await zoom.register(
          async (api) => {
            await api.register(userRoutes(context, guard));
            await api.register(createRoutes(context, guard));
            await api.register(updateRoutes(context, guard));
            await api.register(meetingRoutes(context, guard));
            await api.register(pastRoutes(context, guard));
            await api.register(trackingRoutes(guard));
          },
          { prefix: '/v2' },
        );
      },
      { prefix: '/zoom' },
    );
  };
}

/**
 * Reads JSON as the server does, except that an empty body counts as no body and therefore creates no
 * meeting.
 */
function readJson(zoom: FastifyInstance): void {
  zoom.removeContentTypeParser('application/json');
  zoom.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
    try {
      done(null, body === '' ? undefined : JSON.parse(String(body)));
    } catch {
      done(notAnObject());
    }
  });
}
