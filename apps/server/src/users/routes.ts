/** Routes for looking people up. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type LookedUpPerson, type PeopleLine, peopleLine, peopleRequest } from '@lms-admin/contract/people';
import { toolsCalling } from '@lms-admin/contract/tools';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { mayCall } from '../access/rights.ts';
import type { Admin } from '../auth/admin.ts';
import { adminOf } from '../auth/guard.ts';
import type { CopiedPeople } from '../directory/copied-people.ts';
import { lines } from '../platform/answers.ts';
import { AppError } from '../platform/errors.ts';
import { goneSignal } from '../platform/http.ts';
import { addRoute } from '../platform/route.ts';
import { type LookupSources, lookedUpOf } from './copied-lookups.ts';
import type { Deleted, FoundPerson, Lookup, Unreachable } from './people.ts';

type PeopleRequest = z.output<typeof peopleRequest>;

export function addPeopleRoutes(app: FastifyInstance, sources: LookupSources): void {
  /**
   * `POST /api/people/lookup`: one line for each text, as the lookups end. SIS IDs and logins (also as email addresses
   * for enrolment) each need a tool that makes that call (403). Lookups stop when the reader disconnects.
   */
  addRoute(
    app,
    {
      method: 'POST',
      path: ENDPOINTS.peopleLookup,
      for: toolsCalling('user-by-sis-id', 'user-by-email'),
      takes: { body: peopleRequest },
      answers: lines(peopleLine),
    },
    (request, reply) => {
      const admin = adminOf(request);
      requireCalls(admin, request.body);
      const rest = peopleLines(sources, admin, request.body, goneSignal(reply));
      return { rest, what: 'a lookup ended early' };
    },
  );
}

/** @throws AppError not-allowed */
function requireCalls(admin: Admin, { sis_ids, logins, emails }: PeopleRequest): void {
  const may = { sisIds: mayCall(admin, 'user-by-sis-id'), logins: mayCall(admin, 'user-by-email') };
  if ((sis_ids.length > 0 && !may.sisIds) || (logins.length + emails.length > 0 && !may.logins))
    throw new AppError('not-allowed');
}

type AnswerLine = Extract<PeopleLine, { asked: string }>;
type By = AnswerLine['by'];
type Answered = LookedUpPerson | Deleted | FoundPerson | Unreachable;

type HintLine = AnswerLine & { person: LookedUpPerson };

/** Returns the people in the copy by SIS ID, by login and by the address that they are enrolled with. */
async function copiedLines(
  copied: CopiedPeople,
  { token }: Admin,
  { sis_ids, logins, emails }: Pick<PeopleRequest, 'sis_ids' | 'logins' | 'emails'>,
  signal: AbortSignal,
): Promise<HintLine[]> {
  const found = await Promise.all([
    copied.bySisId(token, sis_ids, signal).then((one) => ({ by: 'sis_id' as const, one })),
    copied.byEmail(token, logins, signal).then((one) => ({ by: 'login' as const, one })),
    copied.byEmail(token, emails, signal).then((one) => ({ by: 'email' as const, one })),
  ]);
  return found.flatMap(({ by, one }) =>
    [...(one?.people ?? [])].map(([asked, person]): HintLine => {
      const shown = { result: 'found' as const, person: lookedUpOf(person) };
      return { by, asked, ...shown, as_of: one?.asOf ?? 0 };
    }),
  );
}

/** Returns whether the LMS finds the same person. A person who is there but cannot be enrolled is not found. */
function isSame(hint: LookedUpPerson, { result, person }: Pick<AnswerLine, 'result' | 'person'>): boolean {
  return result === 'found' && person?.id === hint.id && person.sis_user_id === hint.sis_user_id;
}

/** Returns the fields of a result's line. */
function answerOf(result: Lookup<Answered>): Pick<AnswerLine, 'result' | 'person' | 'why' | 'deleted'> {
  if (typeof result === 'string') return { result, person: null };
  if ('deleted' in result) return { result: 'not-found', person: null, ...result };
  if ('why' in result) return { result: 'not-found', ...result };
  if (!('sisUserId' in result)) return { result: 'found', person: result };
  const { id, name, login, sisUserId } = result;
  return { result: 'found', person: { id, name, login_id: login, sis_user_id: sisUserId } };
}

/**
 * Yields results as they are known, then `done`. Repeated texts are looked up once. People in the copy come first if
 * requested.
 * @throws errors that end all lookups
 */
async function* peopleLines(
  { people, copied }: LookupSources,
  admin: Admin,
  { sis_ids, logins, emails, creating, ...request }: PeopleRequest,
  gone: AbortSignal,
): AsyncGenerator<PeopleLine, void, void> {
  // A failure that ends one kind of lookup also ends the other.
  const ended = new AbortController();
  const signal = AbortSignal.any([gone, ended.signal]);
  let waiting: PeopleLine[] = [];
  let wake = () => {};
  const hints = request.copied ? await copiedLines(copied, admin, { sis_ids, logins, emails }, signal) : [];
  yield* hints;
  const shown = new Map(hints.map(({ by, asked, person }) => [`${by} ${asked}`, person]));
  const wrong: number[] = [];
  const onResult = (by: By) => (result: Lookup<Answered>, value: string) => {
    const hint = shown.get(`${by} ${value}`);
    if (hint && result !== 'failed' && !isSame(hint, answerOf(result))) wrong.push(hint.id);
    waiting.push({ by, asked: value, ...answerOf(result) });
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
  // The failure is thrown below, after the earlier results.
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
    await copied.forget(wrong);
  }
}
