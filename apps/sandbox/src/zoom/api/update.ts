/** `PATCH /meetings/{id}`, with the change of the host (reference of Zoom §9, §10). */

import type { FastifyPluginAsync } from 'fastify';
import type { Guard } from '../http/calls.ts';
import type { ZoomContext } from '../http/context.ts';
import { invalid, notForMeeting } from '../http/errors.ts';
import type { Meeting, Member } from '../store/model.ts';
import { readTime, wholeSeconds } from '../store/time.ts';
import { type MeetingFields, meetingFieldsIn } from './fields.ts';
import { hostOf, meetingAt } from './find.ts';
import { alternativeHosts, scheduledFor, splitHosts, tellAlternativeHosts } from './hosts.ts';
import { changedOccurrence, occurrenceIn } from './occurrence.ts';
import { mustHost } from './people.ts';
import { mergedSettings } from './settings-table.ts';
import { knownTracking } from './tracking.ts';

export function updateRoutes(context: ZoomContext, guard: Guard): FastifyPluginAsync {
  const { store, limits, now } = context;
  return async (app) => {
    app.patch<{ Params: { meeting: string } }>(
      '/meetings/:meeting',
      guard('meeting:update:meeting:admin', 'Light'),
      (request, reply) => {
        const at = wholeSeconds(now());
        const before = meetingAt(context, request.params.meeting);
        const host = hostOf(store, before);
        const assistant = before.assistantId === null ? undefined : store.member(before.assistantId);
        // What an assistant has made goes on counting on the assistant.
        limits.enterHostDay('Light', assistant ?? host, reply);
        // What may be changed of them is not played: better said than done in part.
        if (before.type === 4) throw invalid('The practice Zoom does not change personal rooms.');
        if (before.running) throw notForMeeting('A meeting that has started cannot be changed.');
        const fields = meetingFieldsIn(request.body);
        const one = occurrenceIn(request, before);
        if (one) {
          store.putMeeting(changedOccurrence(before, one, fields, at));
          return reply.code(204).send();
        }
        // Nothing is written before all of it was found to be right.
        const next = fields.schedule_for ? scheduledFor(store, host, fields.schedule_for) : host;
        if (next.id !== host.id) mustHost(next);
        const after = changed(before, fields, next, at);
        store.putMeeting(after);
        tell(before, after, at);
        return reply.code(204).send();
      },
    );
  };

  function changed(before: Meeting, fields: MeetingFields, host: Member, at: number): Meeting {
    const type = fields.type ?? before.type;
    const timezone = fields.timezone ?? before.timezone;
    const settings = mergedSettings(before.settings, fields.settings ?? {}, type);
    // Of what was right before only the new host is left out, who holds the meeting now.
    const others = splitHosts(settings['alternative_hosts']);
    const asked = fields.settings?.['alternative_hosts'] !== undefined;
    const kept = asked ? others : others.filter((email) => email !== host.email);
    const alternative = asked ? alternativeHosts(store, host, kept) : kept.join(';');
    const start = startOf(before, fields, type, timezone, at);
    const { changes: _, ...same } = before;
    // Other times have other ids: what was said of single ones is about none of them.
    const isMoved = start !== before.start || fields.recurrence !== undefined;
    return {
      ...(isMoved ? same : before),
      hostId: host.id,
      type,
      topic: fields.topic || before.topic,
      agenda: fields.agenda ?? before.agenda,
      start,
      duration: fields.duration ?? before.duration,
      timezone,
      passcode: passcodeOf(before, fields, host),
      settings: { ...settings, alternative_hosts: alternative },
      trackingFields: fields.tracking_fields ? knownTracking(fields.tracking_fields) : before.trackingFields,
      recurrence:
        type === 8 ? (fields.recurrence ?? before.recurrence ?? { type: 2, repeat_interval: 1 }) : null,
    };
  }

  /** Who is new as an alternative host hears of it; the others hear when what they know is out of date. */
  function tell(before: Meeting, after: Meeting, at: number): void {
    const then = splitHosts(before.settings['alternative_hosts']);
    const now = splitHosts(after.settings['alternative_hosts']);
    const news = now.filter((email) => !then.includes(email));
    tellAlternativeHosts(store, after, 'alternative-host', news, at);
    const known = ['topic', 'start', 'duration', 'passcode', 'hostId'] as const;
    if (known.every((name) => before[name] === after[name])) return;
    const rest = now.filter((email) => then.includes(email));
    tellAlternativeHosts(store, after, 'meeting-changed', rest, at);
  }
}

/** A time that is past becomes now, here too. */
function startOf(
  { start }: Meeting,
  { start_time: text }: MeetingFields,
  type: Meeting['type'],
  timezone: string,
  now: number,
): number | null {
  if (type === 3) return null;
  if (text === undefined) return start ?? now;
  return Math.max(readTime(text, timezone) ?? now, now);
}

/** It can be removed only where the host's meetings need none. */
function passcodeOf({ passcode }: Meeting, { password }: MeetingFields, host: Member): string {
  if (password === '' && !host.makesPasscodes) return '';
  return password || passcode;
}
