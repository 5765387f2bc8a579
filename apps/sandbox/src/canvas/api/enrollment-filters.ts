/** Filters for enrolments (reference §6.9, and the enrolments list of Canvas). */

import { flag, list, type Params } from '../../http/params.ts';
import { ApiError, badRequest } from '../http/errors.ts';
import { isOwnIn, LIVE, stateNow } from '../store/enrollment-rules.ts';
import type { Enrollment } from '../store/model.ts';
import type { World } from '../store/world.ts';

export type EnrollmentTest = (enrollment: Enrollment) => boolean;

/**
 * Values of `state[]` that stand for several states; they work only in the list of the caller's own
 * enrolments.
 */
const STATE_WORDS: Readonly<Record<string, readonly string[]>> = {
  current_and_invited: ['active', 'invited'],
  current_and_future: ['active', 'invited', 'creation_pending', 'pending_active', 'pending_invited'],
  current_and_concluded: ['active', 'completed'],
  current_future_and_restricted: [
    'active',
    'invited',
    'creation_pending',
    'pending_active',
    'pending_invited',
    'inactive',
  ],
};
/** Words with which people also find their enrolments in unpublished and concluded courses. */
const FUTURE = new Set(['current_and_future', 'current_future_and_restricted']);
/** States that can be requested for the caller's own enrolments. */
const OWN_STATES = new Set([
  'active',
  'inactive',
  'rejected',
  'invited',
  'creation_pending',
  'pending_active',
  'pending_invited',
  'completed',
  ...Object.keys(STATE_WORDS),
]);
const SIS_FILTERS = ['sis_account_id', 'sis_course_id', 'sis_section_id', 'sis_user_id'];

/**
 * Creates the test for the states that a request asks for.
 * @param usual the states if it names none
 * @throws ApiError 400 for an invalid state in the list of the caller's own enrolments
 */
export function stateTest(
  world: World,
  params: Params,
  isOwn: boolean,
  usual: readonly string[],
): EnrollmentTest {
  const given = list(params, 'state');
  if (!isOwn) {
    const states = new Set(given.length > 0 ? given : usual);
    return (enrollment) => states.has(enrollment.workflow_state);
  }
  const unknown = given.find((state) => !OWN_STATES.has(state));
  if (unknown !== undefined) throw new ApiError(400, { error: `Invalid state ${unknown}` });
  if (given.length === 0)
    return (e) => usual.some((state) => isOwnIn(world, e, state)) && stateNow(world, e) !== 'completed';
  const byDate = new Set(given.flatMap((word) => STATE_WORDS[word] ?? [word]));
  const isActiveSoon = (e: Enrollment) =>
    e.workflow_state === 'active' && world.courses.must(e.course_id).workflow_state !== 'deleted';
  return (e) =>
    byDate.has(stateNow(world, e)) &&
    given.some(
      (word) =>
        (FUTURE.has(word) && isActiveSoon(e)) ||
        (STATE_WORDS[word] ?? [word]).some((state) => isOwnIn(world, e, state)),
    );
}

/**
 * Creates the tests for the filters of `GET …/enrollments`, except the states.
 * @param sis whether the caller can see SIS IDs there
 * @throws ApiError 400 for SIS filters without that permission, and for roles that do not exist
 */
export function enrollmentTests(world: World, params: Params, sis: boolean): EnrollmentTest[] {
  if (!sis && SIS_FILTERS.some((name) => name in params))
    throw new ApiError(400, { message: 'Insufficient permissions to filter by SIS fields' });
  const tests = [...typeTests(world, params)];
  const logins = given(params, 'sis_user_id').map((id) => world.pseudonyms.by.sis.get(id));
  if (logins.length > 0) {
    const isCreatedForSisId = flag(params, 'created_for_sis_id');
    const live = logins.filter((login) => login && login.workflow_state !== 'deleted');
    const people = new Set(live.map((login) => login?.user_id));
    const createdLogins = new Set(logins.map((login) => login?.id ?? -1));
    tests.push((e) =>
      isCreatedForSisId ? createdLogins.has(e.sis_pseudonym_id ?? -2) : people.has(e.user_id),
    );
  }
  const sections = given(params, 'sis_section_id');
  if (sections.length > 0) {
    const ids = new Set(sections.map((sis) => world.sections.by.sis.get(sis)?.id));
    tests.push((e) => ids.has(e.course_section_id));
  }
  const courses = given(params, 'sis_course_id');
  if (courses.length > 0) {
    const ids = new Set(courses.map((sis) => world.courses.by.sis.get(sis)?.id));
    tests.push((e) => ids.has(e.course_id));
  }
  const accounts = given(params, 'sis_account_id');
  if (accounts.length > 0) {
    const ids = new Set(accounts.map((sis) => world.accounts.by.sis.get(sis)?.id));
    tests.push((e) => ids.has(world.courses.must(e.course_id).account_id));
  }
  return tests;
}

/** Returns the value of a filter. An empty filter counts as missing. */
function given(params: Params, name: string): string[] {
  return params[name] === '' ? [] : list(params, name);
}

/**
 * Creates the tests for type and role: a role overrides types, and its number overrides its name.
 * @throws ApiError 400
 */
function typeTests(world: World, params: Params): EnrollmentTest[] {
  const roleIds = new Set(list(params, 'role_id'));
  if (roleIds.size > 0) return [(e) => roleIds.has(String(e.role_id))];
  const roles = new Set(list(params, 'role'));
  if (roles.size > 0) {
    if ([...roles].some((name) => world.roles.by.name.get(name).length === 0)) throw badRequest();
    return [(e) => roles.has(world.roles.get(e.role_id)?.name ?? '')];
  }
  const types = new Set(list(params, 'type'));
  return types.size > 0 ? [(e) => types.has(e.type)] : [];
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
 * Returns the enrolment type for a word such as `student`; Canvas also accepts the type's own name.
 * @throws ApiError 400 for an unknown one (§6.6, §6.9)
 */
export function enrollmentTypeOf(word: string): string {
  const type = Object.values(TYPES).includes(word) ? word : TYPES[word.toLowerCase()];
  if (!type) throw new ApiError(400, { errors: [{ message: `Invalid enrollment type: ${word}` }] });
  return type;
}

/**
 * Creates the tests for the filters of `GET /courses/:id/users` (§6.9): type or role, state, section.
 * @throws ApiError 400 for an unknown type.
 */
export function courseUserTests(world: World, params: Params, withInactive: boolean): EnrollmentTest[] {
  const tests: EnrollmentTest[] = [];
  const states = new Set<string>(list(params, 'enrollment_state'));
  if (states.size === 0) for (const state of LIVE) states.add(state);
  // Only people who work on the course can ask for inactive enrolments in this way.
  if (withInactive && list(params, 'enrollment_state').length === 0) states.add('inactive');
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
