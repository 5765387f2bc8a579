/** `POST /accounts/:id/bulk_enrollment`: every person into every course, in the background (reference §16). */

import type { FastifyPluginAsync } from 'fastify';
import { list, type Params, paramsOf, text } from '../../http/params.ts';
import { currentCaller, requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { missing } from '../http/errors.ts';
import { findAccount } from '../http/find.ts';
import { lookupCourse, lookupUser } from '../http/lookup.ts';
import type { Course, User } from '../store/model.ts';
import type { World } from '../store/world.ts';
import { type Done, inBackground } from './background.ts';
import { datesOf } from './changes.ts';
import { enroll } from './enrollment-changes.ts';
import { roleFor } from './enrollment-roles.ts';
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
      const users = userIds.flatMap((id) => lookupUser(world, id, caller) ?? []);
      const tree = new Set(world.accountTree(account.id));
      const courses = courseIds
        .flatMap((id) => lookupCourse(world, id) ?? [])
        .filter(({ account_id }) => tree.has(account_id));
      const about = { context_id: account.id, context_type: 'Account', user_id: caller.id } as const;
      const progress = inBackground(world, { ...about, tag: 'bulk_enrollment' }, () =>
        enrollAll(world, users, courses, params),
      );
      return progressJson(request, progress);
    });
  };
}

/** One who cannot be enrolled does not keep the others out; the results tell of whom and why. */
function enrollAll(world: World, users: readonly User[], courses: readonly Course[], params: Params): Done {
  const errors: Record<string, string[]> = {};
  const type = text(params, 'enrollment_type') ?? 'StudentEnrollment';
  for (const user of users)
    for (const course of courses) {
      const role = roleFor(world, course, text(params, 'enrollment_role_id'), type);
      const isGone = user.workflow_state === 'deleted' || course.workflow_state === 'deleted';
      if (isGone || !role)
        (errors[user.id] ??= []).push(`User ${user.id} cannot be enrolled in course ${course.id}`);
      else
        enroll(world, user.id, world.defaultSection(course), role, {
          workflow_state: 'invited',
          limit_privileges_to_course_section: false,
          ...datesOf(params, 'start_at', 'end_at'),
        });
    }
  return { results: { errors } };
}
