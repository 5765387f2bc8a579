/** The rows of a draft that have problems, read from where they lie as lines of JSON. */
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { DRAFT_PAGE_ROWS, type DraftRow } from '@lms-admin/contract/sis-drafts';

/**
 * A part of them.
 * @param from which is the first, counted from 0
 * @param group only rows that have a problem of it
 * @returns the rows, and how many there are in all
 */
export async function draftRowsOf(
  bytes: AsyncIterable<Uint8Array>,
  from: number,
  group?: number,
  most = DRAFT_PAGE_ROWS,
): Promise<{ rows: DraftRow[]; total: number }> {
  const rows: DraftRow[] = [];
  let total = 0;
  const lines = createInterface({
    input: Readable.from(bytes, { objectMode: false }),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  for await (const line of lines) {
    if (line === '') continue;
    const here = total >= from && rows.length < most;
    // Without a group, lines of other pages need not be read.
    if (group === undefined) {
      if (here) rows.push(JSON.parse(line) as DraftRow);
      total++;
      continue;
    }
    const row = JSON.parse(line) as DraftRow;
    if (!row.problems.some((one) => one.group === group)) continue;
    if (here) rows.push(row);
    total++;
  }
  return { rows, total };
}
