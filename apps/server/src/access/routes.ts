/** Routes for access: a person's own access, and the Access page for access administrators. */
import {
  accessAnswer,
  accessChanges,
  accessDrift,
  accessHistory,
  accessLogin,
  accessLogins,
  accessPeople,
  accessPlaces,
  accessQuestion,
  accessRequests,
  accessReview,
  accessSaved,
  accessWho,
  type ListedRecord,
  personAccess,
} from '@lms-admin/contract/access';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { entryState, loginKey } from '@lms-admin/domain/access-records';
import { csvLine } from '@lms-admin/domain/csv';
import { guarded } from '@lms-admin/domain/formula-guard';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { adminOf } from '../auth/guard.ts';
import { data, file } from '../platform/answers.ts';
import type { Db } from '../platform/database.ts';
import { answer, goneSignal } from '../platform/http.ts';
import { addRoute } from '../platform/route.ts';
import type { Administration } from './administration.ts';
import type { AccessCheck } from './check.ts';
import { type DriftParts, driftOf } from './drift.ts';
import { historyCsv, historyOf } from './history.ts';
import { type LmsLogin, lmsLogins } from './lms-logins.ts';
import { placesFor } from './places.ts';
import { lastSignIns } from './sign-ins.ts';
import { plain, type StoredRecord } from './table.ts';

export interface AccessRouteParts extends DriftParts {
  db: Db;
  check: AccessCheck;
  administration: Administration;
  roles: Parameters<typeof placesFor>[0]['roles'];
  fourEyes: boolean;
}

const audience = { for: ['access'] } as const;
/** A change of 2,000 people is saved as a whole: 670 bytes for each person with two programmes, 1 KB with 60. */
const CHANGE_BYTES = 4_000_000;

export function addAccessRoutes(app: FastifyInstance, parts: AccessRouteParts): void {
  addOwnRoutes(app, parts);
  addQuestionRoutes(app, parts);
  addPeopleRoutes(app, parts);
  addChangeRoutes(app, parts);
  addHistoryRoutes(app, parts);
}

/** Adds the route that returns the access of the signed-in person. */
function addOwnRoutes(app: FastifyInstance, { check }: AccessRouteParts): void {
  /** The answer is empty: the guard writes changed access into the cookie. */
  addRoute(
    app,
    {
      for: 'signed-in',
      method: 'GET',
      path: ENDPOINTS.accessFollow,
      takes: 'none',
      answers: data(z.object({})),
    },
    () => Promise.resolve(answer({})),
  );

  addRoute(
    app,
    { for: 'signed-in', method: 'GET', path: ENDPOINTS.accessMe, takes: 'none', answers: data(personAccess) },
    async (request, reply) => {
      const admin = adminOf(request);
      return answer(await check.person(admin, admin.login, goneSignal(reply)));
    },
  );
}

/** Adds the routes for questions about who can do what. */
function addQuestionRoutes(app: FastifyInstance, { check }: AccessRouteParts): void {
  addRoute(
    app,
    {
      ...audience,
      method: 'GET',
      path: ENDPOINTS.accessCheck,
      takes: { query: z.object({ person: accessLogin }) },
      answers: data(personAccess),
    },
    async (request, reply) =>
      answer(await check.person(adminOf(request), request.query.person, goneSignal(reply))),
  );

  addRoute(
    app,
    {
      ...audience,
      method: 'GET',
      path: ENDPOINTS.accessQuestion,
      takes: { query: accessQuestion.extend({ person: accessLogin }) },
      answers: data(accessAnswer),
    },
    async (request, reply) => {
      const { person, ...question } = request.query;
      return answer(await check.question(adminOf(request), person, question, goneSignal(reply)));
    },
  );

  addRoute(
    app,
    {
      ...audience,
      method: 'GET',
      path: ENDPOINTS.accessWho,
      takes: { query: accessQuestion },
      answers: data(accessWho),
    },
    async (request, reply) => answer(await check.who(adminOf(request), request.query, goneSignal(reply))),
  );
}

