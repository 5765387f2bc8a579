/** Calendar files, by a number's address or by an invitation's text (Zoom reference §11). */

import type { FastifyPluginAsync } from 'fastify';
import { type Params, text } from '../../http/params.ts';
import { baseUrl } from '../../http/urls.ts';
import { joinUrl } from '../api/meeting-json.ts';
import { nameOf } from '../api/people.ts';
import type { ZoomContext } from '../http/context.ts';
import { icsKey, numberInOpaque } from '../store/ids.ts';
import type { Meeting, Member } from '../store/model.ts';
import { occurrencesOf } from '../store/occurrences.ts';
import { MINUTE } from '../store/time.ts';
import { findMeeting } from './found.ts';

export function icsPages(context: ZoomContext): FastifyPluginAsync {
  return async (app) => {
    app.get('/meeting/:number/ics', (request, reply) => {
      const { number } = request.params as { number: string };
      const opaque = numberInOpaque(number);
      const hasKey = opaque !== null && text(request.query as Params, 'icsToken') === icsKey(opaque);
      if (!hasKey && context.switches.icsNeedsHost) return reply.redirect('/zoom/signin');
      const found = findMeeting(context, hasKey ? opaque : Number(number));
      if (found.state !== 'there' || found.meeting.start === null)
        return reply.code(404).type('text/plain; charset=utf-8').send('There is no such meeting.\n');
      return reply
        .type('text/calendar; charset=utf-8')
        .header('content-disposition', `attachment; filename="meeting-${found.meeting.number}.ics"`)
        .send(calendarFile(found.meeting, found.host, baseUrl(request)));
    });
  };
}

function calendarFile(meeting: Meeting, host: Member, base: string): string {
  const { number, start, duration, topic, createdAt } = meeting;
  const link = joinUrl(meeting, host, base);
  const occurrences = occurrencesOf(meeting).map(
    ({ occurrence_id: id, start_time: at, duration: lasts }) => ({
      uid: `zoom-${number}-${id}`,
      begins: Date.parse(at),
      lasts,
    }),
  );
  const only = { uid: `zoom-${number}`, begins: start ?? createdAt, lasts: duration };
  return `${[
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Northbridge//Practice Zoom//EN',
    'METHOD:PUBLISH',
    // A recurring meeting has one event per occurrence, so that readers need no time zones or recurrence rules.
    ...(occurrences.length > 0 ? occurrences : [only]).flatMap(({ uid, begins, lasts }) => [
      'BEGIN:VEVENT',
      `UID:${uid}@northbridge.example`,
      `DTSTAMP:${icsTime(createdAt)}`,
      `DTSTART:${icsTime(begins)}`,
      `DTEND:${icsTime(begins + lasts * MINUTE)}`,
      `SUMMARY:${icsText(topic)}`,
      `ORGANIZER;CN="${nameOf(host)}":mailto:${host.email}`,
      `LOCATION:${icsText(link)}`,
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ]
    .map(folded)
    .join('\r\n')}\r\n`;
}

function icsTime(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+|[-:]/g, '');
}

function icsText(text: string): string {
  return text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n');
}

/** Folds a line: lines are at most 75 bytes; continuation lines start with a space. */
function folded(line: string): string {
  const lines = [''];
  let bytes = 0;
  for (const letter of line) {
    bytes += Buffer.byteLength(letter);
    if (bytes > 75) {
      lines.push(' ');
      bytes = 1 + Buffer.byteLength(letter);
    }
    lines[lines.length - 1] += letter;
  }
  return lines.join('\r\n');
}
