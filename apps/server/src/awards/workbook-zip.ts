/** Whether a zip is a workbook that may be read: its parts are unpacked once, within bounds, and thrown away. */
import type { AppError } from '../platform/errors.ts';
import { BadZip, entriesOf, entryBytes, zipOf } from '../platform/zip.ts';
import { invalidFile } from './refusals.ts';

/** Most bytes that all parts unfold to, and most parts. */
const MOST_BYTES = 52_428_800;
const MOST_PARTS = 1_000;
const WORKBOOK = /^xl\/workbook\d*\.xml$/i;

/** @throws AppError bad-request */
export async function requireWorkbookZip(bytes: Buffer): Promise<void> {
  try {
    const zip = await zipOf(bytes);
    const parts = await entriesOf(zip, MOST_PARTS);
    if (!parts.some(({ fileName }) => WORKBOOK.test(fileName))) throw broken();
    if (parts.reduce((sum, part) => sum + part.uncompressedSize, 0) > MOST_BYTES) throw tooLarge();
    // What it says of its parts is held to while they are unpacked: the library itself would believe anything.
    for (const part of parts) for await (const _ of entryBytes(zip, part));
  } catch (error) {
    throw error instanceof BadZip ? broken() : error;
  }
}

function broken(): AppError {
  return invalidFile(
    'The file is damaged or not an Excel file. Save it again as .xlsx, and upload it again.',
  );
}

function tooLarge(): AppError {
  return invalidFile('The Excel file unpacks to more than 50 MB. Copy the rows of the list into a new file.');
}
