/** The test student of a course, as whom teachers view it (reference §16): without a login, and in no report. */

import type { FastifyPluginAsync } from 'fastify';
import { requireRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { findCourse } from '../http/find.ts';
import { viewOf } from '../http/view.ts';
import type { Course, Enrollment, User } from '../store/model.ts';
import type { World } from '../store/world.ts';
import { userOf } from './json/users.ts';
import { pathParam } from './lists.ts';

const TYPE = 'StudentViewEnrollment';

/** Returns whether a person's enrolments are those of the test student. */
export function isTestStudent(enrollments: readonly Enrollment[]): boolean {
  return enrollments.some(({ type }) => type === TYPE);
}

export function testStudentRoutes({ world }: SandboxContext): FastifyPluginAsync {
  return async (app) => {
    // The test student is created on request, and enrolled in every section.
    app.get('/courses/:course_id/student_view_student', (request) => {
      const course = findCourse(request, pathParam(request, 'course_id'));
      requireRight(request, course, 'manage_groups');
      const user = presentIn(world, course) ?? newTestStudent(world);
      enrollInSections(world, course, user);
      return userOf(viewOf(request, course), user);
    });
  };
}

function presentIn(world: World, course: Course): User | undefined {
  const found = world.enrollments.by.course.get(course.id).find((e) => isTestStudent([e]));
  return found && world.users.get(found.user_id);
}

function newTestStudent(world: World): User {
  return world.users.add({
    name: 'Test Student',
    sortable_name: 'Student, Test',
    short_name: 'Test Student',
    workflow_state: 'registered',
    pronouns: null,
    time_zone: null,
    locale: null,
    avatar_url: null,
    title: null,
    bio: null,
    stuck_sis_fields: null,
  });
}

function enrollInSections(world: World, course: Course, user: User): void {
  const there = new Set(world.enrollments.by.user.get(user.id).map((e) => e.course_section_id));
  const role = world.roles.by.name.get('StudentEnrollment')[0];
  const sections = [...world.sections.by.course.get(course.id)].filter((s) => s.workflow_state === 'active');
  for (const section of sections.length > 0 ? sections : [world.defaultSection(course)]) {
    if (!role || there.has(section.id)) continue;
    world.enrollments.add({
      user_id: user.id,
      course_id: course.id,
      course_section_id: section.id,
      type: TYPE,
      role_id: role.id,
      associated_user_id: null,
      workflow_state: 'active',
      limit_privileges_to_course_section: false,
      start_at: null,
      end_at: null,
      completed_at: null,
      last_activity_at: null,
      total_activity_time: 0,
      sis_pseudonym_id: null,
      sis_batch_id: null,
      stuck_sis_fields: null,
    });
  }
}
