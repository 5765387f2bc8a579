/** Local times in a time zone, and their moments. */

const DAY = 24 * 60 * 60 * 1000;

/** The moment of a local time, and whether it is unusual. */
export interface ClockMoment {
  /** Milliseconds since 1970. */
  ms: number;
  /** `twice`: it occurs twice, and the earlier one is used. `never`: it is skipped, and moved forward. */
  odd: 'twice' | 'never' | null;
}

/**
 * Finds the moment of a local date and time in a zone.
 * @param date `yyyy-mm-dd`
 * @param time `hh:mm` or `hh:mm:ss`; `24:00` is the end of the day
 * @param zone an IANA name
 * @returns null for an invalid date or time
 */
export function momentOfClock(date: string, time: string, zone: string): ClockMoment | null {
  const wall = readClock(date, time);
  if (wall === null) return null;
  const before = offsetAt(wall - DAY, zone);
  const after = offsetAt(wall + DAY, zone);
  const fitting = [...new Set([wall - before, wall - after])].filter(
    (ms) => ms + offsetAt(ms, zone) === wall,
  );
  if (fitting.length === 0) return { ms: wall - before, odd: 'never' };
  return { ms: Math.min(...fitting), odd: fitting.length > 1 ? 'twice' : null };
}

/**
 * Returns the offset of a moment from UTC (`UTC+2`), if its local time occurs twice because the clocks are put back;
 * null otherwise.
 */
export function offsetIfTwice(ms: number, zone: string): string | null {
  const offset = offsetAt(ms, zone);
  const isTwice = [ms - DAY, ms + DAY]
    .map((other) => offsetAt(other, zone))
    .some((other) => other !== offset && offsetAt(ms + offset - other, zone) === other);
  return isTwice ? nameOfOffset(offset) : null;
}

function nameOfOffset(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / 60_000);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (minutes === 0) return 'UTC';
  return `UTC${offset < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
}

/** Returns whether a text is the name of a time zone. */
export function isZone(name: string): boolean {
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** Reads a date and time as if they were UTC; null if they are not valid. */
function readClock(date: string, time: string): number | null {
  const day = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date.trim());
  const clock = /^(\d\d):(\d\d)(?::(\d\d))?$/.exec(time.trim());
  if (!day || !clock) return null;
  const midnight = Date.UTC(Number(day[1]), Number(day[2]) - 1, Number(day[3]));
  if (new Date(midnight).toISOString().slice(0, 10) !== day[0]) return null;
  const seconds = Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3] ?? 0);
  if (seconds > 86_400 || Number(clock[2]) > 59 || Number(clock[3] ?? 0) > 59) return null;
  return midnight + seconds * 1000;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    const number = 'numeric';
    const clock = { hour: number, minute: number, second: number } as const;
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: number,
      month: number,
      day: number,
      ...clock,
    });
    formats.set(zone, format);
  }
  return format;
}

/** Returns the offset of the zone from UTC, in milliseconds. */
function offsetAt(ms: number, zone: string): number {
  const part: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(ms)) part[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1000) * 1000;
}
