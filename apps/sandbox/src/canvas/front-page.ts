/** Canvas's part of the front page (people to sign in as, contents, latest imports), and the pictures of people. */

import type { FastifyPluginAsync } from 'fastify';
import { type Html, html } from '../http/html.ts';
import { DOMAIN } from '../seed/school.ts';
import { SIGN_IN_PEOPLE } from './seed/people.ts';
import type { World } from './store/world.ts';

const IMPORTS_SHOWN = 20;
const COURSES_SHOWN = 6;
const AVATAR_COLOURS = [
  '#17463b',
  '#0f766e',
  '#7a4b12',
  '#5b3a8e',
  '#8a2f4f',
  '#2f5d8a',
  '#4d6b1f',
  '#6b3d3d',
];

export function avatarRoutes(world: World): FastifyPluginAsync {
  return async (app) => {
    app.get('/images/avatars/:name', (request, reply) => {
      const { name } = request.params as { name: string };
      const user = world.users.get(Number(name.replace(/\.svg$/, '')));
      const initials = (user?.name ?? '?')
        .split(' ')
        .map((word) => word[0] ?? '')
        .filter((_, at, all) => at === 0 || at === all.length - 1)
        .join('');
      const colour = AVATAR_COLOURS[(user?.id ?? 0) % AVATAR_COLOURS.length];
      const svg = html`<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100" viewBox="0 0 100 100"><rect
 width="100" height="100" fill="${colour}"/><text x="50" y="52" fill="#fff" font-family="sans-serif" font-size="42"
 text-anchor="middle" dominant-baseline="central">${initials.toUpperCase()}</text></svg>`;
      return reply
        .header('content-type', 'image/svg+xml; charset=utf-8')
        .header('cache-control', 'public, max-age=86400')
        .header('cross-origin-resource-policy', 'cross-origin')
        .send(svg.html);
    });
  };
}

export function frontPagePart(world: World): Html {
  const imports = [...world.sisBatches.values()].toReversed().slice(0, IMPORTS_SHOWN);
  const counts: [string, number][] = [
    ['Accounts', world.accounts.size],
    ['Terms', world.terms.size],
    ['Courses', world.courses.size],
    ['Sections', world.sections.size],
    ['People', world.users.size],
    ['Enrolments', world.enrollments.size],
    ['Groups', world.groups.size],
    ['Calendar events', world.calendarEvents.size],
  ];
  return html`<h2 id="people">Who can sign in</h2>
<div class="scroll" role="region" aria-labelledby="people" tabindex="0"><table aria-labelledby="people">
<thead><tr><th scope="col">Person</th><th scope="col">Login</th><th scope="col">Access to LMS Admin</th></tr></thead>
<tbody>${SIGN_IN_PEOPLE.map(
    (person) =>
      html`<tr><td>${person.first} ${person.last}</td><td>${person.login}@${DOMAIN}</td><td>${person.may}</td></tr>`,
  )}</tbody></table></div>
<p>There are no passwords. Scripts use the bearer token from <code>SANDBOX_ADMIN_TOKEN</code>, for example
 <code>curl -H 'Authorization: Bearer …' ${'<this address>'}/api/v1/accounts/1/terms</code>.</p>
<h2 id="contents">Contents</h2>
<div class="scroll" role="region" aria-labelledby="contents" tabindex="0"><table aria-labelledby="contents">
<thead><tr><th scope="col">Kind</th><th scope="col">Number</th></tr></thead>
<tbody>${counts.map(([kind, count]) => html`<tr><td>${kind}</td><td>${count.toLocaleString('en')}</td></tr>`)}</tbody>
</table></div>
<p>Courses with calendar events: ${coursesWithEvents(world).join(', ')} …</p>
<h2 id="imports">Recent imports</h2>
${
  imports.length === 0
    ? html`<p>No imports yet.</p>`
    : html`<div class="scroll" role="region" aria-labelledby="imports" tabindex="0"><table aria-labelledby="imports">
<thead><tr><th scope="col">Import</th><th scope="col">Sent</th><th scope="col">By</th><th scope="col">State</th>
<th scope="col">Progress</th><th scope="col">Messages</th></tr></thead>
<tbody>${imports.map(
        (batch) => html`<tr><td>${batch.id}</td><td>${batch.created_at}</td>
<td>${world.users.get(batch.user_id)?.name ?? ''}</td><td>${batch.workflow_state}</td><td>${batch.progress} %</td>
<td>${batch.errors.length}</td></tr>`,
      )}</tbody></table></div>`
}`;
}

/** Returns the first courses with events, because their numbers are hard to guess. */
function coursesWithEvents(world: World): number[] {
  const found = new Set<number>();
  for (const { context_code: context } of world.calendarEvents.values()) {
    const course = /^course_(\d+)$/.exec(context);
    if (course) found.add(Number(course[1]));
    if (found.size === COURSES_SHOWN) break;
  }
  return [...found];
}
