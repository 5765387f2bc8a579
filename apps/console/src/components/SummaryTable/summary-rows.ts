/** The rows of a review: their order, and the values that all of them share. Pure. */
import { messages } from '@lms-admin/contract/messages';
import { joined } from '../Wizard/wizard-state.ts';

/** One line of a review: the changes in one course, or in one of its sections. */
export interface SummaryRow {
  key: string;
  /** Name of the row on its button; the course if omitted. */
  name?: string;
  course: string;
  /** Distinguishes rows with the same name; the secondary text if omitted. */
  id?: string;
  /** Secondary text below the name: Course ID, term, a remark. */
  detail: string;
  /** Names of sections; an empty list shows a dash (OP-47). */
  sections: readonly string[];
  role: string;
  action: string;
  count: number;
  /** Other figures, by column ID; null if a figure is not known. */
  figures: Readonly<Record<string, number | null>>;
}

/**
 * Finds the columns with the same value in every row, each as one sentence; sections are omitted if no row names one.
 */
export function sameInAll(rows: readonly SummaryRow[]): ReadonlyMap<string, string> {
  const { columns } = messages.enrollment;
  const same = new Map<string, string>();
  const [first] = rows;
  if (first === undefined) return same;
  if (rows.every(({ role }) => role === first.role)) same.set('role', `${columns.role}: ${first.role}`);
  if (rows.every(({ action }) => action === first.action))
    same.set('action', `${columns.action}: ${first.action}`);
  if (rows.every(({ sections }) => sections.length === 0)) same.set('section', '');
  return same;
}

/** Gives each row a unique name, because two sections of a course may have the same one. */
export function distinctNames(rows: readonly SummaryRow[]): readonly SummaryRow[] {
  const nameOf = ({ name, course }: SummaryRow) => name ?? course;
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(nameOf(row), (counts.get(nameOf(row)) ?? 0) + 1);
  if (counts.size === rows.length) return rows;
  return rows.map((row) => {
    const name = nameOf(row);
    return counts.get(name) === 1
      ? row
      : { ...row, name: `${name} (${joined(row.id ?? row.detail, row.role)})` };
  });
}

/** Places rows with changes first, and keeps the order otherwise. */
export function changesFirst(rows: readonly SummaryRow[]): readonly SummaryRow[] {
  return [...rows.filter(({ count }) => count > 0), ...rows.filter(({ count }) => count === 0)];
}
