/** Figures and sentences about a checked file. Pure. */

import type { SisEffect } from '@lms-admin/contract/sis-effects';
import type { SisFile, SisFilePart } from '@lms-admin/contract/sis-files';
import { grouped } from '@lms-admin/domain/numbers';
import { sisTableOf } from '@lms-admin/domain/sis-tables';
import { counted } from '../../components/Wizard/wizard-state.ts';
import { allTaken, removalsOf } from './effect-words.ts';
import { texts } from './texts.ts';

/** Counts rows by status over all parts: `active` first, then by frequency. */
function statusesOf(parts: readonly SisFilePart[]): [status: string, rows: number][] {
  const sums = new Map<string, number>();
  for (const { statuses } of parts) {
    for (const [status, rows] of Object.entries(statuses)) sums.set(status, (sums.get(status) ?? 0) + rows);
  }
  const first = (status: string) => (status === 'active' ? 1 : 0);
  return [...sums].sort(([a, m], [b, n]) => first(b) - first(a) || n - m || a.localeCompare(b));
}

/** Describes the rows that submitting will send, in a sentence with figures. */
export function whatWillHappen(file: SisFile): string {
  if (file.rows === 0) return texts.review.nothing;
  const kinds = [...new Set(file.parts.map(({ kind }) => sisTableOf(kind).title.toLowerCase()))].join(', ');
  const counts = statusesOf(file.parts);
  const others = file.rows - counts.reduce((sum, [, rows]) => sum + rows, 0);
  const statuses = counts.map(([status, rows]) => `${grouped(rows)} ${status.replaceAll('_', ' ')}`);
  // Rows of some tables, such as logins, have no status.
  if (counts.length > 0 && others > 0) statuses.push(texts.review.noStatus(others));
  return texts.review.will(file.rows, kinds, statuses.join(', '));
}

/** Summarises the choices for the action bar: `people.csv · 120 rows`. */
export function sumOf(name: string | null, file: SisFile | null): string {
  if (name === null) return '';
  return file === null ? name : `${name} · ${counted(file.rows, 'row', 'rows')}`;
}

/** Describes the removals: `Removes 5 people and 1 enrolment`; null for none, or while they are unknown. */
export function takesOf(file: SisFile | null, effect: SisEffect | null): string | null {
  if (file === null || file.import_id !== null || effect === null || allTaken(effect.brake) === 0)
    return null;
  return texts.review.takes(removalsOf(effect.brake));
}

/**
 * Explains why the file cannot be submitted at the moment; null otherwise.
 * @param file null while it has not passed the check
 * @param effect null while it is unknown
 * @param stopped whether upload, check or comparison ended without a result
 * @param typed the number in the confirmation field
 * @param allowed SIS IDs of courses that can be created
 */
export function whyBlocked(
  file: SisFile | null,
  effect: SisEffect | null,
  stopped: boolean,
  typed: number | null,
  allowed: readonly string[] = [],
): string | null {
  if (file === null) return stopped ? texts.review.notPassed : texts.review.notReady;
  if (file.import_id !== null) return texts.review.sentTitle;
  if (file.rows === 0) return texts.review.nothing;
  if (effect === null) return stopped ? texts.review.notCompared : texts.review.comparing;
  if (effect.refused > 0) return texts.review.refused(effect.refused);
  if (effect.new_courses.some(({ sis_course_id }) => !allowed.includes(sis_course_id)))
    return texts.review.newCourses.blocked;
  const { confirm } = effect.brake;
  return confirm !== null && typed !== confirm ? texts.review.confirmBlocked(confirm) : null;
}
