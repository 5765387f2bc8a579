/** Filters and sort order for the courses of an account (reference §6.3). */

import { isTrue, list, type Params, text } from '../../http/params.ts';
import { notFound } from '../http/errors.ts';
import { lookupAccount, lookupTerm, lookupUser } from '../http/lookup.ts';
import { LIVE } from '../store/enrollment-rules.ts';
import type { Course, EnrollmentState, EnrollmentType, User } from '../store/model.ts';
import type { World } from '../store/world.ts';
import { shownState } from './json/courses.ts';
import { compareNames, searchTermOf } from './lists.ts';

type Test = (course: Course) => boolean;

const ENROLLMENT_WORDS: Readonly<Record<string, EnrollmentType>> = {
  student: 'StudentEnrollment',
  teacher: 'TeacherEnrollment',
  ta: 'TaEnrollment',
  designer: 'DesignerEnrollment',
  observer: 'ObserverEnrollment',
};

/** Returns the courses that pass every filter of the request, ordered. `courses` must be ordered by ID. */
export function filterCourses(
  world: World,
  params: Params,
  courses: readonly Course[],
  self: User,
): readonly Course[] {
  const tests = testsOf(world, params, self);
  const found = courses.filter((course) => tests.every((test) => test(course)));
  return sorted(world, params, found);
}

function testsOf(world: World, params: Params, self: User): Test[] {
  const tests: Test[] = [stateTest(list(params, 'state'))];
  const terms = termIds(world, params);
  if (terms) tests.push((course) => terms.has(course.enrollment_term_id));
  if (present(params, 'published')) {
    const wanted = isTrue(params['published']);
    tests.push((course) => (course.workflow_state === 'available') === wanted);
  }
  if (present(params, 'completed')) {
    const wanted = isTrue(params['completed']);
    const now = world.now();
    tests.push((course) => hasEnded(world, course, now) === wanted);
  }
  if (present(params, 'with_enrollments')) {
    const wanted = isTrue(params['with_enrollments']);
    tests.push((course) => hasEnrollment(world, course) === wanted);
  }
  const types = inList(params, 'enrollment_type').map((word) => ENROLLMENT_WORDS[word.toLowerCase()]);
  if (types.length > 0) tests.push((course) => hasEnrollment(world, course, new Set(types)));
  const accounts = inList(params, 'by_subaccounts');
  if (accounts.length > 0) {
    const ids = new Set(
      accounts.flatMap((param) => {
        const account = lookupAccount(world, param);
        return account ? world.accountTree(account.id) : [];
      }),
    );
    tests.push((course) => ids.has(course.account_id));
  }
  const teachers = inList(params, 'by_teachers');
  if (teachers.length > 0) {
    const ids = new Set(teachers.map((param) => lookupUser(world, param, self)?.id));
    tests.push((course) =>
      teachersOf(world, course).some(({ state, user }) => LIVE.has(state) && ids.has(user.id)),
    );
  }
  if (present(params, 'blueprint')) {
    const wanted = isTrue(params['blueprint']);
    tests.push((course) => course.blueprint === wanted);
  }
  if (present(params, 'blueprint_associated')) {
    const wanted = isTrue(params['blueprint_associated']);
    tests.push((course) => (course.blueprint_course_id !== null) === wanted);
  }
  // The practice school has no public courses.
  if (isTrue(params['public'])) tests.push(() => false);
  if (isTrue(params['homeroom'])) tests.push((course) => course.homeroom_course);
  // Any value hides courses without enrolments, even "false".
  if (present(params, 'hide_enrollmentless_courses')) tests.push((course) => hasEnrollment(world, course));
  // The limit is inclusive, and one matching date is enough: the course's or its term's.
  const before = dateOf(params, 'starts_before');
  if (before) tests.push((course) => someDate(startsOf(world, course), (start) => start <= before));
  const after = dateOf(params, 'ends_after');
  if (after) tests.push((course) => someDate(endsOf(world, course), (end) => end >= after));
  const term = searchTermOf(params);
  if (term !== null) tests.push(searchTest(world, term, text(params, 'search_by') === 'teacher'));
  return tests;
}

function stateTest(states: readonly string[]): Test {
  if (states.includes('all')) return () => true;
  if (states.length === 0) return (course) => course.workflow_state !== 'deleted';
  const wanted = new Set(states);
  return (course) => wanted.has(course.workflow_state) || wanted.has(shownState(course));
}

/** Reads filters that only work as lists: `name[]=…`, not `name=…`. */
function inList(params: Params, name: string): string[] {
  return Array.isArray(params[name]) ? list(params, name) : [];
}

