/** Rows made by hand, as they come from outside: a CSV text, or lists of cells. */
import { setImmediate as breathe } from 'node:timers/promises';
import type { ErrorDetail } from '@lms-admin/contract/errors';
import { CsvError } from 'csv-parse';
import { AppError } from '../platform/errors.ts';
import { csvParser } from './csv-parser.ts';

/** What is sent by hand: text, or rows of which the first is the header. */
export type HandMadeCsv = string | readonly (readonly string[])[];

/** Most problems that one refusal names. */
export const MOST_DETAILS = 100;
/** Characters given to the parser at once, and rows of an array checked at once, before other work gets its turn. */
const TEXT_AT_ONCE = 32_768;
const ROWS_AT_ONCE = 2_000;
/** Longest line: cells of the longest ids and names fit in several times. */
const LONGEST_LINE = 20_000;

/**
 * The rows with the header, in their order; blank ones are left out and not counted.
 * @throws AppError bad-request with the row: quotes that do not fit, a line that is too long
 */
export async function* csvRows(csv: HandMadeCsv): AsyncGenerator<readonly string[], void, void> {
  for await (const cells of typeof csv === 'string' ? parsed(csv) : spread(csv)) {
    if (cells.some((cell) => cell.trim() !== '')) yield cells;
  }
}

/** The names of the first row, trimmed and in lower case; what decides which kind of rows they are. */
export function headerNames(csv: HandMadeCsv): string[] {
  const first =
    typeof csv === 'string'
      ? (/^\uFEFF?\s*([^\r\n]{1,2000})/.exec(csv)?.[1] ?? '')
          .split(',')
          .map((cell) => cell.replaceAll('"', ''))
      : (csv.find((cells) => cells.some((cell) => cell.trim() !== '')) ?? []);
  return first.map((name) => name.trim().toLowerCase());
}

/** The rows of a text, without blank lines; other work gets its turn in between. */
async function* parsed(csv: string): AsyncGenerator<readonly string[], void, void> {
  const parser = csvParser({ bom: true, skip_empty_lines: true });
  const lines = lineMeter();
  const feed = async () => {
    for (let at = 0; at < csv.length; at += TEXT_AT_ONCE) {
      const text = csv.slice(at, at + TEXT_AT_ONCE);
      const tooLong = lines.add(text);
      if (tooLong !== null) {
        const message = `The line is longer than ${LONGEST_LINE} signs.`;
        parser.destroy(rowsDoNotFit([{ row: tooLong, field: null, message }]));
        return;
      }
      const more = parser.write(text);
      if (!more) await new Promise((resolve) => parser.once('drain', resolve));
      await breathe();
      if (parser.destroyed) return;
    }
    parser.end();
  };
  const fed = feed();
  try {
    for await (const cells of parser) yield cells as string[];
    await fed;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error.lines === 'number' ? error.lines : 1;
    throw rowsDoNotFit([{ row: line, field: null, message: 'The quotes of this row do not fit.' }]);
  }
}

/** Measures lines: one with millions of cells would be made whole, and at once, before anybody could look at it. */
function lineMeter() {
  let line = 1;
  let length = 0;
  let last = 0;
  return {
    /** @returns the number of the line that has become too long, or null */
    add(text: string): number | null {
      for (let at = 0; at < text.length; at++) {
        const sign = text.charCodeAt(at);
        if (sign === 10 || sign === 13) {
          if (sign === 13 || last !== 13) line++;
          length = 0;
        } else if (++length > LONGEST_LINE) return line;
        last = sign;
      }
      return null;
    },
  };
}

async function* spread(rows: readonly (readonly string[])[]): AsyncGenerator<readonly string[], void, void> {
  for (const [index, cells] of rows.entries()) {
    if (index % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await breathe();
    yield cells;
  }
}

/** The refusal of rows made by hand, whatever they are. */
export function rowsDoNotFit(details: ErrorDetail[]): AppError {
  return new AppError('bad-request', {
    message: 'Rows of the CSV do not fit. Nothing has been sent.',
    next: 'Correct the rows that are named and send the CSV again.',
    details,
  });
}
