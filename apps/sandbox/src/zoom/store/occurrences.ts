/** Occurrences of a recurring meeting. */

import { momentOfWallClock, wallClock } from '../../http/time-zones.ts';
import type { Meeting, Occurrence, Recurrence } from './model.ts';
import { DAY, SECOND, zoomTime } from './time.ts';

/** Requests for more are rejected (Zoom reference §7). */
export const MOST_OCCURRENCES = 60;

/** After this many steps the search ends, because the 31st of every twelfth month may never come. */
const MOST_STEPS = 1000;

/** Returns occurrences that are not cancelled, in order of time. */
export function occurrencesOf(meeting: Meeting): Occurrence[] {
  return allOccurrencesOf(meeting)
    .filter(({ status }) => status === 'available')
    .sort((a, b) => Date.parse(a.start_time) - Date.parse(b.start_time));
}

/**
 * Returns all occurrences; none for a meeting without them. The ID of an occurrence is its original start, in
 * seconds.
 */
export function allOccurrencesOf(meeting: Meeting): Occurrence[] {
  const { start, duration, recurrence, timezone, changes = {} } = meeting;
  if (start === null || recurrence === null) return [];
  // In local time: a meeting at ten stays at ten after the clocks change.
  const wall = wallClock(start, timezone);
  const first = Math.floor(wall / DAY) * DAY;
  const until = recurrence.end_date_time ? Date.parse(recurrence.end_date_time) : Number.POSITIVE_INFINITY;
  const most = recurrence.end_times ?? MOST_OCCURRENCES;
  const times: number[] = [];
  for (const day of daysOf(first, recurrence)) {
    const at = day === first ? start : momentOfWallClock(day + (wall - first), timezone);
    if (at > until || times.length === most) break;
    times.push(at);
  }
  return times.map((at) => {
    const id = String(at / SECOND);
    const change = changes[id];
    return {
      occurrence_id: id,
      start_time: zoomTime(change?.start ?? at),
      duration: change?.duration ?? duration,
      status: change?.cancelled ? 'deleted' : 'available',
    };
  });
}

/** Lists the days of a recurrence from the first one, as UTC midnights. */
function* daysOf(first: number, rule: Recurrence): Generator<number> {
  for (let nth = 0; nth < MOST_STEPS; nth++) {
    const days = daysOfStep(first, rule, nth * rule.repeat_interval);
    for (const day of days) if (day >= first) yield day;
  }
}

/** @param steps days, weeks or months after the first */
function daysOfStep(first: number, rule: Recurrence, steps: number): number[] {
  if (rule.type === 1) return [first + steps * DAY];
  const weekday = new Date(first).getUTCDay();
  if (rule.type === 2) {
    const sunday = first + (steps * 7 - weekday) * DAY;
    const days = rule.weekly_days?.split(',').map((day) => Number(day) - 1) ?? [weekday];
    return [...new Set(days)].sort((a, b) => a - b).map((day) => sunday + day * DAY);
  }
  const date = new Date(first);
  return dayOfMonth(date.getUTCFullYear(), date.getUTCMonth() + steps, rule, date.getUTCDate());
}

/** Returns the day of a month, or nothing for a month that does not have the day. */
function dayOfMonth(year: number, month: number, rule: Recurrence, otherwise: number): number[] {
  const begins = Date.UTC(year, month, 1);
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const { monthly_week: week, monthly_week_day: weekday } = rule;
  if (week === undefined || weekday === undefined) {
    const day = rule.monthly_day ?? otherwise;
    return day <= last ? [begins + (day - 1) * DAY] : [];
  }
  const earliest = week === -1 ? last - 6 : 1 + (week - 1) * 7;
  const from = begins + (earliest - 1) * DAY;
  return [from + ((weekday - 1 - new Date(from).getUTCDay() + 7) % 7) * DAY];
}
