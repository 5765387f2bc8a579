import type { View } from '../../http/view.ts';
import type { Enrollment } from '../../store/model.ts';
import { mainLogin } from './users.ts';

/** Returns the Enrollment object (§6.9). It does not contain the section's name. */
export function enrollmentJson(view: View, enrollment: Enrollment): Record<string, unknown> {
  const { world } = view;
  const course = world.courses.must(enrollment.course_id);
  const section = world.sections.must(enrollment.course_section_id);
  const role = world.roles.get(enrollment.role_id);
  const page = `${view.base}/courses/${course.id}/users/${enrollment.user_id}`;
  const json: Record<string, unknown> = {
    id: enrollment.id,
    user_id: enrollment.user_id,
    course_id: enrollment.course_id,
    type: enrollment.type,
    created_at: enrollment.created_at,
    updated_at: enrollment.updated_at,
    associated_user_id: enrollment.associated_user_id,
    start_at: enrollment.start_at,
    end_at: enrollment.end_at,
    course_section_id: enrollment.course_section_id,
    root_account_id: world.rootAccount.id,
    limit_privileges_to_course_section: enrollment.limit_privileges_to_course_section,
    // An enrolment in a deleted section or course is shown as deleted, whatever its own state (§16).
    enrollment_state:
      section.workflow_state === 'deleted' || course.workflow_state === 'deleted'
        ? 'deleted'
        : enrollment.workflow_state,
    role: role?.name ?? enrollment.type,
    role_id: enrollment.role_id,
  };
  if (view.reports || enrollment.user_id === view.selfId) {
    json['last_activity_at'] = enrollment.last_activity_at;
    json['last_attended_at'] = null;
    json['total_activity_time'] = enrollment.total_activity_time;
  }
  if (view.sis) {
    json['sis_account_id'] = world.accounts.get(course.account_id)?.sis_source_id ?? null;
    json['sis_course_id'] = course.sis_source_id;
    json['course_integration_id'] = course.integration_id;
    json['sis_section_id'] = section.sis_source_id;
    json['section_integration_id'] = section.integration_id;
    json['sis_user_id'] = mainLogin(view, enrollment.user_id)?.sis_user_id ?? null;
  }
  if (view.manageSis) json['sis_import_id'] = enrollment.sis_batch_id;
  json['html_url'] = page;
  if (enrollment.type === 'StudentEnrollment' || enrollment.type === 'StudentViewEnrollment') {
    json['grades'] = {
      html_url: `${view.base}/courses/${course.id}/grades/${enrollment.user_id}`,
      current_grade: null,
      current_score: null,
      final_grade: null,
      final_score: null,
      unposted_current_score: null,
      unposted_current_grade: null,
      unposted_final_score: null,
      unposted_final_grade: null,
    };
  }
  return json;
}
