/** Enrolling, inviting and removing single people, as Canvas's own pages do. */

import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { flag, nested, paramsOf, text } from '../../http/params.ts';
import { currentUser, hasRight } from '../http/auth.ts';
import type { SandboxContext } from '../http/context.ts';
import { ApiError, forbidden, invalid, notFound } from '../http/errors.ts';
import { findCourse, findSection, findUser } from '../http/find.ts';
import { lookupSection } from '../http/lookup.ts';
import type { Right } from '../http/rights.ts';
import { viewOf } from '../http/view.ts';
import { leaveGroupsOf } from '../store/group-rules.ts';
import type { Course, Enrollment, EnrollmentState, EnrollmentType, Role, Section } from '../store/model.ts';
import { followStudent } from '../store/observing.ts';
import type { World } from '../store/world.ts';
import { datesOf } from './changes.ts';
import { isConcluded } from './course-filters.ts';
import { readNewEnrollment } from './enrollment-roles.ts';
import { enrollmentJson } from './json/enrollments.ts';
import { pathNumber, pathParam } from './lists.ts';

const TASKS: Readonly<Record<string, EnrollmentState>> = {
  conclude: 'completed',
  delete: 'deleted',
  inactivate: 'inactive',
  deactivate: 'inactive',
};
const STATES: ReadonlySet<string> = new Set(['active', 'invited', 'inactive', 'completed']);

export function enrollmentChangeRoutes({ world }: SandboxContext): FastifyPluginAsync {
  const create = (request: FastifyRequest, course: Course, inSection: Section | null) => {
    const fields = nested(paramsOf(request), 'enrollment') ?? {};
    // Canvas reports errors in the request before it checks the caller's permissions.
    const { role, userParam } = readNewEnrollment(world, course, fields);
    const type = role.base_role_type as EnrollmentType;
    if (!mayEnroll(request, course, type)) throw forbidden();
    const requestedSection = text(fields, 'course_section_id') || null;
    const named =
      inSection ?? (requestedSection === null ? undefined : lookupSection(world, requestedSection));
    if (requestedSection !== null && (named?.workflow_state !== 'active' || named.course_id !== course.id))
      throw notFound();
    const user = findUser(request, userParam);
    // A person without a login in this account is unknown to its courses.
    if (world.loginsOf(user.id).length === 0) throw notFound();
    if (isConcluded(world, course) && !isOpenTo(world, named, course, user.id))
      throw new ApiError(400, { message: "Can't add an enrollment to a concluded course." });
    const observedParam = type === 'ObserverEnrollment' ? text(fields, 'associated_user_id') : null;
    const observed = observedParam ? findUser(request, observedParam) : null;
    if (observed === user) throw invalid('associated_user_id', 'Cannot observe yourself');
    const state = text(fields, 'enrollment_state') ?? (type === 'ObserverEnrollment' ? 'active' : 'invited');
    const enrollment = enroll(world, user.id, named ?? world.defaultSection(course), role, {
      workflow_state: pendingIn(course, type, (STATES.has(state) ? state : 'invited') as EnrollmentState),
      limit_privileges_to_course_section: flag(fields, 'limit_privileges_to_course_section'),
      ...(observed ? { associated_user_id: observed.id } : {}),
      ...datesOf(fields, 'start_at', 'end_at'),
    });
    return enrollmentJson(viewOf(request, course), enrollment);
  };

  const change = (enrollment: Enrollment, workflow_state: EnrollmentState) =>
    followStudent(world, world.enrollments.change(enrollment, { workflow_state }));

  return async (app) => {
    app.post('/courses/:course_id/enrollments', (request) =>
      create(request, findCourse(request, pathParam(request, 'course_id')), null),
    );

    app.post('/sections/:section_id/enrollments', (request) => {
      const section = findSection(request, pathParam(request, 'section_id'));
      return create(request, world.courses.must(section.course_id), section);
    });

    app.delete('/courses/:course_id/enrollments/:id', (request) => {
      const { course, enrollment } = find(request, world);
      mustRemove(request, course, enrollment);
      const state = TASKS[text(paramsOf(request), 'task') ?? 'conclude'] ?? 'completed';
      change(enrollment, state);
      leaveGroupsOf(world, course, enrollment.user_id, (membership) =>
        world.groupMemberships.change(membership, { workflow_state: 'deleted' }),
      );
      return enrollmentJson(viewOf(request, course), enrollment);
    });

    app.put('/courses/:course_id/enrollments/:id/reactivate', (request) => {
      const { course, enrollment } = find(request, world);
      mustRemove(request, course, enrollment);
      if (enrollment.workflow_state !== 'inactive') throw refusal('enrollment not inactive');
      change(enrollment, 'active');
      return enrollmentJson(viewOf(request, course), enrollment);
    });

    // Only the invited person can answer an invitation.
    for (const [answer, state] of [
      ['accept', 'active'],
      ['reject', 'rejected'],
    ] as const)
      app.post(`/courses/:course_id/enrollments/:id/${answer}`, (request) => {
        const { enrollment } = find(request, world);
        if (enrollment.user_id !== currentUser(request).id) throw forbidden();
        const now = enrollment.workflow_state;
        if (now === state) return { success: true };
        if (now === 'inactive') throw refusal('membership not activated');
        const isOpen = now === 'invited' || (answer === 'accept' && now === 'rejected');
        if (!isOpen) throw refusal('no current invitation');
        change(enrollment, state);
        return { success: true };
      });
  };
}