/** Adds the routes for the records, the names used in them, and the comparison with the LMS. */
function addPeopleRoutes(app: FastifyInstance, parts: AccessRouteParts): void {
  const { access, canvas, db, now, fourEyes } = parts;
  addRoute(
    app,
    { ...audience, method: 'GET', path: ENDPOINTS.accessPeople, takes: 'none', answers: data(accessPeople) },
    async (request) => {
      await access.fresh();
      const at = now();
      const signIns = await lastSignIns(db, [...access.entries.keys()]);
      const records = [...access.entries].map(([key, entry]): ListedRecord => {
        const { version = 0, updatedAt, updatedBy = '' } = entry as Partial<StoredRecord>;
        return {
          ...plain(entry),
          state: entryState(entry, at),
          version,
          updated_at: updatedAt?.toISOString() ?? '',
          updated_by: updatedBy,
          signed_in_at: signIns.get(key)?.toISOString() ?? null,
        };
      });
      const { login } = adminOf(request);
      return answer({ records, source: access.source, four_eyes: fourEyes, you: login });
    },
  );

  /** Looks up only people who have never signed in: the others exist in the LMS. */
  addRoute(
    app,
    { ...audience, method: 'GET', path: ENDPOINTS.accessLogins, takes: 'none', answers: data(accessLogins) },
    async (request, reply) => {
      await access.fresh();
      const at = now();
      const signIns = await lastSignIns(db, [...access.entries.keys()]);
      const unused = [...access.entries].filter(
        ([key, entry]) => !signIns.has(key) && entryState(entry, at) === 'active',
      );
      const logins = unused.map(([, { login }]) => login);
      const found = await lmsLogins(canvas, adminOf(request), logins, goneSignal(reply));
      const having = (state: LmsLogin) => logins.filter((login) => found.get(loginKey(login)) === state);
      return answer({ missing: having('missing'), unread: having('unread').length });
    },
  );

  addRoute(
    app,
    { ...audience, method: 'GET', path: ENDPOINTS.accessPlaces, takes: 'none', answers: data(accessPlaces) },
    async (request, reply) => answer(await placesFor(parts, adminOf(request), goneSignal(reply))),
  );

  addRoute(
    app,
    { ...audience, method: 'GET', path: ENDPOINTS.accessDrift, takes: 'none', answers: data(accessDrift) },
    async (request, reply) => answer(await driftOf(parts, adminOf(request), goneSignal(reply))),
  );
}

function addChangeRoutes(app: FastifyInstance, { administration }: AccessRouteParts): void {
  const change = { ...audience, method: 'POST', bodyLimit: CHANGE_BYTES } as const;
  addRoute(
    app,
    {
      ...change,
      path: ENDPOINTS.accessReview,
      takes: { body: accessChanges },
      answers: data(accessReview),
    },
    async (request, reply) =>
      answer(await administration.review(adminOf(request), request.body, goneSignal(reply))),
  );

  /** 409 if the review would find a problem, or if someone else has changed the record. */
  addRoute(
    app,
    { ...change, path: ENDPOINTS.accessSave, takes: { body: accessChanges }, answers: data(accessSaved) },
    async (request) => answer(await administration.save(adminOf(request), request.body, request.id)),
  );

  addRoute(
    app,
    {
      ...audience,
      method: 'GET',
      path: ENDPOINTS.accessRequests,
      takes: 'none',
      answers: data(accessRequests),
    },
    async (request, reply) => answer(await administration.requests(adminOf(request), goneSignal(reply))),
  );

  addRoute(
    app,
    {
      ...audience,
      method: 'POST',
      path: ENDPOINTS.accessRequest,
      takes: { params: z.object({ request: z.uuid() }), body: z.object({ approve: z.boolean() }) },
      answers: data(accessSaved),
    },
    async (request) => {
      const { params, body } = request;
      return answer(await administration.decide(adminOf(request), params.request, body.approve, request.id));
    },
  );
}

function addHistoryRoutes(app: FastifyInstance, { db }: AccessRouteParts): void {
  const query = z.object({
    person: accessLogin.optional(),
    before: z.coerce.number().int().positive().optional(),
  });
  addRoute(
    app,
    {
      ...audience,
      method: 'GET',
      path: ENDPOINTS.accessHistory,
      takes: { query },
      answers: data(accessHistory),
    },
    async (request) => answer(await historyOf(db, request.query)),
  );

  addRoute(
    app,
    {
      ...audience,
      method: 'GET',
      path: ENDPOINTS.accessHistoryCsv,
      takes: { query: query.pick({ person: true }) },
      answers: file,
    },
    async (request) => ({
      name: 'access-history.csv',
      type: 'text/csv; charset=utf-8',
      content: historyCsv(db, request.query, (cells) => `${csvLine(cells.map(guarded))}\r\n`),
    }),
  );
}
