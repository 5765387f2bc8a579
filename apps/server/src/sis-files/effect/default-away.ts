/**
 * Where rows without `section_id` land when the default section of their course is cross-listed to another one: the LMS enrols in the
 * oldest section that was cross-listed away, in whichever course that is, before it creates a new one.
 */
import { mayRemove } from '@lms-admin/domain/sis-effect/enrolments';
import { mapLimited } from '../../platform/limited.ts';
import { AT_ONCE, FEW } from './ask.ts';
import { type CourseRef, sameCourse } from './course-enrolments.ts';
import type { Evaluation } from './evaluation.ts';
import { enrolmentsOf, type FoundSection, holdingOf } from './holdings.ts';

/** People of whom an upload asks where they sit, over all of its courses: each costs the lists of the courses that they are in. */
const MOST_SOUGHT = FEW;

/** A section that was cross-listed away from the course of rows. */
export interface DefaultAway {
  /** Its SIS ID; null where it has none. */
  section: string | null;
  to: CourseRef;
  /** Whether the course has no other section that may be the default one. */
  certain: boolean;
}

/** What shows only by where people sit whom rows remove from a course in which they are not. */
export interface AwaySearch {
  home: number;
  /** SIS IDs. */
  absent: readonly string[];
  /** As in the section that it finds. */
  certain: boolean;
}

/**
 * Finds the section in which rows without `section_id` land elsewhere; null where they stay, as far as the LMS shows.
 * @param home the course that the rows name
 * @param leaving SIS IDs of people whom such rows remove
 * @param named sections that other rows name with this course, and that were cross-listed to another one
 */
export async function defaultAway(
  evaluation: Evaluation,
  home: CourseRef,
  leaving: ReadonlySet<string>,
  named: readonly { section: string; course: CourseRef }[],
): Promise<DefaultAway | AwaySearch | null> {
  const { made, courses, courseEnrolments } = evaluation;
  if (made.has('course', home.sisId) === false) return null;
  const isLeft = ({ sisId }: FoundSection) => sisId === null || made.has('section', sisId) !== false;
  const moves = [...courseEnrolments.moves.values()].filter(({ section }) => isLeft(section));
  const [moved] = moves
    .filter((move) => move.home !== null && sameCourse(move.home, home) && !sameCourse(move.to, home))
    .sort((a, b) => a.section.id - b.section.id);
  const fresh = [...made.sections].find(([, one]) => one.home === home.sisId && one.course !== home.sisId);
  const into = moves.filter(({ to }) => sameCourse(to, home)).map(({ section }) => section);
  const held = courses.of(home.sisId);
  if (typeof held !== 'object' || held.state === 'deleted') {
    if (typeof held !== 'object' && made.journeys.defaultIn(home, []) !== null) return null;
    return into.length === 0 && fresh ? away(evaluation, fresh[0], fresh[1].course, true) : null;
  }
  const sections = await courseEnrolments.sections(held);
  if (typeof sections === 'string' || made.journeys.defaultIn(home, sections) !== null) return null;
  const stay = sections.filter(({ id }) => !courseEnrolments.moves.has(id));
  const now = holdingOf(held, [...stay, ...into].filter(isLeft), []);
  if (now.defaultSection !== null) return null;
  const before = holdingOf(held, sections, []).defaultSection;
  const certain = now.maybeDefault.size === 0 || (before !== null && courseEnrolments.moves.has(before));
  if (moved) return { section: moved.section.sisId, to: moved.to, certain };
  if (fresh) return away(evaluation, fresh[0], fresh[1].course, certain);
  const [known, ...others] = named.filter(({ section }) => made.has('section', section) !== false);
  // Of several it does not show which one is the oldest.
  if (known) return { section: known.section, to: known.course, certain: certain && others.length === 0 };
  const inside = leaving.size === 0 ? 'missing' : await courseEnrolments.read(held.id);
  if (typeof inside === 'string') return null;
  const there = new Set(inside.map(({ user }) => user));
  const absent = [...leaving].filter((user) => !there.has(user));
  return absent.length === 0 ? null : { home: held.id, absent, certain };
}

/** How many people may be asked about for each of so many courses. */
export const soughtEach = (courses: number): number => Math.floor(MOST_SOUGHT / courses);

/**
 * Sections that were cross-listed away before show by those who sit in them.
 * @param most people who are asked about
 * @returns `perhaps` where no one can say
 */
export async function searchAway(
  evaluation: Evaluation,
  { home, absent, certain }: AwaySearch,
  most: number,
): Promise<DefaultAway | 'perhaps' | null> {
  const { asking, people, courseEnrolments, made } = evaluation;
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
    .filter(({ sisId }) => sisId === null || made.has('section', sisId) !== false)
    .sort((a, b) => a.id - b.id);
  if (found === undefined) return known ? null : 'perhaps';
  const to = { id: found.courseId, sisId: found.course ?? '' };
  // With several no one tells whether there is an older one still, in which none of them sits.
  return { section: found.sisId, to, certain: certain && others.length === 0 };
}

function away({ courses }: Evaluation, section: string, course: string, certain: boolean): DefaultAway {
  const held = courses.of(course);
  return { section, to: { id: typeof held === 'object' ? held.id : null, sisId: course }, certain };
}

/** Whether a row without a section removes someone, so that it matters where they sit. */
export const leaves = (section: string, status: string): boolean => section === '' && mayRemove({ status });
