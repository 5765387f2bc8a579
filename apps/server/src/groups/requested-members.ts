/** Rows of a member plan request, for each of the three ways to enter them. */

import { MAX_MEMBER_ROWS, type MemberPlanRequest } from '@lms-admin/contract/groups';
import { BadCsv, CsvReader } from '@lms-admin/domain/csv-reader';
import type { CourseIndex } from '@lms-admin/domain/group-course';
import type { MemberReader, RequestedMember } from '@lms-admin/domain/group-references';
import { memberRowReader, pastedMembers } from '@lms-admin/domain/group-rows';
import { spreadRows, unfilledGroups } from '@lms-admin/domain/group-spread';
import { grouped } from '@lms-admin/domain/numbers';
import { csvBatches } from '../platform/csv/batches.ts';
import { AppError } from '../platform/errors.ts';
import { openCategory } from './plan-parts.ts';

type From = MemberPlanRequest['from'];

export interface RequestedMembers {
  rows: RequestedMember[];
  by: MemberReader['by'];
  /** Origin of the rows. */
  source: string;
  /** Pasted columns that are not sent. */
  unsent?: string[];
  /** Groups that a distribution cannot fill. */
  unfilled?: string[];
}

const SPREAD: Readonly<Record<Extract<From, { way: 'spread' }>['by'], string>> = {
  evenly: 'evenly',
  'by-section': 'by section',
  mixed: 'with mixed sections',
};

/**
 * Returns the rows of a file, which can be read without the course; null for the other ways.
 * @throws AppError bad-request with instructions, too-many-rows
 */
export async function fileRows(from: From): Promise<RequestedMembers | null> {
  if (from.way !== 'csv') return null;
  const rows: RequestedMember[] = [];
  let read: ((row: { row: number; cells: string[] }) => RequestedMember) | null = null;
  try {
    for await (const batch of csvBatches(from.text, new CsvReader(null))) {
      for (const one of batch) {
        if (read === null) read = readerFor(one.cells);
        else rows.push(read(one));
      }
      requireRows(rows.length);
    }
  } catch (error) {
    if (!(error instanceof BadCsv)) throw error;
    throw refusal(
      `Row ${error.row} of the file cannot be read: ${error.message}`,
      'Correct the row, and choose the file again.',
    );
  }
  if (rows.length === 0) {
    throw refusal('The file has no rows below its header.', 'Choose a file with a row for each person.');
  }
  return { rows, by: 'ids', source: from.name };
}

function readerFor(cells: readonly string[]) {
  const read = memberRowReader(cells);
  if ('problem' in read) throw refusal(read.problem, read.next);
  return read;
}

/** Returns rows that can only be read with the course. @throws AppError bad-request with instructions, too-many-rows */
export function courseRows(from: From, index: CourseIndex): RequestedMembers {
  if (from.way === 'spread') {
    const category = openCategory(index, from.category);
    const rows = spreadRows(index, category, from);
    if ('problem' in rows) throw refusal(rows.problem, rows.next);
    requireRows(rows.length);
    const source = `Students distributed over ${category.name}, ${SPREAD[from.by]}`;
    return { rows, by: 'ids', source, unfilled: unfilledGroups(index, category) };
  }
  if (from.way === 'csv') throw new Error('a file is read before the course');
  if (from.category !== null && !index.category(from.category)) openCategory(index, from.category);
  const read = pastedMembers(from.text, index, MAX_MEMBER_ROWS);
  if ('problem' in read) throw refusal(read.problem, read.next);
  requireRows(read.rows.length);
  return { ...read, by: { category: from.category }, source: 'Pasted from a spreadsheet' };
}

function requireRows(rows: number): void {
  if (rows <= MAX_MEMBER_ROWS) return;
  const most = grouped(MAX_MEMBER_ROWS);
  throw new AppError('too-many-rows', {
    message: `There are more than ${most} rows, the maximum for one submission.`,
    next: 'Send them in parts.',
  });
}

function refusal(message: string, next: string): AppError {
  return new AppError('bad-request', { message, next });
}
