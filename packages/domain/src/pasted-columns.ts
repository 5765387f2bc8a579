/** Columns of pasted rows other than person and group: the status, and unsent ones, which are always named. Pure. */
import type { CsvRow } from './csv-reader.ts';
import type { CourseIndex } from './group-course.ts';
import { shown } from './sis-rows.ts';

/** Positions of person and group. */
export interface Places {
  person: number;
  group: number;
}

export interface PastedColumns extends Places {
  /** -1 if there is none: everyone is added. */
  status: number;
}

/** Tells whether a cell is a valid word for a status. */
export const isStatus = (cell: string) => /^(accepted|deleted)$/i.test(cell);
/**
 * Tells whether a cell is another word with the same meaning as a status: a column with them counts as the status, and
 * each of them is rejected.
 */
const isLikeStatus = (cell: string) =>
  /^(accept|add|added|delete|drop|dropped|remove|removed|removal)$/i.test(cell);

export const isAddress = (cell: string) => cell.includes('@');
export const isPerson = (cell: string, index: CourseIndex) =>
  index.peopleCalled(cell).length > 0 && cell !== '';
export const isGroup = (cell: string, index: CourseIndex) =>
  cell !== '' && groupsCalled(cell, index).length > 0;

function groupsCalled(cell: string, index: CourseIndex): number[] {
  const bySis = index.groupWithId(cell);
  return [...(bySis ? [bySis] : []), ...index.groupsNamed(cell)].map(({ id }) => id);
}

/**
 * Returns the column that adds or removes people: the one with this name, or with such a value in a cell; -1 for
 * none.
 */
export function statusColumn(
  header: readonly string[] | null,
  body: readonly CsvRow[],
  places: Places,
): number {
  const named = (header ?? []).findIndex((name) => name.trim().toLowerCase() === 'status');
  if (named !== -1) return named;
  const others = otherColumns(body, places);
  const holding = (fits: (cell: string) => boolean) =>
    others.find((at) => body.some(({ cells }) => fits(cells[at] ?? '')));
  return holding(isStatus) ?? holding(isLikeStatus) ?? -1;
}

/** Returns why a row is rejected for its other columns: another person or group, or a second status; null for nothing. */
export function foreignCells(
  cells: readonly string[],
  header: readonly string[] | null,
  columns: PastedColumns,
  index: CourseIndex,
): string | null {
  const person = cells[columns.person] ?? '';
  const people = index.peopleCalled(person);
  const groups = groupsCalled(cells[columns.group] ?? '', index);
  for (const [at, cell] of cells.entries()) {
    if (cell === '' || at === columns.person || at === columns.group || at === columns.status) continue;
    const where = `Column ${at + 1} contains ${shown(cell)}`;
    if (isStatus(cell))
      return `${where}, and another column already gives the status. Keep one column with the status.`;
    const called = index.peopleCalled(cell);
    if (called.length > 0 && !called.some((one) => people.includes(one)))
      return `${where}, which is a different person from ${shown(person)}. Put each person in a separate row.`;
    // A named column can contain a second address of the same person, or last year's group; its name is shown.
    if (header !== null || called.length > 0) continue;
    if (isAddress(cell) && cell.toLowerCase() !== person.toLowerCase())
      return `${where}, which may be another person. Put each person in a separate row.`;
    const meant = groupsCalled(cell, index);
    if (meant.length > 0 && !meant.some((one) => groups.includes(one)))
      return `${where}, which is another group. Put each person and group in a separate row.`;
  }
  return null;
}

/** Returns the columns with contents that are not sent. */
export function unsentColumns(
  header: readonly string[] | null,
  body: readonly CsvRow[],
  columns: PastedColumns,
): string[] {
  return otherColumns(body, columns).flatMap((at) => {
    const example = at === columns.status ? undefined : body.find(({ cells }) => cells[at])?.cells[at];
    if (example === undefined) return [];
    return [header?.[at] || `column ${at + 1} (${shown(example)})`];
  });
}

function otherColumns(body: readonly CsvRow[], { person, group }: Places): number[] {
  const width = body.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  return Array.from({ length: width }, (_, at) => at).filter((at) => at !== person && at !== group);
}
