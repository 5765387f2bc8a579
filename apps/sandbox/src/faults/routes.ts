/** The sandbox's own endpoints, for tests and demonstrations: faults, reset, the request log. */

import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isParams, type Params } from '../http/params.ts';
import type { System, Systems } from '../http/systems.ts';
import { faultSchema } from './faults.ts';

/**
 * Creates the routes `/sandbox/faults`, `/sandbox/requests` and `/sandbox/reset`. None of them belongs to a
 * system.
 */
export function handleRoutes(systems: Systems, reset: () => void): FastifyPluginAsync {
  const refuse = (reply: FastifyReply) => {
    const error = `There is no such system. Known: ${systems.ids.join(', ')}.`;
    return reply.code(400).send({ error, systems: systems.ids });
  };

  return async (app) => {
    app.get('/sandbox/faults', (request, reply) => {
      const chosen = chosenOf(request, systems.all);
      if (!chosen) return refuse(reply);
      return { faults: systems.listFaults(chosen) };
    });
    app.post('/sandbox/faults', (request, reply) => {
      const body: unknown = request.body ?? {};
      const id = isParams(body) ? body['system'] : undefined;
      const system = id === undefined ? systems.first : systems.named(id);
      if (!system) return refuse(reply);
      const spec = faultSchema(system.faults.ownKinds).safeParse(body);
      if (!spec.success) return reply.code(400).send({ error: z.prettifyError(spec.error) });
      return reply.code(201).send(systems.addFault(system, spec.data));
    });
    app.delete('/sandbox/faults', (request, reply) => {
      const chosen = chosenOf(request, systems.all);
      if (!chosen) return refuse(reply);
      for (const { faults } of chosen) faults.clear();
      return { faults: systems.listFaults() };
    });
    app.delete<{ Params: { id: string } }>('/sandbox/faults/:id', (request, reply) => {
      if (!systems.removeFault(Number(request.params.id)))
        return reply.code(404).send({ error: 'There is no fault of this id.' });
      return { faults: systems.listFaults() };
    });
    app.get('/sandbox/requests', (request, reply) => {
      const [system] = chosenOf(request, [systems.first]) ?? [];
      return system?.log.read() ?? refuse(reply);
    });
    app.delete('/sandbox/requests', (request, reply) => {
      const [system] = chosenOf(request, [systems.first]) ?? [];
      if (!system) return refuse(reply);
      system.log.clear();
      return { requests: [] };
    });
    app.post('/sandbox/reset', (request, reply) => {
      reset();
      // The page's button is a plain form, so the browser is sent back to the page.
      const fromPage = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded');
      if (fromPage) return reply.redirect('/', 303);
      return { reset: true };
    });
  };

  /** Finds the system that the query names, or `otherwise`. Returns null for an unknown name. */
  function chosenOf({ query }: FastifyRequest, otherwise: readonly System[]): readonly System[] | null {
    const id = (query as Params)['system'];
    if (id === undefined) return otherwise;
    const system = systems.named(id);
    return system ? [system] : null;
  }
}
