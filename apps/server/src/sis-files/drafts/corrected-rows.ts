/** The rows of a draft, as uploaded and as corrected. */
import { csvLine } from '@lms-admin/domain/csv';
import { CsvReader, type CsvRow, type Delimiter } from '@lms-admin/domain/csv-reader';
import { guarded, unguarded } from '@lms-admin/domain/formula-guard';
import { type CorrectionStep, Corrections } from '@lms-admin/domain/sis-corrections';
import type { Report } from '../../imports/row-problems.ts';
import { csvBatches } from '../../platform/csv/batches.ts';
import { type Decoding, decoded } from '../../platform/csv/decode.ts';
import { BYTE_ORDER_MARK, excelLine } from '../../platform/csv/excel.ts';
import type { SisDraftSummary } from '../../platform/schema.ts';

/** Reads the rows of a file in batches, its header first. Guards are removed from downloaded failed rows. */
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

/** Renumbers the rows for stored corrections: earlier versions counted a line `sep=;` as a row. */
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

/** Returns whether the cell of a late problem still has its faulty value. Spaces around a value are not sent. */
function isUnchanged([, column, value]: Late[number], cells: readonly string[]): boolean {
  return cells[column]?.trim() === value.trim();
}

/**
 * Returns the late problems that remain in a row. A problem of several cells is solved by correcting the first of
 * them.
 */
export function remainingProblems(late: Late, cells: readonly string[]): Late {
  const gone = new Set(late.flatMap((one) => (isUnchanged(one, cells) ? [] : one[3])));
  return late.filter(([, , , message]) => !gone.has(message));
}

/** Creates the corrections for a file of this shape. */
export function correctionsOf(
  steps: readonly CorrectionStep[],
  { header, width }: SisDraftSummary['shape'],
): Corrections {
  return new Corrections(steps, { header: header.length, width });
}

/**
 * Yields the corrected file for the check: each row keeps its number in the admin's own file, and a skipped row is
 * empty.
 * @param report receives earlier problems that no check of rows finds, while their cell is unchanged
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
        for (const [, column, , message] of remainingProblems(lateOf.get(row) ?? [], corrected))
          report(row, names[column] || null, message);
      }
      out += '\n';
    }
    yield Buffer.from(out, 'utf8');
  }
}

/** Yields the corrected file for saving: without skipped rows, and with the delimiter of the original file. */
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
