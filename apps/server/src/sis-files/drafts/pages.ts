/** Reads the listed rows of a draft, stored as lines of JSON. */
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { DRAFT_PAGE_ROWS, type DraftRow } from '@lms-admin/contract/sis-drafts';

/** The stored lines to read. */
export interface Span {
  from: number;
  count: number;
}

export interface Wanted {
  /** Index of the first line, counted from 0. */
  from: number;
  /** Reads only rows that have a problem of this group. */
  group?: number | undefined;
  most?: number;
}

/**
 * Reads some of the rows.
 * @param span the lines to search
 * @returns the rows, and the total number
 */
export async function draftRowsOf(
  bytes: AsyncIterable<Uint8Array>,
  span: Span,
  { from, group, most = DRAFT_PAGE_ROWS }: Wanted,
): Promise<{ rows: DraftRow[]; total: number }> {
  const rows: DraftRow[] = [];
  let total = 0;
  let at = -1;
  const lines = createInterface({
    input: Readable.from(bytes, { objectMode: false }),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  for await (const line of lines) {
    if (line === '') continue;
    at++;
    if (at < span.from || at >= span.from + span.count) continue;
    const here = total >= from && rows.length < most;
    // Without a group, lines of other pages need not be parsed.
    if (group === undefined) {
      if (here) rows.push(rowIn(line));
      total++;
      continue;
    }
    const row = rowIn(line);
    if (!row.problems.some((one) => one.group === group)) continue;
    if (here) rows.push(row);
    total++;
  }
  return { rows, total };
}

/** Parses a row of a draft; one of an earlier version does not list its corrected cells. */
function rowIn(line: string): DraftRow {
  const { corrected = [], ...row } = JSON.parse(line) as Omit<DraftRow, 'corrected'> & Partial<DraftRow>;
  return { ...row, corrected };
}
