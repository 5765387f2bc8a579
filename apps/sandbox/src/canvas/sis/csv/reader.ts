import { parse } from 'csv-parse';

/** Opens the bytes of a file; called for each reading. */
export type OpenFile = () => AsyncIterable<Buffer> | Promise<AsyncIterable<Buffer>>;

/** Broken quoting, or a misplaced line ending: none of the file is imported (§8.2). */
export class MalformedCsv extends Error {}
/** Bytes that are not UTF-8 (§8.2). */
export class InvalidUtf8 extends Error {}

/** One line of a file: its raw cells and its number (the header is row 1, empty lines do not count). */
export interface RawRow {
  cells: string[];
  row: number;
}

/** The result of a first look at the bytes. */
export interface Layout {
  lineEnd: '\r\n' | '\n' | '\r';
  /** Whether there are line breaks other than `lineEnd`, which are allowed only inside quotes. */
  mixedBreaks: boolean;
  /** Whether there is a NUL anywhere. */
  hasNul: boolean;
}

/**
 * Reads all bytes once: checks for UTF-8 and finds the line ending. The first line break decides, wherever it is, as
 * in Ruby's CSV.
 * @throws InvalidUtf8
 */
export async function scan(open: OpenFile, yieldNow: () => Promise<void>): Promise<Layout> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const met = new Set<Layout['lineEnd']>();
  // A CR at the end of a chunk: only the next chunk shows whether it is half of a CRLF.
  let openCr = false;
  let hasNul = false;
  for await (const chunk of await open()) {
    if (chunk.length === 0) continue;
    checkUtf8(decoder, chunk);
    hasNul ||= chunk.includes(0);
    if (openCr && chunk[0] !== 10) met.add('\r');
    for (let at = nextBreak(chunk, 0); at >= 0; at = nextBreak(chunk, at + 1)) {
      if (chunk[at] === 10) met.add((at === 0 ? openCr : chunk[at - 1] === 13) ? '\r\n' : '\n');
      else if (at + 1 < chunk.length && chunk[at + 1] !== 10) met.add('\r');
    }
    openCr = chunk[chunk.length - 1] === 13;
    await yieldNow();
  }
  checkUtf8(decoder, null);
  if (openCr) met.add('\r');
  // A set keeps its members in order of insertion.
  const [lineEnd = '\n'] = met;
  return { lineEnd, mixedBreaks: met.size > 1, hasNul };
}

/** Finds the next CR or LF by Buffer's fast search; CRs are rare, so the search for LF is bounded. */
function nextBreak(chunk: Buffer, from: number): number {
  const lf = chunk.indexOf(10, from);
  const end = lf < 0 ? chunk.length : lf;
  for (let at = from; at < end; at++) if (chunk[at] === 13) return at;
  return lf;
}

function checkUtf8(decoder: TextDecoder, chunk: Buffer | null): void {
  try {
    decoder.decode(chunk ?? undefined, { stream: chunk !== null });
  } catch {
    throw new InvalidUtf8();
  }
}

/** Rejects line breaks outside quotes, which csv-parse would treat as part of the cell. */
const refuseBareBreaks = (value: string, context: { quoting: boolean }): string => {
  if (!context.quoting && /[\r\n]/.test(value)) throw new MalformedCsv('line break in an unquoted cell');
  return value;
};

/**
 * Streams the lines of a CSV file, including the header, in groups of one chunk of bytes.
 * @throws MalformedCsv (§8.2)
 */
export async function* readRows(open: OpenFile, layout: Layout): AsyncGenerator<RawRow[]> {
  let rows: RawRow[] = [];
  let row = 0;
  let failure: Error | undefined;
  const parser = parse({
    bom: true,
    record_delimiter: layout.lineEnd,
    relax_column_count: true,
    skip_empty_lines: true,
    ...(layout.mixedBreaks ? { cast: refuseBareBreaks } : {}),
  });
  parser.on('data', (cells: string[]) => {
    rows.push({ cells, row: ++row });
  });
  const done = new Promise<void>((resolve) => {
    parser.once('error', (error: Error) => {
      failure = error;
      resolve();
    });
    parser.once('end', resolve);
  });
  const take = (): RawRow[] => {
    if (failure) throw new MalformedCsv(failure.message);
    const taken = rows;
    rows = [];
    return taken;
  };
  try {
    for await (const chunk of await open()) {
      await new Promise<void>((resolve) => {
        parser.write(chunk, () => resolve());
      });
      const group = take();
      if (group.length > 0) yield group;
    }
    parser.end();
    await done;
    const group = take();
    if (group.length > 0) yield group;
  } finally {
    parser.destroy();
  }
}

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13);

/** Returns the cell without surrounding white space, or null if it is empty (§8.2). */
export function cellValue(cell: string | undefined): string | null {
  if (cell === undefined) return null;
  let from = 0;
  let to = cell.length;
  while (from < to && isSpace(cell.charCodeAt(from))) from++;
  while (to > from && isSpace(cell.charCodeAt(to - 1))) to--;
  if (from === to) return null;
  const value = from === 0 && to === cell.length ? cell : cell.slice(from, to);
  // Other Unicode spaces around a value are kept, but on their own they are not a value.
  return value.charCodeAt(0) > 127 && value.trim() === '' ? null : value;
}
