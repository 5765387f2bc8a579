/** Dates as the LMS reads them in SIS files (LMS reference §8.2): the year or the day first, never the month. Pure. */

const TIME =
  /(?:[T\s]\s*(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,]\d+)?)?\s*(?<half>[ap]\.?m\.?)?)?\s*(?<zone>z|utc|gmt|[+-]\d{2}:?\d{2})?$/
    .source;
const YEAR_FIRST = new RegExp(`^(?<year>\\d{4})([-/.])(?<month>\\d{1,2})\\2(?<day>\\d{1,2})${TIME}`, 'i');
const DAY_FIRST = new RegExp(`^(?<day>\\d{1,2})([-/.])(?<month>\\d{1,2})\\2(?<year>\\d{4})${TIME}`, 'i');
const CLOSE = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})?)?(Z|[+-]\d{2}:?\d{2})?$/i;
/** English names of months and days of the week, which the LMS reads in any order. */
const WORDS = /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/i;

/**
 * Returns the moment that the LMS reads from a cell, in its own form; null if it cannot read one. UTC unless a zone
 * is named.
 * @param text trimmed, and not empty
 */
export function lmsDate(text: string): string | null {
  const parts = (YEAR_FIRST.exec(text) ?? DAY_FIRST.exec(text))?.groups;
  if (parts) {
    const hour = hourOf(Number(parts.hour ?? 0), parts.half);
    return moment(
      [parts.year, parts.month, parts.day].map(Number),
      [hour, Number(parts.minute ?? 0), Number(parts.second ?? 0)],
      parts.zone,
    );
  }
  const close = CLOSE.exec(text);
  if (close) {
    const [, year, month, day, hour = 0, minute = 0, second = 0, zone] = close;
    return moment([year, month, day].map(Number), [hour, minute, second].map(Number), zone);
  }
  if (!WORDS.test(text) || !/\d{4}/.test(text)) return null;
  const ms = Date.parse(/(?:z|utc|gmt|[+-]\d{2}:?\d{2})$/i.test(text) ? text : `${text} UTC`);
  return Number.isNaN(ms) ? null : written(ms);
}

/** Converts the hour with am or pm; an invalid hour stays invalid. */
function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined) return hour;
  if (hour < 1 || hour > 12) return Number.NaN;
  return (hour % 12) + (/^p/i.test(half) ? 12 : 0);
}

function moment(
  [year = 0, month = 0, day = 0]: readonly number[],
  [hour = 0, minute = 0, second = 0]: readonly number[],
  zone: string | undefined,
): string | null {
  if (!(hour < 24 && minute < 60 && second < 60)) return null;
  // `Date.UTC` alone turns the year 1 into 1901.
  const read = new Date(Date.UTC(2000, 0, 1, hour, minute, second));
  const ms = read.setUTCFullYear(year, month - 1, day);
  if (read.getUTCMonth() !== month - 1 || read.getUTCDate() !== day) return null;
  return written(ms - offsetOf(zone));
}

/** Returns the offset of a zone from UTC, in milliseconds. */
function offsetOf(zone: string | undefined): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone ?? '') ?? [];
  if (sign === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

function written(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
