/**
 * Equal rows of a file. From a hundred of them on the LMS takes the last of each, counts only those, and numbers rows without the
 * others: so they are not sent, and counts and numbers are those of what is sent.
 */
import { createHash } from 'node:crypto';
import type { CsvRow } from '@lms-admin/domain/csv-reader';

/** As many as the LMS lets pass. */
const FEWER_THAN = 100;

/**
 * Numbers of the rows that a later row of the file repeats; none where they are few.
 * @param rows reads the file from its header on
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

/** A number that hardly any two rows share. */
function hashOf(cells: readonly string[]): number {
  return createHash('sha1').update(JSON.stringify(cells)).digest().readUIntBE(0, 6);
}
