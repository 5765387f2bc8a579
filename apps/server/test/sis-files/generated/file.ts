/** A generated file: tables of rows, as bytes to upload and as text to read. */
import { csvLine } from '@lms-admin/domain/csv';
import type { SisKind } from '@lms-admin/domain/sis-tables';
import { zipOf } from '../support.ts';

export interface GeneratedRow {
  cells: Readonly<Record<string, string>>;
  /** The mistake in a row, if LMS Admin or the LMS may reject it; null if neither may. */
  mistake: string | null;
}

export interface GeneratedTable {
  kind: SisKind;
  columns: readonly string[];
  rows: GeneratedRow[];
  /** Empty lines below the header distinguish the rows of two files of one kind. */
  skip?: number;
}

/** The format of the text. */
export interface Writing {
  lineEnd: '\n' | '\r\n';
  delimiter: ',' | ';' | '\t';
  mark: boolean;
  /** Empty lines below the header. */
  blank: number;
}

export interface GeneratedFile {
  tables: GeneratedTable[];
  zip: boolean;
  writing: Writing;
}

/** Returns a table's file name. */
export const fileNameOf = ({ kind, skip }: GeneratedTable): string => `${skip ? 'more_' : ''}${kind}.csv`;

/** Returns the row in the admin's file for the n-th row of a table; the header is row 1. */
export const rowNumber = (
  { blank }: Writing,
  { skip = 0 }: Pick<GeneratedTable, 'skip'>,
  index: number,
): number => index + 2 + blank + skip;

function csvOf(
  { columns, rows, skip = 0 }: GeneratedTable,
  { lineEnd, delimiter, mark, blank }: Writing,
): string {
  const line = (cells: readonly string[]) =>
    delimiter === ','
      ? csvLine(cells)
      : cells
          .map((cell) => (/["\r\n;\t,]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
          .join(delimiter);
  const lines = [
    line(columns),
    ...Array.from({ length: blank + skip }, () => ''),
    ...rows.map(({ cells }) => line(columns.map((column) => cells[column] ?? ''))),
  ];
  return `${mark ? '\ufeff' : ''}${lines.join(lineEnd)}${lineEnd}`;
}

/** Creates the upload's bytes and name. */
export async function uploadOf({
  tables,
  zip,
  writing,
}: GeneratedFile): Promise<{ name: string; content: Uint8Array }> {
  const [first] = tables;
  if (!zip && first) return { name: fileNameOf(first), content: Buffer.from(csvOf(first, writing)) };
  const files = Object.fromEntries(tables.map((table) => [fileNameOf(table), csvOf(table, writing)]));
  return { name: 'all.zip', content: await zipOf(files) };
}

/** Writes the file as text, each row with its mistake. */
export function printed({ tables, zip, writing }: GeneratedFile): string {
  const kinds = tables.map((table) => {
    const rows = table.rows.map(({ cells, mistake }, at) => {
      const line = csvLine(table.columns.map((column) => shortened(cells[column] ?? '')));
      return `${rowNumber(writing, table, at)}: ${line}${mistake === null ? '' : `   <- ${mistake}`}`;
    });
    return [`--- ${fileNameOf(table)}`, `1: ${table.columns.join(',')}`, ...rows].join('\n');
  });
  return [`${zip ? 'zip' : 'file'}, written ${JSON.stringify(writing)}`, ...kinds].join('\n');
}

const shortened = (cell: string): string =>
  cell.length > 120 ? `${cell.slice(0, 60)}…(${cell.length} characters)` : cell;

/** Returns the file without these rows. Tables without rows are left out. */
export function without(
  file: GeneratedFile,
  refused: (table: GeneratedTable, index: number) => boolean,
): GeneratedFile {
  const tables = file.tables
    .map((table) => ({ ...table, rows: table.rows.filter((_, index) => !refused(table, index)) }))
    .filter(({ rows }) => rows.length > 0);
  return { ...file, tables };
}
