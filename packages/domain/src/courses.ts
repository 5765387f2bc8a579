/** Courses, programmes and sub-accounts as the pickers show them (PICK-08 to PICK-14). */

export const MANUALLY_CREATED = 'Manually Created';

/**
 * Returns the campus of a course: the second dash-separated part of its SIS ID, or 'Manually Created' (PICK-14,
 * OP-30).
 */
export function campusOf(sisCourseId: string | null): string {
  const piece = sisCourseId?.split('-')[1]?.trim();
  return piece ? piece : MANUALLY_CREATED;
}

/** Returns the name of the parent among the known accounts, 'MAIN' when none is found (PICK-09). */
export function parentName(
  account: { parent_account_id: number | null },
  known: ReadonlyMap<number, { name: string }>,
): string {
  const parent = account.parent_account_id === null ? undefined : known.get(account.parent_account_id);
  return parent?.name ?? 'MAIN';
}

export interface ListedCourse {
  id: number;
  sis_course_id: string | null;
  enrollment_term_id: number;
}

/** Returns the courses to list: with an SIS ID, in a selected term, each once, in order of arrival (PICK-08, OP-28). */
export function coursesToList<T extends ListedCourse>(
  courses: Iterable<T>,
  termIds: ReadonlySet<number>,
): T[] {
  const seen = new Set<number>();
  const listed: T[] = [];
  for (const course of courses) {
    if (course.sis_course_id === null || !termIds.has(course.enrollment_term_id) || seen.has(course.id))
      continue;
    seen.add(course.id);
    listed.push(course);
  }
  return listed;
}
