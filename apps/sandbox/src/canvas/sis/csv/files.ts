import type { Kept } from '../../../files/spool.ts';
import { detectKind, type ImportKind } from './detect.ts';
import { cellValue, type Layout, type OpenFile, type RawRow, readRows, scan } from './reader.ts';
import { stringify } from './write.ts';

/** A CSV file that was checked from beginning to end and can be applied. */
export interface CsvFile {
  /** Name in messages. */
  name: string;
  open: OpenFile;
  /** The stored bytes of a file that the sandbox has written; null for any other file. */
  kept: Kept | null;
  layout: Layout;
  kind: ImportKind;
  /** Lower-cased; see §8.1. */
  header: string[];
  /** Lines below the header, including rows of empty cells. */
  rowCount: number;
}

export type Checked =
  | { verdict: 'ok'; file: CsvFile; duplicates: number }
  /** Without lines: nothing to import, and nothing to report. */
  | { verdict: 'empty' }
  | { verdict: 'no-headers' };

/** From this many exact duplicates on, duplicates are removed first (§8.2). */
export const DUPLICATES_THAT_MATTER = 100;

/**
 * Reads a whole file without applying it: encoding, quoting, header, number of rows, duplicates.
 * @throws InvalidUtf8 | MalformedCsv (§8.2)
 */
export async function checkFile(
  name: string,
  open: OpenFile,
  yieldNow: () => Promise<void>,
): Promise<Checked> {
  const layout = await scan(open, yieldNow);
  let header: string[] | undefined;
  let kind: ImportKind | null = null;
  let rowCount = 0;
  let duplicates = 0;
  const seen = new Set<number>();
  for await (const group of readRows(open, layout)) {
    for (const { cells } of group) {
      if (!header) {
        header = cells.map((cell) => cell.toLowerCase());
        kind = detectKind(header);
        if (!kind) return { verdict: 'no-headers' };
        continue;
      }
      rowCount++;
      const hash = hashOf(cells);
      if (seen.has(hash)) duplicates++;
      else seen.add(hash);
    }
    await yieldNow();
  }
  if (!header || !kind) return { verdict: 'empty' };
  return { verdict: 'ok', file: { name, open, kept: null, layout, kind, header, rowCount }, duplicates };
}

/** Writes a new file with only the last of identical rows (§8.2). */
export async function deduplicate(file: CsvFile, yieldNow: () => Promise<void>): Promise<Buffer> {
  const last = new Map<string, number>();
  for await (const group of readRows(file.open, file.layout)) {
    for (const { cells, row } of group) last.set(JSON.stringify(cells), row);
    await yieldNow();
  }
  return rewrite(file, yieldNow, ({ cells, row }) =>
    last.get(JSON.stringify(cells)) === row ? cells : null,
  );
}

/** Columns that are not kept for download. */
export const SECRET_COLUMNS = new Set(['password', 'ssha_password']);

/** Returns whether the file contains passwords, which are not kept for download (§7.2). */
export function hasSecrets(file: CsvFile): boolean {
  return file.kind === 'user' && file.header.some((column) => SECRET_COLUMNS.has(column));
}

/** Returns the file without its password columns. */
export async function withoutSecrets(file: CsvFile, yieldNow: () => Promise<void>): Promise<Buffer> {
  const kept = file.header.flatMap((column, at) => (SECRET_COLUMNS.has(column) ? [] : [at]));
  return rewrite(file, yieldNow, ({ cells }) => kept.map((at) => cells[at] ?? ''));
}

async function rewrite(
  file: CsvFile,
  yieldNow: () => Promise<void>,
  keep: (row: RawRow) => string[] | null,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const group of readRows(file.open, file.layout)) {
    const lines = group.flatMap((row) => {
      const cells = keep(row);
      return cells ? [stringify(cells)] : [];
    });
    if (lines.length > 0) parts.push(Buffer.from(lines.join('')));
    await yieldNow();
  }
  return Buffer.concat(parts);
}

/** Checks a file that the sandbox has written, as it checks an upload. */
export async function checkOwnFile(
  name: string,
  kept: Kept,
  yieldNow: () => Promise<void>,
): Promise<CsvFile | null> {
  const checked = await checkFile(name, kept.open, yieldNow);
  return checked.verdict === 'ok' ? { ...checked.file, kept } : null;
}

/** A row as an importer reads it: its known columns by name, missing ones null. */
export type Cells<C extends string> = Record<C, string | null> & {
  row: number;
  /** The columns of the file: an empty cell clears a setting, a missing column keeps it. */
  columns: ReadonlySet<string>;
};

/** Creates the function that turns raw rows into an importer's columns; of a repeated column, the first counts. */
export function cellReader<C extends string>(
  columns: readonly C[],
  header: readonly string[],
): (raw: RawRow) => Cells<C> {
  const at = columns.map((column) => header.indexOf(column));
  const present: ReadonlySet<string> = new Set(header);
  return (raw) => {
    const cells: Record<string, unknown> = { row: raw.row, columns: present };
    for (let i = 0; i < columns.length; i++) {
      const index = at[i] ?? -1;
      cells[columns[i] as string] = index < 0 ? null : cellValue(raw.cells[index]);
    }
    return cells as Cells<C>;
  };
}

/** Returns whether all cells of the row are empty. Such a row is skipped silently and not counted (§8.2). */
export function isBlank(raw: RawRow): boolean {
  return raw.cells.every((cell) => cellValue(cell) === null);
}

/** Hashes the row's text to 53 bits: enough to count duplicates among millions. */
function hashOf(cells: readonly string[]): number {
  let h1 = 0xdeadbeef;
  let h2 = 0x41c6ce57;
  for (const cell of cells) {
    for (let i = 0; i < cell.length; i++) {
      const code = cell.charCodeAt(i);
      h1 = Math.imul(h1 ^ code, 2654435761);
      h2 = Math.imul(h2 ^ code, 1597334677);
    }
    h1 = Math.imul(h1 ^ 0x1f, 2654435761);
    h2 = Math.imul(h2 ^ 0x1f, 1597334677);
  }
  h1 = Math.imul(h1 ^ (h1 >>> 16), 2246822507) ^ Math.imul(h2 ^ (h2 >>> 13), 3266489909);
  h2 = Math.imul(h2 ^ (h2 >>> 16), 2246822507) ^ Math.imul(h1 ^ (h1 >>> 13), 3266489909);
  return 4294967296 * (2097151 & h2) + (h1 >>> 0);
}
