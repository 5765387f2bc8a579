/** Meetings that stay in Zoom although their events are no longer in the LMS, and that no one is led to any more. */

import { CanvasError } from '../canvas/types.ts';
import { mapLimited } from '../platform/limited.ts';
import { listed } from '../platform/text.ts';
import { readEvent } from './calendar.ts';
import type { EngineParts } from './engine-parts.ts';
import { isNamed, withMeetings } from './families.ts';
import type { ZoomRecord } from './records.ts';

type Parts = Pick<EngineParts, 'canvas' | 'calendar' | 'records' | 'token' | 'signal'>;
/** Events that are looked for at the same time. */
const AT_ONCE = 6;

/**
 * Meetings of events that were deleted in Canvas, or that are given by section now, by title and number. Left out: what students get to by another event, of whatever
 * course, and events that were only moved to another course.
 */
export async function loneMeetings(parts: Parts, now: Date): Promise<string[]> {
  const { calendar, records } = parts;
  const { orphans, meetings, lostMains, families } = calendar;
  // Its sections have meetings of their own, and no merged event has its former one.
  const divided = families.flatMap((family) => {
    const { own, parts } = family;
    return own.record && parts.length > 0 && !withMeetings(calendar, family).includes(own)
      ? [own.record]
      : [];
  });
  const shared = new Set([...lostMains.values()].map(({ own }) => own.record?.id));
  const guests = await records.guestsOf([...orphans, ...divided].map(({ id }) => id));
  const alone = [...orphans, ...divided].filter(({ id, meeting, endAt }) => {
    const row = meetings.get(meeting ?? 0);
    const isThere = row !== undefined && row.goneAt === null && (endAt === null || endAt > now);
    return isThere && !shared.has(id) && !guests.has(id) && !isNamed(calendar, row.number);
  });
  const left = await mapLimited(alone, AT_ONCE, async (record) => {
    const isUsed = (await records.usersOf(record.meeting ?? 0)).some((id) => id !== record.id);
    const isHere = !divided.includes(record) && (await isMoved(parts, record));
    return isUsed || isHere ? [] : [record];
  });
  // By its own title: where a main event was deleted, the record may have the meeting of the event that took its place.
  return left
    .flat()
    .map(({ title, meeting }) => `“${meetings.get(meeting ?? 0)?.topic || title}” (meeting ${meeting})`);
}

/** Whether the event is still in the LMS, in another course. What the LMS does not tell counts as there. */
async function isMoved(
  { canvas, token, signal }: Parts,
  { eventId }: Pick<ZoomRecord, 'eventId'>,
): Promise<boolean> {
  // A main event that was moved away has left its record behind, and taken nothing of it along.
  if (eventId < 0) return false;
  try {
    return (await readEvent(canvas, eventId, { token, signal })) !== null;
  } catch (error) {
    if (error instanceof CanvasError) return error.kind !== 'not-found';
    throw error;
  }
}

/** Says which they are; null: there are none. */
export function wordsOfLone(lone: readonly string[]): string | null {
  if (lone.length === 0) return null;
  const are = lone.length === 1 ? '1 meeting in Zoom is' : `${lone.length} meetings in Zoom are`;
  return `${are} no longer used by any event: ${listed(lone)}. Remove what is not needed in Zoom.`;
}
