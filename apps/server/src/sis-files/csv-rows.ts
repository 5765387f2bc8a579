/** Reads CSV as it comes, in batches of rows; one that never ends a line or a quote is refused before it fills the memory. */
import { setImmediate as breathe } from 'node:timers/promises';
import { type Delimiter, sniffDelimiter } from '@lms-admin/domain/sis-rows';
import { CsvError } from 'csv-parse';
import { csvParser } from '../imports/csv-parser.ts';
import { BadEncoding } from './decode.ts';

/** Bytes given to the parser at once, before other work gets its turn. */
const BYTES_AT_ONCE = 65_536;
/** Longest line, and longest row (whose quotes may span lines), in bytes. */
const LONGEST_LINE = 20_000;
const LONGEST_ROW = 100_000;

/** The file cannot be read as CSV from this row on (1-based, blank rows counted). */
export class BadCsv extends Error {
  readonly row: number;
  constructor(row: number, message: string) {
    super(message);
    this.name = 'BadCsv';
    this.row = row;
  }
}

/**
 * The rows of a CSV in UTF-8, blank ones too, in batches.
 * @param onDelimiter is told the separator before the first batch
 * @throws BadCsv
 */
export async function* csvRows(
  source: AsyncIterable<Buffer>,
  onDelimiter: (delimiter: Delimiter) => void,
): AsyncGenerator<string[][], void, void> {
  const pieces = withHeaderLine(source);
  let parser: ReturnType<typeof csvParser> | null = null;
  let failed: Error | null = null;
  let rows = 0;
  /** Whether what was read so far ends with a line. */
  let atStart = true;
  const lines = lineMeter();
  const take = (): string[][] => {
    const batch: string[][] = [];
    for (let row = parser?.read(); row !== null && row !== undefined; row = parser?.read()) batch.push(row);
    rows += batch.length;
    return batch;
  };
  try {
    for await (const bytes of pieces) {
      if (parser === null) {
        const delimiter = sniffDelimiter(firstLine(bytes));
        onDelimiter(delimiter);
        parser = csvParser({
          delimiter,
          record_delimiter: ['\r\n', '\n', '\r'],
          max_record_size: LONGEST_ROW,
        });
        parser.on('error', (error) => {
          failed ??= error;
        });
      }
      for (let at = 0; at < bytes.length; at += BYTES_AT_ONCE) {
        const some = bytes.subarray(at, at + BYTES_AT_ONCE);
        if (!lines.add(some)) {
          throw new BadCsv(rows + 1, `The row, or one soon after it, is longer than ${LONGEST_LINE} signs.`);
        }
        parser.write(some);
        atStart = some.at(-1) === 10 || some.at(-1) === 13;
        const batch = take();
        if (batch.length > 0) yield batch;
        await breathe();
        if (failed) throw failed;
      }
    }
    if (parser === null) return;
    parser.end();
    await breathe();
    const batch = take();
    if (batch.length > 0) yield batch;
    await breathe();
    if (failed) throw failed;
  } catch (error) {
    if (error instanceof BadEncoding) {
      // What the parser still holds is the beginning of the row that is broken, or the end of the one before.
      parser?.end();
      await breathe();
      take();
      if (!atStart && !failed) rows--;
      throw new BadCsv(rows + 1, 'The row has signs that do not belong to the encoding of the file.');
    }
    if (!(error instanceof CsvError)) throw error;
    const before = typeof error.records === 'number' ? error.records : rows;
    throw new BadCsv(
      before + 1,
      error.code === 'CSV_MAX_RECORD_SIZE'
        ? `The row is longer than ${LONGEST_ROW} signs: perhaps a quote is never closed.`
        : 'The quotes of this row do not fit.',
    );
  } finally {
    parser?.destroy();
  }
}

/** The same bytes; the first piece has the whole header line, unless that is too long anyway. */
async function* withHeaderLine(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
  let held: Buffer | null = Buffer.alloc(0);
  for await (const bytes of source) {
    if (held === null) {
      yield bytes;
      continue;
    }
    held = held.length > 0 ? Buffer.concat([held, bytes]) : bytes;
    if (held.length <= LONGEST_LINE && !/[^\s][^\r\n]*[\r\n]/.test(held.toString('utf8'))) continue;
    yield held;
    held = null;
  }
  if (held !== null && held.length > 0) yield held;
}

/** The first line that is not blank, as far as a header reaches. */
function firstLine(bytes: Buffer): string {
  const text = bytes.subarray(0, LONGEST_LINE).toString('utf8');
  return text.split(/\r\n|\n|\r/).find((line) => line.trim() !== '') ?? '';
}

/** Measures lines: one with millions of cells would be made whole, and at once, before anybody could look at it. */
function lineMeter() {
  let open = 0;
  const lastEnd = (bytes: Buffer, upTo: number) =>
    Math.max(bytes.lastIndexOf(10, upTo), bytes.lastIndexOf(13, upTo));
  return {
    /** @returns false when a line has become too long */
    add(bytes: Buffer): boolean {
      for (let start = 0; ; ) {
        const most = start + LONGEST_LINE - open;
        const end = lastEnd(bytes, Math.min(most, bytes.length - 1));
        if (end >= start) {
          start = end + 1;
          open = 0;
          if (start >= bytes.length) return true;
          continue;
        }
        if (most < bytes.length) return false;
        open += bytes.length - start;
        return true;
      }
    },
  };
}
