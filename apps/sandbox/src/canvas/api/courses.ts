/** Courses: the lists of an account and of a person, and one by ID (reference §6.3, §6.4). */

import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { flag, list, type Params, paramsOf, text } from '../../http/params.ts';
import { currentCaller, currentUser, hasRight, requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { forbidden } from '../http/errors.ts';
import { findAccount, findCourse, findUser } from '../http/find.ts';
import { paginate } from '../http/paging.ts';
import { sendListText, wantsStringIds } from '../http/texts.ts';
import { type View, viewOf } from '../http/view.ts';
import { isOwnIn, stateNow } from '../store/enrollment-rules.ts';
import type { Course, Enrollment } from '../store/model.ts';
import type { World } from '../store/world.ts';
import { filterCourses, isConcluded } from './course-filters.ts';
import { mayReadPerson } from './event-places.ts';
import { accountJson, termJson } from './json/accounts.ts';
import { courseJson, courseText, totalStudents } from './json/courses.ts';
import { avatarUrl } from './json/users.ts';
import { KeptLists } from './kept.ts';
import { compareNames, includesOf, pathParam } from './lists.ts';

/** Ignored on the account list, even when requested (§6.3). */
const IGNORED_ON_ACCOUNT = new Set(['sections', 'permissions', 'needs_grading_count', 'total_scores']);
const PAGING = /(?:^|&)(?:page|per_page|access_token|include(?:\[|%5B)(?:\]|%5D))=[^&]*/gi;

export function courseRoutes({ world }: SandboxContext): FastifyPluginAsync {
  const kept = new KeptLists<readonly Course[]>();

  /** Finds the filtered list that all pages of one listing share. */
  const coursesFor = (request: FastifyRequest, accountId: number): readonly Course[] => {
    const query = request.url.slice(request.url.indexOf('?') + 1).replace(PAGING, '');
    const version =
      world.courses.version +
      world.accounts.version +
      world.terms.version +
      world.enrollments.version +
      world.sections.version +
      world.users.version;
    // "Concluded" and open dates depend on the current day.
    const seenBy = query.includes('self') ? currentUser(request).id : 0;
    const name = `${accountId} ${seenBy} ${world.now().slice(0, 13)} ${request.url.includes('?') ? query : ''}`;
    return kept.get(name, version, () =>
      filterCourses(world, paramsOf(request), world.coursesUnder(accountId), currentUser(request)),
    );
  };

  return async (app) => {
    app.get('/accounts/:account_id/courses', (request, reply) => {
      const account = findAccount(request, pathParam(request, 'account_id'));
      requireRight(request, account, 'read_course_list');
      const includes = new Set([...includesOf(request)].filter((name) => !IGNORED_ON_ACCOUNT.has(name)));
      const view = viewOf(request, account);
      const courses = paginate(request, reply, coursesFor(request, account.id), { counted: false });
      const limit = Number.parseInt(text(paramsOf(request), 'teacher_limit') ?? '', 10);
      const most = limit > 0 ? limit : Number.POSITIVE_INFINITY;
      const added = (course: Course) => includesFor(view, course, includes, most);
      if (wantsStringIds(request))
        return courses.map((course) => ({ ...courseJson(view, course), ...added(course) }));
      return sendListText(
        reply,
        courses.map((course) => [courseText(view, course), added(course)]),
      );
    });

    app.get('/courses', (request, reply) => {
      const user = currentUser(request);
      return ownCourses(request, reply, world, user.id);
    });

    app.get('/users/:user_id/courses', (request, reply) => {
      const user = findUser(request, pathParam(request, 'user_id'));
      if (!mayReadPerson(currentCaller(request), user.id)) throw forbidden();
      return ownCourses(request, reply, world, user.id);
    });

    for (const path of ['/courses/:id', '/accounts/:account_id/courses/:id']) {
      app.get(path, (request) => {
        const includes = includesOf(request);
        const course = findCourse(request, pathParam(request, 'id'), {
          deletedToo: includes.has('all_courses'),
        });
        if (!mayRead(request, course)) throw forbidden();
        const view = viewOf(request, course);
        const json = withIncludes(view, course, includes);
        if (includes.has('sections')) json['sections'] = sectionsFor(request, world, course);
        if (includes.has('permissions')) {
          json['permissions'] = {
            create_discussion_topic: hasRight(request, course, 'read_course_content'),
            create_announcement: hasRight(request, course, 'manage_calendar'),
          };
        }
        const enrollments = ownEnrollments(world, course, currentUser(request).id);
        json['enrollments'] = enrollments.map((e) => enrollmentInCourse(world, e));
        return json;
      });
    }
  };
}

/** Returns whether the caller can open the course: with an admin's permission, or an enrolment in it. */
export function mayRead(request: FastifyRequest, course: Course): boolean {
  return (
    hasRight(request, course, 'read_course_content') ||
    hasRight(request, course, 'read_course_list') ||
    hasRight(request, course, 'read_roster')
  );
}

function ownEnrollments(world: World, course: Course, userId: number) {
  return world.enrollments.by.user
    .get(userId)
    .filter((e) => e.course_id === course.id && ['active', 'invited'].includes(e.workflow_state));
}

function ownCourses(
  request: FastifyRequest,
  reply: Parameters<typeof paginate>[1],
  world: World,
  userId: number,
) {
  const params = paramsOf(request);
  const within = text(params, 'account_id');
  const account = within === null ? null : findAccount(request, within);
  const isRequested = ownEnrollmentTest(world, params);
  const byCourse = new Map<Course, Enrollment[]>();
  for (const enrollment of world.enrollments.by.user.get(userId)) {
    if (!isRequested(enrollment)) continue;
    const course = world.courses.must(enrollment.course_id);
    if (account && course.account_id !== account.id) continue;
    if (flag(params, 'homeroom') && !course.homeroom_course) continue;
    if (flag(params, 'exclude_blueprint_courses') && course.blueprint) continue;
    const held = byCourse.get(course);
    if (held) held.push(enrollment);
    else byCourse.set(course, [enrollment]);
  }
  const includes = includesOf(request);
  const ordered = [...byCourse].sort(([a], [b]) => compareNames(a.name, b.name) || a.id - b.id);
  return paginate(request, reply, ordered).map(([course, enrollments]) => ({
    ...withIncludes(viewOf(request, course), course, includes),
    ...(includes.has('sections') ? { sections: enrollments.map((e) => sectionWithRole(world, e)) } : {}),
    enrollments: enrollments.map((e) => enrollmentInCourse(world, e)),
  }));
}

/** Returns an enrolment as shown in its course. */
function enrollmentInCourse(world: World, e: Enrollment): object {
  return {
    type: e.type.replace('Enrollment', '').toLowerCase(),
    role: world.roles.get(e.role_id)?.name ?? e.type,
    role_id: e.role_id,
    user_id: e.user_id,
    enrollment_state: e.workflow_state,
    limit_privileges_to_course_section: e.limit_privileges_to_course_section,
    ...(e.associated_user_id === null ? {} : { associated_user_id: e.associated_user_id }),
  };
}

/**
 * Creates a test for the enrolments that put a course on a person's list. By default, these are the current
 * ones; if course states are requested, students find only published courses.
 */
function ownEnrollmentTest(world: World, params: Params): (enrollment: Enrollment) => boolean {
  const given = list(params, 'state');
  const courseStates = new Set(given.includes('unpublished') ? [...given, 'created', 'claimed'] : given);
  const type = text(params, 'enrollment_type');
  const role = text(params, 'enrollment_role');
  const roleId = text(params, 'enrollment_role_id');
  const isOfRole = (e: Enrollment) => {
    if (role !== null) return world.roles.get(e.role_id)?.name === role;
    if (roleId !== null) return String(e.role_id) === roleId;
    return type === null || e.type.toLowerCase() === `${type.toLowerCase()}enrollment`;
  };
  const isCurrent = (e: Enrollment) => {
    if (courseStates.size === 0) return isOwnIn(world, e, 'active') || isOwnIn(world, e, 'invited');
    const state = world.courses.must(e.course_id).workflow_state;
    if (!courseStates.has(state)) return false;
    if (state === 'deleted') return e.workflow_state === 'deleted';
    if (state === 'completed') return e.workflow_state === 'completed' || e.workflow_state === 'active';
    return isOwnIn(world, e, 'active') || isOwnIn(world, e, 'invited');
  };
  const byDate: Readonly<Record<string, (state: string) => boolean>> = {
    active: (state) => state === 'active',
    invited_or_pending: (state) =>
      ['invited', 'creation_pending', 'pending_active', 'pending_invited'].includes(state),
    completed: (state) => state === 'completed',
  };
  const isAtDate = byDate[text(params, 'enrollment_state') ?? ''] ?? (() => true);
  return (e) => isOfRole(e) && isCurrent(e) && isAtDate(stateNow(world, e));
}

/**
 * Returns the sections that the caller can see (§6.4): people in the course see their own, an admin sees all,
 * even deleted ones.
 */
function sectionsFor(request: FastifyRequest, world: World, course: Course): object[] {
  const own = ownEnrollments(world, course, currentUser(request).id);
  if (own.length > 0) {
    return own.map((e) => sectionWithRole(world, e));
  }
  return world.sections.by.course.get(course.id).map((section) => plainSection(world, section.id));
}

function sectionWithRole(world: World, e: Enrollment): object {
  return {
    ...plainSection(world, e.course_section_id),
    enrollment_role: world.roles.get(e.role_id)?.name ?? e.type,
  };
}

function plainSection(world: World, sectionId: number): object {
  const { id, name, start_at, end_at } = world.sections.must(sectionId);
  return { id, name, start_at, end_at };
}

function withIncludes(view: View, course: Course, includes: ReadonlySet<string>): Record<string, unknown> {
  return { ...courseJson(view, course), ...includesFor(view, course, includes) };
}

/** Enrolment states in which a teacher does not count as one; invited and inactive teachers do. */
const NOT_TEACHING: ReadonlySet<string> = new Set(['deleted', 'rejected']);

/** Returns the fields that the includes add to a course, or null without includes. */
function includesFor(
  view: View,
  course: Course,
  includes: ReadonlySet<string>,
  mostTeachers = Number.POSITIVE_INFINITY,
): Record<string, unknown> | null {
  if (includes.size === 0) return null;
  const json: Record<string, unknown> = {};
  const { world } = view;
  const account = world.accounts.must(course.account_id);
  if (includes.has('term')) json['term'] = termJson(view, world.terms.must(course.enrollment_term_id));
  if (includes.has('total_students')) json['total_students'] = totalStudents(view, course);
  if (includes.has('account_name')) json['account_name'] = account.name;
  if (includes.has('account')) json['account'] = accountJson(view, account);
  if (includes.has('subaccount')) {
    json['subaccount_id'] = account.id;
    json['subaccount_name'] = account.name;
  }
  if (includes.has('favorites')) json['is_favorite'] = false;
  if (includes.has('course_image')) json['image_download_url'] = null;
  if (includes.has('banner_image')) json['banner_image_download_url'] = null;
  if (includes.has('public_description')) json['public_description'] = null;
  if (includes.has('concluded')) json['concluded'] = isConcluded(world, course);
  if (includes.has('syllabus_body')) json['syllabus_body'] = null;
  if (includes.has('storage_quota_used_mb')) json['storage_quota_used_mb'] = 0;
  if (includes.has('teachers')) {
    const teachers = new Map(
      world.enrollments.by.course
        .get(course.id)
        .filter((e) => e.type === 'TeacherEnrollment' && !NOT_TEACHING.has(e.workflow_state))
        .map((e) => [e.user_id, world.users.must(e.user_id)]),
    );
    // Above the limit in the request, only the number of teachers is shown.
    if (teachers.size > mostTeachers) return { ...json, teacher_count: teachers.size };
    json['teachers'] = [...teachers.values()].map((user) => ({
      id: user.id,
      anonymous_id: user.id.toString(36),
      display_name: user.short_name,
      avatar_image_url: avatarUrl(view, user),
      html_url: `${view.base}/courses/${course.id}/users/${user.id}`,
      pronouns: user.pronouns,
    }));
  }
  return json;
}
