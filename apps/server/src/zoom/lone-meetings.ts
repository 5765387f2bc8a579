/** Meetings that stay in Zoom although their events are no longer in the LMS, and that no text links to. */

import { CanvasError } from '../canvas/types.ts';
import { mapLimited } from '../platform/limited.ts';
import { listed } from '../platform/text.ts';
import { ZoomError } from '../zoom-api/types.ts';
import type { EngineParts } from './engine-parts.ts';
import { isNamed, withMeetings } from './families.ts';
import { readEvent } from './one-event.ts';
import type { ZoomRecord } from './records.ts';

type Parts = Pick<EngineParts, 'canvas' | 'zoom' | 'calendar' | 'records' | 'token' | 'signal'>;
/** Events looked up at the same time. */
const AT_ONCE = 6;

/**
 * Returns the meetings of events that were deleted in Canvas, or that now have section times, by title and number.
 * Meetings that students can join through another event of any course are omitted, as are events that only moved to
 * another course.
 */
export async function loneMeetings(parts: Parts, now: Date): Promise<string[]> {
  const { calendar, records } = parts;
  const { orphans, meetings, lostMains, families } = calendar;
  // Events whose sections have their own meetings, and whose former meeting no merged event uses.
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
    return isUsed || isHere || !(await isInZoom(parts, record)) ? [] : [record];
  });
  // The event is named by its own title: the record of a deleted main event may have the meeting of the event that
  // replaced it.
  return left
    .flat()
    .map(({ title, meeting }) => `“${meetings.get(meeting ?? 0)?.topic || title}” (meeting ${meeting})`);
}

/**
 * Returns whether Zoom still has the meeting of a record, which a person may have removed. If that is unknown, the
 * meeting counts as existing.
 */
async function isInZoom(
  { zoom, records, signal }: Parts,
  { meeting }: Pick<ZoomRecord, 'meeting'>,
): Promise<boolean> {
  if (meeting === null) return false;
  try {
    if ((await zoom.read(meeting, signal)) !== null) return true;
  } catch (error) {
    if (error instanceof ZoomError) return true;
    throw error;
  }
  await records.markGone(meeting);
  return false;
}

/** Returns whether the event is still in the LMS, in another course. If that is unknown, the event counts as existing. */
async function isMoved(
  { canvas, token, signal }: Parts,
  { eventId }: Pick<ZoomRecord, 'eventId'>,
): Promise<boolean> {
  try {
    return (await readEvent(canvas, eventId, { token, signal })) !== null;
  } catch (error) {
    if (error instanceof CanvasError) return error.kind !== 'not-found';
    throw error;
  }
}

/** Describes these meetings; null if there are none. */
export function wordsOfLone(lone: readonly string[]): string | null {
  if (lone.length === 0) return null;
  const are = lone.length === 1 ? '1 meeting in Zoom is' : `${lone.length} meetings in Zoom are`;
  return `${are} no longer used by any event: ${listed(lone)}. In Zoom, remove those that you do not need.`;
}
