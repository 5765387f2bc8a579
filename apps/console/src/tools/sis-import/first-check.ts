/**
 * The first look at a chosen file, in the browser, from its first bytes: kind to the admin, for a wrong file is told at
 * once. The server checks every row when the file is uploaded, and decides.
 */
import { MAX_SIS_FILE_BYTES } from '@lms-admin/contract/sis-files';
import { separatorLine, sniffDelimiter } from '@lms-admin/domain/csv-reader';
import { looksBinary, sisHeader } from '@lms-admin/domain/sis-rows';
import { type SisKind, sisTableFor } from '@lms-admin/domain/sis-tables';
import { texts } from './texts.ts';

/** How much of a file the first look reads. */
export const FIRST_BYTES = 65_536;

/** What a file seems to be; `problem` says why it cannot be used. */
export interface FirstCheck {
  /** Null for a zip, whose files only the server reads, and where there is a problem. */
  kind: SisKind | null;
  zip: boolean;
  problem: string | null;
}

const refused = (problem: string): FirstCheck => ({ kind: null, zip: false, problem });

/**
 * @param file its name, and its size in bytes
 * @param first the first `FIRST_BYTES` bytes, or all of a smaller file
 * @param limited true for an admin whose `perm` is not `ALL`
 */
export function firstCheck(
  file: { name: string; size: number },
  first: Uint8Array,
  limited: boolean,
): FirstCheck {
  if (file.size === 0) return refused(texts.problems.empty);
  if (file.size > MAX_SIS_FILE_BYTES) return refused(texts.problems.tooLarge(file.size, MAX_SIS_FILE_BYTES));
  if (isWorkbook(file.name, first)) return refused(texts.problems.workbook);
  if (startsWith(first, [0x50, 0x4b, 0x03, 0x04])) {
    return limited ? refused(texts.problems.zip) : { kind: null, zip: true, problem: null };
  }
  const text = decode(first);
  if (looksBinary(text)) return refused(texts.problems.notText);
  const line = firstLine(text);
  if (line === null) return refused(texts.problems.empty);
  const header = headerOf(line);
  const table = sisTableFor(header);
  if (table === null) return refused(texts.problems.header(header));
  const { kind, senders, title } = table;
  if (senders === 'nobody') return refused(texts.problems.admins);
  if (limited && senders !== 'everybody') return refused(texts.problems.kind(title));
  return { kind, zip: false, problem: null };
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, at) => bytes[at] === byte);
}

/** A workbook is a zip with a certain first file, or, of the older sort, begins with bytes of its own. */
function isWorkbook(name: string, first: Uint8Array): boolean {
  if (startsWith(first, [0xd0, 0xcf, 0x11, 0xe0])) return true;
  if (!startsWith(first, [0x50, 0x4b, 0x03, 0x04])) return false;
  if (/\.(xlsx|xlsm|xlsb|ods)$/i.test(name)) return true;
  return new TextDecoder('latin1').decode(first).includes('[Content_Types].xml');
}

/** The text as its mark says, else by the zeros that plain letters have in UTF-16, else UTF-8, else as Excel writes it. */
function decode(bytes: Uint8Array): string {
  const zeros = (from: number) => {
    let count = 0;
    for (let at = from; at < Math.min(bytes.length, 200); at += 2) if (bytes[at] === 0) count++;
    return count > Math.min(bytes.length, 200) / 4;
  };
  if (startsWith(bytes, [0xff, 0xfe]) || zeros(1)) return new TextDecoder('utf-16le').decode(bytes);
  if (startsWith(bytes, [0xfe, 0xff]) || zeros(0)) return new TextDecoder('utf-16be').decode(bytes);
  try {
    // As a stream: the last letter of the part that was read may be cut.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The first line that holds anything; null when there is none. */
function firstLine(text: string): string | null {
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (/[^\s,;"]/.test(line) && separatorLine(line) === null) return line;
  }
  return null;
}

/** The names of a header, however its quotes stand: what is wrong with them the server tells, with the row. */
function headerOf(line: string): string[] {
  const names = line.split(sniffDelimiter(line));
  return sisHeader(names.map((name) => name.trim().replace(/^"(.*)"$/, '$1')));
}
