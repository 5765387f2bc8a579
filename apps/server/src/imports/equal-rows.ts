/**
 * Duplicate rows of a file. If there are a hundred or more, the LMS uses only the last of each, and its counts and
 * row numbers ignore the others. So LMS Admin sends only the last of each, and the LMS's counts and row numbers match
 * the rows sent.
 */
import { createHash } from 'node:crypto';
import type { CsvRow } from '@lms-admin/domain/csv-reader';

/** With fewer duplicates than this, the LMS applies every row. */
const FEWER_THAN = 100;

/**
 * Returns the numbers of rows that are repeated later in the file; empty if there are only a few.
 * @param rows reads the file, starting with its header
 */
export async function repeatedLater(rows: () => AsyncIterable<CsvRow[]>): Promise<ReadonlySet<number>> {
  const seen = new Set<number>();
  const twice = new Set<number>();
  let repeats = 0;
  for await (const { cells } of each(rows())) {
    const hash = hashOf(cells);
    if (!seen.has(hash)) seen.add(hash);
    else {
      twice.add(hash);
      repeats++;
    }
  }
  const earlier = new Set<number>();
  if (repeats < FEWER_THAN) return earlier;
  const last = new Map<string, number>();
  for await (const { row, cells } of each(rows())) {
    if (!twice.has(hashOf(cells))) continue;
    const key = JSON.stringify(cells);
    const before = last.get(key);
    if (before !== undefined) earlier.add(before);
    last.set(key, row);
  }
  return earlier;
}

async function* each(batches: AsyncIterable<CsvRow[]>): AsyncGenerator<CsvRow, void, void> {
  for await (const batch of batches) yield* batch;
}

/** Returns a hash with few collisions. */
function hashOf(cells: readonly string[]): number {
  return createHash('sha1').update(JSON.stringify(cells)).digest().readUIntBE(0, 6);
}
