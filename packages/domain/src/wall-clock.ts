/** Wall clocks of a time zone, and the moments at which they show something. */

const DAY = 24 * 60 * 60 * 1000;

/** A moment that a wall clock means, and what is odd about it. */
export interface ClockMoment {
  /** Milliseconds since 1970. */
  ms: number;
  /** `twice`: the clocks show it twice, the earlier is taken. `never`: they leave it out, it is shifted forward. */
  odd: 'twice' | 'never' | null;
}

/**
 * The moment at which the clocks of a zone show a date and time.
 * @param date `yyyy-mm-dd`
 * @param time `hh:mm` or `hh:mm:ss`; `24:00` is the end of the day
 * @param zone an IANA name
 * @returns null for what is no date or time
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

/** Whether it is the name of a time zone. */
export function isZone(name: string): boolean {
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** As if it were UTC; null when it is none. */
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

/** Milliseconds that the clocks of the zone are ahead of UTC. */
function offsetAt(ms: number, zone: string): number {
  const part: Record<string, number> = {};
  for (const { type, value } of formatOf(zone).formatToParts(ms)) part[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1000) * 1000;
}
