/** Which enrolments are current: by their own state, by that of their course, and by the dates that apply to them. */

import type { Enrollment, EnrollmentState } from './model.ts';
import type { World } from './world.ts';

/** Enrolment states in which a person belongs to a course. */
export const LIVE: ReadonlySet<EnrollmentState> = new Set(['active', 'invited', 'creation_pending']);

/** Enrolment types of people who work on a course: their enrolments count even while it is unpublished. */
const WORKING: ReadonlySet<string> = new Set([
  'TeacherEnrollment',
  'TaEnrollment',
  'DesignerEnrollment',
  'StudentViewEnrollment',
]);

/**
 * Returns whether a person finds an enrolment among their own under this state: only teachers see unpublished
 * courses.
 */
export function isOwnIn(
  world: World,
  { course_id, type, workflow_state }: Enrollment,
  state: string,
): boolean {
  if (workflow_state !== state) return false;
  const course = world.courses.must(course_id).workflow_state;
  if (state === 'active') return course === 'available' || (course === 'claimed' && WORKING.has(type));
  if (state === 'invited') return course === 'available' || (course !== 'deleted' && WORKING.has(type));
  return true;
}

/** Returns the current state of an enrolment: an active one has not begun, is open, or is over. */
export function stateNow(world: World, enrollment: Enrollment): string {
  const { workflow_state } = enrollment;
  if (workflow_state !== 'active' && workflow_state !== 'invited') return workflow_state;
  const now = world.now();
  const ranges = rangesOf(world, enrollment);
  if (ranges.some(([start, end]) => (start ?? now) <= now && (end ?? now) >= now)) return workflow_state;
  return ranges.some(([start]) => start !== null && start > now) ? `pending_${workflow_state}` : 'completed';
}

type DateRange = readonly [start: string | null, end: string | null];

/**
 * Returns the dates of the enrolment itself, or of whichever of section, course or term restricts access to
 * its dates.
 */
function rangesOf(world: World, enrollment: Enrollment): DateRange[] {
  if (enrollment.start_at !== null && enrollment.end_at !== null)
    return [[enrollment.start_at, enrollment.end_at]];
  const section = world.sections.must(enrollment.course_section_id);
  const course = world.courses.must(enrollment.course_id);
  const term = world.terms.must(course.enrollment_term_id);
  const works = WORKING.has(enrollment.type);
  const own = term.overrides[enrollment.type];
  const ofTerm: DateRange = [own?.start_at ?? (works ? null : term.start_at), own?.end_at ?? term.end_at];
  const withTerm = (range: DateRange) => (works ? [range, ofTerm] : [range]);
  if (section.restrict_enrollments_to_section_dates) return withTerm([section.start_at, section.end_at]);
  if (course.restrict_enrollments_to_course_dates) return withTerm([course.start_at, course.conclude_at]);
  return [ofTerm];
}
