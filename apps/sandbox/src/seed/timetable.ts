/**
 * The plan of the practice school's timetable: course sessions in the Canvas calendar, and reservations in
 * the timetable. Most sessions name their reservation; some have one at the same time without naming it, and
 * some have none (reference timetable.md §7, §8).
 */

import { momentOfWallClock } from '../http/time-zones.ts';
import { type CoursePlan, plannedCourses, type SchoolSize } from './courses.ts';
import { FIRST_NAMES, LAST_NAMES } from './names.ts';
import { Chance } from './prng.ts';
import { BASE_DATE, type Campus } from './school.ts';

export type Reservation = {
  /** Digits, but stored as text. */
  id: string;
  campus: Campus;
  courses: CoursePlan[];
  activity: string;
  /** Wall clock time at the campus, written as if it were UTC. */
  start: number;
  end: number;
  rooms: string[];
  teachers: string[];
  group: string;
  information: string;
  /** Whether the reservation is in the synchroniser's table. */
  synchronised: boolean;
};

/** One session in the calendar of a course. */
export type Session = {
  courseId: number;
  /** Position among the courses with sessions. */
  nth: number;
  title: string;
  description: string | null;
  location: string;
  /** Milliseconds since 1970. */
  start: number;
  end: number;
};

export type Timetable = {
  sessions: Session[];
  /** Reservations that were not cancelled; calendars still show the cancelled ones. */
  reservations: Reservation[];
};

export const ZONES: Readonly<Record<Campus, string>> = {
  FBL: 'Europe/Paris',
  SGP: 'Asia/Singapore',
  ABD: 'Asia/Dubai',
};

const ROOMS: Readonly<Record<Campus, readonly string[]>> = {
  FBL: ['Amphithéâtre A', 'Amphithéâtre B', 'Salle Élysée', 'Plessis 2', 'Room 12', 'Leadership Lab'],
  SGP: ['Amphi 3', 'Amphi 4', 'Learning Studio', 'Room 21', 'Café Kopitiam'],
  ABD: ['Majlis Hall', 'Room 7', 'Room 8', 'Seminar Room East'],
};

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEKS = 24;
/** The synchroniser's mark on its own events: ten zero-width spaces after the title (§5). */
export const SYNCHRONISED_MARK = '\u200b'.repeat(10);
const MOST_TITLE = 230;

/** Special cases of sessions: a course has each of them once in twelve weeks. */
const KINDS = [
  'plain',
  'two rooms',
  'moved',
  'by time',
  'parallel',
  'by hand',
  'two courses',
  'remark',
  'past midnight',
  'cancelled',
  'by time',
  'plain',
] as const;

/**
 * Plans sessions in every third available course (every thirtieth in the large school), weekly, before and
 * after the first day.
 */
export function timetableOf(size: SchoolSize): Timetable {
  const every = size === 'large' ? 30 : 3;
  const courses = plannedCourses(size)
    .filter(({ state }) => state === 'available')
    .filter((_, at) => (at + 1) % every === 0);
  const maker = new Maker(courses);
  for (const nth of courses.keys()) maker.addCourse(nth);
  return maker;
}

/** Returns the text of a Canvas event that the synchroniser creates from a reservation (§5). */
export function synchronisedText(
  { activity, rooms, information, id, campus }: Reservation,
  course: CoursePlan,
) {
  const link = `https://cloud.timeedit.net/northbridge/web/${campus.toLowerCase()}/ri.html?id=${id}&amp;h=t&amp;sid=3`;
  const remark = information === '' ? '' : `<p>${information}</p>`;
  return {
    title: `${activity}: ${course.name}`.slice(0, MOST_TITLE) + SYNCHRONISED_MARK,
    location: rooms.join(', '),
    description: `${remark}<p><a href="${link}">Edit on TimeEdit</a></p>`,
  };
}

class Maker implements Timetable {
  readonly sessions: Session[] = [];
  readonly reservations: Reservation[] = [];
  readonly #courses: readonly CoursePlan[];
  readonly #chance = new Chance(20_260_902);
  #nextId = 481_001;
  #clocksChanged = false;

  constructor(courses: readonly CoursePlan[]) {
    this.#courses = courses;
  }

  addCourse(nth: number): void {
    const course = this.#courses[nth] as CoursePlan;
    const monday = Math.floor(BASE_DATE / DAY) * DAY;
    for (let week = 0; week < WEEKS; week++) {
      const start = monday + (week * 7 + (nth % 5)) * DAY + (8 + (nth % 9)) * HOUR;
      this.#addSession(
        nth,
        course,
        start,
        `Session ${week + 1}`,
        KINDS[(week + nth) % KINDS.length] ?? 'plain',
      );
    }
    if (this.#clocksChanged || course.campus !== 'FBL' || course.sis === null) return;
    this.#clocksChanged = true;
    // One session in the hour that occurs twice, and one in the hour that is skipped.
    const night = 'Night Simulation';
    for (const [start, end] of [
      [Date.UTC(2026, 9, 25, 1, 30), Date.UTC(2026, 9, 25, 2, 30)],
      [Date.UTC(2026, 9, 25, 2, 30), Date.UTC(2026, 9, 25, 3, 30)],
      [Date.UTC(2027, 2, 28, 2, 30), Date.UTC(2027, 2, 28, 4, 30)],
    ] as const)
      this.#addLinked(nth, course, this.#reserve([course], night, start, end));
  }

