import type { Timestamp } from '../../store/model.ts';
import { timestamp } from '../../store/world.ts';

const TIME =
  '(?:[T\\s]+(\\d{1,2}):(\\d{2})(?::(\\d{2})(?:\\.\\d+)?)?\\s*(Z|UTC|GMT|[+-]\\d{2}:?\\d{2})?|[T\\s]+(\\d{1,2}):(\\d{2})(?::(\\d{2}))?\\s*([ap]\\.?m\\.?)\\s*(Z|UTC|GMT|[+-]\\d{2}:?\\d{2})?)?';
const YEAR_FIRST = new RegExp(`^(\\d{4})[-/.](\\d{1,2})[-/.](\\d{1,2})${TIME}$`, 'i');
/** Ruby never reads the month first. */
const DAY_FIRST = new RegExp(`^(\\d{1,2})[-/.](\\d{1,2})[-/.](\\d{4})${TIME}$`, 'i');

/** Dates without separators. */
const CLOSE = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** Parses a date cell (§8.2): UTC unless the cell names a zone. Returns undefined for any other text. */
export function parseDate(text: string): Timestamp | undefined {
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst) {
    const [, year, month, day, ...time] = yearFirst;
    return momentOf([year, month, day], time);
  }
  const close = CLOSE.exec(text);
  if (close) {
    const [, year, month, day, ...time] = close;
    return momentOf([year, month, day], time);
  }
  const dayFirst = DAY_FIRST.exec(text);
  if (dayFirst) {
    const [, day, month, year, ...time] = dayFirst;
    return momentOf([year, month, day], time);
  }
  // Only month names and weekdays: plain numbers, and words that JavaScript would guess at, are not dates.
  if (!/[a-z]{3}/i.test(text) || !/\d{4}/.test(text)) return undefined;
  const ms = Date.parse(ZONE.test(text) ? text : `${text} UTC`);
  return Number.isNaN(ms) || !isInCalendar(text) ? undefined : timestamp(ms);
}

const ZONE = /(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})$/i;

/** Returns whether the month has this day: JavaScript turns 30 February into 2 March. */
function isInCalendar(text: string): boolean {
  const days = [...text.matchAll(/(?<![:\d])\d{1,2}(?![:\d])/g)].map(Number);
  const read = new Date(`${text.replace(ZONE, '')} UTC`).getUTCDate();
  return days.length === 0 || days.includes(read);
}

function momentOf(
  [year, month, day]: readonly (string | undefined)[],
  [hour, minute, second, zone, halfHour, halfMinute, halfSecond, half, halfZone]: readonly (
    | string
    | undefined
  )[],
): Timestamp | undefined {
  if (half !== undefined) {
    const of12 = Number(halfHour);
    if (of12 < 1 || of12 > 12) return undefined;
    const of24 = (of12 % 12) + (/^p/i.test(half) ? 12 : 0);
    return moment(
      Number(year),
      Number(month),
      Number(day),
      of24,
      Number(halfMinute),
      Number(halfSecond ?? 0),
      halfZone,
    );
  }
  return moment(
    Number(year),
    Number(month),
    Number(day),
    Number(hour ?? 0),
    Number(minute ?? 0),
    Number(second ?? 0),
    zone,
  );
}

function moment(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
  zone: string | undefined,
): Timestamp | undefined {
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  // On its own, Date.UTC turns the year 1 into 1901.
  const read = new Date(Date.UTC(2000, 0, 1, hour, minute, second));
  const ms = read.setUTCFullYear(year, month - 1, day);
  if (read.getUTCFullYear() !== year || read.getUTCMonth() !== month - 1 || read.getUTCDate() !== day)
    return undefined;
  return timestamp(ms - offsetOf(zone));
}

/** Returns the zone's offset from UTC, in milliseconds. */
function offsetOf(zone: string | undefined): number {
  const match = zone === undefined ? null : /^([+-])(\d{2}):?(\d{2})$/.exec(zone);
  if (!match) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return (match[1] === '-' ? -minutes : minutes) * 60_000;
}

/** Reads the dates in a row, and reports whether one cannot be read. An empty cell is null. */
export function readDates(cells: readonly (string | null)[]): { dates: (Timestamp | null)[]; bad: boolean } {
  let bad = false;
  const dates = cells.map((cell) => {
    if (cell === null) return null;
    const date = parseDate(cell);
    if (date === undefined) bad = true;
    return date ?? null;
  });
  return { dates, bad };
}
