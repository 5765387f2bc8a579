/** Whose enrolments a caller sees in a course (reference §16). */

import type { FastifyRequest } from 'fastify';
import { type Params, text } from '../../http/params.ts';
import { currentCaller, hasRight } from '../http/auth.ts';
import { forbidden } from '../http/errors.ts';
import { findUser } from '../http/find.ts';
import type { Course, Enrollment } from '../store/model.ts';

/** Enrolments, and those of their states that are meant when none is asked for. */
export type Sight = { enrollments: readonly Enrollment[]; states: readonly string[]; isOwn: boolean };

const CURRENT = ['active', 'invited'];
const PENDING = [...CURRENT, 'creation_pending'];

/**
 * What the caller sees among enrolments of a course. With the right to the roster: all; else one's own and, as an
 * observer, those of the students one observes.
 * @throws ApiError 403; 404 for a person that does not exist
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
  const asked = text(params, 'user_id');
  if (asked !== null) {
    const { id } = findUser(request, asked);
    const isOwn = id === user.id;
    if (!isOwn && !mayList && observed === null) throw forbidden();
    return { enrollments: all.filter((e) => e.user_id === id), states: CURRENT, isOwn };
  }
  if (mayList) {
    const sections = visibleSections(request, course);
    // Who works on the course is shown those, too, whom it is closed to.
    const states = hasRight(request, course, 'manage_groups') ? [...PENDING, 'inactive'] : PENDING;
    const enrollments = sections ? all.filter((e) => sections.has(e.course_section_id)) : all;
    return { enrollments, states, isOwn: false };
  }
  if (observed === null) throw forbidden();
  const seen = (e: Enrollment) => e.user_id === user.id || isStudent(e, observed);
  return { enrollments: all.filter(seen), states: PENDING, isOwn: false };
}

/** The sections whose people the caller sees; null: all. Who is limited to the own sections in all places sees these. */
export function visibleSections(request: FastifyRequest, course: Course): ReadonlySet<number> | null {
  const { world, user } = currentCaller(request);
  if (hasRight(request, world.accounts.must(course.account_id), 'read_roster')) return null;
  const own = world.enrollments.by.user
    .get(user.id)
    .filter((e) => e.course_id === course.id && ['active', 'completed'].includes(e.workflow_state));
  const isLimited = own.length > 0 && own.every((e) => e.limit_privileges_to_course_section);
  return isLimited ? new Set(own.map((e) => e.course_section_id)) : null;
}

/** The students that the caller observes in the course; null: is no observer there. */
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
