/** Enrolments, and the people in a course (reference §6.9). */

import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { flag, list, paramsOf, text } from '../../http/params.ts';
import { currentUser, hasRight, requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { notFound } from '../http/errors.ts';
import { findAccount, findCourse, findSection, findTerm, findUser } from '../http/find.ts';
import { lookupUser } from '../http/lookup.ts';
import { type Bookmark, paginate, perPageOf } from '../http/paging.ts';
import { type View, viewOf } from '../http/view.ts';
import { LIVE } from '../store/enrollment-rules.ts';
import type { Enrollment, User } from '../store/model.ts';
import { uuidOf } from '../store/uuid.ts';
import type { World } from '../store/world.ts';
import { courseUserTests, enrollmentTests, stateTest } from './enrollment-filters.ts';
import { type Sight, sightOf, visibleSections } from './enrollment-sight.ts';
import { enrollmentJson } from './json/enrollments.ts';
import { addUserIncludes, avatarUrl, lastLogin, mainLogin, userMatches, userOf } from './json/users.ts';
import { compareNames, includesOf, nameRanks, pathNumber, pathParam, searchTermOf } from './lists.ts';
import { isTestStudent } from './test-student.ts';

export function enrollmentRoutes({ world }: SandboxContext): FastifyPluginAsync {
  const bookmark = byTypeAndName(world);

  const answer = (request: FastifyRequest, reply: FastifyReply, view: View, seen: Sight): object[] => {
    const params = paramsOf(request);
    const tests = [
      stateTest(world, params, seen.isOwn, seen.states),
      ...enrollmentTests(world, params, view.sis),
    ];
    const found = seen.enrollments.filter((enrollment) => tests.every((test) => test(enrollment)));
    const keyed = found.map((enrollment) => ({ enrollment, key: bookmark.keyOf(enrollment) }));
    keyed.sort((a, b) => bookmark.compare(a.key, b.key));
    const sorted = keyed.map(({ enrollment }) => enrollment);
    const includes = includesOf(request);
    return paginate(request, reply, sorted, { bookmark }).map((enrollment) =>
      withUser(view, enrollment, includes),
    );
  };

  /** Returns the enrolments of the named term, if any. @throws ApiError 404 for a term that does not exist */
  const inTerm = (request: FastifyRequest, enrollments: readonly Enrollment[]): readonly Enrollment[] => {
    const given = text(paramsOf(request), 'enrollment_term_id') ?? '';
    if (given === '') return enrollments;
    const { id } = findTerm(request, given);
    return enrollments.filter((e) => world.courses.must(e.course_id).enrollment_term_id === id);
  };

  return async (app) => {
    app.get('/courses/:course_id/enrollments', (request, reply) => {
      const course = findCourse(request, pathParam(request, 'course_id'));
      const all = world.enrollments.by.course.get(course.id);
      const seen = sightOf(request, course, all, paramsOf(request));
      return answer(request, reply, viewOf(request, course), seen);
    });

    app.get('/sections/:section_id/enrollments', (request, reply) => {
      const section = findSection(request, pathParam(request, 'section_id'));
      const course = world.courses.must(section.course_id);
      const all = world.enrollments.by.section.get(section.id);
      const seen = sightOf(request, course, all, paramsOf(request));
      return answer(request, reply, viewOf(request, course), seen);
    });

    app.get('/users/:user_id/enrollments', (request, reply) => {
      const user = findUser(request, pathParam(request, 'user_id'));
      const isOwn = user.id === currentUser(request).id;
      if (!isOwn) requireRight(request, world.rootAccount, 'read_roster');
      const live = world.enrollments.by.user
        .get(user.id)
        .filter((enrollment) => world.courses.must(enrollment.course_id).workflow_state !== 'deleted');
      const seen = { enrollments: inTerm(request, live), states: ['active', 'invited'], isOwn };
      return answer(request, reply, viewOf(request, world.rootAccount), seen);
    });

    app.get('/accounts/:account_id/enrollments/:id', (request) => {
      const account = findAccount(request, pathParam(request, 'account_id'));
      // Enrolments belong to the root account: a sub-account has none.
      const enrollment = world.enrollments.get(pathNumber(request, 'id'));
      if (!enrollment || account.parent_account_id !== null) throw notFound();
      if (enrollment.user_id !== currentUser(request).id) requireRight(request, account, 'read_roster');
      return enrollmentJson(viewOf(request, account), enrollment);
    });

    app.get('/courses/:course_id/users', (request, reply) => {
      const course = findCourse(request, pathParam(request, 'course_id'));
      requireRight(request, course, 'read_roster');
      const params = paramsOf(request);
      const worksHere = hasRight(request, course, 'view_group_pages');
      const tests = courseUserTests(world, params, worksHere && flag(params, 'include_inactive'));
      // `limit` is the former name of the page size.
      if (!('per_page' in params) && text(params, 'limit') !== null)
        params['per_page'] = text(params, 'limit');
      const sections = visibleSections(request, course);
      if (sections) tests.push((e) => sections.has(e.course_section_id));
      const byUser = new Map<number, Enrollment[]>();
      for (const enrollment of world.enrollments.by.course.get(course.id)) {
        if (!tests.every((test) => test(enrollment))) continue;
        const held = byUser.get(enrollment.user_id);
        if (held) held.push(enrollment);
        else byUser.set(enrollment.user_id, [enrollment]);
      }
      const view = viewOf(request, course);
      const users = sortCourseUsers(request, view, matching(request, view, [...byUser.keys()]));
      jumpToUser(request, world, users);
      const includes = includesOf(request);
      const isRequested =
        includes.has('test_student') || list(params, 'enrollment_type').includes('student_view');
      // The test student is removed after paging, so a page may be shorter than its size.
      return paginate(request, reply, users, { counted: false })
        .filter((user) => isRequested || !isTestStudent(byUser.get(user.id) ?? []))
        .map((user) => courseUser(view, user, byUser.get(user.id) ?? [], includes));
    });

    // An older endpoint, whose list has no pages.
    app.get('/courses/:course_id/students', (request) => {
      const course = findCourse(request, pathParam(request, 'course_id'));
      requireRight(request, course, 'read_roster');
      const view = viewOf(request, course);
      const students = world.enrollments.by.course
        .get(course.id)
        .filter((e) => e.type === 'StudentEnrollment' && LIVE.has(e.workflow_state))
        .map((e) => world.users.must(e.user_id));
      return sortCourseUsers(request, view, [...new Set(students)]).map((user) => userOf(view, user));
    });

    app.get('/courses/:course_id/users/:id', (request) => {
      const course = findCourse(request, pathParam(request, 'course_id'));
      requireRight(request, course, 'read_roster');
      const user = findUser(request, pathParam(request, 'id'));
      const includes = includesOf(request);
      const sections = visibleSections(request, course);
      const enrollments = world.enrollments.by.user
        .get(user.id)
        .filter((e) => e.course_id === course.id && (sections?.has(e.course_section_id) ?? true))
        .filter(
          ({ workflow_state: state }) =>
            LIVE.has(state) || (state === 'inactive' && includes.has('inactive_enrollments')),
        );
      if (enrollments.length === 0) throw notFound();
      const json = courseUser(viewOf(request, course), user, enrollments, includes);
      // Unlike in the list, the address is shown only on request.
      if (!includes.has('email')) delete json['email'];
      return json;
    });

    app.get('/courses/:course_id/search_users', (request, reply) => {
      const course = pathParam(request, 'course_id');
      const query = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : '';
      return reply.redirect(`/api/v1/courses/${encodeURIComponent(course)}/users${query}`, 302);
    });
  };
}

/** Returns the bookmark for Canvas's order of enrolments: type, sortable name, ID. */
function byTypeAndName(world: World): Bookmark<Enrollment> {
  return {
    keyOf: (e) => [e.type, world.users.get(e.user_id)?.sortable_name ?? '', e.id],
    compare: (a, b) =>
      (a[0] === b[0] ? 0 : String(a[0]) < String(b[0]) ? -1 : 1) ||
      compareNames(String(a[1]), String(b[1])) ||
      Number(a[2]) - Number(b[2]),
    numbersToo: true,
  };
}

/** Returns the enrolment with its person, as in the lists of enrolments. */
function withUser(
  view: View,
  enrollment: Enrollment,
  includes: ReadonlySet<string>,
): Record<string, unknown> {
  const json = enrollmentJson(view, enrollment);
  const user = view.world.users.must(enrollment.user_id);
  const person = userOf(view, user);
  if (includes.has('avatar_url')) person['avatar_url'] = avatarUrl(view, user);
  if (includes.has('group_ids')) person['group_ids'] = groupIds(view.world, user, enrollment.course_id);
  if (includes.has('locked')) json['locked'] = false;
  if (includes.has('can_be_removed')) json['can_be_removed'] = true;
  if (includes.has('uuid')) person['uuid'] = uuidOf('user', user.id);
  if (includes.has('email') && view.emails) person['email'] = view.world.emailOf(user.id);
  const observed = view.world.users.get(enrollment.associated_user_id);
  if (includes.has('observed_users') && enrollment.type === 'ObserverEnrollment' && observed)
    json['observed_user'] = {
      ...userOf(view, observed),
      ...(includes.has('avatar_url') ? { avatar_url: avatarUrl(view, observed) } : {}),
      enrollments: view.world.enrollments.by.user
        .get(observed.id)
        .filter((e) => e.course_id === enrollment.course_id && e.type === 'StudentEnrollment')
        .filter((e) => LIVE.has(e.workflow_state))
        .map((e) => enrollmentJson(view, e)),
    };
  json['user'] = person;
  return json;
}

function matching(request: FastifyRequest, view: View, ids: readonly number[]): User[] {
  const params = paramsOf(request);
  const term = searchTermOf(params);
  const { world } = view;
  const self = currentUser(request);
  const several = (name: string) => list(params, name).flatMap((id) => id.split(','));
  const wanted = new Set(several('user_ids').map((id) => lookupUser(world, id, self)?.id));
  const uuids = new Set(several('user_uuids'));
  return ids
    .map((id) => world.users.must(id))
    .filter((user) => user.workflow_state !== 'deleted')
    .filter((user) => wanted.size === 0 || wanted.has(user.id))
    .filter((user) => uuids.size === 0 || uuids.has(uuidOf('user', user.id)))
    .filter((user) => term === null || userMatches(view, user, term));
}

/** From this many people on, all people are ranked once, instead of sorting the list for each page. */
const MANY = 1_000;

function sortCourseUsers(request: FastifyRequest, view: View, users: User[]): User[] {
  const params = paramsOf(request);
  // The request can name a column to sort by, but no direction (§6.9).
  const sort = text(params, 'sort');
  if (sort === null && users.length >= MANY) {
    const rank = nameRanks(view.world);
    return [...users].sort((a, b) => (rank.get(a.id) ?? 0) - (rank.get(b.id) ?? 0));
  }
  const keyOf = (user: User): string | null => {
    if (sort === 'email') return view.world.emailOf(user.id);
    if (sort === 'sis_id') return mainLogin(view, user.id)?.sis_user_id ?? null;
    if (sort === 'last_login') return lastLogin(view.world, user.id);
    return user.sortable_name;
  };
  const keyed = users.map((user) => ({ user, key: keyOf(user) }));
  // Absent values come last.
  keyed.sort((a, b) =>
    a.key !== b.key && (a.key === null || b.key === null)
      ? Number(a.key === null) - Number(b.key === null)
      : compareNames(a.key ?? '', b.key ?? '') || a.user.id - b.user.id,
  );
  return keyed.map(({ user }) => user);
}

/** Selects the page with the person whom `user_id` names (§6.9). */
function jumpToUser(request: FastifyRequest, world: World, users: readonly User[]): void {
  const params = paramsOf(request);
  const given = text(params, 'user_id');
  if (given === null || text(params, 'page') !== null) return;
  const wanted = lookupUser(world, given, currentUser(request));
  const at = users.findIndex((user) => user.id === wanted?.id);
  if (at >= 0) params['page'] = String(Math.floor(at / perPageOf(request)) + 1);
}

function courseUser(
  view: View,
  user: User,
  enrollments: readonly Enrollment[],
  includes: ReadonlySet<string>,
): Record<string, unknown> {
  const json = userOf(view, user);
  if (view.emails) json['email'] = view.world.emailOf(user.id);
  // People who have never accepted an invitation are shown without login and address (§6.9).
  if (isUnconfirmed(view.world, user, enrollments, includes.has('enrollments'))) {
    delete json['login_id'];
    delete json['email'];
  }
  addUserIncludes(view, json, user, new Set([...includes].filter((name) => name !== 'email')));
  if (includes.has('enrollments')) {
    const sectionName = (e: Enrollment) => view.world.sections.must(e.course_section_id).name;
    json['enrollments'] = [...enrollments]
      .sort((a, b) => compareNames(sectionName(a), sectionName(b)) || a.id - b.id)
      .map((enrollment) => enrollmentJson(view, enrollment));
  }
  const courseId = enrollments[0]?.course_id;
  if (includes.has('group_ids') && courseId !== undefined) {
    json['group_ids'] = groupIds(view.world, user, courseId);
  }
  if (includes.has('locked')) json['locked'] = false;
  return json;
}

/**
 * Returns whether a person has not accepted any invitation: one of the shown enrolments, or else any in the
 * course.
 */
function isUnconfirmed(world: World, user: User, shown: readonly Enrollment[], areShown: boolean): boolean {
  const courseId = shown[0]?.course_id;
  if (courseId === undefined) return false;
  const all = areShown
    ? shown
    : world.enrollments.by.user.get(user.id).filter((e) => e.course_id === courseId);
  return all.every((e) => UNCONFIRMED.has(e.workflow_state));
}

const UNCONFIRMED: ReadonlySet<string> = new Set(['invited', 'creation_pending', 'rejected', 'deleted']);

function groupIds(world: World, user: User, courseId: number): number[] {
  return world.groupMemberships.by.user
    .get(user.id)
    .filter((membership) => membership.workflow_state === 'accepted')
    .map((membership) => world.groups.must(membership.group_id))
    .filter((group) => group.workflow_state === 'available')
    .filter((group) => group.context_type === 'Course' && group.context_id === courseId)
    .map((group) => group.id);
}
