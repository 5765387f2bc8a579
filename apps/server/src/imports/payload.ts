/** What is submitted, as it comes from outside. */
import { type SubmitPayload, submitPayload } from '@lms-admin/contract/imports';
import { AppError } from '../platform/errors.ts';
import { badRequest, issueDetail } from '../platform/http-errors.ts';

/** Most cells of a row that are looked at; the documented headers have five. */
const MOST_CELLS = 20;

/**
 * Reads a payload. Rows given as an array are counted and looked through first: a schema goes through all of them before
 * it says no, which for a few million holds up the whole server.
 * @throws AppError bad-request, too-many-rows
 */
export function readPayload(raw: unknown, mostRows: number): SubmitPayload {
  const rows = rowsIn(raw);
  if (rows !== null) requireRowsOfCells(rows, mostRows);
  const payload = submitPayload.safeParse(raw);
  if (!payload.success) throw badRequest(payload.error.issues.slice(0, 20).map(issueDetail));
  return payload.data;
}

/** @throws AppError too-many-rows with the number that is allowed */
export function tooManyCsvRows(most: number): AppError {
  const number = new Intl.NumberFormat('en-GB').format(most);
  return new AppError('too-many-rows', {
    message: `The CSV has more than ${number} rows, the most that one submission takes.`,
    next: 'Send it in parts. Nothing has been sent.',
  });
}

function rowsIn(raw: unknown): readonly unknown[] | null {
  if (Array.isArray(raw)) return raw;
  if (typeof raw !== 'object' || raw === null || !('csv' in raw)) return null;
  return Array.isArray(raw.csv) ? raw.csv : null;
}

function requireRowsOfCells(rows: readonly unknown[], most: number): void {
  if (rows.length > most + 1) throw tooManyCsvRows(most);
  for (const [index, row] of rows.entries()) {
    if (Array.isArray(row) && row.length <= MOST_CELLS && row.every(isCell)) continue;
    const message = `A row should be a list of texts or numbers, at most ${MOST_CELLS} of them.`;
    throw badRequest([{ row: index + 1, field: null, message }]);
  }
}

function isCell(cell: unknown): boolean {
  return typeof cell === 'string' || (typeof cell === 'number' && Number.isFinite(cell));
}
