/**
 * A table of the world in the form in which it is saved: the columns once, then the rows as lists of values.
 */

import { type Kept, PIECE } from '../../memory/kept.ts';
import type { Row } from './model.ts';
import type { Table } from './table.ts';

type Piece = { columns: string[]; rows: unknown[][] };

/** The only column that JSON cannot represent. */
const SET_COLUMN = 'stuck_sis_fields';

/** @param elsewhere columns stored in another way, with their values in a new row */
export function keptTable<T extends Row>(table: Table<T>, elsewhere?: () => Partial<T>): Kept {
  let columns: string[] | null = null;
  const left = new Set(Object.keys(elsewhere?.() ?? {}));

  return {
    follow: (changed) => table.onChange(({ id }) => changed(id)),

    *pack(keys) {
      let rows: unknown[][] = [];
      for (const key of keys) {
        const row = table.must(Number(key)) as unknown as Record<string, unknown>;
        columns ??= Object.keys(row).filter((column) => !left.has(column));
        rows.push(valuesOf(row, columns));
        if (rows.length < PIECE) continue;
        yield { columns, rows } satisfies Piece;
        rows = [];
      }
      if (columns && rows.length > 0) yield { columns, rows } satisfies Piece;
    },

    unpack(piece) {
      const { columns: names, rows } = piece as Piece;
      const rowOf = rowMaker(names);
      for (const values of rows) {
        const row = rowOf(values) as unknown as T;
        table.put(elsewhere && !table.get(row.id) ? { ...elsewhere(), ...row } : row);
      }
    },
  };
}

/** Collects values in a loop without a function per value, because an import writes millions of values. */
function valuesOf(row: Record<string, unknown>, columns: readonly string[]): unknown[] {
  const values: unknown[] = [];
  for (let at = 0; at < columns.length; at++) {
    const value = row[columns[at] as string];
    values.push(value instanceof Set ? [...value] : value);
  }
  return values;
}

/**
 * Creates rows of the same shape, in which equal successive values are shared, because there may be half a
 * million.
 */
function rowMaker(columns: readonly string[]): (values: readonly unknown[]) => Record<string, unknown> {
  const model: Record<string, unknown> = Object.fromEntries(columns.map((column) => [column, null]));
  const last: unknown[] = columns.map(() => undefined);
  const sets = columns.indexOf(SET_COLUMN);
  return (values) => {
    const row = { ...model };
    for (let at = 0; at < columns.length; at++) {
      const value = values[at];
      if (value !== last[at]) last[at] = value;
      row[columns[at] as string] = last[at];
    }
    const stuck = values[sets];
    if (stuck) row[SET_COLUMN] = new Set(stuck as string[]);
    return row;
  };
}
