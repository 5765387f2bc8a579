/** Correction of a file of group members in place: grouped problems, and the corrected file. Pure. */
import { csvLine } from './csv.ts';
import { CsvReader } from './csv-reader.ts';
import type { MemberColumn, MemberRow } from './group-members.ts';
import { sisHeader } from './sis-rows.ts';

/** Rows rejected for the same reason. */
export interface MemberProblem {
  column: MemberColumn;
  /** Contents of the cell; empty for a status, because a row only ever has one of the valid ones. */
  value: string;
  why: string;
  rows: number[];
}

type Refused = Pick<MemberRow, 'row' | 'fate' | 'column' | 'why' | 'user_id' | 'group_id' | 'status'>;

/** Returns the problems of cells with their rows, most rows first. */
export function memberProblems(members: readonly Refused[]): MemberProblem[] {
  const problems = new Map<string, MemberProblem>();
  for (const member of members) {
    const { row, fate, column, why } = member;
    if (fate !== 'refused' || column === null || why === null) continue;
    const value = column === 'status' ? '' : member[column];
    const key = JSON.stringify([column, value, why]);
    const known = problems.get(key);
    if (known) known.rows.push(row);
    else problems.set(key, { column, value, why, rows: [row] });
  }
  return [...problems.values()].sort((a, b) => b.rows.length - a.rows.length);
}

/**
 * Changes a cell in some rows of the file, or removes these rows: empty rows then replace them, so that the other rows
 * keep their numbers. Always separated by commas.
 * @param value null skips the rows
 * @returns null if the file cannot be read
 */
export function correctedMembers(
  text: string,
  { column, rows }: Pick<MemberProblem, 'column' | 'rows'>,
  value: string | null,
): string | null {
  const reader = new CsvReader(null);
  const read = [...reader.add(text), ...reader.end()];
  const [header] = read;
  if (reader.failure !== null || header === undefined) return null;
  const at = sisHeader(header.cells).indexOf(column);
  if (at === -1) return null;
  const wanted = new Set(rows);
  const lines: string[] = [];
  for (const { row, cells } of read) {
    while (lines.length < row - 1) lines.push('');
    const corrects = wanted.has(row) && row !== header.row;
    if (corrects && value === null) lines.push('');
    else
      lines.push(
        csvLine(corrects ? cells.map((cell, place) => (place === at ? (value ?? '') : cell)) : cells),
      );
  }
  return lines.join('\n');
}
