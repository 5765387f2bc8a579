/** Distinguishes CSV, zip and spreadsheet by the first bytes, whatever the file's name. */
import { fileRefused } from './problems.ts';

export type FileKind = 'text' | 'zip' | 'workbook';

/** Number of bytes inspected, which include the name of a zip's first entry. */
const LOOKED_AT = 100;
const ZIP = Buffer.from('PK\u0003\u0004', 'latin1');
const EMPTY_ZIP = Buffer.from('PK\u0005\u0006', 'latin1');
/** The container of .xls files. */
const OLE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

/** The first entry of an OpenDocument file, and its content. */
const OPEN_DOCUMENT = 'mimetypeapplication/vnd.oasis.opendocument.spreadsheet';

/** Inspects the beginning. The returned bytes are complete. */
export async function peeked(
  bytes: AsyncIterable<Uint8Array>,
): Promise<{ kind: FileKind; bytes: AsyncGenerator<Uint8Array, void, void> }> {
  const source = bytes[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < LOOKED_AT) {
    const next = await source.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  async function* whole(): AsyncGenerator<Uint8Array, void, void> {
    if (head.length > 0) yield head;
    for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
  }
  return { kind: kindOf(head), bytes: whole() };
}

function kindOf(head: Buffer): FileKind {
  if (startsWith(head, OLE)) return 'workbook';
  if (startsWith(head, EMPTY_ZIP)) return 'zip';
  if (!startsWith(head, ZIP)) return 'text';
  return isWorkbookEntry(head.subarray(30, LOOKED_AT).toString('latin1')) ? 'workbook' : 'zip';
}

function startsWith(bytes: Buffer, start: Buffer): boolean {
  return bytes.subarray(0, start.length).equals(start);
}

/** Returns whether an entry of this name shows that a zip is a spreadsheet of Excel or LibreOffice. */
export function isWorkbookEntry(name: string): boolean {
  return name.startsWith('[Content_Types].xml') || name.startsWith('xl/') || name.startsWith(OPEN_DOCUMENT);
}

/** @throws AppError bad-request */
export function refuseWorkbook(kind: FileKind): void {
  if (kind !== 'workbook') return;
  throw fileRefused('This is a spreadsheet, not a CSV file. Save it as CSV UTF-8.', {
    next: "In Excel choose 'Save As' and 'CSV UTF-8 (Comma delimited)', then upload that file.",
  });
}
