/** The list of professors and courses as it is uploaded: its header, and what each of its rows must hold (OP-89). Pure. */
import type { AwardEntry } from './award-join.ts';
import { type Places, RowReader } from './award-list-rows.ts';
import { nameKey, tidy } from './award-text.ts';

/** Columns of the template, in its order (OP-89). */
export const LIST_HEADER = [
  'Campus',
  'Course',
  'Course ID',
  'Enrolled',
  'Prof ID',
  'Professor',
  'Type',
] as const;
export type ListColumn = (typeof LIST_HEADER)[number];

/** Names under which the rows travel (BTA-38). */
const OTHER_NAMES: ReadonlyMap<string, ListColumn> = new Map([['professorid', 'Prof ID']]);

/** A row of the sheet, its cells as the workbook holds them. Row 1 is the header. */
export interface SheetRow {
  row: number;
  cells: readonly unknown[];
}

/** What is wrong, where, and what to do; row and column are null for the sheet as a whole. */
export interface ListProblem {
  row: number | null;
  column: ListColumn | null;
  message: string;
  next: string;
}

/** What an upload holds. It may only replace the list in force when there are no problems. */
export interface ReadList {
  entries: AwardEntry[];
  problems: ListProblem[];
  /** What is taken as it is, and may not be meant. */
  hints: ListProblem[];
  /** Columns that are not looked at. */
  ignored: string[];
}

/** The header is not that of the template (BTA-35). */
export interface NoTemplate {
  template: false;
  message: string;
  next: string;
}

/** Reads the rows of an upload below its header; the columns may stand in any order, with others among them. */
export function readList(header: readonly unknown[], rows: Iterable<SheetRow>): ReadList | NoTemplate {
  const names = header.map((name) => tidy(String(name ?? '')));
  const columns = names.map(listColumn);
  const missing = LIST_HEADER.filter((column) => !columns.includes(column));
  const twice = LIST_HEADER.find((column) => columns.indexOf(column) !== columns.lastIndexOf(column));
  if (missing.length > 0 || twice !== undefined) {
    const wrong = twice === undefined ? `lacks ${missing.join(', ')}` : `has the column ${twice} twice`;
    return {
      template: false,
      message: names.every((name) => name === '') ? 'The first row is empty.' : `The first row ${wrong}.`,
      next: `Its columns are ${LIST_HEADER.join(', ')}. Download the template, and fill it in.`,
    };
  }
  const places = Object.fromEntries(LIST_HEADER.map((name) => [name, columns.indexOf(name)])) as Places;
  const reader = new RowReader(places);
  for (const row of rows) if (!reader.add(row)) break;
  const ignored = names.filter((name, at) => name !== '' && columns[at] === null);
  return { ...reader.end(), ignored };
}

/** Names of the columns that count and of no other: whoever sends rows may name a thousand more. */
const MOST_NAMES = 2 * LIST_HEADER.length;

/** Rows that came as objects by the names of their columns (BTA-47), as a sheet; numbered as if no row had been blank. */
export function sheetOfRecords(records: readonly Readonly<Record<string, unknown>>[]): {
  header: string[];
  rows: SheetRow[];
} {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const known = names.filter((name) => listColumn(tidy(name)) !== null).slice(0, MOST_NAMES);
  const others = names.filter((name) => listColumn(tidy(name)) === null);
  const rows = records.map((record, at) => ({
    row: at + 2,
    cells: known.map((name) => (Object.hasOwn(record, name) ? record[name] : null)),
  }));
  return { header: [...known, ...others], rows };
}

function listColumn(name: string): ListColumn | null {
  const key = nameKey(name).replaceAll('_', '');
  return LIST_HEADER.find((column) => nameKey(column) === key) ?? OTHER_NAMES.get(key) ?? null;
}
