/** What a table is given: columns as data, rows as they are. */
import type { ReactNode } from 'react';

/** Identifies a row for as long as the table lives. */
export type Key = string | number;

/** A value as it is compared and searched: numbers as numbers, null sorts last. */
export type CellValue = string | number | null;

export interface Column<Row> {
  id: string;
  /** Text of the head. */
  header: string;
  /** The cell as text or number: what is searched and sorted, and shown unless `cell` says otherwise. */
  value: (row: Row) => CellValue;
  /**
   * How the cell looks, where it is more than its value. Keep it cheap: it runs for every row on screen. `tabIndex` is for
   * a button in it: with a selection Tab stops at the buttons of one row only.
   */
  cell?: (row: Row, tabIndex: number) => ReactNode;
  /** `number`: on the right, tabular; `id`: equally wide letters and a copy button. */
  kind?: 'text' | 'number' | 'id';
  /** CSS width of the column, such as '20%' or '160px'; columns without one share the rest. */
  width?: string;
  /** Least width in px before the table scrolls sideways; 96 when left out. */
  minWidth?: number;
  /** Whether a long text goes on in a second line instead of being cut at the edge of its cell. */
  wrap?: boolean;
  /** False for a column that cannot be sorted (buttons). */
  sortable?: boolean;
  /** False for a column that the search passes over. */
  searchable?: boolean;
  /** A field below the head that leaves only some rows: by words in the cell, or by one of the values there are. */
  filter?: 'words' | 'choice';
}

export interface Selection<K extends Key = Key, Row = never> {
  selected: ReadonlySet<K>;
  onChange: (selected: ReadonlySet<K>) => void;
  /** Whether a row can be selected; all can when left out. Keep the function the same between renders. */
  selectable?: (row: Row) => boolean;
  /** Whether one row is all that can be selected: nothing then selects several at once. */
  single?: boolean;
}

/** The rows that belong to a row, in their order. */
export type ChildRows<Row> = (row: Row) => readonly Row[];

/** A load that goes on while its first rows are already shown. */
export interface LoadProgress {
  /** How many have come. */
  done: number;
  /** How many there will be, or null while that is not known. */
  total: number | null;
  /** What is counted, such as 'courses loaded' → '312 of 500 courses loaded'. */
  label: string;
}

export interface DataTableProps<Row, K extends Key = Key> {
  rows: readonly Row[];
  /** Keep the array the same between renders (a constant, or useMemo). */
  columns: readonly Column<Row>[];
  /** Keep the function the same between renders. */
  rowKey: (row: Row) => K;
  /** Name of the table for people who hear it, such as 'Courses'. */
  label: string;
  /** What a row is called on its checkbox; the value of the first column when left out. */
  rowLabel?: (row: Row) => string;
  /**
   * The rows that belong to a row, shown below it once it is opened; none for a row without. A search or filter opens the
   * rows above what it finds. Keep the function, and what it answers, the same between renders.
   */
  childRows?: ChildRows<Row>;
  /** How many rows belong to a row, where not all of them have come. Keep the function the same between renders. */
  childCount?: (row: Row) => number;
  /** Rows that are open at first. */
  defaultOpen?: ReadonlySet<K>;
  /** Told when someone opens a row: its rows may have to be fetched. */
  onOpen?: (key: K) => void;
  search?: boolean;
  searchPlaceholder?: string;
  /** What is in the empty search field, where that is more than its name. */
  searchHint?: string;
  selection?: Selection<K, Row>;
  /** Rows per page to choose from; left out, all rows are in one scrolling region. */
  pageSizes?: readonly number[];
  defaultPageSize?: number;
  /** What is in place of rows when there are none: text or an `EmptyState`. */
  empty: ReactNode;
  /** Nothing has come yet: skeleton rows (after 0.3 s). */
  loading?: boolean;
  progress?: LoadProgress | null;
  /** Height of every row in px where more than a line or two is in it, such as a picture; 40 when left out. */
  rowHeight?: number;
  /** Greatest height of the scrolling region, in px or as CSS; left out, 10 rows and a bit when not paged. */
  height?: number | string;
  /** What the rows are counted as, such as '3 courses'; '3 rows' when left out. */
  counts?: (rows: number) => string;
  /** Whether a paged table scrolls with the page, not in a region of its own, where the window is wide enough for it. */
  flows?: boolean;
  /** A last line below the rows, always in view: what is in each column, by its id; the first says what it sums up. */
  totals?: Readonly<Record<string, string | number>>;
  /** Buttons beside the search field. */
  actions?: ReactNode;
  /** Column sorted at first; order of `rows` when left out. */
  defaultSort?: Sort;
}

export interface Sort {
  column: string;
  descending: boolean;
}
