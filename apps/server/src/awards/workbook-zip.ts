/** Checks whether a zip is a readable workbook, by unpacking its parts once within limits and discarding them. */
import type { AppError } from '../platform/errors.ts';
import { BadZip, entriesOf, entryBytes, zipOf } from '../platform/zip.ts';
import { invalidFile } from './refusals.ts';

/** Maximum unpacked bytes and number of parts. */
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
    // Unpacking checks the declared sizes, which the library itself would trust.
    for (const part of parts) for await (const _ of entryBytes(zip, part));
  } catch (error) {
    throw error instanceof BadZip ? broken() : error;
  }
}

function broken(): AppError {
  return invalidFile(
    'The file is damaged, or it is not an Excel file. Save it again as .xlsx, and upload it again.',
  );
}

function tooLarge(): AppError {
  return invalidFile('The Excel file unpacks to more than 50 MB. Copy the rows of the list into a new file.');
}
