/** Enrolling and removing one person at a time, as Canvas's own pages do. */

import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { flag, nested, type Params, paramsOf, text } from '../../http/params.ts';
import { requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { ApiError, notFound } from '../http/errors.ts';
import { findCourse, findUser } from '../http/find.ts';
import { lookupSection } from '../http/lookup.ts';
import { viewOf } from '../http/view.ts';
import { leaveGroupsOf } from '../store/group-rules.ts';
import {
  type Course,
  ENROLLMENT_TYPES,
  type Enrollment,
  type EnrollmentState,
  type EnrollmentType,
  type Role,
  type Section,
} from '../store/model.ts';
import type { World } from '../store/world.ts';
import { enrollmentJson } from './json/enrollments.ts';
import { pathParam } from './lists.ts';

const TASKS: Readonly<Record<string, EnrollmentState>> = {
  conclude: 'completed',
  delete: 'deleted',
  inactivate: 'inactive',
  deactivate: 'inactive',
};
const STATES: ReadonlySet<string> = new Set(['active', 'invited', 'inactive', 'completed']);

export function enrollmentChangeRoutes({ world }: SandboxContext): FastifyPluginAsync {
  return async (app) => {
    app.post('/courses/:course_id/enrollments', (request) => {
      const course = findCourse(request, pathParam(request, 'course_id'));
      requireRight(request, course, 'manage_sections');
      const fields = nested(paramsOf(request), 'enrollment');
      if (!fields) throw refusal('No parameters given');
      const userParam = text(fields, 'user_id');
      if (userParam === null)
        throw refusal(
          "Can't create an enrollment without a user. Include enrollment[user_id] to create an enrollment",
        );
      const user = findUser(request, userParam);
      const role = roleOf(world, course, fields);
      const sectionParam = text(fields, 'course_section_id');
      const section =
        sectionParam === null ? world.defaultSection(course) : lookupSection(world, sectionParam);
      if (section?.workflow_state !== 'active' || section.course_id !== course.id) throw notFound();
      const asked = text(fields, 'enrollment_state') ?? 'invited';
      const workflow_state = (STATES.has(asked) ? asked : 'invited') as EnrollmentState;
      const enrollment = enroll(world, user.id, section, role, {
        workflow_state,
        limit_privileges_to_course_section: flag(fields, 'limit_privileges_to_course_section'),
      });
      return enrollmentJson(viewOf(request, course), enrollment);
    });

    app.delete('/courses/:course_id/enrollments/:id', (request) => {
      const { course, enrollment } = find(request, world);
      const state = TASKS[text(paramsOf(request), 'task') ?? 'conclude'] ?? 'completed';
      world.enrollments.change(enrollment, { workflow_state: state });
      leaveGroupsOf(world, course, enrollment.user_id, (membership) =>
        world.groupMemberships.change(membership, { workflow_state: 'deleted' }),
      );
      return enrollmentJson(viewOf(request, course), enrollment);
    });

    app.put('/courses/:course_id/enrollments/:id/reactivate', (request) => {
      const { course, enrollment } = find(request, world);
      if (enrollment.workflow_state !== 'inactive') throw refusal('unable to reactivate');
      world.enrollments.change(enrollment, { workflow_state: 'active' });
      return enrollmentJson(viewOf(request, course), enrollment);
    });
  };
}

/** Enrols a person by hand; who has been there in the same role before is so again. */
export function enroll(
  world: World,
  userId: number,
  section: Section,
  role: Role,
  patch: Pick<Enrollment, 'workflow_state' | 'limit_privileges_to_course_section'> &
    Partial<Pick<Enrollment, 'start_at' | 'end_at'>>,
): Enrollment {
  const existing = world.enrollments.by.user
    .get(userId)
    .find((e) => e.course_section_id === section.id && e.role_id === role.id);
  if (existing) return world.enrollments.change(existing, patch);
  return world.enrollments.add({
    user_id: userId,
    course_id: section.course_id,
    course_section_id: section.id,
    type: role.base_role_type as EnrollmentType,
    role_id: role.id,
    associated_user_id: null,
    start_at: null,
    end_at: null,
    completed_at: null,
    last_activity_at: null,
    total_activity_time: 0,
    sis_pseudonym_id: null,
    sis_batch_id: null,
    stuck_sis_fields: null,
    ...patch,
  });
}

function find(request: FastifyRequest, world: World) {
  const course = findCourse(request, pathParam(request, 'course_id'));
  requireRight(request, course, 'manage_sections');
  const enrollment = world.enrollments.get(Number(pathParam(request, 'id')));
  if (enrollment?.course_id !== course.id || enrollment.workflow_state === 'deleted') throw notFound();
  return { course, enrollment };
}

/** By `role_id`, else by `role` or `type`; a student when nothing is said. */
function roleOf(world: World, course: Course, fields: Params): Role {
  const role = roleFor(
    world,
    course,
    text(fields, 'role_id'),
    text(fields, 'role') ?? text(fields, 'type') ?? 'StudentEnrollment',
  );
  if (!role) throw refusal('Invalid role');
  return role;
}

/** The role that people of a course can have by this id, else by this name. */
export function roleFor(world: World, course: Course, id: string | null, name: string): Role | undefined {
  const role = id === null ? world.roles.by.name.get(name)[0] : world.roles.get(Number(id));
  const isForCourses = (ENROLLMENT_TYPES as readonly string[]).includes(role?.base_role_type ?? '');
  return role && isForCourses && world.isRoleAvailable(role, course.account_id) ? role : undefined;
}

function refusal(message: string): ApiError {
  return new ApiError(400, { message });
}
