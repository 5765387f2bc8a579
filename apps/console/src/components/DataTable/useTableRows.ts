import { useDeferredValue, useEffect, useMemo } from 'react';
import { SearchTexts, searchRows, sortRows } from './table-rows.ts';
import type { Column, Sort } from './types.ts';

export interface ShownRows<Row> {
  /** What the search leaves, in order. */
  rows: readonly Row[];
  /** The query that `rows` belong to; behind what is typed for a moment. */
  query: string;
}

/** Rows whose texts are worked out in one idle stretch: a few milliseconds. */
const WARM_ROWS = 2_000;

/** Works out the searched texts while nobody types, so that the first keystroke is as quick as the others. */
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

/**
 * The rows to show. Typing and rows that still arrive are deferred, so that the field answers at once; the rows are
 * sorted before they are searched, so that a keystroke costs one pass over texts that are ready.
 */
export function useTableRows<Row extends object>(
  all: readonly Row[],
  columns: readonly Column<Row>[],
  typed: string,
  wanted: Sort | null,
  search: boolean,
): ShownRows<Row> {
  const rows = useDeferredValue(all);
  const query = useDeferredValue(typed);
  const sort = useDeferredValue(wanted);
  const texts = useMemo(() => new SearchTexts(columns), [columns]);
  useWarmTexts(rows, texts, search);
  const sorted = useMemo(() => sortRows(rows, sort, columns), [rows, sort, columns]);
  const found = useMemo(() => searchRows(sorted, query, texts), [sorted, query, texts]);
  return { rows: found, query };
}
