/** The rows of a draft as they came, and with what was corrected. */
import { csvLine } from '@lms-admin/domain/csv';
import { CsvReader, type CsvRow, type Delimiter } from '@lms-admin/domain/csv-reader';
import { guarded, unguarded } from '@lms-admin/domain/formula-guard';
import { type CorrectionStep, Corrections } from '@lms-admin/domain/sis-corrections';
import type { Report } from '../../imports/row-problems.ts';
import { csvBatches } from '../../platform/csv/batches.ts';
import { type Decoding, decoded } from '../../platform/csv/decode.ts';
import { BYTE_ORDER_MARK, excelLine } from '../../platform/csv/excel.ts';
import type { SisDraftSummary } from '../../platform/schema.ts';

/** The rows of a file in batches, its header first. Failed rows that were downloaded come without their guard. */
export async function* rowsOf(
  bytes: AsyncIterable<Uint8Array>,
  reader = new CsvReader(null),
  found: Decoding = { encoding: 'utf-8' },
): AsyncGenerator<CsvRow[], void, void> {
  let begun = false;
  for await (const batch of csvBatches(decoded(bytes, found), reader)) {
    for (const one of batch) {
      if (begun) one.cells = one.cells.map(unguarded);
      begun = true;
    }
    yield batch;
  }
}

/** The rows under the numbers by which corrections know them: earlier versions counted a line `sep=;` as a row. */
export async function* numberedFrom(
  headerRow: number,
  rows: AsyncIterable<CsvRow[]>,
): AsyncGenerator<CsvRow[], void, void> {
  let more: number | null = null;
  for await (const batch of rows) {
    more ??= headerRow - (batch[0]?.row ?? headerRow);
    if (more !== 0) for (const one of batch) one.row += more;
    yield batch;
  }
}

export type Late = SisDraftSummary['late'];

/** Whether the cell of a late problem still has the value that it is about. Spaces around a value are not sent. */
function isUnchanged([, column, value]: Late[number], cells: readonly string[]): boolean {
  return cells[column]?.trim() === value.trim();
}

/** The late problems of a row that are still there. One that is told of several cells goes with the first of them that is corrected. */
export function stillWrong(late: Late, cells: readonly string[]): Late {
  const gone = new Set(late.flatMap((one) => (isUnchanged(one, cells) ? [] : one[3])));
  return late.filter(([, , , message]) => !gone.has(message));
}

/** The steps over a file of this shape. */
export function correctionsOf(
  steps: readonly CorrectionStep[],
  { header, width }: SisDraftSummary['shape'],
): Corrections {
  return new Corrections(steps, { header: header.length, width });
}

/**
 * The corrected file as the check reads it: each row under the number that it has in the admin's own file, blank where it is left out.
 * @param report is told of problems of before that no check of rows finds, as long as their cell has not changed
 */
export async function* correctedBytes(
  rows: AsyncIterable<CsvRow[]>,
  corrections: Corrections,
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
        names = corrections.names(cells);
        out += csvLine(corrections.sentHeader(cells));
      } else if (!corrections.leavesOut(row)) {
        const corrected = corrections.cells(row, cells);
        out += csvLine(corrections.sent(corrected).map(guarded));
        for (const [, column, , message] of stillWrong(lateOf.get(row) ?? [], corrected))
          report(row, names[column] || null, message);
      }
      out += '\n';
    }
    yield Buffer.from(out, 'utf8');
  }
}

/** The corrected file to be saved: without rows that are left out, cells parted as in the file that came. */
export async function* correctedCsv(
  rows: AsyncIterable<CsvRow[]>,
  corrections: Corrections,
  delimiter: Delimiter,
): AsyncGenerator<string, void, void> {
  let begun = false;
  for await (const batch of rows) {
    let out = '';
    for (const { row, cells } of batch) {
      const cellsOut = begun
        ? corrections.leavesOut(row)
          ? null
          : corrections.sent(corrections.cells(row, cells)).map(guarded)
        : corrections.sentHeader(cells);
      if (cellsOut !== null) out += `${begun ? '' : BYTE_ORDER_MARK}${excelLine(cellsOut, delimiter)}\r\n`;
      begun = true;
    }
    if (out !== '') yield out;
  }
}
