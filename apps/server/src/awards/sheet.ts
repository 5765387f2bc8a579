/**
 * Reads the first sheet of an uploaded workbook (BTA-34). The unpacked size is known before the library sees the file,
 * and the library works in its own thread, with limits on memory and time.
 */

import type { SheetRow } from '@lms-admin/domain/award-list-rows';
import { MAX_LIST_ROWS } from '@lms-admin/domain/award-list-rows';
import { grouped } from '@lms-admin/domain/numbers';
import type { AppError } from '../platform/errors.ts';
import { ReusableWorker, ThreadEnded } from '../platform/reusable-worker.ts';
import { invalidFile } from './refusals.ts';
import { requireWorkbookZip } from './workbook-zip.ts';

/** Next to this file, and next to the built server. */
const WORKER = new URL('./sheet-worker.mjs', import.meta.url);
const LIMITS = { memoryMb: 512, giveUpAfterMs: 20_000, idleMs: 300_000 };
/** Rows of a sheet, including its header. */
const MOST_ROWS = MAX_LIST_ROWS + 1;
const MOST_COLUMNS = 256;

const ZIP = Buffer.from('PK\u0003\u0004', 'latin1');
/** First bytes of .xls files and of workbooks with a password. */
const OLE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

export interface Sheet {
  /** Name of the first sheet. */
  name: string;
  /** Rows with content, and the first row if there is one. */
  rows: SheetRow[];
  /** Cells with formulas: row as in the sheet, column from 0. */
  formulas: [row: number, column: number][];
  /** Cells that the spreadsheet stores as dates. */
  dates: [row: number, column: number][];
}

/** Answer of the thread, as JSON. */
export type SheetAnswer =
  | Sheet
  | { why: 'protected' | 'damaged' | 'no-workbook' }
  | { why: 'too-high' | 'too-wide'; count: number };

/** Input of the thread. */
export interface SheetWork {
  bytes: Uint8Array;
  mostRows: number;
  mostColumns: number;
}

/** One file at a time, because each needs a lot of memory. */
const thread = new ReusableWorker<SheetWork, string>(WORKER, LIMITS);

/** Reads a workbook. @throws AppError bad-request with the text of BTA-36 and the cause; the reason of the signal */
export async function readSheet(bytes: Buffer, signal: AbortSignal): Promise<Sheet> {
  const starts = (mark: Buffer) => bytes.subarray(0, mark.length).equals(mark);
  if (starts(ZIP)) await requireWorkbookZip(bytes);
  else if (!starts(OLE)) throw noWorkbook();
  const work = { bytes, mostRows: MOST_ROWS, mostColumns: MOST_COLUMNS };
  const text = await thread.run(work, signal).catch((error: unknown) => {
    // The thread ran out of memory or time, or the library failed unexpectedly.
    throw error instanceof ThreadEnded ? tooMuch() : error;
  });
  const answer = JSON.parse(text) as SheetAnswer;
  if ('why' in answer) throw refusalOf(answer);
  return answer;
}

function refusalOf(answer: Exclude<SheetAnswer, Sheet>): AppError {
  switch (answer.why) {
    case 'protected':
      return invalidFile(
        'The Excel file is protected by a password. Remove the password, and upload the file again.',
      );
    case 'damaged':
      return invalidFile(
        'The Excel file is damaged and cannot be read. Open it in Excel, save it again, and upload it again.',
      );
    case 'too-high':
      return invalidFile(
        `The first sheet has ${grouped(answer.count)} rows, most of which may be empty. Copy the rows with values into a new Excel file.`,
      );
    case 'too-wide':
      return invalidFile(
        `The first sheet has ${grouped(answer.count)} columns. Copy the columns of the template into a new Excel file.`,
      );
    case 'no-workbook':
      return noWorkbook();
  }
}

function noWorkbook(): AppError {
  return invalidFile(
    'This is not an Excel file. Download the template, fill it in, and save it as .xls or .xlsx.',
  );
}

function tooMuch(): AppError {
  return invalidFile('The Excel file cannot be read. Copy its rows into a new file, and upload that file.');
}
