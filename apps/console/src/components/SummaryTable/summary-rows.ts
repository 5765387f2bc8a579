/** The rows of a review: what is said once for all of them, and which come first. Pure. */
import { messages } from '@lms-admin/contract/messages';
import { joined } from '../Wizard/wizard-state.ts';

/** One line of a review: what happens in one course, or in one of its sections. */
export interface SummaryRow {
  key: string;
  /** What the row is called on its button; the course when left out. */
  name?: string;
  course: string;
  /** What tells it from another row of the same name; the quiet text when left out. */
  id?: string;
  /** Quiet text below the name: Course ID, term, a remark. */
  detail: string;
  /** Names of sections; none shows a dash (OP-47). */
  sections: readonly string[];
  role: string;
  action: string;
  count: number;
  /** Further figures, by the id of their column; null for one that is not known. */
  figures: Readonly<Record<string, number | null>>;
}

/** Columns that say the same in every row, with the words that say it once; none for sections that no row names. */
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

/** The rows, each with a name that no other one has: two sections of a course may be called the same. */
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

/** What changes something comes first; else the order stays. */
export function changesFirst(rows: readonly SummaryRow[]): readonly SummaryRow[] {
  return [...rows.filter(({ count }) => count > 0), ...rows.filter(({ count }) => count === 0)];
}
