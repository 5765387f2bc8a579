/** The times of a recurring meeting. Only what comes every so many days or weeks is played. */

import type { Meeting, Occurrence } from './model.ts';
import { DAY, SECOND, zoomTime } from './time.ts';

/** More are refused (reference of Zoom §7). */
export const MOST_OCCURRENCES = 60;

/** Empty for what does not recur at times. An occurrence is called by its start in seconds. */
export function occurrencesOf({ start, duration, recurrence }: Meeting): Occurrence[] {
  if (start === null || recurrence === null) return [];
  const step = recurrence.repeat_interval * (recurrence.type === 2 ? 7 : 1) * DAY;
  const until = recurrence.end_date_time ? Date.parse(recurrence.end_date_time) : Number.POSITIVE_INFINITY;
  const most = recurrence.end_times ?? MOST_OCCURRENCES;
  const times = Array.from({ length: most }, (_, at) => start + at * step).filter((at) => at <= until);
  return times.map((at) => ({
    occurrence_id: String(at / SECOND),
    start_time: zoomTime(at),
    duration,
    status: 'available',
  }));
}
