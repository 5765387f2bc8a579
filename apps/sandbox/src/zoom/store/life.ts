/** The lifetime of a meeting (Zoom reference §8). */

import { uuidOf } from './ids.ts';
import type { Meeting } from './model.ts';
import { occurrencesOf } from './occurrences.ts';
import { DAY, MINUTE } from './time.ts';

/** How long a deleted meeting can be restored. Zoom only says 'some days'. */
const RESTORABLE_MS = 7 * DAY;

/** Returns whether the meeting's number has expired; deleted meetings are treated separately. */
export function isExpired(meeting: Meeting, now: number): boolean {
  return !meeting.running && now >= expiryOf(meeting);
}

/** Returns the meeting after it was held: the next instance gets a new `uuid`. */
export function held(meeting: Meeting, now: number): Meeting {
  const { uuid, usedAt, number } = meeting;
  const past = { uuid, start: usedAt ?? now, end: now };
  return { ...meeting, running: false, usedAt: now, past, uuid: uuidOf(`meeting ${number} after ${now}`) };
}

/** Returns whether the meeting has ended for good: an instant meeting is held only once. */
export function hasEnded({ type, usedAt, running }: Meeting): boolean {
  return type === 1 && usedAt !== null && !running;
}

/** Returns the end of the meeting, or null if it has no time. */
export function endOf({ start, duration }: Pick<Meeting, 'start' | 'duration'>): number | null {
  return start === null ? null : start + duration * MINUTE;
}

export function isRestorable({ deletedAt }: Meeting, now: number): boolean {
  return deletedAt !== null && now < deletedAt + RESTORABLE_MS;
}

function expiryOf(meeting: Meeting): number {
  const { type, start, createdAt, usedAt } = meeting;
  if (type === 3) return Math.max(createdAt, usedAt ?? 0) + 365 * DAY;
  const last = type === 8 ? Date.parse(occurrencesOf(meeting).at(-1)?.start_time ?? '') : start;
  return Math.max(last || createdAt, usedAt ?? 0) + (type === 8 ? 365 : 30) * DAY;
}