  #addSession(
    nth: number,
    course: CoursePlan,
    start: number,
    activity: string,
    kind: (typeof KINDS)[number],
  ): void {
    const end = start + 90 * MINUTE;
    if (kind === 'by hand' || course.sis === null) {
      const title =
        kind === 'by hand' ? `Coffee with the class: ${course.name}` : `${activity}: ${course.name}`;
      this.#addToCalendar(nth, course, { title, description: null, location: 'Online' }, start, end);
      return;
    }
    switch (kind) {
      case 'two rooms': {
        const [first = '', ...others] = ROOMS[course.campus];
        const rooms = [first, this.#chance.pick(others)];
        this.#addLinked(nth, course, this.#reserve([course], activity, start, end, { rooms }));
        return;
      }
      case 'moved': {
        const later = 15 * MINUTE;
        const reservation = this.#reserve([course], activity, start + later, end + later);
        this.#addToCalendar(nth, course, synchronisedText(reservation, course), start, end);
        return;
      }
      case 'by time':
        this.#addUnsaid(nth, course, this.#reserve([course], activity, start, end, { synchronised: false }));
        return;
      case 'parallel':
        // In some pairs of groups the titles differ, in others only the rooms.
        for (const group of [1, 2]) {
          const own = nth % 2 === 0 ? `${activity}, Group ${group}` : activity;
          const rooms = [ROOMS[course.campus][group] as string];
          const more = { rooms, synchronised: false, group: `Group ${group}` };
          this.#addUnsaid(nth, course, this.#reserve([course], own, start, end, more));
        }
        return;
      case 'two courses': {
        const other = this.#courses.find(
          ({ campus, sis }, at) => at > nth && campus === course.campus && sis,
        );
        const reservation = this.#reserve(other ? [course, other] : [course], activity, start, end);
        for (const each of reservation.courses)
          this.#addLinked(this.#courses.indexOf(each), each, reservation);
        return;
      }
      case 'remark': {
        const information = 'Apportez votre ordinateur, chargé; Großer Hörsaal';
        this.#addLinked(nth, course, this.#reserve([course], activity, start, end, { information }));
        return;
      }
      case 'past midnight': {
        const evening = Math.floor(start / DAY) * DAY + 22.5 * HOUR;
        const last = evening + 2 * HOUR;
        this.#addLinked(nth, course, this.#reserve([course], `${activity}: Evening`, evening, last));
        return;
      }
      case 'cancelled': {
        const reservation = this.#reserve([course], activity, start, end);
        this.reservations.pop();
        this.#addLinked(nth, course, reservation);
        return;
      }
      default:
        this.#addLinked(nth, course, this.#reserve([course], activity, start, end));
    }
  }

  #reserve(
    courses: [CoursePlan, ...CoursePlan[]],
    activity: string,
    start: number,
    end: number,
    more: Partial<Reservation> = {},
  ): Reservation {
    const [{ campus, programme, letter }] = courses;
    const chance = this.#chance;
    const reservation: Reservation = {
      id: String(this.#nextId++),
      campus,
      courses,
      activity,
      start,
      end,
      rooms: [chance.pick(ROOMS[campus])],
      teachers: [`${chance.pick(FIRST_NAMES)} ${chance.pick(LAST_NAMES)}`],
      group: `${programme.code} ${letter}`,
      information: '',
      synchronised: true,
      ...more,
    };
    this.reservations.push(reservation);
    return reservation;
  }

  #addLinked(nth: number, course: CoursePlan, reservation: Reservation): void {
    const { start, end } = reservation;
    this.#addToCalendar(nth, course, synchronisedText(reservation, course), start, end);
  }

  /** Adds a session as if typed by hand from the timetable, without naming its reservation. */
  #addUnsaid(nth: number, course: CoursePlan, reservation: Reservation): void {
    const { activity, rooms, start, end } = reservation;
    const title = `${activity}: ${course.name}`;
    this.#addToCalendar(nth, course, { title, description: null, location: rooms.join(', ') }, start, end);
  }

  #addToCalendar(
    nth: number,
    course: CoursePlan,
    text: Pick<Session, 'title' | 'description' | 'location'>,
    start: number,
    end: number,
  ): void {
    const zone = ZONES[course.campus];
    const times = { start: momentOfWallClock(start, zone), end: momentOfWallClock(end, zone) };
    this.sessions.push({ courseId: course.id, nth, ...text, ...times });
  }
}
