import { LIVE } from '../../store/enrollment-rules.ts';
import { leaveGroupsOf } from '../../store/group-rules.ts';
import type { Course, Enrollment, Section } from '../../store/model.ts';
import type { World } from '../../store/world.ts';
import type { Work } from './work.ts';

/**
 * Side effects of a changed state: the same for an import, a batch clean-up and the deletion of a user or section
 * (§9.1, §9.4, §9.5).
 */

/** Finds a user's enrolments in a course. Searches the shorter of the two lists. */
export function enrollmentsIn(world: World, userId: number, courseId: number): Enrollment[] {
  const { user, course } = world.enrollments.by;
  return user.count(userId) <= course.count(courseId)
    ? user.get(userId).filter((e) => e.course_id === courseId)
    : course.get(courseId).filter((e) => e.user_id === userId);
}

/** Sets an enrolment to a state that ends it, with all side effects. */
export function endEnrollment(
  work: Work,
  enrollment: Enrollment,
  state: 'deleted' | 'completed' | 'inactive',
): void {
  const { enrollments } = work.world;
  work.update(enrollments, 'Enrollment', enrollment, {
    workflow_state: state,
    completed_at: state === 'completed' ? work.world.now() : enrollment.completed_at,
  });
  followStudent(work, enrollment);
  if (state === 'deleted') leaveGroups(work, enrollment);
}

/** Deletes an enrolment, with all side effects. */
export function deleteEnrollment(work: Work, enrollment: Enrollment): void {
  endEnrollment(work, enrollment, 'deleted');
}

/** Ends group memberships with the person's last enrolment in the course that is not deleted (§15.2). */
export function leaveGroups(work: Work, enrollment: Enrollment): void {
  const { groupMemberships } = work.world;
  leaveGroupsOf(work.world, { id: enrollment.course_id }, enrollment.user_id, (membership) =>
    work.update(groupMemberships, 'GroupMembership', membership, { workflow_state: 'deleted' }),
  );
}

/**
 * Enrols linked observers with the student, and removes them together with the student, also from the
 * course's groups. Their enrolments do not count as touched by the import, which matters in batch mode (§11).
 */
export function followStudent(work: Work, student: Enrollment): void {
  if (student.type !== 'StudentEnrollment') return;
  const { enrollments, userObservers } = work.world;
  const state = student.workflow_state;
  for (const link of userObservers.by.student.get(student.user_id)) {
    if (link.workflow_state === 'deleted') continue;
    const present = enrollmentsIn(work.world, link.observer_id, student.course_id).find(
      (e) => e.associated_user_id === student.user_id && e.course_section_id === student.course_section_id,
    );
    if (present) {
      const { sis_batch_id, workflow_state: before } = present;
      work.update(enrollments, 'Enrollment', present, { workflow_state: state });
      enrollments.change(present, { sis_batch_id });
      if (state === 'deleted' && before !== 'deleted') leaveGroups(work, present);
    } else if (state === 'active') {
      const role = work.world.roles.by.name.get('ObserverEnrollment')[0];
      if (!role) continue;
      const created = work.create(enrollments, 'Enrollment', {
        ...student,
        id: undefined,
        created_at: undefined,
        updated_at: undefined,
        user_id: link.observer_id,
        type: 'ObserverEnrollment',
        role_id: role.id,
        associated_user_id: student.user_id,
        sis_pseudonym_id: null,
        stuck_sis_fields: null,
      });
      enrollments.change(created, { sis_batch_id: null });
    }
  }
}

/** Ends all enrolments of a section. */
export function deleteSectionEnrollments(work: Work, section: Section): void {
  for (const enrollment of work.world.enrollments.by.section.get(section.id))
    if (enrollment.workflow_state !== 'deleted') deleteEnrollment(work, enrollment);
}

/** Ends the enrolments of a deleted course (§9.4). */
export function deleteCourseEnrollments(work: Work, course: Course): void {
  for (const enrollment of work.world.enrollments.by.course.get(course.id))
    if (enrollment.workflow_state !== 'deleted') deleteEnrollment(work, enrollment);
}

/** Completes the enrolments in a concluded course: people can still read it (§9.4). */
export function completeCourseEnrollments(work: Work, course: Course): void {
  for (const enrollment of work.world.enrollments.by.course.get(course.id))
    if (LIVE.has(enrollment.workflow_state)) endEnrollment(work, enrollment, 'completed');
}
