/** Looking people up over HTTP. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type LookedUpPerson, type PeopleLine, peopleRequest } from '@lms-admin/contract/people';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { type Admin, mayCall } from '../access/admin.ts';
import { adminOf } from '../auth/guard.ts';
import { AppError } from '../platform/errors.ts';
import { goneSignal } from '../platform/http.ts';
import { sendLines } from '../platform/lines.ts';
import type { Lookup, People } from './people.ts';

const BODY_BYTES = 4_194_304;

type Asked = z.output<typeof peopleRequest>;

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
    (request, reply) => {
      const admin = adminOf(request);
      requireCalls(admin, request.body);
      const rest = peopleLines(people, admin, request.body, goneSignal(reply));
      return sendLines(request, reply, { rest, what: 'a lookup ended early' });
    },
  );
}

/** @throws AppError not-allowed, also with nothing asked about: who has no such tool gets no answer here */
function requireCalls(admin: Admin, { sis_ids, logins }: Asked): void {
  const may = { sisIds: mayCall(admin, 'user-by-sis-id'), logins: mayCall(admin, 'user-by-email') };
  if ((sis_ids.length > 0 && !may.sisIds) || (logins.length > 0 && !may.logins))
    throw new AppError('not-allowed');
  if (!may.sisIds && !may.logins) throw new AppError('not-allowed');
}

/** Each result as soon as it is there, then `done`. Each text is looked up once. @throws what ends all lookups */
async function* peopleLines(
  people: People,
  admin: Admin,
  { sis_ids, logins }: Asked,
  gone: AbortSignal,
): AsyncGenerator<PeopleLine, void, void> {
  // What ends the lookups of one kind ends those of the other.
  const ended = new AbortController();
  const signal = AbortSignal.any([gone, ended.signal]);
  let waiting: PeopleLine[] = [];
  let wake = () => {};
  const onResult = (by: 'sis_id' | 'login') => (result: Lookup<LookedUpPerson>, asked: string) => {
    waiting.push(
      typeof result === 'string'
        ? { by, asked, result, person: null }
        : { by, asked, result: 'found', person: result },
    );
    wake();
  };
  let working = true;
  const work = Promise.all([
    people.bySisId(admin, [...new Set(sis_ids)], { signal, onResult: onResult('sis_id') }),
    people.byLogin(admin, [...new Set(logins)], { signal, onResult: onResult('login') }),
  ]).finally(() => {
    working = false;
    wake();
  });
  // Its failure is thrown below, after the results that came before it.
  work.catch(() => {});
  try {
    while (working || waiting.length > 0) {
      const lines = waiting;
      waiting = [];
      yield* lines;
      if (working && waiting.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
    await work;
    yield { done: true };
  } finally {
    ended.abort(new DOMException('the lookup has ended', 'AbortError'));
  }
}
