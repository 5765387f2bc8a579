/**
 * Where rows without `section_id` land when the default section of their course is cross-listed to another one: the LMS enrols in the
 * oldest section that was cross-listed away, in whichever course that is, before it creates a new one.
 */
import { mayRemove } from '@lms-admin/domain/sis-effect/enrolments';
import { mapLimited } from '../../platform/limited.ts';
import { AT_ONCE, FEW } from './ask.ts';
import { type CourseRef, sameCourse } from './course-enrolments.ts';
import { enrolmentsOf, type FoundSection, holdingOf, sectionByNumber } from './holdings.ts';
import type { Judging } from './judging.ts';

/** A section that was cross-listed away from the course of rows. */
export interface DefaultAway {
  /** Its SIS id; null where it has none. */
  section: string | null;
  to: CourseRef;
  /** Whether the course has no other section that may be the default one. */
  certain: boolean;
}

/**
 * Finds the section in which rows without `section_id` land elsewhere; null where they stay, as far as the LMS shows.
 * @param home the course that the rows name
 * @param leaving SIS ids of people whom such rows remove
 */
export async function defaultAway(
  judging: Judging,
  home: CourseRef,
  leaving: Iterable<string>,
): Promise<DefaultAway | null> {
  const { made, courses, courseEnrolments } = judging;
  if (made.has('course', home.sisId) === false) return null;
  const isLeft = ({ sisId }: FoundSection) => sisId === null || made.has('section', sisId) !== false;
  const moves = [...courseEnrolments.moves.values()].filter(({ section }) => isLeft(section));
  const [moved] = moves
    .filter((move) => move.home !== null && sameCourse(move.home, home) && !sameCourse(move.to, home))
    .sort((a, b) => a.section.id - b.section.id);
  const fresh = [...made.sections].find(([, one]) => one.home === home.sisId && one.course !== home.sisId);
  const into = moves.filter(({ to }) => sameCourse(to, home)).map(({ section }) => section);
  const held = courses.of(home.sisId);
  if (typeof held !== 'object' || held.state === 'deleted')
    return into.length === 0 && fresh ? away(judging, fresh[0], fresh[1].course, true) : null;
  const sections = await courseEnrolments.sections(held);
  if (typeof sections === 'string') return null;
  const stay = sections.filter(({ id }) => !courseEnrolments.moves.has(id));
  const now = holdingOf(held, [...stay, ...into].filter(isLeft), []);
  if (now.defaultSection !== null) return null;
  const before = holdingOf(held, sections, []).defaultSection;
  const certain = now.maybeDefault.size === 0 || (before !== null && courseEnrolments.moves.has(before));
  if (moved) return { section: moved.section.sisId, to: moved.to, certain };
  if (fresh) return away(judging, fresh[0], fresh[1].course, certain);
  const [found, ...others] = (await sectionsOfPeople(judging, held.id, leaving)).filter(isLeft);
  if (found === undefined) return null;
  const to = { id: found.courseId, sisId: found.course ?? '' };
  // With several nobody tells whether there is an older one still, in which none of them sits.
  return { section: found.sisId, to, certain: certain && others.length === 0 };
}

function away({ courses }: Judging, section: string, course: string, certain: boolean): DefaultAway {
  const held = courses.of(course);
  return { section, to: { id: typeof held === 'object' ? held.id : null, sisId: course }, certain };
}

/**
 * Sections that were cross-listed away before show by those who sit in them: people who are to leave the course and are not in it.
 * @returns the oldest first
 */
async function sectionsOfPeople(
  { asking, people, courseEnrolments }: Judging,
  home: number,
  leaving: Iterable<string>,
): Promise<FoundSection[]> {
  const wanted = new Set(leaving);
  if (wanted.size === 0) return [];
  const inside = await courseEnrolments.read(home);
  if (typeof inside === 'string') return [];
  const there = new Set(inside.map(({ user }) => user));
  const absent = [...wanted].filter((user) => !there.has(user)).slice(0, FEW);
  const byId = await people.byId(absent);
  const numbers = new Set<number>();
  await mapLimited(absent, AT_ONCE, async (user) => {
    const person = byId(user);
    const theirs = typeof person === 'object' ? await enrolmentsOf(asking, `users/${person.id}`) : 'missing';
    if (typeof theirs !== 'string') for (const { sectionId } of theirs) numbers.add(sectionId);
  });
  for (const each of inside) numbers.delete(each.sectionId);
  const found = await mapLimited([...numbers], AT_ONCE, (number) => sectionByNumber(asking, number));
  const from = found.flatMap((one) => (typeof one === 'object' && one.home === home ? [one] : []));
  return from.sort((a, b) => a.id - b.id);
}

/** Whether a row without a section removes somebody, so that it matters where they sit. */
export const leaves = (section: string, status: string): boolean => section === '' && mayRemove({ status });
