/** Finding a meeting by the number in a path (Zoom reference §3, §8). */

import type { ZoomContext } from '../http/context.ts';
import { invalid, noMeeting, notForMeeting } from '../http/errors.ts';
import { WEBINAR } from '../seed/seed.ts';
import { isExpired } from '../store/life.ts';
import type { Meeting, Member } from '../store/model.ts';
import type { ZoomStore } from '../store/store.ts';
import { personalRoomAt } from './rooms.ts';

/**
 * Finds the meeting, or a personal room.
 * @throws ZoomError 300 if it is not a number, 3000 if it is a webinar, 3001 if it is unknown or has expired
 */
export function meetingAt({ store, now }: ZoomContext, number: string): Meeting {
  const room = personalRoomAt(store, number);
  if (room) return room;
  const meeting = anyMeetingAt(store, number);
  if (meeting.deletedAt !== null || isExpired(meeting, now())) throw noMeeting(number);
  return meeting;
}

/** Finds a meeting, including one that has been deleted or has expired. @throws ZoomError */
export function anyMeetingAt(store: ZoomStore, number: string): Meeting {
  if (!/^\d{9,12}$/.test(number)) throw invalid('Invalid meeting id.');
  if (Number(number) === WEBINAR.number) throw notForMeeting('Cannot access webinar info.');
  const meeting = store.meeting(Number(number));
  if (!meeting) throw noMeeting(number);
  return meeting;
}

/**
 * Finds the host of a meeting.
 * @throws ZoomError 3001 if the host has left, because Zoom then deletes the meetings
 */
export function hostOf(store: ZoomStore, meeting: Meeting): Member {
  const host = store.member(meeting.hostId);
  if (!host || host.removed) throw noMeeting(meeting.number);
  return host;
}
