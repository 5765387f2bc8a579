/** Feeds and pages of the timetable (reference timetable.md §1 to §3, §8), and the synchroniser's endpoint. */

import formbody from '@fastify/formbody';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { SandboxOptions } from '../config.ts';
import type { Faults } from '../faults/faults.ts';
import { html, page } from '../http/html.ts';
import { FIELD_BYTES, type Params, paramsOf, parseParams, text } from '../http/params.ts';
import type { Campus } from '../seed/school.ts';
import { asIcs, asJson, clockOf, etagOf, MOST_ROWS, type Page } from './forms.ts';
import { type Form, readPageName } from './names.ts';
import { NotSynchronised, synchronise } from './synchroniser.ts';
import { asCsv, asText, asWebPage } from './tables.ts';
import { COURSE_TYPE, coursesNamed, periodOf, type SchoolTimetable } from './timetable.ts';

/** Faults in the content of a feed, in addition to the faults of any request. */
export const FEED_FAULTS = ['login-page', 'empty-feed', 'few-rows'] as const;
export type FeedFault = (typeof FEED_FAULTS)[number];

const FEW = 3;
const HTML = 'text/html; charset=utf-8';

export type TimeEditContext = {
  options: SandboxOptions;
  timetable: SchoolTimetable;
  faults: Faults<FeedFault>;
};

/** A request that the timetable does not understand. */
class Unknown extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

export function timeEditRoutes(context: TimeEditContext): FastifyPluginAsync {
  const { options, timetable, faults } = context;

  const campusOf = (request: FastifyRequest): Campus => {
    const campus = timetable.campusNamed((request.params as { campus: string }).campus);
    if (!campus) throw new Unknown(404, 'There is no such timetable.');
    return campus;
  };

  const pageOf = (request: FastifyRequest, params: Params, fault: FeedFault | null): Page => {
    const campus = campusOf(request);
    const period = periodOf(text(params, 'p') ?? '', options.now().getTime(), campus);
    if (!period) throw new Unknown(400, 'The period is not understood.');
    const all = timetable.reservations(campus, period, coursesNamed(text(params, 'objects') ?? ''));
    if (fault === 'empty-feed') return { campus, rows: [], total: 0 };
    return { campus, rows: all.slice(0, fault === 'few-rows' ? FEW : MOST_ROWS), total: all.length };
  };

  const sendPage = (form: Form, hidden: string, request: FastifyRequest, reply: FastifyReply) => {
    const fault = faults.takeOwn();
    if (fault === 'login-page') return reply.type(HTML).send(LOGIN_PAGE);
    const shown = pageOf(request, { ...parseParams(hidden), ...paramsOf(request) }, fault);
    const etag = etagOf(shown, form);
    void reply.header('etag', etag).header('cache-control', 'private, max-age=0');
    const known = (request.headers['if-none-match'] ?? '')
      .split(',')
      .map((each) => each.trim().replace(/^W\//, ''));
    if (known.includes(etag) || known.includes('*')) return reply.code(304).send();
    switch (form) {
      case 'json':
        return reply.send(asJson(shown));
      case 'ics':
        return reply.type('text/calendar; charset=utf-8').send(asIcs(shown, options.now().getTime()));
      case 'csv':
        return reply.type('text/csv; charset=utf-8').send(asCsv(shown));
      case 'txt':
        return reply.type('text/plain; charset=utf-8').send(asText(shown));
      case 'html':
        return reply.type(HTML).send(asWebPage(shown, request.url.split('?')[1] ?? hidden));
    }
  };

  return async (app) => {
    app.get('/timeedit/:campus/:page', (request, reply) => {
      const campus = campusOf(request);
      const name = readPageName((request.params as { page: string }).page);
      if (!name) throw new Unknown(404, 'There is no such page.');
      const id = text(paramsOf(request), 'id');
      if (name.form !== 'html' || id === null) return sendPage(name.form, name.hidden, request, reply);
      const found = timetable.reservation(campus, id);
      if (!found) throw new Unknown(404, 'There is no such reservation.');
      const [start, end] = [clockOf(found.start), clockOf(found.end)];
      const body = html`<h1>${found.activity}</h1>
<p>${found.courses.map(({ sis, title }) => html`${sis}, ${title}<br>`)}${start.date} ${start.time} to ${end.date} ${end.time}<br>
${found.rooms.join(', ')}<br>${found.teachers.join(', ')}<br>${found.information}</p><p>ID ${found.id}</p>`;
      return reply.type(HTML).send(page(`Reservation ${found.id}`, body));
    });

    app.get('/timeedit/:campus/types.json', (request) => {
      campusOf(request);
      return { records: [{ id: COURSE_TYPE, name: 'Course' }] };
    });

    app.get('/timeedit/:campus/objects.json', (request) => {
      const params = paramsOf(request);
      const wanted = (text(params, 'search_text') ?? '').toLowerCase();
      const courses = (text(params, 'types') ?? COURSE_TYPE).split(',').includes(COURSE_TYPE)
        ? timetable.courses(campusOf(request))
        : [];
      const records = courses
        .map(({ id, sis, title }) => ({
          id: `${id}.${COURSE_TYPE}`,
          typeId: COURSE_TYPE,
          values: `${sis}, ${title}`,
        }))
        .filter(({ values }) => values.toLowerCase().includes(wanted));
      return { records, count: records.length };
    });

    await app.register(async (handles) => {
      await handles.register(formbody, { parser: parseParams, bodyLimit: FIELD_BYTES });
      handles.post('/sandbox/timeedit/synchronise', async (request, reply) => {
        const course = text(paramsOf(request), 'course') ?? '';
        if (!/^\d{1,15}$/.test(course)) return reply.code(400).send({ error: 'course: the id of a course' });
        try {
          const done = await synchronise(handles, options.adminToken, timetable, Number(course));
          // The page's button submits a plain form, so the person is sent back to the page.
          const fromPage = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded');
          return fromPage ? reply.redirect('/', 303) : done;
        } catch (error) {
          if (error instanceof NotSynchronised) return reply.code(502).send({ error: error.message });
          throw error;
        }
      });
    });
  };
}

/** The page, with status 200, that people see once their session at the school has ended. */
const LOGIN_PAGE = page(
  'Sign in',
  html`<h1>Sign in</h1><form method="post" action="/timeedit/login"><label for="user">User</label>
<input id="user" name="user"><button class="button" type="submit">Sign in</button></form>`,
);
