/** In which course rows of enrolments land: a section that was cross-listed away is followed. */

import { type Answer } from '../../canvas/resources/reading.ts';
import { mapLimited } from '../../platform/limited.ts';
import { AT_ONCE } from './ask.ts';
import { type CourseRef, sameCourse } from './course-enrolments.ts';
import {
  type AwaySearch,
  type DefaultAway,
  defaultAway,
  leaves,
  searchAway,
  soughtEach,
} from './default-away.ts';
import type { Evaluation } from './evaluation.ts';
import type { NamedPlace } from './gathered.ts';
import { type FoundSection, sectionBySisId } from './holdings.ts';

/** `perhaps`: brought by a cross-listing of a section that is hidden. `gone`: the same upload deletes it. `deleted`: the LMS has. */
export type Problem = 'missing' | 'unread' | 'perhaps' | 'gone' | 'deleted';

export type Where = Pick<NamedPlace, 'by' | 'id'>;

/** Rows of a section that was cross-listed away, named with the course that it came from. */
export interface Away {
  section: string;
  from: string;
  rows: number;
  /** Which rows they are, as `rowKey` tells them apart. */
  keys: ReadonlySet<string>;
  /** Whether the rows name no section: it is the one that the LMS takes for the default section of their course. */
  byDefault?: boolean;
}

/** Rows that land in one course, whichever way they name it. */
export interface Spot {
  where: Where;
  /** Null for a course that is named: it is looked up. */
  course: CourseRef | null;
  /** Why rows of a section reach no course. */
  problem: Problem | null;
  rows: readonly number[];
  removing: number;
  away: Away[];
  /** Whether rows without a section may land in one that was cross-listed to another course. */
  perhapsAway?: boolean;
}

/**
 * Where rows land: those that name a course, and those that name a section which is in it by now, are judged together.
 * @throws CanvasError when the token is refused
 */
export async function spotsOf(evaluation: Evaluation): Promise<Spot[]> {
  const { gathered } = evaluation;
  const spots = new Spots();
  const [inCourses, inSections] = [byCourse, bySection].map((which) =>
    [...gathered.places.values()].filter(which),
  ) as [NamedPlace[], NamedPlace[]];
  await mapLimited(inSections, AT_ONCE, (place) => addSection(evaluation, spots, place));
  const named = await mapLimited(inCourses, AT_ONCE, (place) => courseRows(evaluation, place));
  const most = soughtEach(named.filter(({ away }) => isSearch(away)).length);
  await mapLimited(named, AT_ONCE, (rows) => addCourse(evaluation, spots, rows, most));
  const all = spots.all().filter((spot) => gathered.isLookedAt(spot));
  for (const spot of all) spot.rows = spot.rows.toSorted((a, b) => a - b);
  // Those that lose most come first.
  return all.sort((a, b) => b.removing - a.removing || (a.rows[0] ?? 0) - (b.rows[0] ?? 0));
}

const byCourse = ({ by }: NamedPlace) => by === 'course';
const bySection = ({ by }: NamedPlace) => by === 'section';

/** Spots by the course that they are in. */
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
    // Named by a row it is looked up by its name.
    if (spot.course === null) Object.assign(there, { where: spot.where, course: null });
  }

  all(): Spot[] {
    return [...this.#spots.values()];
  }
}

const keyOf = ({ id, sisId }: CourseRef) => (id === null ? `new ${sisId}` : `course ${id}`);

/** Rows that name a section alone. */
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

/** Rows that name a course, by where their sections are. */
interface CourseRows {
  place: NamedPlace;
  own: CourseRef;
  /** Rows of sections that were cross-listed away, by the SIS ID of the section. */
  crossListed: { section: string; course: CourseRef; rows: number[] }[];
  rest: readonly number[];
  /** Those of the rest without a section. */
  open: readonly number[];
  /** Where these land, if it is another course. */
  away: DefaultAway | AwaySearch | null;
}

const isSearch = (away: CourseRows['away']): away is AwaySearch => away !== null && 'absent' in away;

