/**
 * Finds the section that rows without `section_id` affect if the default section of their course is cross-listed to
 * another course: the LMS uses the oldest section that was cross-listed away, in whichever course, before it creates
 * a new one.
 */
import { mayRemove } from '@lms-admin/domain/sis-effect/enrolments';
import { mapLimited } from '../../platform/limited.ts';
import { AT_ONCE, FEW } from './ask.ts';
import { type CourseRef, sameCourse } from './course-ref.ts';
import type { Evaluation } from './evaluation.ts';
import { enrolmentsOf, type FoundSection, holdingOf } from './holdings.ts';

/** Maximum number of people in an upload whose sections are looked up: each needs the lists of their courses. */
const MOST_SOUGHT = FEW;

/** A section that was cross-listed away from a course in the file. */
export interface DefaultAway {
  /** SIS ID of the section; null if it has none. */
  section: string | null;
  to: CourseRef;
  /** Whether the course has no other possible default section. */
  certain: boolean;
}

/** A case that can only be settled by the sections of people whom rows remove from a course that they are not in. */
export interface AwaySearch {
  home: number;
  /** SIS IDs of these people. */
  absent: readonly string[];
  /** Certainty of the section found, as in `DefaultAway`. */
  certain: boolean;
}

/**
 * Finds the section outside the course that rows without `section_id` affect; null if they stay, as far as the LMS
 * shows.
 * @param home the course in the rows
 * @param leaving SIS IDs of people whom such rows remove
 * @param named sections that other rows name with this course, and that were cross-listed to another one
 */
export async function defaultAway(
  evaluation: Evaluation,
  home: CourseRef,
  leaving: ReadonlySet<string>,
  named: readonly { section: string; course: CourseRef }[],
): Promise<DefaultAway | AwaySearch | null> {
  const { uploadState, courses, courseEnrolments } = evaluation;
  if (uploadState.has('course', home.sisId) === false) return null;
  const isLeft = ({ sisId }: FoundSection) => sisId === null || uploadState.has('section', sisId) !== false;
  const moves = [...courseEnrolments.moves.values()].filter(({ section }) => isLeft(section));
  const [moved] = moves
    .filter((move) => move.home !== null && sameCourse(move.home, home) && !sameCourse(move.to, home))
    .sort((a, b) => a.section.id - b.section.id);
  const fresh = [...uploadState.sections].find(
    ([, one]) => one.home === home.sisId && one.course !== home.sisId,
  );
  const into = moves.filter(({ to }) => sameCourse(to, home)).map(({ section }) => section);
  const held = courses.of(home.sisId);
  if (typeof held !== 'object' || held.state === 'deleted') {
    if (typeof held !== 'object' && uploadState.journeys.defaultIn(home, []) !== null) return null;
    return into.length === 0 && fresh ? away(evaluation, fresh[0], fresh[1].course, true) : null;
  }
  const sections = await courseEnrolments.sections(held);
  if (typeof sections === 'string' || uploadState.journeys.defaultIn(home, sections) !== null) return null;
  const stay = sections.filter(({ id }) => !courseEnrolments.moves.has(id));
  const now = holdingOf(held, [...stay, ...into].filter(isLeft), []);
  if (now.defaultSection !== null) return null;
  const before = holdingOf(held, sections, []).defaultSection;
  const certain = now.maybeDefault.size === 0 || (before !== null && courseEnrolments.moves.has(before));
  if (moved) return { section: moved.section.sisId, to: moved.to, certain };
  if (fresh) return away(evaluation, fresh[0], fresh[1].course, certain);
  const [known, ...others] = named.filter(({ section }) => uploadState.has('section', section) !== false);
  // If there are several, the LMS does not show which is the oldest.
  if (known) return { section: known.section, to: known.course, certain: certain && others.length === 0 };
  const inside = leaving.size === 0 ? 'missing' : await courseEnrolments.read(held.id);
  if (typeof inside === 'string') return null;
  const there = new Set(inside.map(({ user }) => user));
  const absent = [...leaving].filter((user) => !there.has(user));
  return absent.length === 0 ? null : { home: held.id, absent, certain };
}

/** Returns the maximum number of people to look up for each course, given the number of courses. */
export const soughtEach = (courses: number): number => Math.floor(MOST_SOUGHT / courses);

/**
 * Finds sections that were cross-listed away earlier, by the people in them.
 * @param most limit of people to look up
 * @returns `perhaps` if it stays unknown
 */
export async function searchAway(
  evaluation: Evaluation,
  { home, absent, certain }: AwaySearch,
  most: number,
): Promise<DefaultAway | 'perhaps' | null> {
  const { asking, people, courseEnrolments, uploadState } = evaluation;
  const sought = absent.slice(0, most);
  let known = sought.length === absent.length;
  const byId = await people.byId(sought);
  const sections = new Set<number>();
  const courses = new Map<number, string>();
  await mapLimited(sought, AT_ONCE, async (user) => {
    const person = byId(user);
    const theirs = typeof person === 'object' ? await enrolmentsOf(asking, `users/${person.id}`) : person;
    if (theirs === 'unread') known = false;
    if (typeof theirs === 'string') return;
    for (const { sectionId, courseId, courseSisId } of theirs) {
      if (courseId === home) continue;
      sections.add(sectionId);
      courses.set(courseId, courseSisId ?? '');
    }
  });
  const lists = await mapLimited([...courses], AT_ONCE, ([id, sisId]) =>
    courseEnrolments.sections({ id, sisId }),
  );
  if (lists.includes('unread')) known = false;
  const [found, ...others] = lists
    .flatMap((list) => (typeof list === 'string' ? [] : list))
    .filter((one) => one.home === home && sections.has(one.id))
    .filter(({ sisId }) => sisId === null || uploadState.has('section', sisId) !== false)
    .sort((a, b) => a.id - b.id);
  if (found === undefined) return known ? null : 'perhaps';
  const to = { id: found.courseId, sisId: found.course ?? '' };
  // With several, an even older one without any of these people may exist.
  return { section: found.sisId, to, certain: certain && others.length === 0 };
}

function away({ courses }: Evaluation, section: string, course: string, certain: boolean): DefaultAway {
  const held = courses.of(course);
  return { section, to: { id: typeof held === 'object' ? held.id : null, sisId: course }, certain };
}

/** Returns whether a row without a section removes a person, so that their section matters. */
export const leaves = (section: string, status: string): boolean => section === '' && mayRemove({ status });
