/** Dates and wall clock times in a time zone, without a library: `Intl` supplies the zone's offset. */

import { zoneOfRailsName } from './rails-zones.ts';

const DATE =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d+)?)? ?(Z|[+-]\d\d:?\d\d)?)?$/i;
const DAY = 24 * 60 * 60 * 1000;

/** The value of a date parameter: a time in milliseconds, and whether it was given as a date only. */
export type Moment = { ms: number; plain: boolean };

/** Returns whether the day exists; `Date` would turn 30 February into 2 March. */
export function isDay(year: number, month: number, day: number): boolean {
  // Date.UTC would turn the year 1 into 1901.
  const date = new Date(new Date(0).setUTCFullYear(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Returns whether a text starts with an existing day, as `yyyy-mm-dd`. */
export function beginsWithDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? [];
  return day !== undefined && isDay(Number(year), Number(month), Number(day));
}

/**
 * Parses `yyyy-mm-dd` (the start of the day) or a date with a time. The time is in the given zone unless the
 * text names one. Returns null for any other text.
 */
export function readMoment(text: string, timeZone: string): Moment | null {
  const [, ...parts] = DATE.exec(text.trim()) ?? [];
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(0, 6).map(Number);
  if (!isDay(year, month, day)) return null;
  const utc = Date.UTC(year, month - 1, day);
  if (parts[3] === undefined) return { ms: startOfDay(utc, timeZone), plain: true };
  if (hour > 24 || minute > 59 || second > 59) return null;
  const wall = Date.UTC(year, month - 1, day, hour, minute, second || 0);
  const offset = parts[6];
  if (offset === undefined) return { ms: momentOfWallClock(wall, timeZone), plain: false };
  const [, sign, hours, minutes] = /([+-])(\d\d):?(\d\d)/.exec(offset) ?? [];
  const ahead = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  return { ms: sign === '-' ? wall + ahead : wall - ahead, plain: false };
}

/** Returns the last second of the day, in the zone, that contains this time. */
export function endOfDay(ms: number, timeZone: string): number {
  const local = ms + offsetAt(ms, timeZone);
  const midnight = Math.floor(local / DAY) * DAY;
  return startOfDay(midnight + DAY, timeZone) - 1000;
}

/** Returns the start of the day, in the zone, that contains this time. */
export function beginningOfDay(ms: number, timeZone: string): number {
  const local = ms + offsetAt(ms, timeZone);
  return startOfDay(Math.floor(local / DAY) * DAY, timeZone);
}

/**
 * Returns the start, in the zone, of the day with this UTC midnight. Computes it twice, because clocks can
 * change on that day.
 */
function startOfDay(utcMidnight: number, timeZone: string): number {
  const guess = utcMidnight - offsetAt(utcMidnight, timeZone);
  return utcMidnight - offsetAt(guess, timeZone);
}

/** Returns the zone's wall clock time at this point in time, written as if it were UTC. */
export function wallClock(ms: number, timeZone: string): number {
  return ms + offsetAt(ms, timeZone);
}

/**
 * Returns the point in time of a wall clock time in the zone (written as if it were UTC). A time that occurs
 * twice means the earlier one; a skipped time is moved later by the length of the clock change.
 */
export function momentOfWallClock(wall: number, timeZone: string): number {
  const day = Math.floor(wall / DAY);
  const [before, after] = [offsetAtDay(day - 1, timeZone), offsetAtDay(day + 2, timeZone)];
  if (before === after) return wall - before;
  const fitting = [wall - before, wall - after].filter((ms) => wallClock(ms, timeZone) === wall);
  return fitting.length > 0 ? Math.min(...fitting) : wall - before;
}

const offsetsAtDays = new Map<string, number>();

/**
 * Returns the offset at a UTC midnight. Offsets are cached, because a seed needs thousands of them for only a
 * few days.
 */
function offsetAtDay(day: number, timeZone: string): number {
  const key = `${timeZone} ${day}`;
  let offset = offsetsAtDays.get(key);
  if (offset === undefined) {
    offset = offsetAt(day * DAY, timeZone);
    if (offsetsAtDays.size > 5000) offsetsAtDays.clear();
    offsetsAtDays.set(key, offset);
  }
  return offset;
}

/** Returns the IANA name of a zone given by its IANA or Rails name, or null for an unknown name. */
export function zoneNamed(name: string): string | null {
  const zone = zoneOfRailsName(name) ?? name;
  try {
    offsetAt(0, zone);
    return zone;
  } catch {
    return null;
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the zone's offset from UTC, in milliseconds. */
function offsetAt(ms: number, timeZone: string): number {
  let format = formats.get(timeZone);
  if (!format) {
    const options = {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
    } as const;
    format = new Intl.DateTimeFormat('en-US', {
      ...options,
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(timeZone, format);
  }
  const part: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(ms)) part[type] = Number(value);
  const local = Date.UTC(
    part['year'] ?? 0,
    (part['month'] ?? 1) - 1,
    part['day'],
    part['hour'],
    part['minute'],
    part['second'],
  );
  return local - Math.floor(ms / 1000) * 1000;
}
