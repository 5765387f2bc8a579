/** Courses: lists of an account and of a person, and one by id (reference §6.3, §6.4). */

import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { list, type Params, paramsOf, text } from '../../http/params.ts';
import { currentUser, hasRight, requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { forbidden } from '../http/errors.ts';
import { findAccount, findCourse, findUser } from '../http/find.ts';
import { paginate } from '../http/paging.ts';
import { sendListText, wantsStringIds } from '../http/texts.ts';
import { type View, viewOf } from '../http/view.ts';
import type { Course, Enrollment } from '../store/model.ts';
import type { World } from '../store/world.ts';
import { filterCourses, isOver } from './course-filters.ts';
import { accountJson, termJson } from './json/accounts.ts';
import { courseJson, courseText, shownState, totalStudents } from './json/courses.ts';
import { avatarUrl } from './json/users.ts';
import { KeptLists } from './kept.ts';
import { includesOf, pathParam } from './lists.ts';

/** Never part of the account list, whatever is asked (§6.3). */
const IGNORED_ON_ACCOUNT = new Set(['sections', 'permissions', 'needs_grading_count', 'total_scores']);
const PAGING = /(?:^|&)(?:page|per_page|access_token|include(?:\[|%5B)(?:\]|%5D))=[^&]*/gi;

export function courseRoutes({ world }: SandboxContext): FastifyPluginAsync {
  const kept = new KeptLists<readonly Course[]>();

  /** The filtered list behind all pages of one walk. */
  const coursesFor = (request: FastifyRequest, accountId: number): readonly Course[] => {
    const query = request.url.slice(request.url.indexOf('?') + 1).replace(PAGING, '');
    const version =
      world.courses.version +
      world.accounts.version +
      world.terms.version +
      world.enrollments.version +
      world.sections.version +
      world.users.version;
    // "Concluded" and open dates depend on today.
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
      if (wantsStringIds(request)) return courses.map((course) => withIncludes(view, course, includes));
      return sendListText(
        reply,
        courses.map((course) => [courseText(view, course), includesFor(view, course, includes)]),
      );
    });

    app.get('/courses', (request, reply) => {
      const user = currentUser(request);
      return ownCourses(request, reply, world, user.id);
    });

    app.get('/users/:user_id/courses', (request, reply) => {
      const user = findUser(request, pathParam(request, 'user_id'));
      if (user.id !== currentUser(request).id) requireRight(request, world.rootAccount, 'read_roster');
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
        json['enrollments'] = enrollments.map((e) => ({
          type: e.type.replace('Enrollment', '').toLowerCase(),
          role: world.roles.get(e.role_id)?.name ?? e.type,
          role_id: e.role_id,
          user_id: e.user_id,
          enrollment_state: e.workflow_state,
          limit_privileges_to_course_section: e.limit_privileges_to_course_section,
        }));
        return json;
      });
    }
  };
}

/** Whether the caller may open the course: an admin's right, or a place in it. */
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
  const states = new Set(list(params, 'state'));
  const isAsked = ownEnrollmentTest(world, params);
  const courses = new Map<number, Course>();
  for (const enrollment of world.enrollments.by.user.get(userId)) {
    if (!isAsked(enrollment)) continue;
    const course = world.courses.must(enrollment.course_id);
    if (course.workflow_state === 'deleted') continue;
    if (states.size > 0 && !states.has(course.workflow_state) && !states.has(shownState(course))) continue;
    courses.set(course.id, course);
  }
  const view = viewOf(request, world.rootAccount);
  const includes = includesOf(request);
  const ordered = [...courses.values()].sort((a, b) => a.id - b.id);
  return paginate(request, reply, ordered, { counted: false }).map((course) => ({
    ...withIncludes(view, course, includes),
    enrollments: ownEnrollments(world, course, userId).map((e) => ({
      type: e.type.replace('Enrollment', '').toLowerCase(),
      role: world.roles.get(e.role_id)?.name ?? e.type,
      role_id: e.role_id,
      user_id: e.user_id,
      enrollment_state: e.workflow_state,
      limit_privileges_to_course_section: e.limit_privileges_to_course_section,
    })),
  }));
}

/** Words of `enrollment_state` in the list of one's own courses. */
const OWN_STATES: Readonly<Record<string, readonly string[]>> = {
  active: ['active'],
  invited_or_pending: ['invited', 'creation_pending'],
  completed: ['completed'],
};

/** Which of one's enrolments put a course into the list. */
function ownEnrollmentTest(world: World, params: Params): (enrollment: Enrollment) => boolean {
  const states = OWN_STATES[text(params, 'enrollment_state') ?? ''] ?? ['active', 'invited'];
  const type = text(params, 'enrollment_type');
  const role = text(params, 'enrollment_role');
  const roleId = text(params, 'enrollment_role_id');
  return (enrollment) =>
    states.includes(enrollment.workflow_state) &&
    (type === null || enrollment.type.toLowerCase() === `${type.toLowerCase()}enrollment`) &&
    (role === null || world.roles.get(enrollment.role_id)?.name === role) &&
    (roleId === null || String(enrollment.role_id) === roleId);
}

/** §6.4: a caller with a place in the course sees the own sections only, an admin all, deleted ones too. */
function sectionsFor(request: FastifyRequest, world: World, course: Course): object[] {
  const own = ownEnrollments(world, course, currentUser(request).id);
  if (own.length > 0) {
    return own.map((e) => ({
      ...plainSection(world, e.course_section_id),
      enrollment_role: world.roles.get(e.role_id)?.name ?? e.type,
    }));
  }
  return world.sections.by.course.get(course.id).map((section) => plainSection(world, section.id));
}

function plainSection(world: World, sectionId: number): object {
  const { id, name, start_at, end_at } = world.sections.must(sectionId);
  return { id, name, start_at, end_at };
}

function withIncludes(view: View, course: Course, includes: ReadonlySet<string>): Record<string, unknown> {
  return { ...courseJson(view, course), ...includesFor(view, course, includes) };
}

/** What the includes add to a course; null without any. */
function includesFor(
  view: View,
  course: Course,
  includes: ReadonlySet<string>,
): Record<string, unknown> | null {
  if (includes.size === 0) return null;
  const json: Record<string, unknown> = {};
  const { world } = view;
  const account = world.accounts.must(course.account_id);
  if (includes.has('term')) json['term'] = termJson(view, world.terms.must(course.enrollment_term_id));
  if (includes.has('total_students')) json['total_students'] = totalStudents(view, course);
  if (includes.has('account_name')) json['account_name'] = account.name;
  if (includes.has('account') || includes.has('subaccount')) json['account'] = accountJson(view, account);
  if (includes.has('concluded')) json['concluded'] = isOver(world, course, world.now());
  if (includes.has('syllabus_body')) json['syllabus_body'] = null;
  if (includes.has('storage_quota_used_mb')) json['storage_quota_used_mb'] = 0;
  if (includes.has('teachers')) {
    const teachers = new Map(
      world.enrollments.by.course
        .get(course.id)
        .filter((e) => e.type === 'TeacherEnrollment' && e.workflow_state === 'active')
        .map((e) => [e.user_id, world.users.must(e.user_id)]),
    );
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
