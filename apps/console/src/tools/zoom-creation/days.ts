/** Days and times of a calendar in the reader's time zone (OP-73). Pure. */
import { ZOOM_WINDOW_DAYS } from '@lms-admin/contract/zoom';
import { offsetIfTwice } from '@lms-admin/domain/wall-clock';

const DAY_MS = 24 * 60 * 60 * 1000;
const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Returns the current day in a zone, as `2026-11-22`. */
export function todayIn(timeZone: string, now: number): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(now);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')}`;
}

/** Parses a day from an address or a date field; null for anything else, or a day beyond the calendar's range. */
export function dayOf(text: string | null): string | null {
  if (text === null || !ISO_DAY.test(text)) return null;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(time) || !new Date(time).toISOString().startsWith(text) || text < '1970-01-01'
    ? null
    : text;
}

/** Returns the last day shown: the period always has the same length (ZC-39, OP-65). */
export function lastDay(from: string): string {
  return new Date(Date.parse(`${from}T00:00:00Z`) + ZOOM_WINDOW_DAYS * DAY_MS).toISOString().slice(0, 10);
}

/** Formats a day as `22 Nov 2026`. */
export function dayText(day: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(
    Date.parse(`${day}T00:00:00Z`),
  );
}

interface Times {
  start_at: string | null;
  end_at?: string | null;
  all_day?: boolean;
}

/**
 * Creates a formatter for the time of an event, such as `Mon, 23 Nov 2026, 09:00–10:30`; empty without a date. If the
 * clocks show a time twice, it has an offset: `02:30 (UTC+2)`.
 */
export function timesFormat(timeZone: string): (times: Times) => string {
  const day = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  });
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
  const timeOf = (ms: number) => {
    const offset = offsetIfTwice(ms, timeZone);
    return offset === null ? clock.format(ms) : `${clock.format(ms)} (${offset})`;
  };
  return ({ start_at, end_at = null, all_day = false }) => {
    const start = Date.parse(start_at ?? '');
    if (Number.isNaN(start)) return '';
    const [first, begins] = [day.format(start), timeOf(start)];
    if (all_day) return first;
    const end = Date.parse(end_at ?? '');
    if (Number.isNaN(end) || end <= start) return `${first}, ${begins}`;
    const last = day.format(end);
    return `${first}, ${begins}–${last === first ? '' : `${last}, `}${timeOf(end)}`;
  };
}
