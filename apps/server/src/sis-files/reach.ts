/** What an admin of limited reach may touch: courses and sections in reach, people who do not exist yet (OP-14, OP-53). */
import type { Course } from '@lms-admin/contract/canvas-objects';
import type { SisKind } from '@lms-admin/domain/sis-kinds';
import { shown } from '@lms-admin/domain/sis-rows';
import type { Admin } from '../access/admin.ts';
import { foreignSections } from '../imports/named-sections.ts';
import type { CoreServices } from '../services.ts';
import type { People } from '../users/people.ts';
import { existing } from './existing.ts';
import { MOST_DETAILS, type Problems } from './problems.ts';

export type CheckServices = Pick<CoreServices, 'config' | 'canvas' | 'scope'> & { people: People };

/** Courses asked for together: a file of courses that do not exist is refused before all of them are looked up. */
const COURSES_AT_ONCE = 100;

/** Gathers what the rows name and asks the LMS about it. Does nothing for `ALL`, to whom all is in reach. */
export class Reach {
  readonly #services: CheckServices;
  readonly #admin: Admin;
  readonly #problems: Problems;
  readonly #signal: AbortSignal;
  readonly #limited: boolean;
  #kind: SisKind | null = null;
  #at = { course: -1, section: -1, user: -1, login: -1 };
  /** Courses in reach, and the first rows of those not asked about yet, by SIS id. */
  readonly #known = new Map<string, Course>();
  readonly #asked = new Set<string>();
  #waiting = new Map<string, number[]>();
  /** The first rows of each section that is named, by course. */
  readonly #sections = new Map<string, Map<string, number[]>>();
  /** Row of each new person, by SIS id and by login, both in lower case. */
  readonly #people: { row: number; id: string; login: string }[] = [];
  readonly #ids = new Map<string, number>();
  readonly #logins = new Map<string, number>();

  constructor(services: CheckServices, admin: Admin, problems: Problems, signal: AbortSignal) {
    this.#services = services;
    this.#admin = admin;
    this.#problems = problems;
    this.#signal = signal;
    this.#limited = admin.record.perm !== 'ALL';
  }

  /** SIS ids of the courses that were found in reach. */
  get courses(): string[] {
    return [...this.#known.keys()];
  }

  /** SIS ids of the sections that are named, by course. */
  get sections(): [course: string, sections: string[]][] {
    return [...this.#sections].map(([course, those]) => [course, [...those.keys()]]);
  }

  begin(kind: SisKind, header: readonly string[]): void {
    this.#kind = kind;
    this.#at = {
      course: header.indexOf('course_id'),
      section: header.indexOf('section_id'),
      user: header.indexOf('user_id'),
      login: header.indexOf('login_id'),
    };
  }

  /** Notes what a good row names. */
  row(label: string | null, row: number, cells: readonly string[]): void {
    if (!this.#limited) return;
    if (this.#kind === 'enrollment') this.#enrollment(label, row, cells);
    else this.#person(row, cells);
  }

  #enrollment(label: string | null, row: number, cells: readonly string[]): void {
    const course = cells[this.#at.course] ?? '';
    if (!this.#asked.has(course)) note(this.#waiting, course, row);
    else if (!this.#known.has(course)) this.#noCourse(label, row, course);
    const section = cells[this.#at.section] ?? '';
    if (section === '') return;
    const sections = this.#sections.get(course) ?? new Map<string, number[]>();
    note(sections, section, row);
    this.#sections.set(course, sections);
  }

  #person(row: number, cells: readonly string[]): void {
    const id = cells[this.#at.user] ?? '';
    const login = cells[this.#at.login] ?? '';
    for (const [kept, value, column] of [
      [this.#ids, id, 'user_id'],
      [this.#logins, login, 'login_id'],
    ] as const) {
      const first = kept.get(value.toLowerCase());
      if (first === undefined) kept.set(value.toLowerCase(), row);
      else this.#problems.add(null, row, column, `${shown(value)} is in row ${first} already.`);
    }
    this.#people.push({ row, id, login });
  }

  /** Between two batches: asks about courses once enough have come together. */
  async inBetween(label: string | null): Promise<void> {
    while (this.#waiting.size >= COURSES_AT_ONCE) await this.#askCourses(label);
  }

  /** After the last row. @throws AppError lms-down when the LMS could not be asked about people */
  async atEnd(label: string | null): Promise<void> {
    while (this.#waiting.size > 0) await this.#askCourses(label);
    const foreign = await foreignSections(
      this.#services.canvas,
      this.#admin,
      this.#known,
      this.#sections,
      this.#signal,
    );
    for (const { section, rows } of foreign) {
      for (const row of rows) {
        this.#problems.add(label, row, 'section_id', `The course has no section ${shown(section)}.`);
      }
    }
    if (this.#people.length > 0 && !this.#problems.any) await this.#askPeople();
  }

  async #askCourses(label: string | null): Promise<void> {
    const some = [...this.#waiting].slice(0, COURSES_AT_ONCE);
    const ids = some.map(([id]) => id);
    const found = await this.#services.scope.coursesBySisId(this.#admin, ids, this.#signal);
    for (const [id, rows] of some) {
      this.#waiting.delete(id);
      this.#asked.add(id);
      const course = found.get(id);
      if (course) this.#known.set(id, course);
      else for (const row of rows) this.#noCourse(label, row, id);
    }
  }

  #noCourse(label: string | null, row: number, course: string): void {
    this.#problems.add(label, row, 'course_id', `There is no course ${shown(course)} in your programmes.`);
  }

  async #askPeople(): Promise<void> {
    const { people } = this.#services;
    const taken = await existing(people, this.#admin, this.#people, this.#signal);
    for (const { row, id, login, by } of taken) {
      if (by === 'id') this.#problems.add(null, row, 'user_id', `${shown(id)} exists in the LMS already.`);
      else this.#problems.add(null, row, 'login_id', `${shown(login)} exists in the LMS already.`);
    }
  }
}

/** Keeps the row under the name, unless enough rows are kept already. */
function note(rowsOf: Map<string, number[]>, name: string, row: number): void {
  const rows = rowsOf.get(name) ?? [];
  if (rows.length < MOST_DETAILS) rows.push(row);
  rowsOf.set(name, rows);
}
