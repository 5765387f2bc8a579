/** First look at the bytes of a chosen file: its encoding, its first line, and whether it is an Excel file. Pure. */
import { separatorLine, sniffDelimiter } from '@lms-admin/domain/csv-reader';
import { sisHeader } from '@lms-admin/domain/sis-rows';

export function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, at) => bytes[at] === byte);
}

/**
 * Tells whether a file is an Excel file: a zip with a particular first file or, in the older format, a signature of its
 * own.
 */
export function isWorkbook(name: string, first: Uint8Array): boolean {
  if (startsWith(first, [0xd0, 0xcf, 0x11, 0xe0])) return true;
  if (!startsWith(first, [0x50, 0x4b, 0x03, 0x04])) return false;
  if (/\.(xlsx|xlsm|xlsb|ods)$/i.test(name)) return true;
  return new TextDecoder('latin1').decode(first).includes('[Content_Types].xml');
}

/**
 * Decodes text by its byte order mark. Without one: as UTF-16 if the zero bytes suggest that, otherwise as UTF-8 or,
 * if that fails, in the encoding that Excel uses.
 * @param whole false for the beginning of a file, whose last character may be incomplete
 */
export function decode(bytes: Uint8Array, whole = false): string {
  const zeros = (from: number) => {
    let count = 0;
    for (let at = from; at < Math.min(bytes.length, 200); at += 2) if (bytes[at] === 0) count++;
    return count > Math.min(bytes.length, 200) / 4;
  };
  if (startsWith(bytes, [0xff, 0xfe]) || zeros(1)) return new TextDecoder('utf-16le').decode(bytes);
  if (startsWith(bytes, [0xfe, 0xff]) || zeros(0)) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !whole });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** Finds the first line that is not empty; null if none. */
export function firstLine(text: string): string | null {
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (/[^\s,;|"]/.test(line) && separatorLine(line) === null) return line;
  }
  return null;
}

/** Reads the names of a header, regardless of quoting: the server reports quoting errors, with the row. */
export function headerOf(line: string): string[] {
  return sisHeader(namesOf(line));
}

/** Reads the cells of a header as they are written. */
export function namesOf(line: string): string[] {
  return line.split(sniffDelimiter(line)).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
}
