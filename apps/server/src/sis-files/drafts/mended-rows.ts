/** The rows of a draft as they came, and with what was corrected. */
import { csvLine } from '@lms-admin/domain/csv';
import { CsvReader, type CsvRow } from '@lms-admin/domain/csv-reader';
import { guarded, unguarded } from '@lms-admin/domain/formula-guard';
import { Mending, type MendStep } from '@lms-admin/domain/sis-mending';
import type { Report } from '../../imports/row-problems.ts';
import { csvBatches } from '../../platform/csv/batches.ts';
import { decoded } from '../../platform/csv/decode.ts';
import type { SisDraftSummary } from '../../platform/schema.ts';

/** The rows of a file in batches, its header first. Failed rows that were downloaded come without their guard. */
export async function* rowsOf(
  bytes: AsyncIterable<Uint8Array>,
  reader = new CsvReader(null),
): AsyncGenerator<CsvRow[], void, void> {
  let begun = false;
  for await (const batch of csvBatches(decoded(bytes), reader)) {
    for (const one of batch) {
      if (begun) one.cells = one.cells.map(unguarded);
      begun = true;
    }
    yield batch;
  }
}

export type Late = SisDraftSummary['late'];

/** The steps over a file of this shape. */
export function mendingOf(steps: readonly MendStep[], { header, width }: SisDraftSummary['shape']): Mending {
  return new Mending(steps, { header: header.length, width });
}

/**
 * The mended file as the check reads it: each row under the number that it has in the admin's own file, blank where it is left out.
 * @param report is told of problems of before that no check of rows finds, as long as their cell has not changed
 */
export async function* mendedBytes(
  rows: AsyncIterable<CsvRow[]>,
  mending: Mending,
  { late, report }: { late: Late; report: Report } = { late: [], report: () => {} },
): AsyncGenerator<Uint8Array, void, void> {
  const lateOf = new Map<number, Late>();
  for (const one of late) lateOf.set(one[0], [...(lateOf.get(one[0]) ?? []), one]);
  let names: string[] | null = null;
  let next = 1;
  for await (const batch of rows) {
    let out = '';
    for (const { row, cells } of batch) {
      out += '\n'.repeat(row - next);
      next = row + 1;
      if (names === null) {
        names = mending.names(cells);
        out += csvLine(mending.sentHeader(cells));
      } else if (!mending.leavesOut(row)) {
        const mended = mending.cells(row, cells);
        out += csvLine(mending.sent(mended).map(guarded));
        for (const [, column, value, message] of lateOf.get(row) ?? [])
          if (mended[column] === value) report(row, names[column] || null, message);
      }
      out += '\n';
    }
    yield Buffer.from(out, 'utf8');
  }
}

/** Excel takes a file for UTF-8 by it; the upload reads over it. */
const BYTE_ORDER_MARK = '\ufeff';

/** The mended file to be saved: without rows that are left out, cells parted as in the file that came. */
export async function* mendedCsv(
  rows: AsyncIterable<CsvRow[]>,
  mending: Mending,
  delimiter: string,
): AsyncGenerator<string, void, void> {
  let begun = false;
  for await (const batch of rows) {
    let out = '';
    for (const { row, cells } of batch) {
      const cellsOut = begun
        ? mending.leavesOut(row)
          ? null
          : mending.sent(mending.cells(row, cells)).map(guarded)
        : mending.sentHeader(cells);
      if (cellsOut !== null)
        out += `${begun ? '' : BYTE_ORDER_MARK}${cellsOut.map((cell) => quoted(cell, delimiter)).join(delimiter)}\r\n`;
      begun = true;
    }
    if (out !== '') yield out;
  }
}

function quoted(cell: string, delimiter: string): string {
  return cell.includes(delimiter) || /["\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
