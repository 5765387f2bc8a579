/** Finds the courses that rows of enrolments affect: sections that were cross-listed away are followed. */

import { type Answer } from '../../canvas/resources/reading.ts';
import { mapLimited } from '../../platform/limited.ts';
import { AT_ONCE } from './ask.ts';
import { type CourseRef, sameCourse } from './course-ref.ts';
import {
  type AwaySearch,
  type DefaultAway,
  defaultAway,
  leaves,
  searchAway,
  soughtEach,
} from './default-away.ts';
import type { Evaluation, UploadedSection } from './evaluation.ts';
import { type FoundSection, sectionBySisId } from './holdings.ts';
import type { NamedPlace } from './upload-rows.ts';

/**
 * `perhaps`: a cross-listing of a hidden section may create it. `gone`: the same upload deletes it. `deleted`: the LMS
 * has deleted it.
 */
export type Problem = 'missing' | 'unread' | 'perhaps' | 'gone' | 'deleted';

export type Where = Pick<NamedPlace, 'by' | 'id'>;

/** Rows of a section that was cross-listed away from the course they name. */
export interface Away {
  section: string;
  from: string;
  rows: number;
  /** Keys of the rows, from `rowKey`. */
  keys: ReadonlySet<string>;
  /** Whether the rows name no section, so that the LMS uses this one as the default section of their course. */
  byDefault?: boolean;
}

/** Rows that affect one course, however they name it. */
export interface Spot {
  where: Where;
  /** Null for a course that rows name, which is looked up. */
  course: CourseRef | null;
  /** Why a section's rows affect no course. */
  problem: Problem | null;
  rows: readonly number[];
  removing: number;
  away: Away[];
  /** Whether rows without a section may affect one that was cross-listed to another course. */
  perhapsAway?: boolean;
}

/**
 * Groups rows by the course that they affect: rows that name a course are evaluated together with rows that name a
 * section in it.
 * @throws CanvasError when the token is refused
 */
export async function spotsOf(evaluation: Evaluation): Promise<Spot[]> {
  const { uploadRows } = evaluation;
  const spots = new Spots();
  const [inCourses, inSections] = [byCourse, bySection].map((which) =>
    [...uploadRows.places.values()].filter(which),
  ) as [NamedPlace[], NamedPlace[]];
  await mapLimited(inSections, AT_ONCE, (place) => addSection(evaluation, spots, place));
  const named = await mapLimited(inCourses, AT_ONCE, (place) => courseRows(evaluation, place));
  const most = soughtEach(named.filter(({ away }) => isSearch(away)).length);
  await mapLimited(named, AT_ONCE, (rows) => addCourse(evaluation, spots, rows, most));
  const all = spots.all().filter((spot) => uploadRows.isLookedAt(spot));
  for (const spot of all) spot.rows = spot.rows.toSorted((a, b) => a - b);
  // Courses with the most removals come first.
  return all.sort((a, b) => b.removing - a.removing || (a.rows[0] ?? 0) - (b.rows[0] ?? 0));
}

const byCourse = ({ by }: NamedPlace) => by === 'course';
const bySection = ({ by }: NamedPlace) => by === 'section';

/** Groups of rows by course. */
class Spots {
  readonly #spots = new Map<string, Spot>();

  add(key: string, spot: Omit<Spot, 'away'>, away: Away | null = null): void {
    const there = this.#spots.get(key);
    if (!there) {
      this.#spots.set(key, { ...spot, away: away ? [away] : [] });
      return;
    }
    there.rows = [...there.rows, ...spot.rows];
    there.removing += spot.removing;
    there.perhapsAway ||= spot.perhapsAway ?? false;
    if (away) there.away.push(away);
    // A course named by a row is looked up by its name.
    if (spot.course === null) Object.assign(there, { where: spot.where, course: null });
  }

