/** The administrator's rows that have messages from the LMS, as the table shows them. Pure. */
import type { ImportRowMessage } from '@lms-admin/contract/imports';

export interface NumberedRow {
  /** Index in the list: several entries may have no known row. */
  key: number;
  file: string | null;
  row: number | null;
  /** Pairs of column and value, in the order of the file; null if the row is not known. */
  cells: readonly (readonly [column: string, value: string])[] | null;
  /** The non-empty cells in one line. */
  compact: string | null;
  /** All messages in one line. */
  text: string;
  messages: readonly string[];
  /** Whether the row is in the CSV of rows to correct. */
  toCorrect: boolean;
}

/** Returns the number of a row in its form: the CSV made from the form has a header, which counts as row 1. */
export const enteredRow = (row: number) => row - 1;

/** @param key index of the row in the whole list */
export function numberedRow(one: ImportRowMessage, key: number): NumberedRow {
  const cells =
    one.cells?.map((value, at): readonly [string, string] => [one.header?.[at] ?? '', value]) ?? null;
  const messages = [...one.messages, ...one.fates];
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
    text: [...new Set(messages)].join(' '),
    messages,
    toCorrect: one.to_correct && cells !== null,
  };
}

/** Lists the files with rows to correct, in order: null for an import of one file. */
export function filesToCorrect(rows: readonly NumberedRow[]): (string | null)[] {
  return [...new Set(rows.flatMap(({ file, toCorrect }) => (toCorrect ? [file] : [])))];
}
