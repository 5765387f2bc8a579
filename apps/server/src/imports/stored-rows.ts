/** Reads the stored CSV of an import row by row, without holding it in memory. The header is row 1, as in the LMS. */
import { CsvReader, type CsvRow } from '@lms-admin/domain/csv-reader';
import { readPieces } from '../files/pieces.ts';
import { csvBatches } from '../platform/csv/batches.ts';
import { decoded } from '../platform/csv/decode.ts';
import type { Db } from '../platform/database.ts';
import type { ImportFile } from '../platform/schema.ts';

/**
 * Yields the import's rows in batches, the header first.
 * @param part index of the import's file, from 0
 */
export function storedRows(db: Db, importId: string, part = 0): AsyncGenerator<CsvRow[], void, void> {
  return csvBatches(decoded(readPieces(db, importId, part)), new CsvReader(',', null));
}

/** Yields the rows that are sent, with their numbers among all rows. */
export async function* sentRows(
  db: Db,
  importId: string,
  part: number,
  leftOut: ImportFile['leftOut'] = [],
): AsyncGenerator<CsvRow[], void, void> {
  let next = 0;
  for await (const rows of storedRows(db, importId, part)) {
    yield rows.filter(({ row }) => {
      for (let run = leftOut[next]; run && run[0] + run[1] <= row; run = leftOut[next]) next++;
      const run = leftOut[next];
      return !run || row < run[0];
    });
  }
}

/**
 * Yields the rows with these numbers, if they exist. Reads the CSV once, and no further than needed.
 * @param numbers in rising order
 */
export async function* pickedRows(
  db: Db,
  importId: string,
  part: number,
  numbers: readonly number[],
): AsyncGenerator<CsvRow, void, void> {
  let next = 0;
  for await (const rows of storedRows(db, importId, part)) {
    for (const one of rows) {
      if (one.row !== numbers[next]) continue;
      next++;
      yield one;
    }
    if (next >= numbers.length) return;
  }
}
