/** `PATCH /meetings/{id}`, including changes of host (Zoom reference §9, §10). */

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
        // A meeting that an assistant has created still counts towards the assistant's limit.
        limits.enterHostDay('Light', assistant ?? host, reply);
        // Zoom allows some of these changes. The practice Zoom rejects them all instead of supporting only some.
        if (before.type === 4) throw invalid('The practice Zoom does not change personal rooms.');
        if (before.running) throw notForMeeting('A meeting that has started cannot be changed.');
        const fields = meetingFieldsIn(request.body);
        const one = occurrenceIn(request, before);
        if (one) {
          store.putMeeting(changedOccurrence(before, one, fields, at));
          return reply.code(204).send();
        }
        // Everything is checked before anything is written.
        const { schedule_for: who, type = before.type } = fields;
        const next = who ? scheduledFor(store, host, who, type) : host;
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
    // Alternative hosts who were valid before stay; only the new host is removed, because that person now
    // runs the meeting.
    const others = splitHosts(settings['alternative_hosts']);
    const changesHosts = fields.settings?.['alternative_hosts'] !== undefined;
    const kept = changesHosts ? others : others.filter((email) => email !== host.email);
    const alternative = changesHosts ? alternativeHosts(store, host, kept) : kept.join(';');
    const start = startOf(before, fields, type, timezone, at);
    const { changes: _, ...same } = before;
    // Occurrences at new times have new IDs, so changes to single occurrences do not apply to them.
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

  /**
   * Sends email to alternative hosts: to all new ones, and to the others if their previous email is outdated.
   */
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

/** Returns the start. As when creating a meeting, a past time becomes now. */
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

/** Returns the passcode, which can be removed only if the host's meetings do not require one. */
function passcodeOf({ passcode }: Meeting, { password }: MeetingFields, host: Member): string {
  if (password === '' && !host.makesPasscodes) return '';
  return password || passcode;
}
