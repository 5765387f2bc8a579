/** Finding the importer of a file (reference §8.1). */

/**
 * The kinds in `supplied_batches`, in the order in which Canvas tries them and processes the files in a zip.
 */
export const IMPORT_KINDS = [
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
  'differentiation_tag_set',
  'group',
  'differentiation_tag',
  'group_membership',
  'differentiation_tag_membership',
  'grade_publishing_results',
  'user_observer',
] as const;
export type ImportKind = (typeof IMPORT_KINDS)[number];

/** Returns the name under which rows of the kind are counted in `data.counts` (§7.2). */
export function countName(kind: ImportKind): string {
  return kind === 'group_category' ? 'group_categories' : kind.endsWith('s') ? kind : `${kind}s`;
}

type Has = (...columns: string[]) => boolean;
const EXISTING = ['existing_user_id', 'existing_integration_id', 'existing_canvas_user_id'];

const RULES: Record<ImportKind, (all: Has, any: Has) => boolean> = {
  change_sis_id: (_all, any) => any('old_id', 'old_integration_id'),
  account: (all) => all('account_id', 'parent_account_id'),
  term: (all) => all('term_id', 'name'),
  abstract_course: (all) => all('abstract_course_id', 'short_name') && !all('course_id'),
  course: (all) => all('course_id', 'short_name'),
  section: (all) => all('section_id', 'name'),
  xlist: (all) => all('xlist_course_id', 'section_id'),
  user: (all, any) => all('user_id', 'login_id') && !any(...EXISTING),
  login: (_all, any) => any(...EXISTING),
  enrollment: (_all, any) => any('section_id', 'course_id') && any('user_id', 'user_integration_id'),
  admin: (all) => all('account_id', 'user_id'),
  group_category: (all) => all('group_category_id', 'category_name'),
  differentiation_tag_set: (all) => all('tag_set_id', 'set_name'),
  group: (all) => all('group_id', 'name'),
  differentiation_tag: (all) => all('tag_id', 'name'),
  group_membership: (all) => all('group_id', 'user_id'),
  differentiation_tag_membership: (all) => all('tag_id', 'user_id'),
  grade_publishing_results: (all) => all('enrollment_id', 'grade_publishing_status'),
  user_observer: (all) => all('observer_id', 'student_id'),
};

/** Finds the first kind whose rule matches the lower-cased header, or returns null. */
export function detectKind(header: readonly string[]): ImportKind | null {
  const columns = new Set(header);
  const all: Has = (...names) => names.every((name) => columns.has(name));
  const any: Has = (...names) => names.some((name) => columns.has(name));
  return IMPORT_KINDS.find((kind) => RULES[kind](all, any)) ?? null;
}
