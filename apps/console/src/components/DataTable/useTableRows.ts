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

/** What is in the fields below the heads, by column. */
export type Filters = Readonly<Record<string, string>>;

export interface ShownRows<Row> {
  /** What search and filters leave, in order; of nested rows those that belong to no other. */
  rows: readonly Row[];
  /** What was found among nested rows; null while nothing is looked for, or no row has others below it. */
  inTree: Found<Row> | null;
  /** How many rows match, and how many there are, those that belong to others included. */
  found: number;
  all: number;
  /** Entries of a list that was pasted into the search which no row contains. */
  missing: readonly string[];
  /** Whether something is looked for, and by which words; behind what is typed for a moment. */
  searching: boolean;
  query: string;
  /** The order that `rows` have. */
  sort: Sort | null;
}

/** Rows whose texts are worked out in one idle stretch: a few milliseconds. */
const WARM_ROWS = 2_000;

/** Works out the searched texts while no one types, so that the first keystroke is as quick as the others. */
function useWarmTexts<Row extends object>(rows: readonly Row[], texts: SearchTexts<Row>, search: boolean) {
  useEffect(() => {
    // Safari has no idle callback; there the first keystroke pays.
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
 * The rows to show. Typing and rows that still arrive are deferred, so that the field answers at once; the rows are
 * sorted before they are searched, so that a keystroke costs one pass over texts that are ready.
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
