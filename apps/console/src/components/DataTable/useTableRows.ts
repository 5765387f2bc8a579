import { useDeferredValue, useEffect, useMemo } from 'react';
import { everyRow, type Found, findInTree } from './row-tree.ts';
import {
  matchesAll,
  matchesChoice,
  matchesWords,
  notFound,
  SearchTexts,
  searchRows,
  sortRows,
} from './table-rows.ts';
import type { ChildRows, Column, Sort } from './types.ts';

/** Values of the filter fields below the heads, by column. */
export type Filters = Readonly<Record<string, string>>;

export interface ShownRows<Row> {
  /** The rows that match search and filters, in order; of nested rows, only the top level. */
  rows: readonly Row[];
  /** The matches among nested rows; null without a search, or if no row has nested rows. */
  inTree: Found<Row> | null;
  /** How many rows match, and how many there are, nested rows included. */
  found: number;
  all: number;
  /** Entries of a list pasted into the search that no row contains. */
  missing: readonly string[];
  /** Whether a search is active, and its words; slightly delayed during typing. */
  searching: boolean;
  query: string;
  /** The current order of `rows`. */
  sort: Sort | null;
}

/** Rows whose texts are prepared in one idle period: a few milliseconds. */
const WARM_ROWS = 2_000;

/** Prepares the searched texts while nothing is being typed, so that the first keystroke is as fast as the others. */
function useWarmTexts<Row extends object>(rows: readonly Row[], texts: SearchTexts<Row>, search: boolean) {
  useEffect(() => {
    // Safari has no idle callback, so its first keystroke is slower.
    if (!search || !('requestIdleCallback' in window)) return undefined;
    let next = 0;
    let handle = 0;
    function warm() {
      const end = Math.min(rows.length, next + WARM_ROWS);
      for (const row of rows.slice(next, end)) texts.of(row);
      next = end;
      if (next < rows.length) handle = requestIdleCallback(warm);
    }
    handle = requestIdleCallback(warm);
    return () => cancelIdleCallback(handle);
  }, [rows, texts, search]);
}

export interface TableRowsOptions<Row> {
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  childRows: ChildRows<Row> | undefined;
  query: string;
  filters: Filters;
  sort: Sort | null;
  search: boolean;
}

/**
 * Selects the rows to show. Typing and newly arriving rows are deferred, so that the field responds immediately; the
 * rows are sorted before they are searched, so that a keystroke costs one pass over prepared texts.
 */
export function useTableRows<Row extends object>(wanted: TableRowsOptions<Row>): ShownRows<Row> {
  const { columns, childRows, search } = wanted;
  const rows = useDeferredValue(wanted.rows);
  const query = useDeferredValue(wanted.query);
  const filters = useDeferredValue(wanted.filters);
  const sort = useDeferredValue(wanted.sort);
  const texts = useMemo(() => new SearchTexts(columns), [columns]);
  const cells = useMemo(
    () => new Map(columns.map((column) => [column.id, new SearchTexts([{ ...column, searchable: true }])])),
    [columns],
  );
  useWarmTexts(rows, texts, search);
  const sorted = useMemo(() => sortRows(rows, sort, columns), [rows, sort, columns]);
  const matches = useMemo(
    () =>
      matchesAll([
        matchesWords(query, texts),
        ...columns.map((column) => {
          const filter = filters[column.id] ?? '';
          const text = cells.get(column.id);
          if (column.filter === undefined || filter === '' || !text) return null;
          return column.filter === 'choice' ? matchesChoice(column, filter) : matchesWords(filter, text);
        }),
      ]),
    [query, texts, filters, columns, cells],
  );
  const inTree = useMemo(
    () => (matches && childRows ? findInTree(sorted, childRows, matches) : null),
    [sorted, childRows, matches],
  );
  const filtered = Object.values(filters).some((filter) => filter !== '');
  const left = useMemo(() => {
    if (!matches) return sorted;
    if (!filtered && !inTree) return searchRows(sorted, query, texts);
    return sorted.filter(inTree ? (row) => inTree.own.has(row) || inTree.above.has(row) : matches);
  }, [sorted, matches, inTree, filtered, query, texts]);
  const all = useMemo(
    () => (childRows ? [...everyRow(rows, childRows)].length : rows.length),
    [rows, childRows],
  );
  const missing = useMemo(
    () => notFound(childRows ? [...everyRow(sorted, childRows)] : sorted, query, texts),
    [sorted, childRows, query, texts],
  );
  return {
    rows: left,
    inTree,
    found: matches === null ? all : (inTree?.own.size ?? left.length),
    all,
    missing,
    searching: matches !== null,
    query,
    sort,
  };
}
