/** The school's timetable: the feeds of its campuses, and the synchroniser that writes them to Canvas. */

import type { SandboxOptions } from '../config.ts';
import { Faults } from '../faults/faults.ts';
import { type Html, html } from '../http/html.ts';
import { RequestLog } from '../http/request-log.ts';
import type { System } from '../http/systems.ts';
import { CAMPUSES } from '../seed/school.ts';
import { ZONES } from '../seed/timetable.ts';
import { FEED_FAULTS, timeEditRoutes } from './routes.ts';
import { SchoolTimetable } from './timetable.ts';

const TEXT = 'text/plain; charset=utf-8';

export function makeTimeEdit(options: SandboxOptions): System {
  const timetable = new SchoolTimetable(options.size);
  const faults = new Faults(FEED_FAULTS);
  return {
    id: 'timeedit',
    prefixes: ['/timeedit'],
    faults,
    log: new RequestLog(),
    routes: timeEditRoutes({ options, timetable, faults }),
    // Does nothing, because nothing can write to the timetable.
    reset: () => {},
    onFrontPage: frontPagePart,
    credentialOf: () => null,
    revoke: () => {},
    refuse: (reply) => reply.code(429).type(TEXT).send('Too many requests\n'),
    failure: (status) => `TimeEdit: error ${status}\n`,
    answerError(error, request, reply) {
      const { statusCode = 500, message } = error as { statusCode?: number; message: string };
      if (statusCode >= 500) request.log.error(error);
      return reply
        .code(statusCode)
        .type(TEXT)
        .send(`${statusCode >= 500 ? 'An error occurred.' : message}\n`);
    },
  };
}

function frontPagePart(): Html {
  return html`<h2 id="timetable">Timetable</h2>
<p>Each campus has a timetable in the format of TimeEdit. Most calendar events name their reservation.</p>
<ul>${CAMPUSES.map((campus) => {
    const at = `/timeedit/${campus.toLowerCase()}/ri`;
    return html`<li>${campus}, ${ZONES[campus]}: <a href="${at}.json">${at}.json</a>, <a href="${at}.ics">${at}.ics</a></li>`;
  })}</ul>
<form method="post" action="/sandbox/timeedit/synchronise" enctype="application/x-www-form-urlencoded">
<p>The synchroniser deletes the calendar events that it has created for a course, and creates them again with new ids.</p>
<label for="synchronised">Course ID</label> <input id="synchronised" name="course" inputmode="numeric" required>
<button class="plain" type="submit">Synchronise</button></form>`;
}
