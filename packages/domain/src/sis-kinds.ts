/** Which kind of SIS file a header makes (LMS reference §8.1): the LMS takes the first rule that holds. */

/** Kinds that the console knows, in the order in which the LMS tries them and works the files of a zip. */
export const SIS_KINDS = [
  'change_sis_id',
  'account',
  'term',
  'abstract_course',
  'course',
  'section',
  'xlist',
  'user',
  'login',
  'enrollment',
  'admin',
  'group_category',
  'group',
  'group_membership',
  'user_observer',
] as const;
export type SisKind = (typeof SIS_KINDS)[number];

const EXISTING = ['existing_user_id', 'existing_integration_id', 'existing_canvas_user_id'];

const RULES: Readonly<Record<SisKind, (has: (name: string) => boolean) => boolean>> = {
  change_sis_id: (has) => has('old_id') || has('old_integration_id'),
  account: (has) => has('account_id') && has('parent_account_id'),
  term: (has) => has('term_id') && has('name'),
  abstract_course: (has) => has('abstract_course_id') && has('short_name') && !has('course_id'),
  course: (has) => has('course_id') && has('short_name'),
  section: (has) => has('section_id') && has('name'),
  xlist: (has) => has('xlist_course_id') && has('section_id'),
  user: (has) => has('user_id') && has('login_id') && !EXISTING.some(has),
  login: (has) => EXISTING.some(has),
  enrollment: (has) =>
    (has('section_id') || has('course_id')) && (has('user_id') || has('user_integration_id')),
  admin: (has) => has('account_id') && has('user_id'),
  group_category: (has) => has('group_category_id') && has('category_name'),
  group: (has) => has('group_id') && has('name'),
  group_membership: (has) => has('group_id') && has('user_id'),
  user_observer: (has) => has('observer_id') && has('student_id'),
};

/**
 * The kind that a header makes; null when no rule holds. The LMS does not trim column names, so a file is sent with
 * names already trimmed and in lower case.
 */
export function sisKind(header: readonly string[]): SisKind | null {
  const names = new Set(header);
  return SIS_KINDS.find((kind) => RULES[kind]((name) => names.has(name))) ?? null;
}
