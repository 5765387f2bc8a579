/** Qualtrics's part of the front page: how an app signs in, and the surveys with their links. */

import { type Html, html } from '../http/html.ts';
import { CLIENT_ID } from './oauth/clients.ts';
import { AWARD_LIST } from './seed/award-list.ts';
import { OPENING, SURVEYS } from './seed/surveys.ts';
import type { Survey } from './store/model.ts';
import type { QualtricsStore } from './store/store.ts';
import { isoTime } from './store/time.ts';

export function frontPagePart(store: QualtricsStore): Html {
  return html`<h2 id="qualtrics">A practice Qualtrics</h2>
<p>The API is at <code>/qualtrics/API/v3</code>, with the token from <code>SANDBOX_QUALTRICS_TOKEN</code> in the header
 <code>X-API-TOKEN</code>, or as the app <code>${CLIENT_ID}</code> with the secret from
 <code>SANDBOX_QUALTRICS_CLIENT_SECRET</code> at <code>/qualtrics/oauth2/token</code>. The vote opened on
 ${isoTime(OPENING).slice(0, 10)}; <a href="/sandbox/qualtrics/award-list.xlsx">the award list</a> has
 ${AWARD_LIST.length} rows.</p>
<div class="scroll" role="region" aria-labelledby="qualtrics" tabindex="0"><table aria-labelledby="qualtrics">
<thead><tr><th scope="col">Survey</th><th scope="col">Id</th><th scope="col">Responses</th><th scope="col">Links</th></tr></thead>
<tbody>${SURVEYS.map(
    (
      survey,
    ) => html`<tr><td>${survey.name}</td><td><code>${survey.id}</code></td><td>${countOf(store, survey)}</td>
<td>${
      survey.isActive &&
      html`<a href="/qualtrics/jfe/form/${survey.id}">Vote</a>, <a href="/qualtrics/jfe/preview/${survey.id}">preview</a>`
    }</td></tr>`,
  )}</tbody></table></div>
`;
}

/**
 * Counts the rows in an export, which is not the number of votes. Does so without creating the generated
 * responses.
 */
function countOf(store: QualtricsStore, survey: Survey): number {
  const { generated = 0, ...own } = survey;
  const kept = store.responsesOf(own).filter(({ recorded, until }) => recorded !== null && until === null);
  return kept.length + generated;
}
