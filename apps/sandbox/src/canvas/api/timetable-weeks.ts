/** Timetable lessons by weekday, between the first and last day of their course (reference §14.4). */

import { type Params, text } from '../../http/params.ts';
import { momentOfWallClock, wallClock } from '../../http/time-zones.ts';
import { ApiError } from '../http/errors.ts';
import type { Course, Section, TimetableWeek as Week } from '../store/model.ts';
import type { World } from '../store/world.ts';

/** Times in milliseconds. */
export type Lesson = {
  start: number;
  end: number;
  title: string | null;
  place: string | null;
  code: string | null;
};

const DAY = 24 * 60 * 60 * 1000;
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
/** Other spellings of weekdays. */
const SHORT: Readonly<Record<string, string>> = {
  su: 'Sun',
  m: 'Mon',
  t: 'Tue',
  w: 'Wed',
  th: 'Thu',
  f: 'Fri',
  s: 'Sat',
  sunday: 'Sun',
  monday: 'Mon',
  tuesday: 'Tue',
  wednesday: 'Wed',
  thursday: 'Thu',
  friday: 'Fri',
  saturday: 'Sat',
};

/** @throws ApiError 400 with all errors */
export function readWeeks(
  world: World,
  course: Course,
  section: Section | null,
  items: readonly Params[],
): Week[] {
  const term = world.terms.must(course.enrollment_term_id);
  const weeks = items.map((item): Week => {
    const place = text(item, 'location_name');
    return {
      weekdays: (text(item, 'weekdays') ?? '').split(',').map(weekdayOf).join(','),
      start_time: text(item, 'start_time') ?? '',
      end_time: text(item, 'end_time') ?? '',
      ...(place === null ? {} : { location_name: place }),
      course_start_at: text(item, 'course_start_at') ?? section?.start_at ?? course.start_at ?? term.start_at,
      course_end_at: text(item, 'course_end_at') ?? section?.end_at ?? course.conclude_at ?? term.end_at,
    };
  });
  const checks: readonly [string, (week: Week) => boolean][] = [
    ['invalid start time(s)', (week) => minutesIn(week.start_time) !== null],
    ['invalid end time(s)', (week) => minutesIn(week.end_time) !== null],
    ['weekdays are not valid', (week) => week.weekdays.split(',').every((day) => WEEKDAYS.includes(day))],
    ['no start date found', (week) => !Number.isNaN(Date.parse(week.course_start_at ?? ''))],
    ['no end date found', (week) => !Number.isNaN(Date.parse(week.course_end_at ?? ''))],
  ];
  const errors = checks.flatMap(([message, holds]) => (weeks.every(holds) ? [] : [message]));
  if (errors.length > 0) throw new ApiError(400, { errors });
  return weeks;
}

/** Returns the lessons; times are read in the course's time zone. */
export function lessonsOf({ time_zone: zone }: Course, weeks: readonly Week[]): Lesson[] {
  return weeks.flatMap((week) => {
    const [from, to] = [Date.parse(week.course_start_at ?? ''), Date.parse(week.course_end_at ?? '')];
    const firstDay = Math.floor(wallClock(from, zone) / DAY) * DAY;
    const at = (day: number, time: string) => momentOfWallClock(day + (minutesIn(time) ?? 0) * 60_000, zone);
    const lessons: Lesson[] = [];
    for (const weekday of week.weekdays.split(',').map((day) => WEEKDAYS.indexOf(day))) {
      const first = firstDay + ((weekday - new Date(firstDay).getUTCDay() + 7) % 7) * DAY;
      for (let day = first; day < wallClock(to, zone); day += 7 * DAY) {
        const [start, end] = [at(day, week.start_time), at(day, week.end_time)];
        if (start > from && end < to)
          lessons.push({ start, end, title: null, place: week.location_name ?? null, code: null });
      }
    }
    return lessons;
  });
}

function weekdayOf(word: string): string {
  const day = word.trim().toLowerCase();
  return SHORT[day] ?? day.charAt(0).toUpperCase() + day.slice(1);
}

/** Reads the minutes of `9:00 am` or `14:30`, or returns null for a text that is not a time. */
function minutesIn(time: string): number | null {
  const [, hour = '', minute = '0', half] = /^(\d{1,2})(?::(\d\d))?\s*([ap]m)?$/i.exec(time.trim()) ?? [];
  if (hour === '' || Number(minute) > 59 || Number(hour) > (half ? 12 : 23)) return null;
  if (!half) return Number(hour) * 60 + Number(minute);
  return ((Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)) * 60 + Number(minute);
}
