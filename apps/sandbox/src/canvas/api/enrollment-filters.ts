/** Which enrolments a request asks for (reference §6.9, and the enrolments list of Canvas). */

import { list, type Params, text } from '../../http/params.ts';
import { ApiError } from '../http/errors.ts';
import { lookupCourse, lookupUser } from '../http/lookup.ts';
import type { Enrollment, User } from '../store/model.ts';
import type { World } from '../store/world.ts';

export type EnrollmentTest = (enrollment: Enrollment) => boolean;

/** Words of `state[]` that stand for several states. */
const STATE_WORDS: Readonly<Record<string, readonly string[]>> = {
  current_and_invited: ['active', 'invited'],
  current_and_future: ['active', 'invited', 'creation_pending'],
  current_future_and_restricted: ['active', 'invited', 'creation_pending'],
  current_and_concluded: ['active', 'completed'],
};

/** The filters of `GET …/enrollments`. Without `state[]`: active and invited. */
export function enrollmentTests(world: World, params: Params, self: User): EnrollmentTest[] {
  const tests: EnrollmentTest[] = [];
  const states = new Set(list(params, 'state').flatMap((word) => STATE_WORDS[word] ?? [word]));
  if (states.size === 0) {
    states.add('active');
    states.add('invited');
  }
  tests.push((e) => states.has(e.workflow_state));
  const types = new Set(list(params, 'type'));
  if (types.size > 0) tests.push((e) => types.has(e.type));
  const roles = new Set(list(params, 'role'));
  if (roles.size > 0) tests.push((e) => roles.has(world.roles.get(e.role_id)?.name ?? ''));
  const roleIds = new Set(list(params, 'role_id'));
  if (roleIds.size > 0) tests.push((e) => roleIds.has(String(e.role_id)));
  const users = list(params, 'user_id');
  if (users.length > 0) {
    const ids = new Set(users.map((param) => lookupUser(world, param, self)?.id));
    tests.push((e) => ids.has(e.user_id));
  }
  const sisUsers = new Set(list(params, 'sis_user_id'));
  if (sisUsers.size > 0) {
    const ids = new Set([...sisUsers].map((sis) => world.pseudonyms.by.sis.get(sis)?.user_id));
    tests.push((e) => ids.has(e.user_id));
  }
  const sisSections = new Set(list(params, 'sis_section_id'));
  if (sisSections.size > 0) {
    const ids = new Set([...sisSections].map((sis) => world.sections.by.sis.get(sis)?.id));
    tests.push((e) => ids.has(e.course_section_id));
  }
  const sisCourses = new Set(list(params, 'sis_course_id'));
  if (sisCourses.size > 0) {
    const ids = new Set([...sisCourses].map((sis) => lookupCourse(world, `sis_course_id:${sis}`)?.id));
    tests.push((e) => ids.has(e.course_id));
  }
  const sisAccounts = new Set(list(params, 'sis_account_id'));
  if (sisAccounts.size > 0) {
    const ids = new Set([...sisAccounts].map((sis) => world.accounts.by.sis.get(sis)?.id));
    tests.push((e) => ids.has(world.courses.must(e.course_id).account_id));
  }
  const terms = text(params, 'enrollment_term_id');
  if (terms) tests.push((e) => String(world.courses.must(e.course_id).enrollment_term_id) === terms);
  return tests;
}

const TYPES: Readonly<Record<string, string>> = {
  teacher: 'TeacherEnrollment',
  student: 'StudentEnrollment',
  student_view: 'StudentViewEnrollment',
  ta: 'TaEnrollment',
  observer: 'ObserverEnrollment',
  designer: 'DesignerEnrollment',
};

/**
 * The type that a word such as `student` represents; Canvas takes the name of the type as well.
 * @throws ApiError 400 for an unknown one (§6.6, §6.9)
 */
export function enrollmentTypeOf(word: string): string {
  const type = Object.values(TYPES).includes(word) ? word : TYPES[word.toLowerCase()];
  if (!type) throw new ApiError(400, { errors: [{ message: `Invalid enrollment type: ${word}` }] });
  return type;
}

/**
 * The filters of `GET /courses/:id/users` (§6.9): type or role, state, section.
 * @throws ApiError 400 for an unknown type.
 */
export function courseUserTests(world: World, params: Params): EnrollmentTest[] {
  const tests: EnrollmentTest[] = [];
  const states = new Set(list(params, 'enrollment_state'));
  if (states.size === 0) {
    states.add('active');
    states.add('invited');
  }
  tests.push((e) => states.has(e.workflow_state));
  const roleIds = new Set(list(params, 'enrollment_role_id'));
  const roles = new Set(list(params, 'enrollment_role'));
  const types = list(params, 'enrollment_type');
  if (roleIds.size > 0) tests.push((e) => roleIds.has(String(e.role_id)));
  else if (roles.size > 0) tests.push((e) => roles.has(world.roles.get(e.role_id)?.name ?? ''));
  else if (types.length > 0) {
    const wanted = new Set(types.map(enrollmentTypeOf));
    tests.push((e) => wanted.has(e.type));
  }
  const sections = new Set(list(params, 'section_ids'));
  if (sections.size > 0) {
    const ids = new Set(
      [...sections].map((id) =>
        id.startsWith('sis_section_id:') ? world.sections.by.sis.get(id.slice(15))?.id : Number(id),
      ),
    );
    tests.push((e) => ids.has(e.course_section_id));
  }
  return tests;
}
