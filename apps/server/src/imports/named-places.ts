/** Courses and sections that rows name: each course has to be in reach, each section one of its course (OP-14, OP-53). */

import type { Course } from '@lms-admin/contract/canvas-objects';
import type { CsvRow } from '@lms-admin/domain/csv-reader';
import { ownDefault } from '@lms-admin/domain/enrollment-plan';
import { grouped } from '@lms-admin/domain/numbers';
import { shown, sisHeader } from '@lms-admin/domain/sis-rows';
import type { Scope } from '../access/scope.ts';
import type { Admin } from '../auth/admin.ts';
import { knownSection, type LmsSection, sectionsOf } from '../canvas/resources/sections.ts';
import type { CanvasClient } from '../canvas/types.ts';
import { AppError } from '../platform/errors.ts';
import { mapLimited } from '../platform/limited.ts';
import { ownText } from '../platform/text.ts';
import type { Report } from './row-problems.ts';
import type { Judge } from './sources.ts';

/** Courses asked for together: rows of courses that do not exist are refused before all of them are looked up. */
const COURSES_AT_ONCE = 100;
/** Courses that are not there, after which no others are looked up: it is not the file that was meant. */
const MOST_MISSING = 1_000;
/** Courses whose sections are read at once. */
const SECTIONS_OF_AT_ONCE = 16;

export interface PlaceServices {
  canvas: CanvasClient;
  scope: Scope;
}

/** Gathers what rows name while they are read, and asks the LMS about it. */
export class NamedPlaces {
  readonly #services: PlaceServices;
  readonly #admin: Admin;
  readonly #report: Report;
  readonly #signal: AbortSignal | undefined;
  /** Courses in reach, and the first rows of those not asked about yet, by SIS ID. */
  readonly #known = new Map<string, Course>();
  readonly #asked = new Set<string>();
  readonly #waiting = new Map<string, number[]>();
  #missing = 0;
  /** The first rows of each section that is named, by course; empty means the default section. */
  readonly #sections = new Map<string, Map<string, number[]>>();

  constructor(services: PlaceServices, admin: Admin, report: Report, signal?: AbortSignal) {
    this.#services = services;
    this.#admin = admin;
    this.#report = report;
    this.#signal = signal;
  }

