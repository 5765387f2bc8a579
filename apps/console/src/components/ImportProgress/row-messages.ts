/** The admin's own rows that the LMS said something about, as the table shows them. Pure. */
import type { ImportRowMessage } from '@lms-admin/contract/imports';

export interface NumberedRow {
  /** Place in the list: of a row that is not known there may be several. */
  key: number;
  file: string | null;
  row: number | null;
  /** Pairs of column and value, in the order of the file; null where the row is not known. */
  cells: readonly (readonly [column: string, value: string])[] | null;
  /** The cells that hold something, in one line. */
  compact: string | null;
  /** Everything that was said, in one line. */
  said: string;
  messages: readonly string[];
}

/** The number in its form of a row that was entered there: the CSV made of them has a header above, which counts as row 1. */
export const enteredRow = (row: number) => row - 1;

/** @param key place of the row in the whole list */
export function numberedRow(one: ImportRowMessage, key: number): NumberedRow {
  const cells =
    one.cells?.map((value, at): readonly [string, string] => [one.header?.[at] ?? '', value]) ?? null;
  return {
    key,
    file: one.file,
    row: one.row,
    cells,
    compact:
      cells
        ?.filter(([, value]) => value !== '')
        .map(([name, value]) => (name === '' ? value : `${name}: ${value}`))
        .join(' · ') ?? null,
    said: [...new Set(one.messages)].join(' '),
    messages: one.messages,
  };
}

/** Names of the files that have rows in the list, in their order; empty for an import of one file. */
export function filesOf(rows: readonly NumberedRow[]): string[] {
  return [...new Set(rows.flatMap(({ file, cells }) => (file === null || cells === null ? [] : [file])))];
}
