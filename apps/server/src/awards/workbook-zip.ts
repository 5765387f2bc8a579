/** Whether a zip is a workbook that may be read: its parts are unpacked once, within bounds, and thrown away. */
import type { Readable } from 'node:stream';
import yauzl, { type Entry, type ZipFile } from 'yauzl';
import type { AppError } from '../platform/errors.ts';
import { invalidFile } from './refusals.ts';

/** Most bytes that all parts unfold to, and most parts. */
const MOST_BYTES = 52_428_800;
const MOST_PARTS = 1_000;
const WORKBOOK = /^xl\/workbook\d*\.xml$/i;

/** @throws AppError bad-request */
export async function requireWorkbookZip(bytes: Buffer): Promise<void> {
  const zip = await opened(bytes);
  try {
    const parts = await partsOf(zip);
    if (!parts.some(({ fileName }) => WORKBOOK.test(fileName)) || parts.length > MOST_PARTS) throw broken();
    if (parts.reduce((sum, part) => sum + part.uncompressedSize, 0) > MOST_BYTES) throw tooLarge();
    // What it says of its parts is held to while they are unpacked: the library itself would believe anything.
    for (const part of parts) await passOver(zip, part);
  } finally {
    zip.close();
  }
}

function opened(bytes: Buffer): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    yauzl.fromBuffer(bytes, { lazyEntries: true, validateEntrySizes: true }, (error, zip) => {
      if (error) reject(broken());
      else resolve(zip);
    });
  });
}

function partsOf(zip: ZipFile): Promise<Entry[]> {
  const parts: Entry[] = [];
  return new Promise((resolve, reject) => {
    zip.on('entry', (part: Entry) => {
      if (parts.push(part) > MOST_PARTS) reject(broken());
      else zip.readEntry();
    });
    zip.once('end', () => resolve(parts));
    zip.once('error', () => reject(broken()));
    zip.readEntry();
  });
}

async function passOver(zip: ZipFile, part: Entry): Promise<void> {
  try {
    const stream = await new Promise<Readable>((resolve, reject) => {
      zip.openReadStream(part, (error, opening) => (error ? reject(error) : resolve(opening)));
    });
    for await (const _ of stream);
  } catch {
    throw broken();
  }
}

function broken(): AppError {
  return invalidFile(
    'The workbook is damaged, or none of Excel: save it anew as .xlsx, and upload it again.',
  );
}

function tooLarge(): AppError {
  return invalidFile('The workbook unfolds to more than 50 MB: copy the rows of the list into a new one.');
}
