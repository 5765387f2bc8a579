/** Picks rows out of the stored CSV of an import by their numbers, without taking the others apart. */
import { parse } from 'csv-parse/sync';
import type { Db } from '../platform/database.ts';
import { readCsv } from './csv-store.ts';

const NEWLINE = 10;
const QUOTE = 34;

export interface StoredLine {
  /** 1-based row of the stored CSV, the header being row 1. */
  row: number;
  /** As it is stored, without its end. */
  text: string;
}

/**
 * The rows of these numbers, as far as they exist. The CSV is read once, and no further than needed.
 * @param rows in rising order
 * @param part which file of the import, counted from 0
 */
export async function* storedLines(
  db: Db,
  importId: string,
  part: number,
  rows: readonly number[],
): AsyncGenerator<StoredLine, void, void> {
  let next = 0;
  let row = 1;
  let quoted = false;
  let held: Buffer[] = [];
  const ends = (bytes: Uint8Array): StoredLine => {
    next++;
    const text = Buffer.concat([...held, bytes]).toString('utf8');
    held = [];
    return { row, text };
  };
  let any = false;
  for await (const bytes of readCsv(db, importId, part)) {
    const piece = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    any ||= piece.length > 0;
    let start = 0;
    let at = 0;
    let quote = piece.indexOf(QUOTE);
    while (next < rows.length) {
      if (quote !== -1 && quote < at) quote = piece.indexOf(QUOTE, at);
      // In our own CSVs a quote stands nowhere but around a cell, or doubled within one.
      const end = quoted ? -1 : piece.indexOf(NEWLINE, at);
      if (quote !== -1 && (end === -1 || quote < end)) {
        quoted = !quoted;
        at = quote + 1;
        continue;
      }
      if (end === -1) break;
      if (row === rows[next]) yield ends(piece.subarray(start, end));
      row++;
      start = end + 1;
      at = start;
    }
    if (next >= rows.length) return;
    if (row === rows[next]) held.push(Buffer.from(piece.subarray(start)));
  }
  // The last row has no end.
  if (any && row === rows[next]) yield ends(new Uint8Array());
}

/** The cells of a stored row. */
export function cellsOf(line: string): string[] {
  const [cells = []] = parse(line, { relax_column_count: true });
  return cells;
}
