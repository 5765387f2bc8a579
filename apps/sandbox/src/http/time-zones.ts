/** Dates and wall clocks of a time zone, without a library: the zone's offset comes from `Intl`. */

const PLAIN = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;
const DAY = 24 * 60 * 60 * 1000;

/** What a date parameter may hold: a moment in milliseconds, and whether it was a plain date. */
export type Moment = { ms: number; plain: boolean };

/** Reads `yyyy-mm-dd` (the day's beginning in the zone) or a full ISO date; null = neither. */
export function readMoment(text: string, timeZone: string): Moment | null {
  const plain = PLAIN.exec(text.trim());
  if (plain) {
    const [year, month, day] = [Number(plain[1]), Number(plain[2]), Number(plain[3])];
    const utc = Date.UTC(year, month - 1, day);
    if (new Date(utc).getUTCMonth() !== month - 1 || new Date(utc).getUTCDate() !== day) return null;
    return { ms: startOfDay(utc, timeZone), plain: true };
  }
  if (!/^\d{4}-\d{1,2}-\d{1,2}[T ]/.test(text)) return null;
  const ms = Date.parse(text.trim().replace(' ', 'T'));
  return Number.isNaN(ms) ? null : { ms, plain: false };
}

/** The last second of the day of a moment, in the zone. */
export function endOfDay(ms: number, timeZone: string): number {
  const local = ms + offsetAt(ms, timeZone);
  const midnight = Math.floor(local / DAY) * DAY;
  return startOfDay(midnight + DAY, timeZone) - 1000;
}

/** The beginning of the day of a moment, in the zone. */
export function beginningOfDay(ms: number, timeZone: string): number {
  const local = ms + offsetAt(ms, timeZone);
  return startOfDay(Math.floor(local / DAY) * DAY, timeZone);
}

/** When the day that starts at this UTC midnight starts in the zone. Asked twice, for days when clocks change. */
function startOfDay(utcMidnight: number, timeZone: string): number {
  const guess = utcMidnight - offsetAt(utcMidnight, timeZone);
  return utcMidnight - offsetAt(guess, timeZone);
}

/** What the clocks of the zone show at a moment, written as if it were UTC. */
export function wallClock(ms: number, timeZone: string): number {
  return ms + offsetAt(ms, timeZone);
}

/**
 * When the clocks of the zone show this (as if it were UTC). What they show twice is the earlier moment, what they leave
 * out is as much later as they jump.
 */
export function momentOfWallClock(wall: number, timeZone: string): number {
  const day = Math.floor(wall / DAY);
  const [before, after] = [offsetAtDay(day - 1, timeZone), offsetAtDay(day + 2, timeZone)];
  if (before === after) return wall - before;
  const fitting = [wall - before, wall - after].filter((ms) => wallClock(ms, timeZone) === wall);
  return fitting.length > 0 ? Math.min(...fitting) : wall - before;
}

const offsetsAtDays = new Map<string, number>();

/** The offset at a UTC midnight; kept, as a seed asks for thousands of times on few days. */
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

/** Zones that Canvas also knows by the names of Rails. */
const RAILS: Readonly<Record<string, string>> = {
  'Abu Dhabi': 'Asia/Dubai',
  Beijing: 'Asia/Shanghai',
  'Central Time (US & Canada)': 'America/Chicago',
  'Eastern Time (US & Canada)': 'America/New_York',
  London: 'Europe/London',
  'Mountain Time (US & Canada)': 'America/Denver',
  'Pacific Time (US & Canada)': 'America/Los_Angeles',
  Paris: 'Europe/Paris',
  Singapore: 'Asia/Singapore',
  Tokyo: 'Asia/Tokyo',
};

/** The IANA name of a zone that is named as IANA or as Rails do; null when it is neither. */
export function zoneNamed(name: string): string | null {
  const zone = RAILS[name] ?? name;
  try {
    offsetAt(0, zone);
    return zone;
  } catch {
    return null;
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Milliseconds the zone is ahead of UTC. */
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
