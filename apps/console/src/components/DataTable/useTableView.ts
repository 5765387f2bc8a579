import { useMemo, useState } from 'react';
import type { Line } from './row-tree.ts';
import { nextSort, type PageOfRows, pageOf } from './table-rows.ts';
import type { DataTableProps, Key, Sort } from './types.ts';
import { useLines } from './useLines.ts';
import { type Filters, type ShownRows, useTableRows } from './useTableRows.ts';

export const NO_FILTERS: Filters = {};

/** The current view of a table, and the functions that change it. */
export interface TableView<Row, K extends Key> {
  /** The texts in the search and in the filter fields below the heads. */
  query: string;
  filters: Filters;
  /** Whether a filter is set. */
  filtering: boolean;
  search: (query: string, filters: Filters) => void;
  sort: Sort | null;
  sortBy: (column: string) => void;
  /** The rows that match search and filters, in order. */
  shown: ShownRows<Row>;
  /** Nothing can be shown yet, so there is nothing to count. */
  waiting: boolean;
  page: PageOfRows;
  turnTo: (page: number) => void;
  /** Rows per page; null if there is only one page. */
  size: number | null;
  resize: (size: number) => void;
  /** The lines of the page in a table with nested rows; otherwise null, and every row is a line. */
  lines: readonly Line<Row>[] | null;
  toggle: (key: K, open: boolean) => void;
  /** The scrolling element. */
  region: HTMLDivElement | null;
  setRegion: (region: HTMLDivElement | null) => void;
}

/** Manages the search, filters, order, page and opened rows of a table; a new search begins at the top. */
export function useTableView<Row extends object, K extends Key>(
  props: DataTableProps<Row, K>,
): TableView<Row, K> {
  const { rows, columns, childRows, search = false, pageSizes, loading = false } = props;
  const [query, setQuery] = useState('');
  const [filters, setFilters] = useState(NO_FILTERS);
  const [sort, setSort] = useState<Sort | null>(props.defaultSort ?? null);
  const [wantedPage, setWantedPage] = useState(0);
  const [size, setSize] = useState<number | null>(props.defaultPageSize ?? pageSizes?.[0] ?? null);
  // Not a ref: a child computes the visible rows, and its effects run before a ref of its parent is set.
  const [region, setRegion] = useState<HTMLDivElement | null>(null);

  const shown = useTableRows({ rows, columns, childRows, query, filters, sort, search });
  const page = pageOf(shown.rows.length, wantedPage, size);
  const onPage = useMemo(
    () => (childRows ? shown.rows.slice(page.start, page.end) : shown.rows),
    [shown.rows, childRows, page.start, page.end],
  );
  const { lines, toggle, reset } = useLines(onPage, shown, props);

  function turnTo(next: number) {
    setWantedPage(next);
    region?.scrollTo({ top: 0 });
  }

  return {
    query,
    filters,
    filtering: Object.values(filters).some((filter) => filter !== ''),
    search(nextQuery, nextFilters) {
      setQuery(nextQuery);
      setFilters(nextFilters);
      reset();
      turnTo(0);
    },
    sort,
    sortBy(column) {
      setSort(nextSort(sort, column));
      turnTo(0);
    },
    shown,
    // Rows that have arrived are rendered a moment later; until then the table is waiting, not empty.
    waiting: rows.length === 0 ? loading : shown.rows.length === 0 && !shown.searching,
    page,
    turnTo,
    size,
    resize(next) {
      setSize(next);
      turnTo(0);
    },
    lines,
    toggle,
    region,
    setRegion,
  };
}
