/** Rows made by hand, as they come from outside: a CSV text, or lists of cells. */
import type { ErrorDetail } from '@lms-admin/contract/errors';
import { BadCsv, type CsvRow } from '@lms-admin/domain/csv-reader';
import { sisHeader } from '@lms-admin/domain/sis-rows';
import { csvBatches } from '../platform/csv/batches.ts';
import { AppError } from '../platform/errors.ts';

/** What is sent by hand: text, or rows of which the first is the header. */
export type HandMadeCsv = string | readonly (readonly string[])[];

/** The rows with the header, in batches. @throws AppError bad-request with the row that cannot be read */
export async function* rowsByHand(csv: HandMadeCsv): AsyncGenerator<CsvRow[], void, void> {
  try {
    yield* csvBatches(csv);
  } catch (error) {
    if (!(error instanceof BadCsv)) throw error;
    throw rowsDoNotFit([{ row: error.row, field: null, message: error.message }]);
  }
}

/** The names of the header, which decide what kind of rows they are; none where there is no row. @throws what reading throws */
export async function headerOf(rows: AsyncIterable<CsvRow[]>): Promise<string[]> {
  for await (const [first] of rows) if (first) return sisHeader(first.cells);
  return [];
}

/** The refusal of rows made by hand, whatever they are. */
export function rowsDoNotFit(details: ErrorDetail[]): AppError {
  return new AppError('bad-request', {
    message: 'Some rows have a problem. Nothing has been sent.',
    next: 'Correct these rows and send them again.',
    details,
  });
}
