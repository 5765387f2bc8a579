/** `POST /users/{userId}/meetings` (Zoom reference §7). */

import type { FastifyPluginAsync } from 'fastify';
import { baseUrl } from '../../http/urls.ts';
import { TIME_ZONE } from '../../seed/school.ts';
import type { Guard } from '../http/calls.ts';
import type { ZoomContext } from '../http/context.ts';
import { digitsOf, uuidOf } from '../store/ids.ts';
import type { Meeting, MeetingType, Member } from '../store/model.ts';
import { readTime, wholeSeconds } from '../store/time.ts';
import { type MeetingFields, meetingFieldsIn } from './fields.ts';
import { alternativeHosts, scheduledFor, splitHosts, tellAlternativeHosts } from './hosts.ts';
import { wholeMeeting } from './meeting-json.ts';
import { memberAt, mustHost } from './people.ts';
import { defaultSettings, mergedSettings } from './settings-table.ts';
import { knownTracking } from './tracking.ts';

const DEFAULT_MINUTES = 60;

export function createRoutes({ store, limits, now }: ZoomContext, guard: Guard): FastifyPluginAsync {
  return async (app) => {
    app.post<{ Params: { user: string } }>(
      '/users/:user/meetings',
      guard('meeting:write:meeting:admin', 'Medium'),
      (request, reply) => {
        const by = memberAt(store, request.params.user);
        // Even if the meeting is for another person, it counts towards the daily limit of the user in the path.
        limits.enterHostDay('Medium', by, reply);
        const fields = meetingFieldsIn(request.body);
        const at = wholeSeconds(now());
        const host = hostOf(by, fields);
        mustHost(by);
        mustHost(host);
        const settings = mergedSettings(defaultSettings(host), fields.settings ?? {}, fields.type ?? 2);
        const others = alternativeHosts(store, host, splitHosts(settings['alternative_hosts']));
        const number = store.newNumber();
        const meeting: Meeting = {
          number,
          uuid: uuidOf(`meeting ${number}`),
          hostId: host.id,
          assistantId: host.id === by.id ? null : by.id,
          topic: fields.topic || 'Zoom Meeting',
          agenda: fields.agenda ?? '',
          ...timesOf(fields, host, at),
          createdAt: now(),
          usedAt: null,
          passcode: passcodeOf(fields, host, number),
          settings: { ...settings, alternative_hosts: others },
          trackingFields: knownTracking(fields.tracking_fields ?? []),
          running: false,
          deletedAt: null,
        };
        store.putMeeting(meeting);
        tellAlternativeHosts(store, meeting, 'alternative-host', splitHosts(others), at);
        void reply.code(201);
        return wholeMeeting(meeting, host, baseUrl(request));
      },
    );
  };

  function hostOf(by: Member, { type = 2, schedule_for: who }: MeetingFields): Member {
    return who ? scheduledFor(store, by, who, type) : by;
  }
}

type Times = Pick<Meeting, 'type' | 'start' | 'duration' | 'timezone' | 'recurrence'>;

/**
 * Returns the times of a new meeting. Without a time, a scheduled meeting becomes an instant one; a past time
 * becomes now.
 */
function timesOf(fields: MeetingFields, host: Member, now: number): Times {
  const requestedType: MeetingType = fields.type ?? 2;
  const type = requestedType === 2 && fields.start_time === undefined ? 1 : requestedType;
  const read =
    fields.start_time === undefined
      ? now
      : (readTime(fields.start_time, fields.timezone ?? TIME_ZONE) ?? now);
  return {
    type,
    start: type === 3 ? null : Math.max(read, now),
    duration: fields.duration ?? DEFAULT_MINUTES,
    timezone: fields.timezone ?? host.timezone,
    recurrence: type === 8 ? (fields.recurrence ?? { type: 2, repeat_interval: 1 }) : null,
  };
}

/**
 * Returns the passcode. A meeting without a chosen passcode gets one if the host's settings say so and the
 * request does not prevent it.
 */
function passcodeOf({ password, default_password }: MeetingFields, host: Member, number: number): string {
  if (password) return password;
  return host.makesPasscodes && default_password !== false ? digitsOf(`passcode ${number}`, 6) : '';
}
