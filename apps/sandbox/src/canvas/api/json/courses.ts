import type { View } from '../../http/view.ts';
import { LIVE } from '../../store/enrollment-rules.ts';
import type { Course, Section } from '../../store/model.ts';
import { uuidOf } from '../../store/uuid.ts';

/** Returns the state as Canvas shows it: created and claimed are both unpublished (§6.3). */
export function shownState(course: Course): string {
  const state = course.workflow_state;
  return state === 'created' || state === 'claimed' ? 'unpublished' : state;
}

/** Returns the Course object (§6.3), without the includes. */
export function courseJson(view: View, course: Course): Record<string, unknown> {
  const uuid = uuidOf('course', course.id);
  return {
    id: course.id,
    name: course.name,
    account_id: course.account_id,
    uuid,
    start_at: course.start_at,
    grading_standard_id: null,
    is_public: false,
    created_at: course.created_at,
    course_code: course.course_code,
    default_view: 'modules',
    root_account_id: view.world.rootAccount.id,
    enrollment_term_id: course.enrollment_term_id,
    license: 'private',
    grade_passback_setting: course.grade_passback_setting,
    end_at: course.conclude_at,
    public_syllabus: false,
    public_syllabus_to_auth: false,
    storage_quota_mb: 500,
    is_public_to_auth_users: false,
    homeroom_course: course.homeroom_course,
    course_color: null,
    friendly_name: course.friendly_name,
    apply_assignment_group_weights: false,
    ...(course.course_format === null ? {} : { course_format: course.course_format }),
    calendar: { ics: `${view.base}/feeds/calendars/course_${uuid}.ics` },
    time_zone: course.time_zone,
    blueprint: course.blueprint,
    template: false,
    ...(view.sis ? { sis_course_id: course.sis_source_id } : {}),
    ...(view.manageSis ? { sis_import_id: course.sis_batch_id } : {}),
    ...(view.sis ? { integration_id: course.integration_id } : {}),
    hide_final_grades: false,
    workflow_state: shownState(course),
    restrict_enrollments_to_course_dates: course.restrict_enrollments_to_course_dates,
  };
}

/** Returns the Course object as JSON text, kept until the course changes: lists show thousands of them. */
export function courseText(view: View, course: Course): string {
  const { renderings } = view.world.courses;
  const seenBy = `${view.sis} ${view.manageSis} ${view.base}`;
  const kept = renderings.get(course.id);
  if (kept?.view === seenBy) return kept.text;
  const text = JSON.stringify(courseJson(view, course));
  renderings.set(course.id, { view: seenBy, text });
  return text;
}

/** Returns the number of different active or invited students (§6.3), without the test student. */
export function totalStudents(view: View, course: Course): number {
  const seen = new Set<number>();
  for (const enrollment of view.world.enrollments.by.course.get(course.id)) {
    if (enrollment.type !== 'StudentEnrollment') continue;
    if (LIVE.has(enrollment.workflow_state)) seen.add(enrollment.user_id);
  }
  return seen.size;
}

/** Returns the Section object (§6.7). */
export function sectionJson(view: View, section: Section): Record<string, unknown> {
  const course = view.world.courses.get(section.course_id);
  return {
    id: section.id,
    course_id: section.course_id,
    name: section.name,
    start_at: section.start_at,
    end_at: section.end_at,
    created_at: section.created_at,
    restrict_enrollments_to_section_dates: section.restrict_enrollments_to_section_dates,
    nonxlist_course_id: section.nonxlist_course_id,
    ...(view.sis
      ? {
          sis_section_id: section.sis_source_id,
          sis_course_id: course?.sis_source_id ?? null,
          integration_id: section.integration_id,
        }
      : {}),
    ...(view.manageSis ? { sis_import_id: section.sis_batch_id } : {}),
  };
}
