/** Courses and sections named in rows: courses must be in scope, and sections in their course (OP-14, OP-53). */

import type { CsvRow } from '@lms-admin/domain/csv-reader';
import { ownDefault } from '@lms-admin/domain/enrollment-plan';
import { grouped } from '@lms-admin/domain/numbers';
import { type ProblemText, problemText, quotedValue } from '@lms-admin/domain/problem-text';
import { shown, sisHeader } from '@lms-admin/domain/sis-rows';
import type { Scope } from '../access/scope.ts';
import type { Admin } from '../auth/admin.ts';
import type { ReachedCourse } from '../canvas/resources/courses.ts';
import { knownSection, type LmsSection, sectionsOf } from '../canvas/resources/sections.ts';
import type { CanvasClient } from '../canvas/types.ts';
import { AppError } from '../platform/errors.ts';
import { mapLimited } from '../platform/limited.ts';
import { ownText } from '../platform/text.ts';
import type { Report } from './row-problems.ts';
import type { Judge } from './sources.ts';

/** Number of courses looked up together, so that rows of missing courses are rejected before all are looked up. */
const COURSES_AT_ONCE = 100;
/** Number of missing courses after which look-ups stop: it is probably the wrong file. */
const MOST_MISSING = 1_000;
/** Number of courses whose sections are read at once. */
const SECTIONS_OF_AT_ONCE = 16;

export interface PlaceServices {
  canvas: CanvasClient;
  scope: Scope;
}

/** Collects the places named in rows while they are read, and looks them up in the LMS. */
export class NamedPlaces {
  readonly #services: PlaceServices;
  readonly #admin: Admin;
  readonly #report: Report;
  readonly #signal: AbortSignal | undefined;
  /** Courses in scope, and the first rows of courses not looked up yet, by SIS ID. */
  readonly #known = new Map<string, ReachedCourse>();
  readonly #lookedUp = new Set<string>();
  readonly #waiting = new Map<string, number[]>();
  #missing = 0;
  /** The first rows of each named section, by course; empty for the default section. */
  readonly #sections = new Map<string, Map<string, number[]>>();

  constructor(services: PlaceServices, admin: Admin, report: Report, signal?: AbortSignal) {
    this.#services = services;
    this.#admin = admin;
    this.#report = report;
    this.#signal = signal;
  }

  /** Lists the SIS IDs of the courses in scope. */
  get courses(): string[] {
    return [...this.#known.keys()];
  }

  /** Lists the SIS IDs of the named sections, by course; empty for the default one. */
  get sections(): [course: string, sections: string[]][] {
    return [...this.#sections].map(([course, sectionRows]) => [course, [...sectionRows.keys()]]);
  }

  /** Records the places that a row names. @param section empty for none */
  note(row: number, course: string, section: string): void {
    if (!this.#lookedUp.has(course)) noteRow(this.#waiting, course, row);
    else if (!this.#known.has(course)) this.#noCourse(row, course);
    let sectionRows = this.#sections.get(course);
    if (!sectionRows) {
      sectionRows = new Map();
      this.#sections.set(ownText(course), sectionRows);
    }
    noteRow(sectionRows, section, row);
  }

  /** Looks up courses between two batches, once there are enough. */
  async between(): Promise<void> {
    while (this.#waiting.size >= COURSES_AT_ONCE) await this.#askCourses();
  }

  /** Looks up the rest after the last row. @throws CanvasError if the LMS does not answer */
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
      this.#lookedUp.add(id);
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
    const { message, kind } = noSuchCourse(this.#admin, course);
    this.#report(row, 'course_id', message, kind);
  }
}

/** Adds the row to those with this name. */
function noteRow(rowsOf: Map<string, number[]>, name: string, row: number): void {
  const rows = rowsOf.get(name);
  if (!rows) rowsOf.set(ownText(name), [row]);
  else rows.push(row);
}

/**
 * Checks rows by the places that they name, without cached data.
 * @param rows with a header that has the column course_id
 * @throws CanvasError if the LMS does not answer
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
      const sectionRows = named.get(course) ?? new Map<string, number[]>();
      if (sectionRows.size === 0) named.set(ownText(course), sectionRows);
      sectionRows.set(ownText(cells[at.section] ?? ''), []);
    }
  }
  const known = await scope.withoutCache().coursesBySisId(admin, [...named.keys()], signal);
  // As at the first check, an admin with access to all courses can name a section that the LMS finds in another course.
  if (admin.record.perm === 'ALL') for (const sectionRows of named.values()) sectionRows.delete('');
  const lost = new Map<string, string>();
  for (const one of await foreignSections(canvas, admin, known, named, signal)) {
    lost.set(JSON.stringify([one.course, one.section]), foreignProblem(one)[1]);
  }
  return ({ cells }) => {
    const course = cells[at?.course ?? -1] ?? '';
    if (!known.has(course)) return noSuchCourse(admin, course).message;
    return lost.get(JSON.stringify([course, cells[at?.section ?? -1] ?? ''])) ?? null;
  };
}

function tooManyMissing(): AppError {
  return new AppError('bad-request', {
    message: `More than ${grouped(MOST_MISSING)} courses of the file were not found, or you do not have access to them. LMS Admin did not check the rest.`,
    nothingSent: true,
    next: 'Check that it is the right file, and that course_id contains the SIS IDs of courses.',
  });
}

function noSuchCourse(admin: Admin, course: string): ProblemText {
  const reach = admin.record.perm === 'ALL' ? '' : ' in your programmes';
  return problemText`The course ${quotedValue(course)} was not found${reach}.`;
}

export interface ForeignSection {
  /** SIS ID of the course. */
  course: string;
  /** SIS ID of the section; empty for the default one. */
  section: string;
  rows: number[];
}

/** Returns the problem of a section that is not in its course: the column, and a sentence with instructions. */
export function foreignProblem({ course, section }: ForeignSection): [column: string, message: string] {
  if (section !== '') return ['section_id', `The course has no section ${shown(section)}.`];
  return [
    'course_id',
    `The course ${shown(course)} shows no default section, so the LMS might enrol people in another course. ` +
      'Name one of its sections in the column section_id.',
  ];
}

/**
 * Returns sections that are not in their course. If a section was cross-listed away, Canvas enrols people in its new
 * course, which may be out of scope. It does the same for a row without a section if the course has no default section
 * of its own.
 * @param named rows by SIS ID of the section, by SIS ID of the course
 * @throws CanvasError if sections cannot be read
 */
export async function foreignSections(
  canvas: CanvasClient,
  admin: Admin,
  courses: ReadonlyMap<string, ReachedCourse>,
  named: ReadonlyMap<string, ReadonlyMap<string, number[]>>,
  signal?: AbortSignal,
): Promise<ForeignSection[]> {
  const foreign = await mapLimited([...named], SECTIONS_OF_AT_ONCE, async ([courseSisId, sectionRows]) => {
    const course = courses.get(courseSisId);
    if (!course) return [];
    const reader = { canvas, token: admin.token, signal };
    const present = await sectionsOf(reader, course.id);
    const own = new Set(present.map((one) => one.sis_section_id));
    if (hasDefault(course, present)) own.add('');
    return [...sectionRows].flatMap(([id, rows]) =>
      own.has(id) ? [] : [{ course: courseSisId, section: id, rows }],
    );
  });
  return foreign.flat();
}

function hasDefault({ name }: ReachedCourse, present: readonly LmsSection[]): boolean {
  return ownDefault({ name, sections: present.map(knownSection) }) !== undefined;
}