  /** SIS IDs of the courses that are in reach. */
  get courses(): string[] {
    return [...this.#known.keys()];
  }

  /** SIS IDs of the sections that are named, by course; empty for the default one. */
  get sections(): [course: string, sections: string[]][] {
    return [...this.#sections].map(([course, those]) => [course, [...those.keys()]]);
  }

  /** Notes what a row names. @param section empty for none */
  note(row: number, course: string, section: string): void {
    if (!this.#asked.has(course)) noteRow(this.#waiting, course, row);
    else if (!this.#known.has(course)) this.#noCourse(row, course);
    let those = this.#sections.get(course);
    if (!those) {
      those = new Map();
      this.#sections.set(ownText(course), those);
    }
    noteRow(those, section, row);
  }

  /** Between two batches: asks about courses once enough have come together. */
  async between(): Promise<void> {
    while (this.#waiting.size >= COURSES_AT_ONCE) await this.#askCourses();
  }

  /** After the last row. @throws CanvasError when the LMS could not be asked */
  async end(): Promise<void> {
    while (this.#waiting.size > 0) await this.#askCourses();
    const foreign = await foreignSections(
      this.#services.canvas,
      this.#admin,
      this.#known,
      this.#sections,
      this.#signal,
    );
    for (const one of foreign) {
      const [column, message] = foreignProblem(one);
      for (const row of one.rows) this.#report(row, column, message);
    }
  }

  async #askCourses(): Promise<void> {
    const some = [...this.#waiting].slice(0, COURSES_AT_ONCE);
    const ids = some.map(([id]) => id);
    const found = await this.#services.scope.coursesBySisId(this.#admin, ids, this.#signal);
    for (const [id, rows] of some) {
      this.#waiting.delete(id);
      this.#asked.add(id);
      const course = found.get(id);
      if (course) this.#known.set(id, course);
      else {
        this.#missing++;
        for (const row of rows) this.#noCourse(row, id);
      }
    }
    if (this.#missing > MOST_MISSING) throw tooManyMissing();
  }

  #noCourse(row: number, course: string): void {
    this.#report(row, 'course_id', noSuchCourse(this.#admin, course));
  }
}

/** Keeps the row under the name. */
function noteRow(rowsOf: Map<string, number[]>, name: string, row: number): void {
  const rows = rowsOf.get(name);
  if (!rows) rowsOf.set(ownText(name), [row]);
  else rows.push(row);
}

/**
 * Judges rows by the places that they name, as the LMS has them now: nothing remembered counts.
 * @param rows with a header that has the column course_id
 * @throws CanvasError when the LMS cannot be asked
 */
export async function evaluatePlaces(
  { canvas, scope }: PlaceServices,
  admin: Admin,
  rows: () => AsyncIterable<CsvRow[]>,
  signal: AbortSignal,
): Promise<Judge> {
  const named = new Map<string, Map<string, number[]>>();
  let at: { course: number; section: number } | null = null;
  for await (const batch of rows()) {
    for (const { cells } of batch) {
      if (at === null) {
        const header = sisHeader(cells);
        at = { course: header.indexOf('course_id'), section: header.indexOf('section_id') };
        continue;
      }
      const course = cells[at.course] ?? '';
      const those = named.get(course) ?? new Map<string, number[]>();
      if (those.size === 0) named.set(ownText(course), those);
      those.set(ownText(cells[at.section] ?? ''), []);
    }
  }
  const known = await scope.afresh().coursesBySisId(admin, [...named.keys()], signal);
  // As when they were checked: anyone who may reach every course is not stopped where the LMS follows a section.
  if (admin.record.perm === 'ALL') for (const those of named.values()) those.delete('');
  const lost = new Map<string, string>();
  for (const one of await foreignSections(canvas, admin, known, named, signal)) {
    lost.set(JSON.stringify([one.course, one.section]), foreignProblem(one)[1]);
  }
  return ({ cells }) => {
    const course = cells[at?.course ?? -1] ?? '';
    if (!known.has(course)) return noSuchCourse(admin, course);
    return lost.get(JSON.stringify([course, cells[at?.section ?? -1] ?? ''])) ?? null;
  };
}

function tooManyMissing(): AppError {
  return new AppError('bad-request', {
    message: `More than ${grouped(MOST_MISSING)} courses of the file were not found, or you do not have access to them. The rest was not checked. Nothing has been sent.`,
    next: 'Check that it is the right file, and that course_id contains the SIS IDs of courses.',
  });
}

function noSuchCourse(admin: Admin, course: string): string {
  const reach = admin.record.perm === 'ALL' ? '' : ' in your programmes';
  return `The course ${shown(course)} was not found${reach}.`;
}

export interface ForeignSection {
  /** SIS ID of the course. */
  course: string;
  /** SIS ID of the section; empty for the default one. */
  section: string;
  rows: number[];
}

/** What is wrong with a section that is not its course's: the column, and a sentence with what to do. */
export function foreignProblem({ course, section }: ForeignSection): [column: string, message: string] {
  if (section !== '') return ['section_id', `The course has no section ${shown(section)}.`];
  return [
    'course_id',
    `The course ${shown(course)} shows no default section, so the LMS might enrol people in another course. ` +
      'Name one of its sections in the column section_id.',
  ];
}

/**
 * Sections that their course does not have. Canvas takes a row with a section that has been cross-listed away from the
 * course and enrols in the course where the section now is, which may be out of reach. So it does with a row without a
 * section, when the course has no default section of its own.
 * @param named rows by SIS ID of the section, by SIS ID of the course
 * @throws CanvasError when sections cannot be read
 */
export async function foreignSections(
  canvas: CanvasClient,
  admin: Admin,
  courses: ReadonlyMap<string, Course>,
  named: ReadonlyMap<string, ReadonlyMap<string, number[]>>,
  signal?: AbortSignal,
): Promise<ForeignSection[]> {
  const foreign = await mapLimited([...named], SECTIONS_OF_AT_ONCE, async ([courseSisId, those]) => {
    const course = courses.get(courseSisId);
    if (!course) return [];
    const reader = { canvas, token: admin.token, signal };
    const present = await sectionsOf(reader, course.id);
    const own = new Set(present.map((one) => one.sis_section_id));
    if (hasDefault(course, present)) own.add('');
    return [...those].flatMap(([id, rows]) =>
      own.has(id) ? [] : [{ course: courseSisId, section: id, rows }],
    );
  });
  return foreign.flat();
}

function hasDefault({ name }: Course, present: readonly LmsSection[]): boolean {
  return ownDefault({ name, sections: present.map(knownSection) }) !== undefined;
}
