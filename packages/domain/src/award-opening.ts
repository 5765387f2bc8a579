/** Opening of the vote (BTA-04, OP-88, OP-105), and age of its figures (BTA-15, OP-90). Pure. */
import { momentOfClock } from './wall-clock.ts';

/** Years in which a vote can open. A date field returns others while the year is being typed: 2, 20, 202. */
const FIRST_YEAR = 2000;
const LAST_YEAR = 2099;

/** The zone where the day starts first, so that no campus loses votes cast on the first morning. */
export const OPENING_ZONE = 'Asia/Singapore';

/**
 * Reads a complete, valid date as date fields return it, `2026-03-05` (OP-88).
 * @returns null for everything else, including incomplete input
 */
export function openingDate(text: string): string | null {
  const date = text.trim();
  const found = /^(\d{4})-\d\d-\d\d$/.exec(date);
  const year = Number(found?.[1] ?? 0);
  return year >= FIRST_YEAR && year <= LAST_YEAR && momentOfClock(date, '00:00', 'UTC') ? date : null;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Formats the date as `DD MMM YYYY` (BTA-04). Empty for anything but a date. */
export function shownOpeningDate(text: string): string {
  const date = openingDate(text);
  if (date === null) return '';
  const [year = '', month = '', day = ''] = date.split('-');
  return `${day} ${MONTHS[Number(month) - 1] ?? ''} ${year}`;
}

/** Returns the moment at which the vote opens: the start of that day. Null for anything but a date. */
export function opensAt(text: string, zone: string = OPENING_ZONE): number | null {
  const date = openingDate(text);
  return date === null ? null : (momentOfClock(date, '00:00', zone)?.ms ?? null);
}

/** Time for which figures are up to date. */
export const FRESH_MS = 3_600_000;

/**
 * Returns whether figures are less than one hour old, so that they need no refresh.
 * @param createdAt their time, in milliseconds since 1970; null: none
 */
export function isUpToDate(createdAt: number | null, now: number): boolean {
  // Figures dated in the future come from a wrong clock, and must not prevent a refresh for long.
  return createdAt !== null && Math.abs(now - createdAt) < FRESH_MS;
}
