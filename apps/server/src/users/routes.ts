/** Looking people up over HTTP. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type LookedUpPerson, type PeopleLine, peopleLine, peopleRequest } from '@lms-admin/contract/people';
import { toolsCalling } from '@lms-admin/contract/tools';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { mayCall } from '../access/rights.ts';
import type { Admin } from '../auth/admin.ts';
import { adminOf } from '../auth/guard.ts';
import { lines } from '../platform/answers.ts';
import { AppError } from '../platform/errors.ts';
import { goneSignal } from '../platform/http.ts';
import { addRoute } from '../platform/route.ts';
import type { Deleted, FoundPerson, Lookup, People, Unreachable } from './people.ts';

const BODY_BYTES = 4_194_304;

type Asked = z.output<typeof peopleRequest>;

/** Adds the routes. */
export function addPeopleRoutes(app: FastifyInstance, people: People): void {
  /**
   * `POST /api/people/lookup`: a line for each text asked about, as the lookups end. SIS IDs and logins (also
   * as addresses to enrol) each need a tool that makes that call (403). Lookups end when the reader goes.
   */
  addRoute(
    app,
    {
      method: 'POST',
      path: ENDPOINTS.peopleLookup,
      for: toolsCalling('user-by-sis-id', 'user-by-email'),
      takes: { body: peopleRequest },
      answers: lines(peopleLine),
      bodyLimit: BODY_BYTES,
    },
    (request, reply) => {
      const admin = adminOf(request);
      requireCalls(admin, request.body);
      const rest = peopleLines(people, admin, request.body, goneSignal(reply));
      return { rest, what: 'a lookup ended early' };
    },
  );
}

/** @throws AppError not-allowed */
function requireCalls(admin: Admin, { sis_ids, logins, emails }: Asked): void {
  const may = { sisIds: mayCall(admin, 'user-by-sis-id'), logins: mayCall(admin, 'user-by-email') };
  if ((sis_ids.length > 0 && !may.sisIds) || (logins.length + emails.length > 0 && !may.logins))
    throw new AppError('not-allowed');
}

type Said = Extract<PeopleLine, { asked: string }>;
type By = Said['by'];
type Answered = LookedUpPerson | Deleted | FoundPerson | Unreachable;

/** What a line says of a result. */
function said(result: Lookup<Answered>): Pick<Said, 'result' | 'person' | 'why' | 'deleted'> {
  if (typeof result === 'string') return { result, person: null };
  if ('deleted' in result) return { result: 'not-found', person: null, ...result };
  if ('why' in result) return { result: 'not-found', ...result };
  if (!('sisUserId' in result)) return { result: 'found', person: result };
  const { id, name, login, sisUserId } = result;
  return { result: 'found', person: { id, name, login_id: login, sis_user_id: sisUserId } };
}

/** Each result as soon as it is there, then `done`. Each text is looked up once. @throws what ends all lookups */
async function* peopleLines(
  people: People,
  admin: Admin,
  { sis_ids, logins, emails, creating }: Asked,
  gone: AbortSignal,
): AsyncGenerator<PeopleLine, void, void> {
  // What ends the lookups of one kind ends those of the other.
  const ended = new AbortController();
  const signal = AbortSignal.any([gone, ended.signal]);
  let waiting: PeopleLine[] = [];
  let wake = () => {};
  const onResult = (by: By) => (result: Lookup<Answered>, asked: string) => {
    waiting.push({ by, asked, ...said(result) });
    wake();
  };
  let working = true;
  const work = Promise.all([
    creating
      ? people.byNewId(admin, [...new Set(sis_ids)], {
          signal,
          integration: true,
          onResult: onResult('sis_id'),
        })
      : people.bySisId(admin, [...new Set(sis_ids)], { signal, onResult: onResult('sis_id') }),
    people.byLogin(admin, [...new Set(logins)], { signal, onResult: onResult('login') }),
    people.byEmail(admin, [...new Set(emails)], { signal, onResult: onResult('email') }),
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
