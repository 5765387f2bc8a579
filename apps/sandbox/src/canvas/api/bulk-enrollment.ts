/** `POST /accounts/:id/bulk_enrollment`: enrols every person in every course, in the background (reference §16). */

import type { FastifyPluginAsync } from 'fastify';
import { list, type Params, paramsOf, text } from '../../http/params.ts';
import { currentCaller, requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { ApiError, forbidden, missing } from '../http/errors.ts';
import { findAccount, findCourse } from '../http/find.ts';
import { lookupUser } from '../http/lookup.ts';
import {
  type Account,
  type Course,
  ENROLLMENT_TYPES,
  type EnrollmentType,
  type Role,
  type User,
} from '../store/model.ts';
import type { World } from '../store/world.ts';
import { type Done, inBackground } from './background.ts';
import { datesOf } from './changes.ts';
import { enroll, mayEnroll, pendingIn } from './enrollment-changes.ts';
import { progressJson } from './json/files.ts';
import { pathParam } from './lists.ts';

export function bulkEnrollmentRoutes({ world }: SandboxContext): FastifyPluginAsync {
  return async (app) => {
    app.post('/accounts/:account_id/bulk_enrollment', (request) => {
      const account = findAccount(request, pathParam(request, 'account_id'));
      requireRight(request, account, 'add_students');
      const params = paramsOf(request);
      const [userIds, courseIds] = [list(params, 'user_ids'), list(params, 'course_ids')];
      if (userIds.length === 0) throw missing('user_ids');
      if (courseIds.length === 0) throw missing('course_ids');
      const { user: caller } = currentCaller(request);
      const role = roleOf(world, account, params);
      if (userIds.length * courseIds.length > MOST) throw refusal('Too many users to enroll at once.');
      const users = userIds.flatMap((id) => lookupUser(world, id, caller) ?? []);
      const courses = courseIds.map((id) => findCourse(request, id));
      for (const course of courses)
        if (!mayEnroll(request, course, role.base_role_type as EnrollmentType)) throw forbidden();
      const tree = new Set(world.accountTree(account.id));
      const here = courses.filter(({ account_id }) => tree.has(account_id));
      const about = { context_id: account.id, context_type: 'Account', user_id: caller.id } as const;
      const progress = inBackground(world, { ...about, tag: 'bulk_enrollment' }, () =>
        enrollAll(world, users, here, role, params),
      );
      return progressJson(request, progress);
    });
  };
}

/**
 * Finds the role by number, or the built-in role of the type; without either, the role is student.
 * @throws ApiError 400
 */
function roleOf(world: World, account: Account, params: Params): Role {
  const type = text(params, 'enrollment_type') || null;
  const id = text(params, 'enrollment_role_id') || null;
  const held = id === null ? undefined : world.roles.get(Number(id));
  const isHere =
    held !== undefined &&
    (held.account_id === null || world.accountChain(account.id).some((one) => one.id === held.account_id));
  if (id !== null) {
    if (!held || !isHere || !isForCourses(held.base_role_type)) throw refusal('Invalid role');
    if (held.workflow_state === 'inactive')
      throw refusal('Cannot create an enrollment with this role because it is inactive.');
    if (type !== null && type !== held.base_role_type)
      throw refusal('The specified type must match the base type for the role');
    return held;
  }
  const builtIn = world.roles.by.name.get(type ?? 'StudentEnrollment')[0];
  if (!builtIn || !isForCourses(type ?? 'StudentEnrollment')) throw refusal('Invalid enrollment type.');
  return builtIn;
}

const isForCourses = (type: string): boolean => (ENROLLMENT_TYPES as readonly string[]).includes(type);

/** Maximum number of enrolments that one request can create. */
const MOST = 500;

function refusal(errors: string): ApiError {
  return new ApiError(400, { errors });
}

/**
 * Enrols people in courses. One failed enrolment does not stop the others; the results name the person and
 * the reason.
 */
function enrollAll(
  world: World,
  users: readonly User[],
  courses: readonly Course[],
  role: Role,
  params: Params,
): Done {
  const errors: Record<string, string[]> = {};
  for (const user of users)
    for (const course of courses) {
      if (user.workflow_state === 'deleted' || course.workflow_state === 'deleted')
        (errors[user.id] ??= []).push(`User ${user.id} cannot be enrolled in course ${course.id}`);
      else
        enroll(world, user.id, world.defaultSection(course), role, {
          workflow_state: pendingIn(course, role.base_role_type as EnrollmentType, 'invited'),
          limit_privileges_to_course_section: false,
          ...datesOf(params, 'start_at', 'end_at'),
        });
    }
  return { results: { errors } };
}
