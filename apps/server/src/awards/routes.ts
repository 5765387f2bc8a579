/** Routes of the award: figures, reports and the refresh (area BTA; paths as documented). */
import {
  awardReportAnswer,
  awardStats,
  lastUpdated,
  openingRecord,
  openingRequest,
  profQuery,
  refreshAnswer,
} from '@lms-admin/contract/awards';
import { ENDPOINTS, OWN_REQUEST } from '@lms-admin/contract/endpoints';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { adminOf } from '../auth/guard.ts';
import { data } from '../platform/answers.ts';
import { AppError } from '../platform/errors.ts';
import { answer, goneSignal } from '../platform/http.ts';
import { addRoute } from '../platform/route.ts';
import type { Lists } from './list-store.ts';
import type { Opening } from './opening.ts';
import type { Refresh } from './refresh.ts';
import type { Reports } from './reports.ts';

export interface AwardRouteParts {
  opening: Opening;
  lists: Lists;
  reports: Reports;
  refresh: Refresh;
}

/** Both award screens have the same flag. Names and ids in queries are ignored: the session shows who asks (OP-91). */
export const AWARD_TOOLS = ['award-reports', 'award-import'] as const;
const audience = { for: AWARD_TOOLS } as const;

/** Adds the routes, except those for the list, which are in `list-routes.ts`. */
export function addAwardRoutes(
  app: FastifyInstance,
  { opening, lists, reports, refresh }: AwardRouteParts,
): void {
  addOpeningRoutes(app, opening);
  addUpdatedRoute(app, lists);
  addRefreshRoutes(app, refresh);
  addReportRoutes(app, reports);
}

function addOpeningRoutes(app: FastifyInstance, opening: Opening): void {
  const record = {
    ...audience,
    path: ENDPOINTS.awardOpening,
    answers: data(z.array(openingRecord)),
  } as const;

  /** `GET opening-date`: a list with the one record, or empty before the first date. */
  addRoute(app, { ...record, method: 'GET', takes: 'none' }, async () => {
    const found = await opening.read();
    return answer(found ? [found] : []);
  });

  /** `POST opening-date`: returns the new record in the same form. 400 if the date is not complete. */
  addRoute(app, { ...record, method: 'POST', takes: { body: openingRequest } }, async (request) =>
    answer([await opening.set(adminOf(request), request.body.opening_date, request.id)]),
  );
}

function addUpdatedRoute(app: FastifyInstance, lists: Lists): void {
  /** `GET last-updated-info`: details of the current list as a list of one, or empty if there is none. */
  addRoute(
    app,
    {
      ...audience,
      method: 'GET',
      path: ENDPOINTS.awardUpdated,
      takes: 'none',
      answers: data(z.array(lastUpdated)),
    },
    async () => {
      const [list] = await lists.infos();
      return answer(list ? [{ updated_by: list.updatedBy, updated_at: list.updatedAt.toISOString() }] : []);
    },
  );
}

function addRefreshRoutes(app: FastifyInstance, refresh: Refresh): void {
  /** `GET stats`: number of voters, time of the count, excluded responses, and whether a new count is running. */
  addRoute(
    app,
    { ...audience, method: 'GET', path: ENDPOINTS.awardStats, takes: 'none', answers: data(awardStats) },
    async (request) => answer(await refresh.stats(adminOf(request))),
  );

  const survey = {
    ...audience,
    path: ENDPOINTS.awardRefresh,
    takes: { params: z.object({ survey: z.string().max(100) }) },
    answers: data(refreshAnswer),
  } as const;

  /**
   * `GET` and `POST refresh-qualtrics/:survey`: starts a refresh, or says that one is running or not needed. 404 for
   * another survey. A GET needs the header that other sites cannot set (OP-61), and waits a few seconds for `success`.
   */
  addRoute(app, { ...survey, method: 'GET' }, async (request, reply) => {
    if (request.headers[OWN_REQUEST.name] !== OWN_REQUEST.value) {
      throw new AppError('not-allowed', {
        message: 'A refresh cannot be started by opening a link.',
        next: 'Start it in LMS Admin, on the page of the award.',
      });
    }
    const gone = goneSignal(reply);
    return answer(await refresh.beginAndWait(adminOf(request), request.params.survey, request.id, gone));
  });
  addRoute(app, { ...survey, method: 'POST' }, async (request) =>
    answer(await refresh.begin(adminOf(request), request.params.survey, request.id)),
  );
}

function addReportRoutes(app: FastifyInstance, reports: Reports): void {
  /** `GET campus`: codes of the campuses that have a report. */
  addRoute(
    app,
    {
      ...audience,
      method: 'GET',
      path: ENDPOINTS.awardCampuses,
      takes: 'none',
      answers: data(z.array(z.string())),
    },
    async () => answer([...(await reports.campuses())]),
  );

  const params = z.object({ id: z.string().max(100) });
  const report = { ...audience, method: 'GET', answers: data(awardReportAnswer) } as const;

  /** `GET by-prof/:id`, `core-courses/:id`, `elective-courses/:id`: the id is a campus code (OP-85). 404 if unknown. */
  addRoute(
    app,
    { ...report, path: ENDPOINTS.awardByProf, takes: { params, query: profQuery } },
    async ({ params: { id: campus }, query: { course_type: type } }) =>
      answer(await reports.answer({ view: 'by-prof', campus, type })),
  );
  addRoute(
    app,
    { ...report, path: ENDPOINTS.awardCore, takes: { params } },
    async ({ params: { id: campus } }) =>
      answer(await reports.answer({ view: 'by-campus', campus, type: 'core' })),
  );
  addRoute(
    app,
    { ...report, path: ENDPOINTS.awardElective, takes: { params } },
    async ({ params: { id: campus } }) =>
      answer(await reports.answer({ view: 'by-campus', campus, type: 'elective' })),
  );
}
