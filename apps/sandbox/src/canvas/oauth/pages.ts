/** The sign-in page and the confirmation page. */

import { type Html, html, page } from '../../http/html.ts';
import { DOMAIN } from '../../seed/school.ts';
import { SIGN_IN_PEOPLE, type SignInPerson } from '../seed/people.ts';
import type { User } from '../store/model.ts';

const GROUPS: readonly { name: SignInPerson['group']; what: string }[] = [
  { name: 'Administrators of LMS Admin', what: 'All are Canvas admins, with different access to LMS Admin.' },
  { name: 'Others', what: 'They have no access to LMS Admin.' },
];

/**
 * Renders the page with the people to sign in as, in groups. `request` is the pending authorization, if any;
 * `to` is the sandbox page to show next.
 */
export function signInPage(options: {
  request: string | null;
  applicationName: string | null;
  wrong: string | null;
  to: string | null;
}): string {
  const { request, applicationName, wrong, to } = options;
  const hidden = [
    request !== null && html`<input type="hidden" name="request" value="${request}">`,
    to !== null && html`<input type="hidden" name="to" value="${to}">`,
  ];
  const body = html`
<h1>Sign in to the practice LMS</h1>
<p>${applicationName === null ? 'Select a person to sign in as.' : `${applicationName} wants to know who you are. Select a person to sign in as.`}
 There are no passwords, because nothing here is real.</p>
${wrong === null ? null : html`<p class="alert" role="alert">No one has the login “${wrong}”.</p>`}
${GROUPS.map(
  (group) => html`
<h2 id="${slug(group.name)}">${group.name}</h2>
<p>${group.what}</p>
<form method="post" action="/login/oauth2/login">${hidden}
<ul class="people" aria-labelledby="${slug(group.name)}">
${SIGN_IN_PEOPLE.filter((person) => person.group === group.name).map(personButton)}
</ul></form>`,
)}
<h2>Another person</h2>
<form method="post" action="/login/oauth2/login" class="card">${hidden}
<label for="login">Login (email address)</label>
<div class="row" style="margin-top:0"><input id="login" name="login" type="text" autocomplete="username" required
 placeholder="name@${DOMAIN}"><button class="plain" type="submit">Sign in</button></div>
</form>`;
  return page('Sign in', body);
}

function personButton(person: SignInPerson): Html {
  const login = `${person.login}@${DOMAIN}`;
  // In a narrow space, the address breaks before its @.
  const address = html`${person.login}<wbr>@${DOMAIN}`;
  return html`<li><button type="submit" name="login" value="${login}">
<img src="/images/avatars/${person.id}.svg" alt="" width="44" height="44">
<span><strong>${person.first} ${person.last}</strong><small>${person.may}</small><small>${address}</small></span>
</button></li>
`;
}

/** Asks the person to let the application act on their behalf. */
export function confirmPage(options: {
  request: string;
  applicationName: string;
  user: User;
  login: string;
  scopes: readonly string[] | null;
}): string {
  const { request, applicationName, user, login, scopes } = options;
  const body = html`
<h1>${applicationName} wants to use your account</h1>
<div class="card">
<p>${applicationName} is asking to act as <strong>${user.name}</strong> (${login}) in the practice LMS.</p>
${
  scopes === null || scopes.length === 0
    ? null
    : html`<p>It asks for permission to make these calls:</p><ul>${scopes.map((scope) => html`<li><code>${scope}</code></li>`)}</ul>`
}
<form method="post" action="/login/oauth2/accept">
<input type="hidden" name="request" value="${request}">
<div class="row">
<button class="button" type="submit" name="decision" value="allow">Authorise</button>
<button class="plain" type="submit" name="decision" value="cancel">Cancel</button>
</div>
</form>
</div>
<form method="post" action="/login/oauth2/switch">
<input type="hidden" name="request" value="${request}">
<button class="plain" type="submit">Not ${user.name}? Select another person</button>
</form>`;
  return page('Authorise', body);
}

/** Renders a page with a single message. */
export function messagePage(title: string, text: string): string {
  return page(title, html`<h1>${title}</h1><p>${text}</p><p><a href="/">Go to the front page</a></p>`);
}

function slug(text: string): string {
  return text.toLowerCase().replace(/[^a-z]+/g, '-');
}
