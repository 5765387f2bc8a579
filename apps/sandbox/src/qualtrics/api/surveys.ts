/** The user, the list of surveys, and their contents (Qualtrics reference §1, §3). */

import type { FastifyPluginAsync } from 'fastify';
import { type Params, text } from '../../http/params.ts';
import { baseUrl } from '../../http/urls.ts';
import { send } from '../http/answers.ts';
import { type Guard, maySee, surveyAt } from '../http/calls.ts';
import type { QualtricsContext } from '../http/context.ts';
import { unknownToken } from '../http/errors.ts';
import { FILTERS, SURVEYS } from '../seed/surveys.ts';
import { BRAND, emailOf, USERS } from '../seed/users.ts';
import { isoTime } from '../store/time.ts';
import { definitionJson, listedJson, surveyJson } from './survey-json.ts';

const PAGE = 100;

export function surveyRoutes(context: QualtricsContext, guard: Guard): FastifyPluginAsync {
  return async (app) => {
    app.get('/whoami', guard(null), (request, reply) => {
      const user = USERS.find(({ id }) => id === request.qualtrics?.userId);
      if (!user) throw unknownToken();
      return send(reply, {
        brandId: BRAND,
        userId: user.id,
        userName: `${emailOf(user)}#${BRAND}`,
        accountType: 'UT_BRANDADMIN',
        firstName: user.first,
        lastName: user.last,
        email: emailOf(user),
        language: 'en',
        datacenter: 'fra1',
      });
    });

    app.get('/surveys', guard('read:surveys'), (request, reply) => {
      const all = SURVEYS.filter((survey) => maySee(survey, request));
      const params = request.query as Params;
      const from = number(params, 'offset') ?? 0;
      const size = Math.min(number(params, 'pageSize') || PAGE, PAGE);
      const next = from + size;
      const page = `${baseUrl(request)}/qualtrics/API/v3/surveys?offset=${next}&pageSize=${size}`;
      return send(reply, {
        elements: all.slice(from, next).map(listedJson),
        nextPage: next < all.length ? page : null,
      });
    });

    app.get('/surveys/:survey', guard('read:surveys'), (request, reply) => {
      const survey = surveyAt(context, request);
      return send(reply, surveyJson(survey, context.store.responsesOf(survey)));
    });

    app.get('/survey-definitions/:survey', guard('read:surveys'), (request, reply) =>
      send(reply, definitionJson(surveyAt(context, request))),
    );

    app.get('/surveys/:survey/filters', guard('read:surveys'), (request, reply) => {
      const creationDate = isoTime(surveyAt(context, request).createdAt);
      const elements = FILTERS.map(({ filterId, filterName }) => ({ filterId, filterName, creationDate }));
      return send(reply, { elements, nextPage: null });
    });
  };
}

/** Reads a whole number in the query, or returns null if there is none. */
function number(params: Params, name: string): number | null {
  const given = text(params, name);
  return given !== null && /^\d{1,6}$/.test(given) ? Number(given) : null;
}
