/** The uploaded list of professors and courses: its header, and the required contents of its rows (OP-89). Pure. */
import { LIST_HEADER, type ListColumn } from './award-entries.ts';
import { type Places, type ReadRows, RowReader, type SheetRow } from './award-list-rows.ts';
import { cellText, nameKey } from './award-text.ts';

/** Names of the rows' fields in requests (BTA-38). */
const OTHER_NAMES: ReadonlyMap<string, ListColumn> = new Map([['professorid', 'Prof ID']]);

/** Contents of an upload. It can only replace the current list if there are no problems. */
export interface ReadList extends ReadRows {
  /** Ignored columns. */
  ignored: string[];
}

/** The header is not that of the template (BTA-35). */
export interface NoTemplate {
  template: false;
  message: string;
  next: string;
}

/** Reads the rows of an upload below its header; the columns can be in any order, with others between them. */
export function readList(header: readonly unknown[], rows: Iterable<SheetRow>): ReadList | NoTemplate {
  const names = header.map((name) => cellText(name) ?? '');
  const columns = names.map(listColumn);
  const missing = LIST_HEADER.filter((column) => !columns.includes(column));
  const twice = LIST_HEADER.find((column) => columns.indexOf(column) !== columns.lastIndexOf(column));
  if (missing.length > 0 || twice !== undefined) {
    const wrong =
      twice === undefined ? `does not contain ${missing.join(', ')}` : `has the column ${twice} twice`;
    const message = names.every((name) => name === '')
      ? 'The first row is empty.'
      : `The first row ${wrong}.`;
    const below = missing.length > 0 ? headerBelow(rows) : null;
    if (below !== null) {
      const next = `The column names are in row ${below}. Remove the rows above it, and upload the file again.`;
      return { template: false, message, next };
    }
    return {
      template: false,
      message,
      next: `The first row of the first sheet should be ${LIST_HEADER.join(', ')}. Download the template and fill it in.`,
    };
  }
  const places = Object.fromEntries(LIST_HEADER.map((name) => [name, columns.indexOf(name)])) as Places;
  const reader = new RowReader(places);
  for (const row of rows) if (!reader.add(row)) break;
  const ignored = names.filter((name, at) => name !== '' && columns[at] === null);
  return { ...reader.end(), ignored };
}

/** Number of rows to search for a header below titles. */
const MOST_TITLES = 20;

/** Returns the row that names all columns, if it is not the first. */
function headerBelow(rows: Iterable<SheetRow>): number | null {
  let looked = 0;
  for (const { row, cells } of rows) {
    if (++looked > MOST_TITLES) return null;
    const columns = new Set(cells.map((cell) => listColumn(cellText(cell) ?? '')));
    if (LIST_HEADER.every((column) => columns.has(column))) return row;
  }
  return null;
}

/** Maximum number of column names to read: a request could contain thousands. */
const MOST_NAMES = 2 * LIST_HEADER.length;

/** Turns rows sent as objects (BTA-47) into a sheet. Rows are numbered as if there were no empty ones. */
export function sheetOfRecords(records: readonly Readonly<Record<string, unknown>>[]): {
  header: string[];
  rows: SheetRow[];
} {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const known = names.filter((name) => listColumn(name) !== null).slice(0, MOST_NAMES);
  const others = names.filter((name) => listColumn(name) === null);
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
