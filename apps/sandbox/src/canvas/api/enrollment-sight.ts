/** The enrolments that a caller can see in a course (reference §16). */

import type { FastifyRequest } from 'fastify';
import { type Params, text } from '../../http/params.ts';
import { currentCaller, hasRight } from '../http/auth.ts';
import { forbidden } from '../http/errors.ts';
import { findUser } from '../http/find.ts';
import type { Course, Enrollment } from '../store/model.ts';

/** Enrolments, and the states to show if the request names none. */
export type Sight = { enrollments: readonly Enrollment[]; states: readonly string[]; isOwn: boolean };

const CURRENT = ['active', 'invited'];
const PENDING = [...CURRENT, 'creation_pending'];
/** All except deleted ones: observers are not limited to current enrolments. */
const ALL = [...PENDING, 'completed', 'inactive', 'rejected'];

/**
 * Returns the enrolments of a course that the caller can see. With permission to see the roster, these are
 * all enrolments; otherwise the caller's own, and those of the students whom the caller observes.
 * @throws ApiError 403; 404 for a person who does not exist
 */
export function sightOf(
  request: FastifyRequest,
  course: Course,
  all: readonly Enrollment[],
  params: Params,
): Sight {
  const { user } = currentCaller(request);
  const mayList = hasRight(request, course, 'read_roster');
  const observed = observedBy(request, course);
  const requestedUser = text(params, 'user_id');
  if (requestedUser !== null) {
    const { id } = findUser(request, requestedUser);
    const isOwn = id === user.id;
    if (!isOwn && !mayList && observed === null) throw forbidden();
    return { enrollments: all.filter((e) => e.user_id === id), states: CURRENT, isOwn };
  }
  if (mayList) {
    const sections = visibleSections(request, course);
    // People who work on the course also see students to whom the course is closed.
    const states = hasRight(request, course, 'manage_groups') ? [...PENDING, 'inactive'] : PENDING;
    const enrollments = sections ? all.filter((e) => sections.has(e.course_section_id)) : all;
    return { enrollments, states, isOwn: false };
  }
  if (observed === null) throw forbidden();
  const seen = (e: Enrollment) => e.user_id === user.id || isStudent(e, observed);
  return { enrollments: all.filter(seen), states: ALL, isOwn: false };
}

/**
 * Returns the sections whose people the caller can see, or null for all sections. A caller who is limited in
 * every enrolment sees only their own.
 */
export function visibleSections(request: FastifyRequest, course: Course): ReadonlySet<number> | null {
  const { world, user } = currentCaller(request);
  if (hasRight(request, world.accounts.must(course.account_id), 'read_roster')) return null;
  const own = world.enrollments.by.user
    .get(user.id)
    .filter((e) => e.course_id === course.id && ['active', 'completed'].includes(e.workflow_state));
  const isLimited = own.length > 0 && own.every((e) => e.limit_privileges_to_course_section);
  return isLimited ? new Set(own.map((e) => e.course_section_id)) : null;
}

/**
 * Returns the students whom the caller observes in the course, or null if the caller is not an observer
 * there.
 */
function observedBy(request: FastifyRequest, course: Course): ReadonlySet<number> | null {
  const { world, user } = currentCaller(request);
  const observing = world.enrollments.by.user
    .get(user.id)
    .filter((e) => e.course_id === course.id && e.type === 'ObserverEnrollment');
  if (observing.length === 0) return null;
  const active = observing.filter((e) => e.workflow_state === 'active');
  return new Set(active.flatMap((e) => e.associated_user_id ?? []));
}

function isStudent({ type, user_id }: Enrollment, people: ReadonlySet<number>): boolean {
  return type === 'StudentEnrollment' && people.has(user_id);
}