/** @throws ApiError 404 when the request names a single term that is empty or does not exist. */
function termIds(world: World, params: Params): Set<number> | null {
  if (params['enrollment_term_id'] === '') throw notFound();
  const given = list(params, 'enrollment_term_id').filter((id) => id !== '');
  if (given.length === 0) return null;
  const terms = given.flatMap((id) => lookupTerm(world, id) ?? []);
  if (given.length === 1 && terms.length === 0) throw notFound();
  return new Set(terms.map((term) => term.id));
}

function searchTest(world: World, term: string, byTeacher: boolean): Test {
  if (byTeacher)
    return (course) =>
      teachersOf(world, course).some(
        ({ state, user }) => LIVE.has(state) && user.name.toLowerCase().includes(term),
      );
  const id = /^\d{1,15}$/.test(term) ? Number(term) : null;
  return (course) =>
    course.name.toLowerCase().includes(term) ||
    course.course_code.toLowerCase().includes(term) ||
    (course.sis_source_id?.toLowerCase().includes(term) ?? false) ||
    course.id === id;
}

function hasEnrollment(world: World, course: Course, types?: ReadonlySet<string | undefined>): boolean {
  return world.enrollments.by.course
    .get(course.id)
    .some((e) => e.workflow_state !== 'deleted' && (!types || types.has(e.type)));
}

/** Returns the people who teach or taught the course. */
function teachersOf(world: World, course: Course): { state: EnrollmentState; user: User }[] {
  return world.enrollments.by.course
    .get(course.id)
    .filter((e) => e.type === 'TeacherEnrollment' && e.workflow_state !== 'deleted')
    .map((e) => ({ state: e.workflow_state, user: world.users.must(e.user_id) }));
}

type Dates = readonly (string | null)[];

function startsOf(world: World, course: Course): Dates {
  return [course.start_at, world.terms.must(course.enrollment_term_id).start_at];
}

function endsOf(world: World, course: Course): Dates {
  return [course.conclude_at, world.terms.must(course.enrollment_term_id).end_at];
}

/** Returns whether one of the dates passes the test; a course without dates passes every test. */
function someDate(dates: Dates, fits: (date: string) => boolean): boolean {
  const known = dates.filter((date) => date !== null);
  return known.length === 0 || known.some(fits);
}

/**
 * Returns whether the course has ended: by its state, or its own end, or its term's end if it has none
 * (§6.3).
 */
function hasEnded(world: World, course: Course, now: string): boolean {
  const end = course.conclude_at ?? world.terms.must(course.enrollment_term_id).end_at;
  return course.workflow_state === 'completed' || (end !== null && end < now);
}

/**
 * Returns whether the course is concluded: by its state, by its own end if that restricts people, or by its
 * term's end.
 */
export function isConcluded(world: World, course: Course): boolean {
  if (course.workflow_state === 'completed') return true;
  const own = course.restrict_enrollments_to_course_dates ? course.conclude_at : null;
  const end = own ?? world.terms.must(course.enrollment_term_id).end_at;
  return end !== null && end < world.now();
}

function dateOf(params: Params, name: string): string | null {
  const ms = Date.parse(text(params, name) ?? '');
  return Number.isNaN(ms) ? null : `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

function present(params: Params, name: string): boolean {
  return (text(params, name) ?? '') !== '';
}

/**
 * Sorts courses. `order` has an effect only together with `sort` (§6.3). Ties are ordered by ID, in the same
 * direction.
 */
function sorted(world: World, params: Params, courses: Course[]): Course[] {
  const keyOf = sortKey(world, text(params, 'sort'));
  if (!keyOf) return courses;
  const direction = text(params, 'order')?.toLowerCase() === 'desc' ? -1 : 1;
  const keyed = courses.map((course) => ({ course, key: keyOf(course) }));
  keyed.sort((a, b) => direction * (compareKeys(a.key, b.key) || a.course.id - b.course.id));
  return keyed.map(({ course }) => course);
}

function sortKey(world: World, sort: string | null): ((course: Course) => string | null) | null {
  switch (sort) {
    case 'course_name':
      return (course) => course.name;
    case 'sis_course_id':
      return (course) => course.sis_source_id;
    case 'teacher':
      return (course) =>
        teachersOf(world, course)
          .map(({ user }) => user.sortable_name)
          .sort(compareNames)[0] ?? null;
    case 'account_name':
    case 'subaccount':
      return (course) => world.accounts.get(course.account_id)?.name ?? null;
    case 'course_status':
      return (course) => (course.workflow_state === 'available' ? '1' : '0');
    case 'term':
      return (course) => world.terms.get(course.enrollment_term_id)?.name ?? null;
    default:
      return null;
  }
}

/** Compares as the database does: missing values come last. */
function compareKeys(a: string | null, b: string | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return compareNames(a, b);
}
