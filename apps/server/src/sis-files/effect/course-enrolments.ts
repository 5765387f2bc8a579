/** Enrolments of courses during a comparison: those of the LMS, with the sections that the upload moves. */
import { counted } from '@lms-admin/domain/numbers';
import { isLive, losesAccess } from '@lms-admin/domain/sis-effect';
import { type Answer } from '../../canvas/resources/reading.ts';
import { type Asking } from './ask.ts';
import { Comings } from './comings.ts';
import { type CourseRef, sameCourse } from './course-ref.ts';
import { enrolmentsOf, type FoundEnrolment, type FoundSection, sectionsOf } from './holdings.ts';
import type { Losses } from './losses.ts';
import type { Tally } from './tally.ts';

/** Courses whose enrolments are kept in memory together: rows about one course are usually close to each other. */
const HELD = 64;

/** A section that the upload moves to another course. */
export interface SectionMove {
  section: FoundSection;
  enrolments: readonly FoundEnrolment[];
  to: CourseRef;
  /** The course that the section is cross-listed from; null if it is not cross-listed. */
  home: CourseRef | null;
}

export class CourseEnrolments {
  readonly #asking: Asking;
  readonly #held = new Map<number, Promise<Answer<FoundEnrolment[]>>>();
  readonly #sections = new Map<number, Promise<Answer<FoundSection[]>>>();
  /** Moves by section number. */
  readonly moves = new Map<number, SectionMove>();
  /** People whom rows enrol in a course, or remove from it: by number, or by SIS ID if the same upload creates them. */
  readonly comings = new Comings();

  /** Courses of active enrolments that rows give to students, by person as in `join`. */
  readonly #studentPlaces = new Map<string, CourseRef[]>();

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  /** Records that a row gives a student a new active enrolment. */
  joinAsStudent(course: CourseRef, person: string): void {
    this.#studentPlaces.set(person, [...(this.#studentPlaces.get(person) ?? []), course]);
  }

  /** Returns the courses of the active enrolments that rows give to a student. */
  newPlacesOf(person: string): readonly CourseRef[] {
    return this.#studentPlaces.get(person) ?? [];
  }

  /** Reads the sections of a course in the LMS. @throws CanvasError when the token is refused */
  sections(course: { id: number; sisId: string }): Promise<Answer<FoundSection[]>> {
    const held = this.#sections.get(course.id) ?? sectionsOf(this.#asking, course);
    held.catch(() => {});
    this.#sections.set(course.id, held);
    return held;
  }

  /** Reads the enrolments in the LMS. @throws CanvasError when the token is refused */
  read(courseId: number): Promise<Answer<FoundEnrolment[]>> {
    let held = this.#held.get(courseId);
    if (!held) {
      held = enrolmentsOf(this.#asking, `courses/${courseId}`);
      held.catch(() => {});
      this.#held.set(courseId, held);
      const [oldest] = this.#held.keys();
      if (this.#held.size > HELD && oldest !== undefined) this.#held.delete(oldest);
    }
    return held;
  }

  /**
   * Returns the enrolments after moves of sections.
   * @param hidden whether the LMS hides the contents
   * @throws like `read`
   */
  async now({ id, sisId }: CourseRef, hidden = false): Promise<Answer<FoundEnrolment[]>> {
    const read = id === null || hidden ? [] : await this.read(id);
    if (typeof read === 'string' || this.moves.size === 0) return read;
    const into = [...this.moves.values()].filter(({ to }) => sameCourse(to, { id, sisId }));
    const stay = read.filter(({ sectionId }) => !this.moves.has(sectionId));
    return [...stay, ...into.flatMap(({ enrolments }) => enrolments)];
  }
}

/** Numbers of enrolments and memberships that ended. */
export interface Ended {
  enrolments: number;
  members: number;
}

/**
 * Ends enrolments of one course, and the group memberships of people with none left in it.
 * @param all all enrolments of these people in the course
 * @param course its number, if the enrolments enter it through the same upload
 */
export function endEnrolments(
  losses: Losses,
  all: readonly FoundEnrolment[],
  ending: readonly FoundEnrolment[],
  state: 'deleted' | 'completed',
  course: number | null = null,
): Ended {
  const ended: Ended = { enrolments: 0, members: 0 };
  const left = new Map<number, FoundEnrolment>();
  for (const one of ending) {
    const before = losses.stateOf(one);
    if (state === 'completed' && !isLive(before)) continue;
    if (losesAccess(before, state)) ended.enrolments++;
    losses.setEnrolment(one, state);
    if (state === 'deleted') left.set(one.userId, one);
  }
  if (left.size === 0) return ended;
  for (const one of all) if (losses.stateOf(one) !== 'deleted') left.delete(one.userId);
  for (const { userId, courseId, groups } of left.values())
    for (const group of groups) if (losses.endMembership(group, userId, course ?? courseId)) ended.members++;
  return ended;
}

/**
 * Counts the records that end with a course if the LMS applies an uncertain row.
 * @param all the enrolments in the course
 */
export function mayEndCourse(
  losses: Losses,
  all: readonly FoundEnrolment[],
  state: 'deleted' | 'completed',
): Ended {
  const ended: Ended = { enrolments: 0, members: 0 };
  for (const one of all) {
    const before = losses.stateOf(one);
    if (losesAccess(before, state) && losses.mayEnd(one)) ended.enrolments++;
    if (state !== 'deleted' || before === 'deleted') continue;
    for (const group of one.groups)
      if (losses.mayEndMembership(group, one.userId, one.courseId)) ended.members++;
  }
  return ended;
}

/** Moves a section to another course. @returns how many people lose the former course; null if not known */
export async function moveSection(
  { courseEnrolments, tally }: { courseEnrolments: CourseEnrolments; tally: Tally },
  section: FoundSection,
  to: CourseRef,
  home: CourseRef | null,
): Promise<number | null> {
  const { losses } = tally;
  const { moves } = courseEnrolments;
  const back = to.id === section.courseId;
  const read = await courseEnrolments.read(section.courseId);
  if (typeof read === 'string') {
    tally.untold = true;
    return null;
  }
  // Groups stay with the former course.
  const sitting = read
    .filter(({ sectionId }) => sectionId === section.id)
    .map((one) => (back ? one : { ...one, moves: true, groups: [] }));
  for (const one of sitting) losses.setEnrolment(one, losses.stateOf(one));
  if (back) moves.delete(section.id);
  else moves.set(section.id, { section, enrolments: sitting, to, home });
  const leaving = back ? 0 : sitting.filter((one) => losses.stateOf(one) !== 'deleted').length;
  if (leaving > 0) {
    tally.whole = true;
    losses.describe(section.courseId, { sisId: section.course, active: activeOf(read) });
  }
  return leaving;
}

export function activeOf(enrolments: readonly FoundEnrolment[]): number {
  return enrolments.filter(({ state }) => state === 'active').length;
}

/** Describes everything that ended: `with 31 enrolments and 4 group memberships`; null if nothing ended. */
export function endedWords({ enrolments, members }: Ended): string | null {
  const what = [
    ...(enrolments > 0 ? [counted(enrolments, 'enrolment')] : []),
    ...(members > 0 ? [counted(members, 'group membership')] : []),
  ];
  const last = what.pop();
  if (last === undefined) return null;
  return `with ${what.length > 0 ? `${what.join(', ')} and ` : ''}${last}`;
}
