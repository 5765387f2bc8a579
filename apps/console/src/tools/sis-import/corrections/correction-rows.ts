/** The displayed rows during corrections. Pure. */
import type { DraftRow, SisDraft } from '@lms-admin/contract/sis-drafts';
import type { SisTable } from '@lms-admin/domain/sis-tables';

/** A displayed row; a corrected one keeps its position until other rows are requested. */
export interface ShownRow extends DraftRow {
  /** Whether the row has no problem, as after a correction. */
  right: boolean;
}

export interface CellEdit {
  row: number;
  column: number;
  value: string;
}

/** Returns the rows as the server lists them. */
export function fresh(rows: readonly DraftRow[]): ShownRow[] {
  return rows.map((one) => ({ ...one, right: one.problems.length === 0 }));
}

/** Merges the server's rows after a correction: rows keep their positions, those without problems are marked. */
export function merged(
  before: readonly ShownRow[],
  after: readonly DraftRow[],
  columns: SisDraft['columns'],
): ShownRow[] {
  const now = new Map(fresh(after).map((one) => [one.row, one]));
  // Corrected cells can be corrected again.
  const kept = before.map(
    (one): ShownRow =>
      now.get(one.row) ?? { ...one, problems: [], right: true, corrected: openColumns(one, columns) },
  );
  const there = new Set(before.map(({ row }) => row));
  return [...kept, ...[...now.values()].filter(({ row }) => !there.has(row))];
}

/** Returns the rows with the typed values. */
export function edited(rows: readonly ShownRow[], edits: readonly CellEdit[]): ShownRow[] {
  return rows.map((one) => {
    const own = edits.filter(({ row }) => row === one.row);
    if (own.length === 0) return one;
    const cells = [...one.cells];
    for (const { column, value } of own) cells[column] = value;
    return { ...one, cells };
  });
}

/**
 * Lists the columns of a row that can be corrected: those with a problem, all if the row as a whole has one, and those
 * already corrected.
 */
export function openColumns(
  { problems, corrected, cells }: DraftRow,
  columns: SisDraft['columns'],
): number[] {
  const whole = problems.some(({ column }) => column === null);
  const marked = new Set([...problems.map(({ column }) => column), ...corrected]);
  return cells.flatMap((_, at) =>
    columns[at] && !columns[at].secret && (whole || marked.has(at)) ? [at] : [],
  );
}

function linesOf(text: string): string[] {
  return text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n');
}

/** Returns the unused part of a paste: filled columns after the first, and lines without a cell. */
export function leftOfPaste(text: string, taken: number): { columns: number; lines: number } {
  const lines = linesOf(text);
  const last = (line: string) =>
    line.split('\t').reduce((most, cell, at) => (cell.trim() === '' ? most : at), 0);
  const columns = lines.reduce((most, line) => Math.max(most, last(line)), 0);
  return { columns, lines: lines.slice(taken).filter((line) => line.trim() !== '').length };
}

/** Lists the edits that pasted text makes in the open cells of a column; null for the text of a single cell. */
export function pastedEdits(
  text: string,
  rows: readonly ShownRow[],
  columns: SisDraft['columns'],
  from: { row: number; column: number },
): CellEdit[] | null {
  const lines = linesOf(text);
  if (lines.length < 2) return null;
  const start = rows.findIndex(({ row }) => row === from.row);
  // Correct cells are replaced only if the paste begins with one.
  const all = rows[start]?.right ?? false;
  const open = rows
    .slice(start)
    .filter((one) => (all || !one.right) && openColumns(one, columns).includes(from.column));
  return lines.slice(0, open.length).flatMap((line, at): CellEdit[] => {
    const row = open[at]?.row;
    return row === undefined ? [] : [{ row, column: from.column, value: line.split('\t')[0]?.trim() ?? '' }];
  });
}

/** Finds the target of a key in a marked cell: the next one in its column, or else in any; null at the end. */
export function neighbour(
  rows: readonly ShownRow[],
  columns: SisDraft['columns'],
  from: { row: number; column: number },
  step: 1 | -1,
): { row: number; column: number } | null {
  const at = rows.findIndex(({ row }) => row === from.row);
  for (let next = at + step; next >= 0 && next < rows.length; next += step) {
    const one = rows[next];
    if (one && openColumns(one, columns).includes(from.column)) return { row: one.row, column: from.column };
  }
  for (let next = at + step; next >= 0 && next < rows.length; next += step) {
    const [column] = rows[next] ? openColumns(rows[next] as ShownRow, columns) : [];
    if (column !== undefined) return { row: (rows[next] as ShownRow).row, column };
  }
  return null;
}

/** Tells whether every row needs a value in a column: no other column of the file can replace it. */
export function isNeeded({ rows }: SisTable, name: string, columns: SisDraft['columns']): boolean {
  const has = (other: string) => columns.some((one) => one.name === other);
  if (name === 'status') return rows.states.length > 0 && rows.stateMayLack !== true;
  return rows.needs.some(
    ({ oneOf, unless, toDelete }) =>
      oneOf.includes(name) &&
      toDelete !== false &&
      (unless === undefined || !has(unless)) &&
      !oneOf.some((other) => other !== name && has(other)),
  );
}

/** Returns the displayed name of a column. */
export function columnName({ name, header }: SisDraft['columns'][number]): string | null {
  return name || header || null;
}
