/** Files sent to the LMS for an import: its CSV, or a zip that is written while sending (reference §7.1). */
import { Readable } from 'node:stream';
import { csvLine } from '@lms-admin/domain/csv';
import type { CsvRow } from '@lms-admin/domain/csv-reader';
import yazl from 'yazl';
import type { CanvasForm } from '../canvas/types.ts';
import { readPieces } from '../files/pieces.ts';
import type { Db } from '../platform/database.ts';
import type { ImportFile } from '../platform/schema.ts';
import { sentRows } from './stored-rows.ts';

/** Returns the common prefix of the names of sent files, used to find an import again. */
function stem(importId: string): string {
  return `lms-admin-${importId}`;
}

/** Returns the name of the attachment, used to find an import again. */
export function attachmentName(importId: string, zip = false): string {
  return `${stem(importId)}.${zip ? 'zip' : 'csv'}`;
}

/**
 * Returns whether a file name in the LMS is from this import's CSV or a file of its zip; the LMS may have appended to
 * it.
 */
export function isAttachmentOf(name: string, importId: string): boolean {
  return name.includes(stem(importId));
}

/** Returns the name of a file within the zip. @param part index from 0 */
export function memberName(importId: string, part: number, name: string): string {
  const plain = name.replace(/\.csv$/i, '').replace(/[^\w.-]+/g, '_');
  const number = String(part + 1).padStart(2, '0');
  return `${stem(importId)}-${number}-${plain.slice(0, 80)}.csv`;
}

/** Returns the index of the import's file that a name in the LMS refers to, from 0, or null if unknown. */
export function partOf(name: string | null, importId: string): number | null {
  const at = name?.indexOf(`${stem(importId)}-`) ?? -1;
  if (name === null || at === -1) return null;
  const number = /^(\d{1,3})-/.exec(name.slice(at + stem(importId).length + 1));
  return number ? Number(number[1]) - 1 : null;
}

/** Returns the form's file, readable again for each attempt to send. */
export function attachmentOf(
  db: Db,
  { id, zip, files }: { id: string; zip: boolean; files: ImportFile[] | null },
): CanvasForm {
  return {
    field: 'attachment',
    filename: attachmentName(id, zip),
    contentType: zip ? 'application/zip' : 'text/csv',
    content: zip ? zipped(db, id, files ?? []) : sent(db, id, 0, files),
  };
}

/** Returns one CSV of the import without the skipped rows. */
function sent(
  db: Db,
  id: string,
  part: number,
  files: readonly ImportFile[] | null,
): AsyncIterable<string | Uint8Array> {
  const { leftOut = [] } = files?.[part] ?? {};
  return leftOut.length === 0 ? readPieces(db, id, part) : written(sentRows(db, id, part, leftOut));
}

async function* written(batches: AsyncIterable<CsvRow[]>): AsyncGenerator<string, void, void> {
  let line = '';
  for await (const rows of batches) {
    let text = '';
    for (const { cells } of rows) {
      text += line + csvLine(cells);
      line = '\n';
    }
    if (text !== '') yield text;
  }
}

function zipped(db: Db, id: string, files: readonly ImportFile[]): AsyncIterable<Uint8Array> {
  return {
    async *[Symbol.asyncIterator]() {
      const zip = new yazl.ZipFile();
      const output = zip.outputStream as Readable;
      zip.on('error', (error: Error) => output.destroy(error));
      for (const [part, { name }] of files.entries()) {
        const content = Readable.from(sent(db, id, part, files), { objectMode: false });
        content.on('error', (error) => output.destroy(error));
        zip.addReadStream(content, memberName(id, part, name));
      }
      zip.end();
      yield* output as AsyncIterable<Uint8Array>;
    },
  };
}

const ID = new RegExp(`${stem('')}([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})`);

/** Returns the id of our import that a name in the LMS belongs to, or null. */
export function importIdIn(name: string): string | null {
  return ID.exec(name)?.[1] ?? null;
}
