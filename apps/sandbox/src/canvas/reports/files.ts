/** `file_url` of a report: the file for a signed-in person in a browser; tokens are for the API (reference §17.1). */

import type { FastifyPluginAsync } from 'fastify';
import type { Spool } from '../../files/spool.ts';
import { pathNumber, pathParam } from '../api/lists.ts';
import { sendStored } from '../api/progress.ts';
import { browserCaller } from '../http/auth.ts';
import { findAccount, notFound, requireRight } from '../http/context.ts';
import { type Sessions, signInPath } from '../oauth/sessions.ts';
import type { World } from '../store/world.ts';

type Parts = { world: World; spool: Spool; sessions: Sessions };

export function reportFileRoutes({ world, spool, sessions }: Parts): FastifyPluginAsync {
  return async (app) => {
    app.get('/accounts/:account_id/files/:id/download', (request, reply) => {
      const userId = sessions.userOf(request);
      request.caller = userId === null ? null : browserCaller(world, userId);
      if (!request.caller) return reply.redirect(signInPath(request), 302);
      const account = findAccount(request, pathParam(request, 'account_id'));
      requireRight(request, account, 'read_reports');
      const id = pathNumber(request, 'id');
      const isReport = [...world.reports.values()].some(
        (one) => one.file_id === id && one.account_id === account.id,
      );
      const file = isReport ? world.files.get(id) : undefined;
      if (!file) throw notFound();
      return sendStored(reply, spool, file);
    });
  };
}
