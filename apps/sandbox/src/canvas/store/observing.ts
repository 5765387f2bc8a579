/** Linked observers take part in the courses of their students (reference §9.5, §16). */

import { leaveGroupsOf } from './group-rules.ts';
import type { Enrollment, EnrollmentState } from './model.ts';
import { placeKey, type World } from './world.ts';

/** States in which a student's enrolment gives the linked observers an enrolment. */
const FOLLOWED: ReadonlySet<EnrollmentState> = new Set(['active', 'invited', 'creation_pending', 'inactive']);

/** Gives the linked observers the state of a student's enrolment after a person has changed it. */
export function followStudent(world: World, student: Enrollment): void {
  if (student.type !== 'StudentEnrollment') return;
  for (const link of world.userObservers.by.student.get(student.user_id))
    if (link.workflow_state === 'active') enrolObserver(world, link.observer_id, student);
}

/** Enrols an observer beside a student, or ends that enrolment with the student's. */
export function enrolObserver(world: World, observerId: number, student: Enrollment): void {
  const role = world.roles.by.name.get('ObserverEnrollment')[0];
  if (!role) return;
  const { enrollments } = world;
  const { course_id, course_section_id, workflow_state: state } = student;
  // An observer does not accept an invitation.
  const workflow_state = state === 'invited' ? 'active' : state;
  const { start_at, end_at } = student;
  const held = enrollments.by.place
    .get(placeKey(course_section_id, observerId))
    .find((one) => one.type === 'ObserverEnrollment' && one.associated_user_id === student.user_id);
  if (held) enrollments.change(held, { workflow_state, start_at, end_at });
  else if (FOLLOWED.has(state) && world.loginsOf(observerId).length > 0)
    enrollments.add({
      user_id: observerId,
      course_id,
      course_section_id,
      type: 'ObserverEnrollment',
      role_id: role.id,
      associated_user_id: student.user_id,
      workflow_state,
      limit_privileges_to_course_section: false,
      start_at,
      end_at,
      completed_at: null,
      last_activity_at: null,
      total_activity_time: 0,
      sis_pseudonym_id: null,
      sis_batch_id: null,
      stuck_sis_fields: null,
    });
  if (workflow_state === 'deleted')
    leaveGroupsOf(world, { id: course_id }, observerId, (membership) =>
      world.groupMemberships.change(membership, { workflow_state: 'deleted' }),
    );
}
