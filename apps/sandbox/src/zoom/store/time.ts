/** Moments as Zoom writes and reads them (reference of Zoom §1, §7). */

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const FORM = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.\d+)?(Z?)$/;

/** UTC without a fraction. @param at milliseconds since 1970 */
export function zoomTime(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** Whole seconds, as Zoom keeps them. */
export function wholeSeconds(at: number): number {
  return Math.floor(at / SECOND) * SECOND;
}

/** Whether it is the name of a zone; an offset is none. */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/**
 * Reads a time: with `Z` it is UTC, whatever the zone; without, it is local in the zone.
 * @returns milliseconds since 1970; null for what is no time
 */
export function readTime(text: string, zone: string): number | null {
  const [, local = '', z] = FORM.exec(text) ?? [];
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) return null;
  if (z === 'Z') return asUtc;
  // Once with the offset of about then; a second time where the clocks change in between.
  const first = asUtc - offsetAt(asUtc, zone);
  return asUtc - offsetAt(first, zone);
}

/** Such as `Oct 5, 2026, 10:00 AM Europe/Paris`. */
export function shownTime(at: number, zone: string): string {
  const shown = new Intl.DateTimeFormat('en-US', { timeZone: zone, dateStyle: 'medium', timeStyle: 'short' });
  return `${shown.format(at).replaceAll(' ', ' ')} ${zone}`;
}

/** The UTC day, such as `2026-10-05`. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** When the next UTC day begins. */
export function nextDay(at: number): number {
  return (Math.floor(at / DAY) + 1) * DAY;
}

/** Milliseconds that the zone is ahead of UTC at a moment. */
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
