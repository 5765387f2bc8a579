/** Looking people up over HTTP. */
import { Readable } from 'node:stream';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type LookedUpPerson, type PeopleLine, peopleRequest } from '@lms-admin/contract/people';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { mayCall } from '../access/admin.ts';
import { adminOf } from '../auth/guard.ts';
import { AppError } from '../platform/errors.ts';
import { goneSignal } from '../platform/http.ts';
import { logFailure, toAppError } from '../platform/http-errors.ts';
import type { Lookup, People } from './people.ts';

const BODY_BYTES = 4_194_304;

/** Adds the routes. */
export function addPeopleRoutes(plain: FastifyInstance, people: People): void {
  const app = plain.withTypeProvider<ZodTypeProvider>();

  /**
   * `POST /api/people/lookup` with PeopleRequest: PeopleLines as newline-delimited JSON, one a text asked about, as the
   * lookups end. SIS ids and logins each need a tool that makes that call (403). Lookups end when the reader goes.
   */
  app.post(
    ENDPOINTS.peopleLookup,
    { bodyLimit: BODY_BYTES, config: { compress: false }, schema: { body: peopleRequest } },
    async (request, reply) => {
      const admin = adminOf(request);
      const { sis_ids, logins } = request.body;
      if (sis_ids.length > 0 && !mayCall(admin, 'user-by-sis-id')) throw new AppError('not-allowed');
      if (logins.length > 0 && !mayCall(admin, 'user-by-email')) throw new AppError('not-allowed');
      // Also with nothing asked about: who has no such tool gets no answer here.
      if (!mayCall(admin, 'user-by-sis-id') && !mayCall(admin, 'user-by-email'))
        throw new AppError('not-allowed');
      const signal = goneSignal(reply);
      const lines = new Readable({ objectMode: true, read() {} });
      const write = (line: PeopleLine) => lines.push(`${JSON.stringify(line)}\n`);
      const onResult = (by: 'sis_id' | 'login') => (result: Lookup<LookedUpPerson>, asked: string) =>
        write(
          typeof result === 'string'
            ? { by, asked, result, person: null }
            : { by, asked, result: 'found', person: result },
        );
      Promise.all([
        people.bySisId(admin, [...new Set(sis_ids)], { signal, onResult: onResult('sis_id') }),
        people.byLogin(admin, [...new Set(logins)], { signal, onResult: onResult('login') }),
      ])
        .then(() => write({ done: true }))
        .catch((error: unknown) => {
          const failure = toAppError(error);
          logFailure(request, error, failure, 'a lookup ended early');
          write({ error: failure.body(request.id) });
        })
        .finally(() => lines.push(null));
      return reply.type('application/x-ndjson; charset=utf-8').header('x-accel-buffering', 'no').send(lines);
    },
  );
}
