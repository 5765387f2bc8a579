/**
 * Fields that are sticky once a person has changed them, by kind of object (reference §10); imports leave
 * them alone.
 */
import { isTrue, type Params } from '../../http/params.ts';
import type { StuckFields } from './model.ts';
import { stick } from './world.ts';

export const STICKY = {
  user: ['name', 'sortable_name', 'short_name', 'pronouns'],
  login: ['unique_id', 'workflow_state'],
  account: ['name', 'parent_account_id'],
  term: ['name', 'start_at', 'end_at'],
  abstractCourse: ['name', 'short_name', 'enrollment_term_id'],
  course: [
    'name',
    'course_code',
    'start_at',
    'conclude_at',
    'restrict_enrollments_to_course_dates',
    'account_id',
    'enrollment_term_id',
    'workflow_state',
    'grade_passback_setting',
  ],
  section: ['course_id', 'name', 'start_at', 'end_at', 'restrict_enrollments_to_section_dates'],
  /** Without the state. */
  enrollment: ['start_at', 'end_at'],
  group: ['name'],
} as const;

/** Returns whether a request leaves sticky fields alone: `override_sis_stickiness` is true by default. */
export function keepsSticky(params: Params): boolean {
  const override = params['override_sis_stickiness'];
  return override !== undefined && override !== null && !isTrue(override);
}

/**
 * Writes a person's changes, and marks the sticky fields that really changed.
 * @param keepSticky whether to skip fields that are already sticky
 */
export function changeByHand<T extends { stuck_sis_fields: StuckFields }>(
  table: { change(row: T, patch: Partial<Omit<T, 'id'>>): T },
  row: T,
  asked: Partial<Omit<T, 'id'>>,
  sticky: readonly (keyof T & string)[],
  keepSticky = false,
): void {
  const isKept = (name: string) => keepSticky && (row.stuck_sis_fields?.has(name) ?? false);
  const patch = Object.fromEntries(Object.entries(asked).filter(([name]) => !isKept(name))) as typeof asked;
  const values = patch as Partial<T>;
  const changed = sticky.filter((name) => name in patch && values[name] !== row[name]);
  if (Object.keys(patch).length > 0) table.change(row, patch);
  if (changed.length > 0) stick(row, ...changed);
}
