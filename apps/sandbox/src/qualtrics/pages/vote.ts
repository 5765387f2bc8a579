/** A survey as voters see it: plain forms, enough to vote and to see the vote in the next export. */

import formbody from '@fastify/formbody';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { type Html, html, page } from '../../http/html.ts';
import { FIELD_BYTES, paramsOf, parseParams, text } from '../../http/params.ts';
import type { QualtricsContext } from '../http/context.ts';
import type { Question, Survey } from '../store/model.ts';
import { type GivenResponse, recordResponse } from './record.ts';

const HTML = 'text/html; charset=utf-8';

export function votePages(context: QualtricsContext): FastifyPluginAsync {
  const answers: readonly [path: string, as: GivenResponse][] = [
    ['/jfe/form/:survey', {}],
    ['/jfe/preview/:survey', { status: 1, channel: 'preview' }],
  ];
  return async (app) => {
    await app.register(formbody, { parser: parseParams, bodyLimit: FIELD_BYTES });
    for (const [path, as] of answers) {
      app.get(path, (request, reply) => {
        const survey = surveyOf(context, request);
        return survey ? reply.type(HTML).send(formPage(survey, request.url)) : closed(reply);
      });
      app.post(path, (request, reply) => {
        const survey = surveyOf(context, request);
        if (!survey) return closed(reply);
        recordResponse(context, survey, { ...as, answers: answersIn(request, survey) });
        return reply.type(HTML).send(thanks());
      });
    }
  };
}

function surveyOf({ store }: QualtricsContext, { params }: FastifyRequest): Survey | null {
  const survey = store.survey((params as { survey: string }).survey);
  return survey?.isActive ? survey : null;
}

function closed(reply: FastifyReply): FastifyReply {
  const body = html`<h1>This survey is not open</h1>`;
  return reply.code(404).type(HTML).send(page('Survey', body));
}

/** Reads the answers in a request. A value that is not one of the question's choices does not count. */
function answersIn(request: FastifyRequest, { questions }: Survey): Record<string, number | string> {
  const params = paramsOf(request);
  const answers: Record<string, number | string> = {};
  for (const { id, choices } of questions) {
    const given = text(params, id) ?? '';
    const answer = choices ? choices.find((choice) => String(choice.id) === given)?.id : given;
    if (answer !== undefined && answer !== '') answers[id] = answer;
  }
  return answers;
}

function formPage({ name, questions }: Survey, action: string): string {
  return page(
    name,
    html`<h1>${name}</h1>
<form method="post" action="${action}" class="card">
${questions.map(fieldOf)}
<div class="row"><button class="button" type="submit">Submit</button></div></form>`,
  );
}

function fieldOf({ id, text: question, choices }: Question): Html {
  const field = choices
    ? html`<select id="${id}" name="${id}"><option value=""></option>${choices.map(
        (choice) => html`<option value="${choice.id}">${choice.text}</option>`,
      )}</select>`
    : html`<textarea id="${id}" name="${id}" rows="3" cols="60"></textarea>`;
  // A question's text is HTML.
  return html`<p><label for="${id}">${{ html: question }}</label>${field}</p>`;
}

function thanks(): string {
  return page(
    'Thank you',
    html`<h1>Thank you for your vote</h1><p>It will be included in the next export. <a href="/">Go to the front page</a></p>`,
  );
}
