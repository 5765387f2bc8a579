/**
 * The school's timetable as its routes query it: a campus's reservations in a period, for some courses or
 * all.
 */

import { isDay, wallClock } from '../http/time-zones.ts';
import type { CoursePlan, SchoolSize } from '../seed/courses.ts';
import { CAMPUSES, type Campus } from '../seed/school.ts';
import { type Reservation, timetableOf, ZONES } from '../seed/timetable.ts';

const DAY = 24 * 60 * 60 * 1000;

/** The object type of courses in the timetable, as in `1003.219`. */
export const COURSE_TYPE = '219';

/** Days, written as UTC midnights of the campus's calendar; both are included. */
export type Period = { from: number; to: number };

export class SchoolTimetable {
  readonly #size: SchoolSize;
  #byCampus: ReadonlyMap<Campus, readonly Reservation[]> | null = null;

  constructor(size: SchoolSize) {
    this.#size = size;
  }

  /** Finds the campus with this name, which is lower case in addresses, or returns null if there is none. */
  campusNamed(name: string): Campus | null {
    return CAMPUSES.find((campus) => campus.toLowerCase() === name.toLowerCase()) ?? null;
  }

  /**
   * Returns the reservations in order of start.
   * @param courses their IDs; null for all courses of the campus
   */
  reservations(campus: Campus, period: Period, courses: ReadonlySet<number> | null): Reservation[] {
    return this.#of(campus).filter(
      ({ start, courses: own }) =>
        start >= period.from &&
        start < period.to + DAY &&
        (courses === null || own.some(({ id }) => courses.has(id))),
    );
  }

  /** Finds a reservation, or returns undefined if the campus does not have this ID. */
  reservation(campus: Campus, id: string): Reservation | undefined {
    return this.#of(campus).find((each) => each.id === id);
  }

  /** Returns the reservations of a course that are in the synchroniser's table. */
  synchronised(courseId: number): { reservation: Reservation; course: CoursePlan }[] {
    return CAMPUSES.flatMap((campus) => this.#of(campus)).flatMap((reservation) => {
      const course = reservation.courses.find(({ id }) => id === courseId);
      return course && reservation.synchronised ? [{ reservation, course }] : [];
    });
  }

  /** Returns the courses of a campus that have reservations, by ID. */
  courses(campus: Campus): CoursePlan[] {
    const found = new Map(this.#of(campus).flatMap(({ courses }) => courses.map((each) => [each.id, each])));
    return [...found.values()].sort((a, b) => a.id - b.id);
  }

  #of(campus: Campus): readonly Reservation[] {
    // Created on first use: most tests of other systems never need it.
    if (!this.#byCampus) {
      const all = timetableOf(this.#size).reservations.sort((a, b) => a.start - b.start);
      this.#byCampus = new Map(CAMPUSES.map((name) => [name, all.filter((each) => each.campus === name)]));
    }
    return this.#byCampus.get(campus) ?? [];
  }
}

/**
 * Finds the courses that `objects` names (`1003.219,1009.219`), or returns null if it names none. Other
 * objects match nothing.
 */
export function coursesNamed(objects: string): ReadonlySet<number> | null {
  const named = objects.split(/[,;]/).filter((each) => each !== '');
  if (named.length === 0) return null;
  return new Set(
    named.flatMap((each) => {
      const [id, type] = each.split('.');
      return type === COURSE_TYPE ? [Number(id)] : [];
    }),
  );
}

/**
 * Reads the period in `p`, in days of the campus's calendar: `20260901.x,20261231.x`, or in days, weeks or
 * months from today (`0.w,4.w`). Without `p`, returns this week and the next four; returns null if `p` is not
 * valid.
 */
export function periodOf(p: string, now: number, campus: Campus): Period | null {
  const today = Math.floor(wallClock(now, ZONES[campus]) / DAY) * DAY;
  const [first = '', last = first] = (p === '' ? '0.w,4.w' : p).split(',');
  const [start, end] = [spanOf(first, today), spanOf(last, today)];
  return start && end && { from: start.from, to: end.to };
}

function spanOf(text: string, today: number): Period | null {
  const absolute = /^(\d{4})(\d\d)(\d\d)\.x$/.exec(text);
  if (absolute) {
    const [year = 0, month = 0, day = 0] = absolute.slice(1).map(Number);
    const from = Date.UTC(year, month - 1, day);
    return isDay(year, month, day) ? { from, to: from } : null;
  }
  const relative = /^(-?\d{1,4})\.([dwm])$/.exec(text);
  if (!relative) return null;
  const n = Number(relative[1]);
  const date = new Date(today);
  switch (relative[2]) {
    case 'd':
      return { from: today + n * DAY, to: today + n * DAY };
    case 'w': {
      const monday = today - ((date.getUTCDay() + 6) % 7) * DAY + n * 7 * DAY;
      return { from: monday, to: monday + 6 * DAY };
    }
    default: {
      const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + n];
      return { from: Date.UTC(year, month, 1), to: Date.UTC(year, month + 1, 0) };
    }
  }
}
