/** Zoom's part of the front page: how an app signs in, and the possible hosts. */

import { type Html, html } from '../http/html.ts';
import { nameOf } from './api/people.ts';
import { ACCOUNT_ID, CLIENT_ID } from './oauth/clients.ts';
import { FACULTY } from './seed/users.ts';
import type { Member, ZoomUser } from './store/model.ts';
import type { ZoomStore } from './store/store.ts';

export function frontPagePart(store: ZoomStore): Html {
  const users = store.users();
  // For teachers, only their number is shown.
  const shown = users.filter(({ dept }) => dept !== FACULTY);
  const meetings = [...store.meetings()].filter(({ deletedAt }) => deletedAt === null).length;
  return html`<h2 id="zoom">A practice Zoom</h2>
<p>A server-to-server app gets its token from <code>/zoom/oauth/token</code> and calls <code>/zoom/v2</code>. Account:
 <code>${ACCOUNT_ID}</code>; client: <code>${CLIENT_ID}</code>; the secret is in <code>SANDBOX_ZOOM_CLIENT_SECRET</code>.
 Join links lead to <code>/zoom/j/…</code>, which shows what students see. Scheduled meetings: ${meetings}.</p>
<div class="scroll" role="region" aria-labelledby="zoom" tabindex="0"><table aria-labelledby="zoom">
<thead><tr><th scope="col">Host</th><th scope="col">Email</th><th scope="col">Licence</th>
<th scope="col">Can schedule for</th></tr></thead>
<tbody>${shown.map(
    (user) => html`<tr><td>${nameOf(user)}</td><td>${user.email}</td><td>${licenceOf(user)}</td>
<td>${user.id && namesOf(store.schedulersOf(user.id))}</td></tr>`,
  )}</tbody></table></div>
<p>There are also ${users.length - shown.length} licensed teachers.</p>
`;
}

function licenceOf({ type, status }: ZoomUser): string {
  return status === 'active' ? (type === 1 ? 'Basic' : 'Licensed') : status;
}

function namesOf(people: readonly Member[]): string {
  const names = people.filter(({ dept }) => dept !== FACULTY).map(nameOf);
  const rest = people.length - names.length;
  return rest > 0 ? `${names.join(', ')} and ${rest} teachers` : names.join(', ');
}
