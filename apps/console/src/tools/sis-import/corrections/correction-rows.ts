/** The rows that the screen shows while they are corrected. Pure. */
import type { DraftRow, SisDraft } from '@lms-admin/contract/sis-drafts';
import type { SisTable } from '@lms-admin/domain/sis-tables';

/** A row on the screen; one that is corrected stays where it is until others are asked for. */
export interface ShownRow extends DraftRow {
  /** Whether nothing is wrong with it, as of a row that has been corrected. */
  right: boolean;
}

export interface CellEdit {
  row: number;
  column: number;
  value: string;
}

/** Rows as the server lists them. */
export function fresh(rows: readonly DraftRow[]): ShownRow[] {
  return rows.map((one) => ({ ...one, right: one.problems.length === 0 }));
}

/** What the server lists after a correction of cells: rows keep their places, and what is right now is shown as such. */
export function merged(
  before: readonly ShownRow[],
  after: readonly DraftRow[],
  columns: SisDraft['columns'],
): ShownRow[] {
  const now = new Map(fresh(after).map((one) => [one.row, one]));
  // Cells that were corrected can be corrected again.
  const kept = before.map(
    (one): ShownRow =>
      now.get(one.row) ?? { ...one, problems: [], right: true, corrected: openColumns(one, columns) },
  );
  const there = new Set(before.map(({ row }) => row));
  return [...kept, ...[...now.values()].filter(({ row }) => !there.has(row))];
}

/** The rows with what was typed. */
export function edited(rows: readonly ShownRow[], edits: readonly CellEdit[]): ShownRow[] {
  return rows.map((one) => {
    const own = edits.filter(({ row }) => row === one.row);
    if (own.length === 0) return one;
    const cells = [...one.cells];
    for (const { column, value } of own) cells[column] = value;
    return { ...one, cells };
  });
}

/** The columns of a row that can be corrected: those with a problem, all where the row as a whole has one, and those that were corrected. */
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

/** What of a pasted text goes nowhere: columns beside the first with something in them, and lines for which there is no cell. */
export function leftOfPaste(text: string, taken: number): { columns: number; lines: number } {
  const lines = linesOf(text);
  const last = (line: string) =>
    line.split('\t').reduce((most, cell, at) => (cell.trim() === '' ? most : at), 0);
  const columns = lines.reduce((most, line) => Math.max(most, last(line)), 0);
  return { columns, lines: lines.slice(taken).filter((line) => line.trim() !== '').length };
}

/** What a pasted text puts into the open cells of a column, from a row on; null for a text that is one cell. */
export function pastedEdits(
  text: string,
  rows: readonly ShownRow[],
  columns: SisDraft['columns'],
  from: { row: number; column: number },
): CellEdit[] | null {
  const lines = linesOf(text);
  if (lines.length < 2) return null;
  const start = rows.findIndex(({ row }) => row === from.row);
  // What is right already is only replaced where the paste begins with it.
  const all = rows[start]?.right ?? false;
  const open = rows
    .slice(start)
    .filter((one) => (all || !one.right) && openColumns(one, columns).includes(from.column));
  return lines.slice(0, open.length).flatMap((line, at): CellEdit[] => {
    const row = open[at]?.row;
    return row === undefined ? [] : [{ row, column: from.column, value: line.split('\t')[0]?.trim() ?? '' }];
  });
}

/** Where a key goes to from a marked cell: the next one of its column, else of any; null at the end. */
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

/** Whether each row has to fill in a column: no other column of the file can take its place. */
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

/** What a column is called on the screen. */
export function columnName({ name, header }: SisDraft['columns'][number]): string | null {
  return name || header || null;
}
