/** Finding the meeting behind a link (Zoom reference §8, §11). */

import { personalRoomAt } from '../api/rooms.ts';
import type { ZoomContext } from '../http/context.ts';
import { isExpired } from '../store/life.ts';
import type { Meeting, Member } from '../store/model.ts';

export type Found =
  | { state: 'unknown' }
  | { state: 'deleted' | 'expired'; meeting: Meeting }
  | { state: 'there'; meeting: Meeting; host: Member };

export function findMeeting({ store, now }: ZoomContext, number: number): Found {
  const meeting = store.meeting(number) ?? personalRoomAt(store, String(number));
  const host = meeting && store.member(meeting.hostId);
  if (!meeting || !host) return { state: 'unknown' };
  if (meeting.deletedAt !== null || host.removed) return { state: 'deleted', meeting };
  return meeting.type !== 4 && isExpired(meeting, now())
    ? { state: 'expired', meeting }
    : { state: 'there', meeting, host };
}
