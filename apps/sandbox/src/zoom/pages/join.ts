/** What a student sees after following a link (Zoom reference §11). */

import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { type Html, html, page } from '../../http/html.ts';
import { type Params, text } from '../../http/params.ts';
import { grouped } from '../api/invitation.ts';
import { nameOf } from '../api/people.ts';
import { personalName } from '../api/user-json.ts';
import type { ZoomContext } from '../http/context.ts';
import { WEBINAR } from '../seed/seed.ts';
import { encryptedPasscode } from '../store/ids.ts';
import type { Meeting, Member } from '../store/model.ts';
import { occurrencesOf } from '../store/occurrences.ts';
import { shownTime } from '../store/time.ts';
import { findMeeting } from './found.ts';

export function joinPages(context: ZoomContext): FastifyPluginAsync {
  return async (app) => {
    // Paths for the app and for the browser.
    for (const path of ['/j/:number', '/wc/:number/join', '/wc/join/:number']) app.get(path, meetingPage);
    app.get('/my/:name', (request, reply) => {
      const { name } = request.params as { name: string };
      const user = context.store.users().find((each) => each.pmi !== null && personalName(each) === name);
      const [, query] = request.url.split('?');
      if (user) return reply.redirect(`/zoom/j/${user.pmi}${query ? `?${query}` : ''}`);
      return send(reply, 404, 'Meeting not found', html`<p>This personal link is not known. (3001)</p>`);
    });
    app.get('/w/:number', (request, reply) => {
      if (numberIn(request) !== WEBINAR.number)
        return send(reply, 404, 'Webinar not found', html`<p>This webinar number is not known. (3001)</p>`);
      return send(reply, 200, WEBINAR.topic, html`<p>Webinar ID: ${grouped(WEBINAR.number)}</p>`);
    });
    app.get('/s/:number', (_request, reply) =>
      send(
        reply,
        403,
        'Only the host can start this meeting',
        html`<p>A start link works only for the host, and no one can sign in to the practice Zoom.</p>`,
      ),
    );
    app.get('/signin', (_request, reply) =>
      send(reply, 200, 'Sign in to Zoom', html`<p>The practice Zoom has no sign-in.</p>`),
    );
  };

  function meetingPage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const found = findMeeting(context, numberIn(request));
    switch (found.state) {
      case 'unknown':
        return send(reply, 404, 'Meeting not found', html`<p>This meeting number is not known. (3001)</p>`);
      case 'deleted':
        return send(reply, 404, 'Meeting deleted', html`<p>The host has deleted this meeting. (3001)</p>`);
      case 'expired':
        return send(reply, 404, 'Meeting expired', html`<p>This meeting number has expired. (3001)</p>`);
      case 'there':
        return send(reply, 200, found.meeting.topic, joinPart(found.meeting, found.host, request));
    }
  }
}

/** Reads the number in the path. For a personal room, the meeting's number is given as well. */
function numberIn(request: FastifyRequest): number {
  const { number } = request.params as { number: string };
  return Number(text(request.query as Params, 'omn') ?? number);
}

function joinPart(meeting: Meeting, host: Member, request: FastifyRequest): Html {
  const pwd = text(request.query as Params, 'pwd');
  const { start, timezone, duration, running, settings } = meeting;
  const others = occurrencesOf(meeting).length;
  const when = start === null ? 'At any time' : `${shownTime(start, timezone)}, ${duration} minutes`;
  const before = settings['join_before_host'] === true;
  const opens = running
    ? 'It has started.'
    : before
      ? 'You can join before the host.'
      : 'The host has not started this meeting yet.';
  return html`<p>${when}${others > 1 && ` and ${others - 1} more occurrences`}</p>
<p>Host: ${nameOf(host)}</p>
<p>Meeting ID: ${grouped(meeting.number)}</p>
<p class="passcode">${passcodeLine(meeting, pwd)}</p>
<p>${opens}</p>`;
}

function passcodeLine({ number, passcode }: Meeting, pwd: string | null): Html {
  if (passcode === '') return html`No passcode is needed.`;
  if (pwd === encryptedPasscode(number, passcode)) return html`The passcode in this link is right.`;
  return pwd === null
    ? html`This meeting requires a passcode, but the link does not contain one.`
    : html`<strong>The passcode in this link is wrong.</strong>`;
}

function send(reply: FastifyReply, status: number, title: string, part: Html): FastifyReply {
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .send(page(title, html`<div class="card"><h1>${title}</h1>${part}</div>`));
}