/** Enrols a person by hand; an earlier enrolment in the same role is restored. */
export function enroll(
  world: World,
  userId: number,
  section: Section,
  role: Role,
  patch: Pick<Enrollment, 'workflow_state' | 'limit_privileges_to_course_section'> &
    Partial<Pick<Enrollment, 'start_at' | 'end_at' | 'associated_user_id'>>,
): Enrollment {
  const associated = patch.associated_user_id ?? null;
  const existing = world.enrollments.by.user
    .get(userId)
    .find(
      (e) =>
        e.course_section_id === section.id && e.role_id === role.id && e.associated_user_id === associated,
    );
  if (existing) {
    const { workflow_state: state } = existing;
    // A person who already takes part is not invited again; a restored enrolment does not belong to an import.
    world.enrollments.change(existing, {
      ...patch,
      start_at: patch.start_at ?? null,
      end_at: patch.end_at ?? null,
      ...(state === 'active' ? { workflow_state: state } : {}),
      ...(state === 'deleted' ? { sis_batch_id: null } : {}),
    });
    followStudent(world, existing);
    return existing;
  }
  const enrollment = world.enrollments.add({
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
  followStudent(world, enrollment);
  return enrollment;
}

/**
 * Returns the state of an invitation: students and observers are invited only once the course is published.
 */
export function pendingIn(course: Course, type: EnrollmentType, state: EnrollmentState): EnrollmentState {
  const works = ADDING[type] === 'add_staff';
  return state === 'invited' && !works && course.workflow_state !== 'available' ? 'creation_pending' : state;
}

const ADDING: Readonly<Record<EnrollmentType, Right>> = {
  StudentEnrollment: 'add_students',
  StudentViewEnrollment: 'add_students',
  ObserverEnrollment: 'add_observers',
  TeacherEnrollment: 'add_staff',
  TaEnrollment: 'add_staff',
  DesignerEnrollment: 'add_staff',
};

/** Returns whether the caller can add people of this type to the course. */
export function mayEnroll(request: FastifyRequest, course: Course, type: EnrollmentType): boolean {
  return hasRight(request, course, ADDING[type]);
}

/** Requires permission to add people of this type; only admins can remove themselves. @throws ApiError 403 */
function mustRemove(request: FastifyRequest, course: Course, { type, user_id }: Enrollment): void {
  const { id } = currentUser(request);
  const isOwn = user_id === id && !hasRight(request, course, 'manage_courses');
  if (isOwn || !mayEnroll(request, course, type)) throw forbidden();
}

/** @throws ApiError 404 for an enrolment that is deleted or belongs to another course */
function find(request: FastifyRequest, world: World) {
  const course = findCourse(request, pathParam(request, 'course_id'));
  const enrollment = world.enrollments.get(pathNumber(request, 'id'));
  if (enrollment?.course_id !== course.id || enrollment.workflow_state === 'deleted') throw notFound();
  return { course, enrollment };
}

/**
 * Returns whether people can still join the section, which can stay open longer than its concluded course.
 */
function isOpenTo(world: World, section: Section | undefined, course: Course, userId: number): boolean {
  if (!section?.restrict_enrollments_to_section_dates || section.end_at === null) return false;
  const isThere = world.enrollments.by.user.get(userId).some((e) => e.course_id === course.id);
  return isThere && section.end_at >= world.now();
}

function refusal(error: string): ApiError {
  return new ApiError(400, { error });
}
