/** The payload of a submission, as received. */

import {
  keyedRowsPayload,
  rowsPayload,
  type SubmitPayload,
  submitPayload,
} from '@lms-admin/contract/imports';
import { grouped } from '@lms-admin/domain/numbers';
import type { z } from 'zod';
import { AppError } from '../platform/errors.ts';
import { badRequest, issueDetail } from '../platform/http-errors.ts';
import { readInTurns } from '../platform/read-in-turns.ts';
import { Turns } from '../platform/turns.ts';

/** Maximum cells read in a row; the documented headers have five. */
const MOST_CELLS = 20;

/**
 * Reads a payload. Rows in an array are counted and checked first: a schema would read all of them before rejecting
 * them, which blocks the server if there are millions.
 * @throws AppError bad-request, too-many-rows
 */
export async function readPayload(raw: unknown, mostRows: number): Promise<SubmitPayload> {
  const rows = rowsIn(raw);
  if (rows !== null) await requireRowsOfCells(rows, mostRows);
  const { data, issues } = await readInTurns<z.ZodType<SubmitPayload>>(schemaFor(raw, rows), raw);
  if (issues) throw badRequest(issues.map(issueDetail));
  return data;
}

/** Returns the only payload schema that can match, so that it can be applied in parts. */
function schemaFor(raw: unknown, rows: readonly unknown[] | null): z.ZodType<SubmitPayload> {
  if (rows === null) return submitPayload;
  return rows === raw ? rowsPayload : keyedRowsPayload;
}

/** @throws AppError too-many-rows with the allowed number */
export function tooManyCsvRows(most: number): AppError {
  return new AppError('too-many-rows', {
    message: `The CSV has more than ${grouped(most)} rows, the maximum for one submission.`,
    next: 'Send it in parts. Nothing has been sent.',
  });
}

function rowsIn(raw: unknown): readonly unknown[] | null {
  if (Array.isArray(raw)) return raw;
  if (typeof raw !== 'object' || raw === null || !('csv' in raw)) return null;
  return Array.isArray(raw.csv) ? raw.csv : null;
}

async function requireRowsOfCells(rows: readonly unknown[], most: number): Promise<void> {
  if (rows.length > most + 1) throw tooManyCsvRows(most);
  const turns = new Turns();
  for (const [index, row] of rows.entries()) {
    if (index % 1_000 === 0) await turns.pass();
    if (Array.isArray(row) && row.length <= MOST_CELLS && row.every(isCell)) continue;
    const message = `A row should be a list of at most ${MOST_CELLS} texts or numbers.`;
    throw badRequest([{ row: index + 1, field: null, message }]);
  }
}

function isCell(cell: unknown): boolean {
  return typeof cell === 'string' || (typeof cell === 'number' && Number.isFinite(cell));
}
