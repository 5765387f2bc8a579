/** Props of a table: columns as data, rows unchanged. */
import type { ReactNode } from 'react';

/** Identifies a row for the lifetime of the table. */
export type Key = string | number;

/** A value for comparing and searching: numbers as numbers; null sorts last. */
export type CellValue = string | number | null;

export interface Column<Row> {
  id: string;
  /** Text of the head. */
  header: string;
  /** The cell as text or number, for search and sorting, and for display unless `cell` is given. */
  value: (row: Row) => CellValue;
  /**
   * Renders the cell if it shows more than its value. Keep it cheap: it runs for every row on screen. `tabIndex` is
   * for a button inside: with a selection, Tab stops only at the buttons of one row.
   */
  cell?: (row: Row, tabIndex: number) => ReactNode;
  /** `number`: right-aligned, tabular figures; `id`: monospaced, with a copy button. */
  kind?: 'text' | 'number' | 'id';
  /** CSS width of the column, such as '20%' or '160px'; columns without one share the rest. */
  width?: string;
  /** Minimum width in px before the table scrolls sideways; 96 if omitted. */
  minWidth?: number;
  /** Whether a long text continues in a second line instead of being cut off at the edge of its cell. */
  wrap?: boolean;
  /** False for a column that cannot be sorted (buttons). */
  sortable?: boolean;
  /** False for a column that the search ignores. */
  searchable?: boolean;
  /** Filter field below the head: by words in the cell, or by one of its values. */
  filter?: 'words' | 'choice';
}

export interface Selection<K extends Key = Key, Row = never> {
  selected: ReadonlySet<K>;
  onChange: (selected: ReadonlySet<K>) => void;
  /** Whether a row can be selected; every row if omitted. Keep the function's identity between renders. */
  selectable?: (row: Row) => boolean;
  /** Whether only one row can be selected: selecting several at once is then disabled. */
  single?: boolean;
}

/** The nested rows of a row, in order. */
export type ChildRows<Row> = (row: Row) => readonly Row[];

/** A load that continues while its first rows are already shown. */
export interface LoadProgress {
  /** How many have arrived. */
  done: number;
  /** The total number, or null while it is not known. */
  total: number | null;
  /** The unit, such as 'courses loaded' → '312 of 500 courses loaded'. */
  label: string;
}

export interface DataTableProps<Row, K extends Key = Key> {
  rows: readonly Row[];
  /** Keep the array's identity between renders (a constant, or useMemo). */
  columns: readonly Column<Row>[];
  /** Keep the function's identity between renders. */
  rowKey: (row: Row) => K;
  /** Name of the table for screen readers, such as 'Courses'. */
  label: string;
  /** Name of a row on its checkbox; the value of the first column if omitted. */
  rowLabel?: (row: Row) => string;
  /**
   * The nested rows of a row, shown below it once it is opened; an empty list if it has none. A search or filter opens
   * the rows above its matches. Keep the function and its results identical between renders.
   */
  childRows?: ChildRows<Row>;
  /** How many nested rows a row has, if not all of them are loaded. Keep the function's identity between renders. */
  childCount?: (row: Row) => number;
  /** Rows that are initially open. */
  defaultOpen?: ReadonlySet<K>;
  /** Called when a row is opened: its nested rows may have to be loaded. */
  onOpen?: (key: K) => void;
  search?: boolean;
  searchPlaceholder?: string;
  /** Placeholder of the empty search field, if it differs from its label. */
  searchHint?: string;
  selection?: Selection<K, Row>;
  /** Rows per page to choose from; if omitted, all rows are in one scrolling region. */
  pageSizes?: readonly number[];
  defaultPageSize?: number;
  /** Content shown in place of rows if the table has none: text or an `EmptyState`. */
  empty: ReactNode;
  /** Nothing has arrived yet: skeleton rows (after 0.3 s). */
  loading?: boolean;
  progress?: LoadProgress | null;
  /** Height of every row in px if it holds more than a line or two, such as a picture; 40 if omitted. */
  rowHeight?: number;
  /** Maximum height of the scrolling region, in px or as CSS; if omitted, about 10 rows when not paged. */
  height?: number | string;
  /** Text for the number of rows, such as '3 courses'; '3 rows' if omitted. */
  counts?: (rows: number) => string;
  /** Whether a paged table scrolls with the page instead of in its own region, if the window is wide enough. */
  flows?: boolean;
  /** A last line below the rows, always visible: the text of each column by its ID; the first says what is added up. */
  totals?: Readonly<Record<string, string | number>>;
  /** Buttons beside the search field. */
  actions?: ReactNode;
  /** Initially sorted column; the order of `rows` if omitted. */
  defaultSort?: Sort;
}

export interface Sort {
  column: string;
  descending: boolean;
}
