/** Times in Zoom's format (Zoom reference §1, §7). */

import { beginsWithDay } from '../../http/time-zones.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const FORM = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(Z?)$/;

/** Returns a time in UTC without a fraction. @param at milliseconds since 1970 */
export function zoomTime(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Rounds to whole seconds, as Zoom does. */
export function wholeSeconds(at: number): number {
  return Math.floor(at / SECOND) * SECOND;
}

/** Returns whether a text is the name of a zone; an offset is not one. */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/**
 * Reads a time. With a `Z` it is UTC, whatever the zone is; without one it is local time in the zone.
 * @returns milliseconds since 1970; null if it is not a time
 */
export function readTime(text: string, zone: string): number | null {
  const [, local = '', z] = FORM.exec(text) ?? [];
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc) || !beginsWithDay(local)) return null;
  if (z === 'Z') return asUtc;
  // The first offset is approximate, because the clocks may change between the two times, so it is computed a
  // second time.
  const first = asUtc - offsetAt(asUtc, zone);
  return asUtc - offsetAt(first, zone);
}

/** Returns a time such as `Oct 5, 2026, 10:00 AM Europe/Paris`. */
export function shownTime(at: number, zone: string): string {
  const shown = new Intl.DateTimeFormat('en-US', { timeZone: zone, dateStyle: 'medium', timeStyle: 'short' });
  return `${shown.format(at).replaceAll(' ', ' ')} ${zone}`;
}

/** Returns the UTC day, such as `2026-10-05`. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** Returns the start of the next UTC day. */
export function nextDay(at: number): number {
  return (Math.floor(at / DAY) + 1) * DAY;
}

/** Returns the zone's offset from UTC at the given time, in milliseconds. */
function offsetAt(at: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at);
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const there = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return there - wholeSeconds(at);
}
