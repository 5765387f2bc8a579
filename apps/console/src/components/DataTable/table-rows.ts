/**
 * The rows that a table shows: searched, sorted, paged and selected. Pure functions, fast enough for 50,000 rows at
 * every keystroke: texts and sort keys are computed once for each row, and a search never sorts again.
 */
import type { CellValue, Column, Key, Sort } from './types.ts';

const MARKS = /\p{M}+/gu;
// Texts of only ASCII characters, as most are, skip the slow part.
// oxlint-disable-next-line no-control-regex
const ASCII = /^[\u0000-\u007f]*$/;

/** Simplifies a text for comparisons: lower case, without accents, so that 'zoe' finds 'Zoë'. */
export function plain(text: string): string {
  const lower = text.toLowerCase();
  return ASCII.test(lower) ? lower : lower.normalize('NFD').replace(MARKS, '');
}

/** The searched text of each row, kept for as long as the row exists. Rows are objects that do not change. */
export class SearchTexts<Row extends object> {
  readonly #texts = new WeakMap<Row, string>();
  readonly #columns: readonly Column<Row>[];

  constructor(columns: readonly Column<Row>[]) {
    this.#columns = columns.filter((column) => column.searchable !== false);
  }

  /** Returns the text of a row; cells are separated by a line break, which no query contains. */
  of(row: Row): string {
    const known = this.#texts.get(row);
    if (known !== undefined) return known;
    const text = plain(this.#columns.map((column) => column.value(row) ?? '').join('\n'));
    this.#texts.set(row, text);
    return text;
  }
}

/** The texts of rows, in their order. */
const aligned = new WeakMap<readonly object[], { texts: SearchTexts<never>; all: readonly string[] }>();

/** Separates the entries of a list that was pasted into a search: a row matches if it contains any of them. */
const BETWEEN = '|';

/**
 * Builds the query for cells copied from a spreadsheet: an entry for each line, or each cell of one line; null for one
 * cell.
 */
export function queryOfList(pasted: string): string | null {
  const lines = pasted.trim().split(/[\r\n]+/);
  const parts = lines.length > 1 ? lines.map((line) => line.replaceAll('\t', ' ')) : pasted.split('\t');
  const entries = [...new Set(parts.map((entry) => entry.trim()))].filter(Boolean);
  return entries.length > 1 ? entries.join(` ${BETWEEN} `) : null;
}

const entriesOf = (query: string) =>
  query
    .split(BETWEEN)
    .map((entry) => entry.trim())
    .filter(Boolean);

/** Finds the entries of a list that no row contains; none for a query that is not a list. */
export function notFound<Row extends object>(
  rows: readonly Row[],
  query: string,
  texts: SearchTexts<Row>,
): string[] {
  const entries = entriesOf(query);
  return entries.length < 2 ? [] : entries.filter((entry) => !rows.some(matchesEvery(entry, texts)));
}

/**
 * Finds the rows that contain every word of the query, or of one entry of a list, in the same order: one pass over
 * prepared texts.
 */
export function searchRows<Row extends object>(
  rows: readonly Row[],
  query: string,
  texts: SearchTexts<Row>,
): readonly Row[] {
  if (query.includes(BETWEEN)) {
    const matches = matchesWords(query, texts);
    return matches === null ? rows : rows.filter(matches);
  }
  const words = wordsOf(query);
  let known = aligned.get(rows);
  if (known?.texts !== texts) {
    known = { texts, all: rows.map((row) => texts.of(row)) };
    aligned.set(rows, known);
  }
  let left = rows;
  let all = known.all;
  for (const word of words) {
    const places: number[] = [];
    for (let place = 0; place < all.length; place++) if (all[place]?.includes(word)) places.push(place);
    const [before, textsBefore] = [left, all];
    left = places.flatMap((place) => before[place] ?? []);
    all = places.map((place) => textsBefore[place] ?? '');
  }
  return left;
}

const wordsOf = (query: string) => plain(query).split(/\s+/).filter(Boolean);

/** Whether a row matches. */
export type Matches<Row> = (row: Row) => boolean;

/**
 * Creates the test that a row contains every word of the query, or of one entry of a list; null when the query is
 * empty.
 */
export function matchesWords<Row extends object>(
  query: string,
  texts: SearchTexts<Row>,
): Matches<Row> | null {
  const any = entriesOf(query).map((entry) => matchesEvery(entry, texts));
  const [only] = any;
  return any.length > 1 ? (row) => any.some((one) => one(row)) : (only ?? null);
}

function matchesEvery<Row extends object>(entry: string, texts: SearchTexts<Row>): Matches<Row> {
  const words = wordsOf(entry);
  return (row) => {
    const text = texts.of(row);
    return words.every((word) => text.includes(word));
  };
}

/** Creates the test that a cell has exactly this value, as text. */
export function matchesChoice<Row>(column: Column<Row>, choice: string): Matches<Row> {
  return (row) => String(column.value(row) ?? '') === choice;
}

/** Combines conditions into the test that all of them match; null without conditions. */
export function matchesAll<Row>(some: readonly (Matches<Row> | null)[]): Matches<Row> | null {
  const all = some.filter((one) => one !== null);
  const [only] = all;
  return all.length > 1 ? (row) => all.every((one) => one(row)) : (only ?? null);
}

/** Lists the distinct values of a column, in order, without empty cells. */
export function choicesOf<Row>(rows: Iterable<Row>, column: Column<Row>): string[] {
  const different = new Set<string>();
  for (const row of rows) different.add(String(column.value(row) ?? ''));
  different.delete('');
  return [...different].sort(collator.compare);
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/**
 * Sorts the rows by a column: numbers by size, texts in natural order ('B2' before 'B10'), empty cells last in both
 * directions; equal rows keep their order. Returns the same array when nothing is sorted.
 */
export function sortRows<Row>(
  rows: readonly Row[],
  sort: Sort | null,
  columns: readonly Column<Row>[],
): readonly Row[] {
  const column = sort && columns.find((one) => one.id === sort.column);
  if (!sort || !column) return rows;
  const way = sort.descending ? -1 : 1;
  const filled: { row: Row; value: CellValue; rank: number }[] = [];
  const empty: Row[] = [];
  const ranks = textRanks(rows, column);
  for (const row of rows) {
    const value = column.value(row);
    if (value === null || value === '') empty.push(row);
    else filled.push({ row, value, rank: typeof value === 'string' ? (ranks.get(value) ?? 0) : value });
  }
  filled.sort((a, b) => way * (a.rank - b.rank));
  return [...filled.map(({ row }) => row), ...empty];
}

/**
 * Ranks the distinct values of a column. Columns repeat values (terms, campuses), and comparing texts by language is a
 * hundred times slower than comparing numbers.
 */
function textRanks<Row>(rows: readonly Row[], column: Column<Row>): Map<string, number> {
  const different = new Set<string>();
  for (const row of rows) {
    const value = column.value(row);
    if (typeof value === 'string') different.add(value);
  }
  const ordered = [...different].sort(collator.compare);
  const ranks = new Map<string, number>();
  let rank = 0;
  for (const [index, text] of ordered.entries()) {
    const before = ordered[index - 1];
    // Texts that differ only in case or accents have the same rank, so that their rows keep their order.
    if (before !== undefined && collator.compare(before, text) !== 0) rank += 1;
    ranks.set(text, rank);
  }
  return ranks;
}

/** Returns the next order when a column's head is pressed: ascending, descending, then the original order. */
export function nextSort(sort: Sort | null, column: string): Sort | null {
  if (sort?.column !== column) return { column, descending: false };
  return sort.descending ? null : { column, descending: true };
}

export interface PageOfRows {
  /** 0-based, limited to existing pages. */
  page: number;
  pages: number;
  /** Index of the first row, and of the row after the last one. */
  start: number;
  end: number;
}

/** Returns the rows of a page; a single page when `size` is null. */
export function pageOf(count: number, page: number, size: number | null): PageOfRows {
  if (size === null) return { page: 0, pages: 1, start: 0, end: count };
  const pages = Math.max(1, Math.ceil(count / size));
  const inside = Math.min(Math.max(0, page), pages - 1);
  return { page: inside, pages, start: inside * size, end: Math.min(count, (inside + 1) * size) };
}

/** Returns the selection with one row selected or deselected. */
export function toggled<K extends Key>(selected: ReadonlySet<K>, key: K): Set<K> {
  const next = new Set(selected);
  if (!next.delete(key)) next.add(key);
  return next;
}

/** Returns the selection with a range of rows selected or deselected. */
export function withKeys<K extends Key>(selected: ReadonlySet<K>, keys: Iterable<K>, on: boolean): Set<K> {
  const next = new Set(selected);
  for (const key of keys) {
    if (on) next.add(key);
    else next.delete(key);
  }
  return next;
}

export type Coverage = 'none' | 'some' | 'all';

/** Determines the selected share of the shown rows, and counts the selected rows that are hidden. */
export function coverage<K extends Key>(
  keys: readonly K[],
  selected: ReadonlySet<K>,
): { covers: Coverage; hidden: number } {
  let inside = 0;
  if (selected.size > 0) for (const key of keys) if (selected.has(key)) inside += 1;
  const covers = inside === 0 ? 'none' : inside === keys.length ? 'all' : 'some';
  return { covers, hidden: selected.size - inside };
}

/** Default minimum width of a column in px. */
const MIN_WIDTH = 96;

/**
 * Calculates the width below which a table scrolls sideways, so that no column falls below its minimum. Columns without
 * a width share the remaining width equally; a width in per cent grows with the table.
 * @param rest px outside the columns
 */
export function leastWidth(
  columns: readonly { width?: string | undefined; minWidth?: number | undefined }[],
  rest: number,
): number {
  let [sum, fixed, share, even, least] = [rest, rest, 0, 0, 0];
  for (const { width, minWidth = MIN_WIDTH } of columns) {
    sum += minWidth;
    if (width === undefined) {
      even++;
      least = Math.max(least, minWidth);
    } else if (width.endsWith('%')) share += Number.parseFloat(width) / 100;
    else fixed += Math.max(minWidth, Number.parseFloat(width));
  }
  if (even === 0 || share >= 1) return sum;
  return Math.max(sum, Math.ceil((fixed + even * least) / (1 - share)));
}
