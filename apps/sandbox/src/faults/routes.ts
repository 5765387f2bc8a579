/** The sandbox's own handles, for tests and demonstrations: faults, reset, the request log. */

import type { FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import type { RequestLog } from '../http/request-log.ts';
import { type Faults, faultSchema } from './faults.ts';

export type HandleParts = { faults: Faults; log: RequestLog; reset: () => void };

/** `/sandbox/faults`, `/sandbox/requests`, `/sandbox/reset`. Nothing here is Canvas's. */
export function handleRoutes(parts: HandleParts): FastifyPluginAsync {
  return async (app) => {
    app.get('/sandbox/faults', () => ({ faults: parts.faults.list() }));
    app.post('/sandbox/faults', (request, reply) => {
      const spec = faultSchema.safeParse(request.body ?? {});
      if (!spec.success) return reply.code(400).send({ error: z.prettifyError(spec.error) });
      return reply.code(201).send(parts.faults.add(spec.data));
    });
    app.delete('/sandbox/faults', () => {
      parts.faults.clear();
      return { faults: [] };
    });
    app.delete<{ Params: { id: string } }>('/sandbox/faults/:id', (request, reply) => {
      if (!parts.faults.remove(Number(request.params.id)))
        return reply.code(404).send({ error: 'There is no fault of this id.' });
      return { faults: parts.faults.list() };
    });
    app.get('/sandbox/requests', () => parts.log.read());
    app.delete('/sandbox/requests', () => {
      parts.log.clear();
      return { requests: [] };
    });
    app.post('/sandbox/reset', (request, reply) => {
      parts.reset();
      // The page's button is a plain form: bring the person back to the page.
      const fromPage = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded');
      if (fromPage) return reply.redirect('/', 303);
      return { reset: true };
    });
  };
}
