/** Tables with nested rows: search matches, and the lines to show. Pure. */
import type { Matches } from './table-rows.ts';
import type { ChildRows, Key } from './types.ts';

/** Yields all rows, each before its nested rows. */
export function* everyRow<Row>(rows: readonly Row[], childRows: ChildRows<Row> | undefined): Generator<Row> {
  for (const row of rows) {
    yield row;
    if (childRows) yield* everyRow(childRows(row), childRows);
  }
}

/** The matches of a search or filter. */
export interface Found<Row> {
  own: ReadonlySet<Row>;
  /** Rows with a match somewhere below them. */
  above: ReadonlySet<Row>;
}

/** Searches rows and everything nested in them. */
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

/** A row with its position in the tree. */
export interface Line<Row> {
  row: Row;
  /** 0 for a top-level row. */
  level: number;
  /** How many nested rows of this row match. */
  count: number;
  /** Whether the nested rows are shown. */
  open: boolean;
  /** Index of the parent line; -1 for none. */
  parent: number;
}

export interface LinesOptions<Row, K extends Key> {
  rowKey: (row: Row) => K;
  childRows: ChildRows<Row>;
  /** Sorts the rows with the same parent. */
  order: (rows: readonly Row[]) => readonly Row[];
  /** Null without a search. */
  found: Found<Row> | null;
  /** Rows opened by hand or, during a search, closed by hand. */
  opened: ReadonlySet<K>;
  closed: ReadonlySet<K>;
  /** How many nested rows a row has, if not all of them are loaded. */
  childCount?: ((row: Row) => number) | undefined;
}

/**
 * Lists the lines of the matching rows, with the nested lines of opened rows. A matching row shows all its nested rows;
 * any other shows only those that lead to a match.
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
