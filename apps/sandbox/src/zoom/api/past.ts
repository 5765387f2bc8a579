/** The most recent instance of a meeting: `GET /past_meetings/{id or uuid}` (Zoom reference §1). */

import type { FastifyPluginAsync } from 'fastify';
import type { Guard } from '../http/calls.ts';
import type { ZoomContext } from '../http/context.ts';
import { noMeeting } from '../http/errors.ts';
import type { ZoomStore } from '../store/store.ts';
import { MINUTE, zoomTime } from '../store/time.ts';
import { hostOf } from './find.ts';
import { nameOf } from './people.ts';

export function pastRoutes({ store }: ZoomContext, guard: Guard): FastifyPluginAsync {
  return async (app) => {
    app.get<{ Params: { meeting: string } }>(
      '/past_meetings/:meeting',
      guard('meeting:read:past_meeting:admin', 'Light'),
      (request) => {
        const { meeting, past } = pastAt(store, request.params.meeting);
        const host = hostOf(store, meeting);
        const minutes = Math.ceil((past.end - past.start) / MINUTE);
        return {
          uuid: past.uuid,
          id: meeting.number,
          host_id: host.id,
          type: meeting.type,
          topic: meeting.topic,
          user_name: nameOf(host),
          user_email: host.email,
          start_time: zoomTime(past.start),
          end_time: zoomTime(past.end),
          duration: minutes,
          total_minutes: minutes,
          participants_count: 1,
        };
      },
    );
  };
}

/** @throws ZoomError 3001 */
function pastAt(store: ZoomStore, given: string) {
  const isPlain = !given.startsWith('/') && !given.includes('//');
  // An ID that was encoded twice arrives encoded once. IDs with slashes must be encoded twice.
  const name = isPlain ? decodedTwice(given) : '';
  for (const meeting of store.meetings()) {
    const { past, number } = meeting;
    if (past && (past.uuid === name || String(number) === name)) return { meeting, past };
  }
  throw noMeeting(given);
}

function decodedTwice(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
