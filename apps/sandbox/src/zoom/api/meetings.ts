/** Reading, listing, deleting and restoring meetings (Zoom reference §8, §9). */

import type { FastifyPluginAsync } from 'fastify';
import { flag, isParams, type Params, text } from '../../http/params.ts';
import { baseUrl } from '../../http/urls.ts';
import type { Guard } from '../http/calls.ts';
import type { ZoomContext } from '../http/context.ts';
import {
  invalidFields,
  meetingEnded,
  meetingRuns,
  noMeeting,
  notAnObject,
  personalRoom,
} from '../http/errors.ts';
import { pageOf } from '../http/paging.ts';
import { WEBINAR } from '../seed/seed.ts';
import { hasEnded, held, isRestorable } from '../store/life.ts';
import { anyMeetingAt, hostOf, meetingAt } from './find.ts';
import { mail, splitHosts } from './hosts.ts';
import { invitationOf } from './invitation.ts';
import { comingEntries, entriesOf, queryIn } from './lists.ts';
import { listedMeeting, wholeMeeting } from './meeting-json.ts';
import { occurrenceIn, shownOccurrence, withoutOccurrence } from './occurrence.ts';
import { isMember, memberAt } from './people.ts';

type ByMeeting = { Params: { meeting: string } };
type ByUser = { Params: { user: string } };

export function meetingRoutes(context: ZoomContext, guard: Guard): FastifyPluginAsync {
  const { store, now } = context;
  return async (app) => {
    app.get<ByUser>(
      '/users/:user/meetings',
      guard('meeting:read:list_meetings:admin', 'Medium'),
      (request) => {
        const host = memberAt(store, request.params.user);
        const base = baseUrl(request);
        const all = entriesOf(context, host, queryIn(request.query as Params));
        const { items, ...page } = pageOf(request, all, now());
        return { ...page, meetings: items.map((entry) => listedMeeting(entry, host, base)) };
      },
    );

    app.get<ByUser>(
      '/users/:user/upcoming_meetings',
      guard('meeting:read:list_upcoming_meetings:admin', 'Medium'),
      (request) => {
        const user = store.user(request.params.user);
        // Zoom's 404 here differs from the one for users.
        if (!isMember(user)) throw noMeeting(request.params.user);
        const base = baseUrl(request);
        const all = comingEntries(context, user);
        return {
          total_records: all.length,
          meetings: all.map((entry) => ({
            ...listedMeeting(entry, hostOf(store, entry.meeting), base),
            is_host: entry.meeting.hostId === user.id,
          })),
        };
      },
    );

    app.get<ByMeeting>('/meetings/:meeting', guard('meeting:read:meeting:admin', 'Light'), (request) => {
      const meeting = meetingAt(context, request.params.meeting);
      const whole = wholeMeeting(meeting, hostOf(store, meeting), baseUrl(request));
      const one = occurrenceIn(request, meeting);
      return one ? { ...whole, ...shownOccurrence(meeting, one) } : whole;
    });

    app.get<ByMeeting>(
      '/meetings/:meeting/invitation',
      guard('meeting:read:invitation:admin', 'Light'),
      (request) => {
        const meeting = meetingAt(context, request.params.meeting);
        return {
          invitation: invitationOf(meeting, hostOf(store, meeting), baseUrl(request)),
          sip_links: [],
        };
      },
    );

    app.delete<ByMeeting>(
      '/meetings/:meeting',
      guard('meeting:delete:meeting:admin', 'Light'),
      (request, reply) => {
        const meeting = meetingAt(context, request.params.meeting);
        const host = hostOf(store, meeting);
        if (meeting.type === 4) throw personalRoom();
        if (meeting.running) throw meetingRuns();
        if (hasEnded(meeting)) throw meetingEnded();
        const one = occurrenceIn(request, meeting);
        store.putMeeting(one ? withoutOccurrence(meeting, one) : { ...meeting, deletedAt: now() });
        // An email that the request asks for is sent, whatever the meeting's settings are.
        if (flag(request.query as Params, 'schedule_for_reminder'))
          for (const to of [host.email, ...splitHosts(meeting.settings['alternative_hosts'])])
            store.send(mail('meeting-cancelled', to, meeting.number, now()));
        return reply.code(204).send();
      },
    );

    app.put<ByMeeting>(
      '/meetings/:meeting/status',
      guard('meeting:update:status:admin', 'Light'),
      (request, reply) => {
        if (!isParams(request.body)) throw notAnObject();
        const action = text(request.body, 'action');
        if (action !== 'recover' && action !== 'end') throw invalidFields(['action']);
        if (action === 'end') {
          const meeting = meetingAt(context, request.params.meeting);
          if (meeting.running) store.putMeeting(held(meeting, now()));
          return reply.code(204).send();
        }
        const meeting = anyMeetingAt(store, request.params.meeting);
        hostOf(store, meeting);
        if (!isRestorable(meeting, now())) throw noMeeting(meeting.number);
        store.putMeeting({ ...meeting, deletedAt: null });
        return reply.code(204).send();
      },
    );

    app.get<ByMeeting>('/webinars/:meeting', guard('webinar:read:webinar:admin', 'Light'), (request) => {
      const { number, topic } = WEBINAR;
      if (request.params.meeting !== String(number)) throw noMeeting(request.params.meeting);
      return { id: number, topic, type: 5, join_url: `${baseUrl(request)}/zoom/w/${number}` };
    });
  };
}
