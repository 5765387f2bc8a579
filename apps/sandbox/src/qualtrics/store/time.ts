/** Times in Qualtrics's formats. */

import { beginsWithDay, wallClock } from '../../http/time-zones.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const WEEK = 7 * DAY;

/** Returns a time such as `2026-09-07T08:00:00Z`. */
export function isoTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** Returns a time such as `2026-09-07 10:00:00`, the wall clock time in the zone. */
export function tableTime(ms: number, zone: string | null): string {
  const shown = zone === null ? ms : wallClock(ms, zone);
  return new Date(shown).toISOString().slice(0, 19).replace('T', ' ');
}

const WITH_ZONE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/;

/** Reads a time that includes its zone, or returns null if the text is not such a time. */
export function readTime(text: string): number | null {
  const ms = WITH_ZONE.test(text) && beginsWithDay(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}