async function courseRows(evaluation: Evaluation, place: NamedPlace): Promise<CourseRows> {
  const { gathered, courses } = evaluation;
  const { id, rows, sections } = place;
  const held = courses.of(id);
  const own: CourseRef = { id: typeof held === 'object' ? held.id : null, sisId: id };
  const away = await sectionsAway(evaluation, own, sections);
  const crossListed = [...away].map(([section, course]) => ({ section, course, rows: [] as number[] }));
  const [rest, open]: [number[], number[]] = [[], []];
  const leaving = new Set<string>();
  for (const row of rows) {
    const [, , user, section, , , status] = gathered.enrolments.read(row);
    const there = crossListed.find((one) => one.section === section);
    (there?.rows ?? rest).push(row);
    if (section === '') open.push(row);
    if (leaves(section, status)) leaving.add(user);
  }
  const landing = open.length === 0 ? null : await defaultAway(evaluation, own, leaving, crossListed);
  return { place, own, crossListed, rest, open, away: landing };
}

/** @param most people who may be asked about to find where rows without a section land */
async function addCourse(
  evaluation: Evaluation,
  spots: Spots,
  { place, own, crossListed, rest, open, away }: CourseRows,
  most: number,
): Promise<void> {
  const { id, removing } = place;
  const landing = isSearch(away) ? await searchAway(evaluation, away, most) : away;
  const certain = landing !== 'perhaps' && landing?.certain && landing.section !== null;
  const left = certain ? without(rest, open) : rest;
  const where: Where = { by: 'course', id };
  const perhapsAway = landing !== null && !certain;
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
  if (certain && landing.section !== null)
    elsewhere(landing.section, landing.to, inSection(evaluation, open, landing.section), true);
  for (const { section, course, rows } of crossListed) elsewhere(section, course, rows, false);
}

function without(rows: readonly number[], others: readonly number[]): number[] {
  const those = new Set(others);
  return rows.filter((row) => !those.has(row));
}

/** Rows without a section, as rows that name one. */
function inSection({ gathered }: Evaluation, rows: readonly number[], section: string): number[] {
  return rows.map((row) => {
    const [part, at, user, , ...rest] = gathered.enrolments.read(row);
    return gathered.enrolments.add([part, at, user, section, ...rest]);
  });
}

/** What tells a row of an upload from others. */
export const rowKey = (part: number, row: number): string => `${part} ${row}`;

function keysOf({ gathered }: Evaluation, rows: readonly number[]): Set<string> {
  return new Set(
    rows.map((one) => {
      const [part, row] = gathered.enrolments.read(one);
      return rowKey(part, row);
    }),
  );
}

const whereOf = (section: string, course: CourseRef): Where =>
  course.sisId === '' ? { by: 'section', id: section } : { by: 'course', id: course.sisId };

/** Where the sections are that rows name with a course, and that were cross-listed away from it. */
async function sectionsAway(
  evaluation: Evaluation,
  course: CourseRef,
  named: ReadonlySet<string>,
): Promise<Map<string, CourseRef>> {
  const { made, courses, courseEnrolments } = evaluation;
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
    if (own.has(section) || made.sections.get(section)?.course === course.sisId) return;
    const there = await courseOfSection(evaluation, section, course);
    // A section of another course altogether: the LMS refuses the row.
    if (typeof there === 'object' && !sameCourse(there, course)) away.set(section, there);
  });
  return away;
}

/** Whether the upload restores a deleted course: its sections, which the LMS does not show, may come back with it. */
function restoresCourse({ gathered, made, courses }: Evaluation): boolean {
  return [...gathered.of('course')].some(({ cell }) => {
    const sisId = cell('course_id') ?? '';
    const held = courses.of(sisId);
    return made.has('course', sisId) === true && typeof held === 'object' && held.state === 'deleted';
  });
}

/** The course that a section is in after the rows so far. @param home the course that it must have been cross-listed from; null for any */
async function courseOfSection(
  evaluation: Evaluation,
  sisId: string,
  home: CourseRef | null,
): Promise<CourseRef | Problem> {
  const { asking, made, courses, courseEnrolments } = evaluation;
  const newOne = made.sections.get(sisId);
  if (newOne) {
    const held = courses.of(newOne.course);
    if (home !== null && newOne.home !== home.sisId) return 'missing';
    return { id: typeof held === 'object' ? held.id : null, sisId: newOne.course };
  }
  const found: Answer<FoundSection> = await sectionBySisId(asking, sisId);
  if (found === 'missing' && (made.perhaps.has(sisId) || restoresCourse(evaluation))) return 'perhaps';
  if (typeof found === 'string') return found;
  const move = courseEnrolments.moves.get(found.id);
  const from = move ? move.home : found.home === null ? null : { id: found.home, sisId: '' };
  if (home !== null && (from === null || !sameCourse(from, home))) return 'missing';
  return move?.to ?? { id: found.courseId, sisId: found.course ?? '' };
}