  all(): Spot[] {
    return [...this.#spots.values()];
  }
}

const keyOf = ({ id, sisId }: CourseRef) => (id === null ? `new ${sisId}` : `course ${id}`);

/** Adds rows that name only a section. */
async function addSection(
  evaluation: Evaluation,
  spots: Spots,
  { id, rows, removing }: NamedPlace,
): Promise<void> {
  const course = await courseOfSection(evaluation, id, null);
  const found = typeof course === 'object';
  spots.add(found ? keyOf(course) : `section ${id}`, {
    where: found && course.sisId !== '' ? { by: 'course', id: course.sisId } : { by: 'section', id },
    course: found ? course : null,
    problem: found ? null : course,
    rows,
    removing,
  });
}

/** Rows that name a course, grouped by the places of their sections. */
interface CourseRows {
  place: NamedPlace;
  own: CourseRef;
  /** Rows of sections that were cross-listed away, with the SIS IDs of the sections. */
  crossListed: { section: string; course: CourseRef; rows: number[] }[];
  rest: readonly number[];
  /** The remaining rows without a section. */
  open: readonly number[];
  /** The section that the remaining rows without a section affect, if it is in another course. */
  away: DefaultAway | AwaySearch | null;
}

const isSearch = (away: CourseRows['away']): away is AwaySearch => away !== null && 'absent' in away;

async function courseRows(evaluation: Evaluation, place: NamedPlace): Promise<CourseRows> {
  const { uploadRows, courses } = evaluation;
  const { id, rows, sections } = place;
  const held = courses.of(id);
  const own: CourseRef = { id: typeof held === 'object' ? held.id : null, sisId: id };
  const away = await sectionsAway(evaluation, own, sections);
  const crossListed = [...away].map(([section, course]) => ({ section, course, rows: [] as number[] }));
  const [rest, open]: [number[], number[]] = [[], []];
  const leaving = new Set<string>();
  for (const row of rows) {
    const [, , user, section, , , status] = uploadRows.enrolments.read(row);
    const there = crossListed.find((one) => one.section === section);
    (there?.rows ?? rest).push(row);
    if (section === '') open.push(row);
    if (leaves(section, status)) leaving.add(user);
  }
  const target = open.length === 0 ? null : await defaultAway(evaluation, own, leaving, crossListed);
  return { place, own, crossListed, rest, open, away: target };
}

/** @param most limit of people to look up for rows without a section */
async function addCourse(
  evaluation: Evaluation,
  spots: Spots,
  { place, own, crossListed, rest, open, away }: CourseRows,
  most: number,
): Promise<void> {
  const { id, removing } = place;
  const target = isSearch(away) ? await searchAway(evaluation, away, most) : away;
  const certain = target !== 'perhaps' && target?.certain && target.section !== null;
  const left = certain ? without(rest, open) : rest;
  const where: Where = { by: 'course', id };
  const perhapsAway = target !== null && !certain;
  if (left.length > 0)
    spots.add(keyOf(own), { where, course: null, problem: null, rows: left, removing, perhapsAway });
  const elsewhere = (section: string, course: CourseRef, rows: readonly number[], byDefault: boolean) =>
    spots.add(
      keyOf(course),
      { where: whereOf(section, course), course, problem: null, rows, removing },
      {
        section,
        from: id,
        rows: rows.length,
        keys: keysOf(evaluation, rows),
        ...(byDefault && { byDefault }),
      },
    );
  if (certain && target.section !== null)
    elsewhere(target.section, target.to, inSection(evaluation, open, target.section), true);
  for (const { section, course, rows } of crossListed) elsewhere(section, course, rows, false);
}

function without(rows: readonly number[], others: readonly number[]): number[] {
  const otherRows = new Set(others);
  return rows.filter((row) => !otherRows.has(row));
}

/** Gives rows without a section the section that they affect. */
function inSection({ uploadRows }: Evaluation, rows: readonly number[], section: string): number[] {
  return rows.map((row) => {
    const [part, at, user, , ...rest] = uploadRows.enrolments.read(row);
    return uploadRows.enrolments.add([part, at, user, section, ...rest]);
  });
}

/** Returns the key of a row within the upload. */
export const rowKey = (part: number, row: number): string => `${part} ${row}`;

function keysOf({ uploadRows }: Evaluation, rows: readonly number[]): Set<string> {
  return new Set(
    rows.map((one) => {
      const [part, row] = uploadRows.enrolments.read(one);
      return rowKey(part, row);
    }),
  );
}

const whereOf = (section: string, course: CourseRef): Where =>
  course.sisId === '' ? { by: 'section', id: section } : { by: 'course', id: course.sisId };

/** Finds the sections that rows name with a course and that were cross-listed away from it. */
async function sectionsAway(
  evaluation: Evaluation,
  course: CourseRef,
  named: ReadonlySet<string>,
): Promise<Map<string, CourseRef>> {
  const { uploadState, courses, courseEnrolments } = evaluation;
  const away = new Map<string, CourseRef>();
  if (named.size === 0) return away;
  const held = courses.of(course.sisId);
  const open = typeof held === 'object' && held.state !== 'deleted';
  const sections = open ? await courseEnrolments.sections(held) : [];
  if (typeof sections === 'string') return away;
  const own = new Set(
    sections.flatMap(({ id, sisId }) => (courseEnrolments.moves.has(id) ? [] : (sisId ?? []))),
  );
  await mapLimited([...named], AT_ONCE, async (section) => {
    if (own.has(section) || sectionOfUpload(uploadState, section)?.course === course.sisId) return;
    const there = await courseOfSection(evaluation, section, course);
    // A section of an unrelated course: the LMS rejects the row.
    if (typeof there === 'object' && !sameCourse(there, course)) away.set(section, there);
  });
  return away;
}

/**
 * Returns whether the upload restores a deleted course: its sections, which the LMS does not show, may be restored
 * with it.
 */
function restoresCourse({ uploadRows, uploadState, courses }: Evaluation): boolean {
  return [...uploadRows.of('course')].some(({ cell }) => {
    const sisId = cell('course_id') ?? '';
    const held = courses.of(sisId);
    return uploadState.has('course', sisId) === true && typeof held === 'object' && held.state === 'deleted';
  });
}

/** Finds a section that the upload creates, perhaps as a deleted one. */
export const sectionOfUpload = (
  { sections, buriedSections }: Evaluation['uploadState'],
  sisId: string,
): UploadedSection | undefined => sections.get(sisId) ?? buriedSections.get(sisId);

/** Returns the course of a section after the rows so far. @param home its required original course; null for any */
async function courseOfSection(
  evaluation: Evaluation,
  sisId: string,
  home: CourseRef | null,
): Promise<CourseRef | Problem> {
  const { asking, uploadState, courses, courseEnrolments } = evaluation;
  const newOne = sectionOfUpload(uploadState, sisId);
  if (newOne) {
    const held = courses.of(newOne.course);
    if (home !== null && newOne.home !== home.sisId) return 'missing';
    return { id: typeof held === 'object' ? held.id : null, sisId: newOne.course };
  }
  const found: Answer<FoundSection> = await sectionBySisId(asking, sisId);
  if (found === 'missing' && (uploadState.perhaps.has(sisId) || restoresCourse(evaluation))) return 'perhaps';
  if (typeof found === 'string') return found;
  const move = courseEnrolments.moves.get(found.id);
  const from = move ? move.home : found.home === null ? null : { id: found.home, sisId: '' };
  if (home !== null && (from === null || !sameCourse(from, home))) return 'missing';
  return move?.to ?? { id: found.courseId, sisId: found.course ?? '' };
}
