/** Tables whose rows have rows of their own: what is found in them, and which lines are shown. Pure. */
import type { Matches } from './table-rows.ts';
import type { ChildRows, Key } from './types.ts';

/** All rows, each before those that belong to it. */
export function* everyRow<Row>(rows: readonly Row[], childRows: ChildRows<Row> | undefined): Generator<Row> {
  for (const row of rows) {
    yield row;
    if (childRows) yield* everyRow(childRows(row), childRows);
  }
}

/** What a search or filter has found. */
export interface Found<Row> {
  own: ReadonlySet<Row>;
  /** Rows that have a row below them that was found. */
  above: ReadonlySet<Row>;
}

/** Looks through rows and all that belong to them. */
export function findInTree<Row>(
  rows: readonly Row[],
  childRows: ChildRows<Row>,
  matches: Matches<Row>,
): Found<Row> {
  const own = new Set<Row>();
  const above = new Set<Row>();
  const visit = (row: Row): boolean => {
    let below = false;
    for (const child of childRows(row)) below = visit(child) || below;
    if (below) above.add(row);
    if (matches(row)) own.add(row);
    return below || own.has(row);
  };
  for (const row of rows) visit(row);
  return { own, above };
}

/** A row as it is shown in its place. */
export interface Line<Row> {
  row: Row;
  /** 0 for a row that belongs to no other. */
  level: number;
  /** How many rows belong to it, of those that are left. */
  count: number;
  /** Whether these are shown. */
  open: boolean;
  /** Index of the line that it belongs to; -1 for none. */
  parent: number;
}

export interface LinesOptions<Row, K extends Key> {
  rowKey: (row: Row) => K;
  childRows: ChildRows<Row>;
  /** Puts rows that belong to one row in order. */
  order: (rows: readonly Row[]) => readonly Row[];
  /** Null while nothing is looked for. */
  found: Found<Row> | null;
  /** Rows that were opened by hand, and those that were closed by hand while something is looked for. */
  opened: ReadonlySet<K>;
  closed: ReadonlySet<K>;
  /** How many rows belong to a row, where not all of them are here. */
  childCount?: ((row: Row) => number) | undefined;
}

/**
 * The lines of the rows that are left, with those of opened rows below them. Below a row that was found stand all its rows,
 * below one that was not only those that lead to something.
 */
export function linesOf<Row, K extends Key>(
  rows: readonly Row[],
  options: LinesOptions<Row, K>,
): Line<Row>[] {
  const { rowKey, childRows, order, found, opened, closed, childCount } = options;
  const lines: Line<Row>[] = [];
  const add = (some: readonly Row[], level: number, parent: number) => {
    for (const row of some) {
      const all = childRows(row);
      const children =
        found === null || found.own.has(row)
          ? all
          : all.filter((child) => found.own.has(child) || found.above.has(child));
      const key = rowKey(row);
      const leads = found?.above.has(row) === true && !closed.has(key);
      const open = children.length > 0 && (leads || (opened.has(key) && !closed.has(key)));
      const count = found === null ? (childCount?.(row) ?? children.length) : children.length;
      const place = lines.push({ row, level, count, open, parent }) - 1;
      if (open) add(order(children), level + 1, place);
    }
  };
  add(rows, 0, -1);
  return lines;
}
