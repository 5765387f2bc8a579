/** The enrolments of courses while an upload is compared: as the LMS has them, with the sections that the upload moves. */
import { counted } from '@lms-admin/domain/numbers';
import { isLive, losesAccess } from '@lms-admin/domain/sis-effect';
import { type Answer } from '../../canvas/resources/reading.ts';
import { type Asking } from './ask.ts';
import { enrolmentsOf, type FoundEnrolment, type FoundSection, sectionsOf } from './holdings.ts';
import type { Losses } from './losses.ts';
import type { Tally } from './tally.ts';

/** Courses whose enrolments are held at once: rows about one course are mostly close together. */
const HELD = 64;

export interface CourseRef {
  /** Null for a course of the same upload. */
  id: number | null;
  sisId: string;
}

/** A section that the upload takes to another course. */
export interface SectionMove {
  section: FoundSection;
  enrolments: readonly FoundEnrolment[];
  to: CourseRef;
  /** The course that it is cross-listed from; null where it is not. */
  home: CourseRef | null;
}

export class CourseEnrolments {
  readonly #asking: Asking;
  readonly #held = new Map<number, Promise<Answer<FoundEnrolment[]>>>();
  readonly #sections = new Map<number, Promise<Answer<FoundSection[]>>>();
  /** By the number of the section. */
  readonly moves = new Map<number, SectionMove>();
  /** People whom rows enrol in a course, or may: by number, or by SIS ID where the same upload makes them. */
  readonly #joined = new Map<string, Set<string>>();

  /** Active places that rows give to students, by the person as in `join`: the course of each. */
  readonly #studentPlaces = new Map<string, CourseRef[]>();

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  /** Notes that a row gives a student an active place that they did not have. */
  joinAsStudent(course: CourseRef, person: string): void {
    this.#studentPlaces.set(person, [...(this.#studentPlaces.get(person) ?? []), course]);
  }

  /** The courses of the active places that rows give to a student. */
  newPlacesOf(person: string): readonly CourseRef[] {
    return this.#studentPlaces.get(person) ?? [];
  }

  /** Sections of a course as the LMS has them. @throws CanvasError when the token is refused */
  sections(course: { id: number; sisId: string }): Promise<Answer<FoundSection[]>> {
    const held = this.#sections.get(course.id) ?? sectionsOf(this.#asking, course);
    held.catch(() => {});
    this.#sections.set(course.id, held);
    return held;
  }

  /** As the LMS has them. @throws CanvasError when the token is refused */
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

  /** As the moves of sections leave them. @param hidden what is in it does not show. @throws like `read` */
  async now({ id, sisId }: CourseRef, hidden = false): Promise<Answer<FoundEnrolment[]>> {
    const read = id === null || hidden ? [] : await this.read(id);
    if (typeof read === 'string' || this.moves.size === 0) return read;
    const into = [...this.moves.values()].filter(({ to }) => sameCourse(to, { id, sisId }));
    const stay = read.filter(({ sectionId }) => !this.moves.has(sectionId));
    return [...stay, ...into.flatMap(({ enrolments }) => enrolments)];
  }

  /** Notes that a row enrols someone, or may. */
  join(course: CourseRef, person: string): void {
    const key = keyOf(course);
    this.#joined.set(key, (this.#joined.get(key) ?? new Set<string>()).add(person));
  }

  /** Whether rows enrol someone in a course, or may. */
  hasJoined(course: CourseRef, person: string): boolean {
    return this.#joined.get(keyOf(course))?.has(person) ?? false;
  }
}

const keyOf = ({ id, sisId }: CourseRef): string => (id === null ? `new ${sisId}` : String(id));

export function sameCourse(a: CourseRef, b: CourseRef): boolean {
  return a.id !== null || b.id !== null ? a.id === b.id : a.sisId === b.sisId;
}

/** What ended. */
export interface Ended {
  enrolments: number;
  members: number;
}

/**
 * Ends enrolments of one course, with the group memberships of those who have none left in it.
 * @param all the enrolments of the people in the course
 * @param course its number, where these come into it by the same upload
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

/** Takes a section to another course. @returns how many people lose the course that it leaves; null where they could not be counted */
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
  // Groups stay with the course that the section leaves.
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

/** `with 31 enrolments and 4 group memberships`; null for nothing. */
export function endedWords({ enrolments, members }: Ended): string | null {
  const what = [
    ...(enrolments > 0 ? [counted(enrolments, 'enrolment')] : []),
    ...(members > 0 ? [counted(members, 'group membership')] : []),
  ];
  const last = what.pop();
  if (last === undefined) return null;
  return `with ${what.length > 0 ? `${what.join(', ')} and ` : ''}${last}`;
}
