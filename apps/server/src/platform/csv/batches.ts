/** Reads CSV for the whole server: rows in batches, from bytes, texts or lists of cells, with pauses for other work. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BadCsv, CsvReader, type CsvRow } from '@lms-admin/domain/csv-reader';
import { BadEncoding } from './decode.ts';

/** A text, pieces of one as they arrive, or rows of cells. */
export type CsvSource = string | AsyncIterable<string> | readonly (readonly string[])[];

/** Characters (or rows that are already cells) processed before other work gets its turn. */
const TEXT_AT_ONCE = 32_768;
const ROWS_AT_ONCE = 1_000;

/**
 * Yields the rows of a CSV in non-empty batches, without empty rows.
 * @param reader holds the delimiter and, after reading, details of the text
 * @throws BadCsv, after the rows before the unreadable one
 */
export async function* csvBatches(
  source: CsvSource,
  reader = new CsvReader(),
): AsyncGenerator<CsvRow[], void, void> {
  if (typeof source !== 'string' && !(Symbol.asyncIterator in source)) {
    yield* ofCells(source);
    return;
  }
  let badEncoding = false;
  const pieces = typeof source === 'string' ? [source] : source;
  const texts = evenly(pieces, () => {
    badEncoding = true;
  });
  for await (const text of texts) {
    const rows = reader.add(text);
    if (rows.length > 0) yield rows;
    if (reader.failure) throw reader.failure;
    await nextTurn();
  }
  if (badEncoding) {
    throw new BadCsv(reader.row, 'The row has characters that do not exist in the encoding of the file.');
  }
  const rows = reader.end();
  if (rows.length > 0) yield rows;
  if (reader.failure) throw reader.failure;
}

/** Cuts the text into pieces of one size: a row at a cut is parsed again, so no piece should be small. */
async function* evenly(
  pieces: Iterable<string> | AsyncIterable<string>,
  onBadEncoding: () => void,
): AsyncGenerator<string, void, void> {
  let held = '';
  try {
    for await (const piece of pieces) {
      held += piece;
      let at = 0;
      for (; held.length - at >= TEXT_AT_ONCE; at += TEXT_AT_ONCE) yield held.slice(at, at + TEXT_AT_ONCE);
      if (at > 0) held = held.slice(at);
    }
  } catch (error) {
    if (!(error instanceof BadEncoding)) throw error;
    onBadEncoding();
  }
  if (held !== '') yield held;
}

async function* ofCells(source: readonly (readonly string[])[]): AsyncGenerator<CsvRow[], void, void> {
  for (let at = 0; at < source.length; at += ROWS_AT_ONCE) {
    const rows = source.slice(at, at + ROWS_AT_ONCE).flatMap((cells, index): CsvRow[] => {
      const own = cells.map((cell) => cell.trim());
      return own.some((cell) => cell !== '') ? [{ row: at + index + 1, cells: own }] : [];
    });
    if (rows.length > 0) yield rows;
    await nextTurn();
  }
}

/** Reads the first row that is not empty, and no further; null if there is none. @throws BadCsv */
export async function firstRow(source: string | readonly (readonly string[])[]): Promise<CsvRow | null> {
  for await (const [first] of csvBatches(source)) if (first) return first;
  return null;
}
