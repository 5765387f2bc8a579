import { useDeferredValue, useMemo } from 'react';
import { SearchTexts, searchRows, sortRows } from './table-rows.ts';
import type { Column, Sort } from './types.ts';

export interface ShownRows<Row> {
  /** What the search leaves, in order. */
  rows: readonly Row[];
  /** The query that `rows` belong to; behind what is typed for a moment. */
  query: string;
}

/**
 * The rows to show. Typing and rows that still arrive are deferred, so that the field answers at once; the rows are
 * sorted before they are searched, so that a keystroke costs one pass over texts that are ready.
 */
export function useTableRows<Row extends object>(
  all: readonly Row[],
  columns: readonly Column<Row>[],
  typed: string,
  wanted: Sort | null,
): ShownRows<Row> {
  const rows = useDeferredValue(all);
  const query = useDeferredValue(typed);
  const sort = useDeferredValue(wanted);
  const texts = useMemo(() => new SearchTexts(columns), [columns]);
  const sorted = useMemo(() => sortRows(rows, sort, columns), [rows, sort, columns]);
  const found = useMemo(() => searchRows(sorted, query, texts), [sorted, query, texts]);
  return { rows: found, query };
}
