/** Rows entered by hand as received: a CSV text, or lists of cells. */
import type { ErrorDetail } from '@lms-admin/contract/errors';
import { BadCsv, type CsvRow } from '@lms-admin/domain/csv-reader';
import { sisHeader } from '@lms-admin/domain/sis-rows';
import { csvBatches } from '../platform/csv/batches.ts';
import { AppError } from '../platform/errors.ts';

/** The submitted data: text, or rows starting with the header. */
export type ManualCsv = string | readonly (readonly string[])[];

/** Yields the rows with the header, in batches. @throws AppError bad-request with the row that cannot be read */
export async function* rowsByHand(csv: ManualCsv): AsyncGenerator<CsvRow[], void, void> {
  try {
    yield* csvBatches(csv);
  } catch (error) {
    if (!(error instanceof BadCsv)) throw error;
    throw rowsDoNotFit([{ row: error.row, field: null, message: error.message }]);
  }
}

/** Returns the column names, which determine the kind of rows; empty if there is no row. @throws errors from reading */
export async function headerOf(rows: AsyncIterable<CsvRow[]>): Promise<string[]> {
  for await (const [first] of rows) if (first) return sisHeader(first.cells);
  return [];
}

/** Returns the error for rows of any kind that were entered by hand. */
export function rowsDoNotFit(details: ErrorDetail[]): AppError {
  return new AppError('bad-request', {
    message: 'Some rows have a problem.',
    nothingSent: true,
    next: 'Correct these rows and send them again.',
    details,
  });
}
