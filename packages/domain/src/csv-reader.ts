/**
 * Reading CSV: RFC 4180, as strict about quotes as the LMS, with any number of cells in a row and any line end. Pure:
 * callers with long text pass it in pieces, so that other work gets a turn in between.
 */

/** A row that is not empty. */
export interface CsvRow {
  /** The first row is 1; empty rows are counted, but a line `sep=;` above them is not, as in a spreadsheet. */
  row: number;
  /** Without surrounding white space, as in the LMS. */
  cells: string[];
}

/** Maximum characters of a row on one line, and of a row with quoted line breaks. */
export interface LongestRows {
  line: number;
  row: number;
}

/** The text cannot be read from this row on. */
export class BadCsv extends Error {
  readonly row: number;
  constructor(row: number, message: string) {
    super(message);
    this.name = 'BadCsv';
    this.row = row;
  }
}

export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** Maximum characters of a row, and of a row with quoted line breaks: without a limit, either could fill the memory. */
export const LONGEST_LINE = 20_000;
export const LONGEST_ROW = 100_000;
const LONGEST: LongestRows = { line: LONGEST_LINE, row: LONGEST_ROW };
/** Maximum number of empty rows, the height of a worksheet: reading nothing but line endings would take minutes. */
export const MOST_BLANK_ROWS = 1_048_576;

const QUOTE = 34;
const LF = 10;
const CR = 13;
const BYTE_ORDER_MARK = 0xfeff;

/** Reads one CSV. The rows do not depend on where the text is cut into pieces. */
export class CsvReader {
  /** Text not yet split into rows; it begins at the start of a row. */
  #text = '';
  #delimiter: Delimiter | null;
  #code = 0;
  #begun = false;
  /** The last row ended with a CR at the end of the text: a following LF belongs to it. */
  #afterCr = false;
  #row = 1;
  #blankRows = 0;
  #separatorLine = false;
  #failure: BadCsv | null = null;
  readonly #longestLine: number;
  readonly #longestRow: number;

  /**
   * @param delimiter separates the cells; null: the first row that is not empty decides
   * @param longest null for text that LMS Admin wrote: quoting may have made its rows longer
   */
  constructor(delimiter: Delimiter | null = ',', longest: LongestRows | null = LONGEST) {
    this.#delimiter = delimiter;
    this.#code = delimiter?.charCodeAt(0) ?? 0;
    this.#longestLine = longest?.line ?? Number.POSITIVE_INFINITY;
    this.#longestRow = longest?.row ?? Number.POSITIVE_INFINITY;
  }

  /** Separates the cells; null until it is known. */
  get delimiter(): Delimiter | null {
    return this.#delimiter;
  }

  /** Returns the number of skipped empty rows, including those at the end and above the header. */
  get blankRows(): number {
    return this.#blankRows;
  }

  /** Returns the number of the row that is read next. */
  get row(): number {
    return this.#row;
  }

  /** Returns the reason why nothing more can be read; set after the preceding rows were returned. */
  get failure(): BadCsv | null {
    return this.#failure;
  }

  /** Adds a piece of text: about 64 KB, because an incomplete row is read again. @returns the completed rows */
  add(piece: string): CsvRow[] {
    return this.#take(piece, false);
  }

  /** Ends the text. @returns the last row, unless it was empty */
  end(): CsvRow[] {
    return this.#take('', true);
  }

  #take(piece: string, last: boolean): CsvRow[] {
    const rows: CsvRow[] = [];
    if (this.#failure) return rows;
    this.#text += piece;
    try {
      this.#read(rows, last);
    } catch (error) {
      if (!(error instanceof BadCsv)) throw error;
      this.#failure = error;
      this.#text = '';
    }
    return rows;
  }

  #read(rows: CsvRow[], last: boolean): void {
    const text = this.#text;
    if (text === '') return;
    let at = 0;
    if (!this.#begun && text.charCodeAt(0) === BYTE_ORDER_MARK) at++;
    this.#begun = true;
    if (this.#afterCr && text.charCodeAt(at) === LF) at++;
    this.#afterCr = false;
    if (this.#delimiter === null) at = this.#sniff(at, last);
    while (this.#delimiter !== null && at < text.length) {
      const first = text.charCodeAt(at);
      if (first === LF || first === CR) {
        at = this.#lineEnd(text, at);
        this.#blankRow();
        continue;
      }
      const cells: string[] = [];
      const next = this.#cells(cells, text, at, last);
      if (next === -1) break;
      at = next;
      if (cells.every((cell) => cell === '')) this.#blankRow();
      else rows.push({ row: this.#row++, cells });
    }
    this.#text = text.slice(at);
  }

  #blankRow(): void {
    if (++this.#blankRows > MOST_BLANK_ROWS) {
      this.#refuse(`There are more than ${MOST_BLANK_ROWS} empty rows. Remove them.`);
    }
    this.#row++;
  }

  /** Takes the delimiter from the first line that is not empty. @returns its start, or where the text must continue */
  #sniff(from: number, last: boolean): number {
    const text = this.#text;
    let at = from;
    while (at < text.length) {
      let end = at;
      while (end < text.length && text.charCodeAt(end) !== LF && text.charCodeAt(end) !== CR) end++;
      if (end === text.length && !last && end - at <= LONGEST_LINE) break;
      const line = text.slice(at, Math.min(end, at + LONGEST_LINE));
      const named = this.#separatorLine ? null : separatorLine(line);
      if (named !== null) {
        // The line sets the delimiter and is not a row: a spreadsheet does not show it.
        this.#separatorLine = true;
        this.#delimiter = named;
        this.#code = named.charCodeAt(0);
        return end === text.length ? end : this.#lineEnd(text, end);
      }
      if (line.trim() !== '' || end === text.length) {
        this.#delimiter = sniffDelimiter(line);
        this.#code = this.#delimiter.charCodeAt(0);
        break;
      }
      at = this.#lineEnd(text, end);
      this.#blankRow();
    }
    return at;
  }

  /** @returns the start of the next line, after the CR, LF or both at `at` */
  #lineEnd(text: string, at: number): number {
    if (text.charCodeAt(at) === LF) return at + 1;
    this.#afterCr = at + 1 === text.length;
    return text.charCodeAt(at + 1) === LF ? at + 2 : at + 1;
  }

  /** Reads a row into `cells`. @returns the start of the next row; -1 while the end of this one is missing */
  #cells(cells: string[], text: string, start: number, last: boolean): number {
    const delimiter = this.#code;
    const end = text.length;
    let most = this.#longestLine;
    let at = start;
    for (;;) {
      const from = at;
      let cell: string;
      if (text.charCodeAt(at) === QUOTE) {
        const close = this.#closingQuote(text, start, at, last);
        if (close === -1) return -1;
        cell = text.slice(from + 1, close).replaceAll('""', '"');
        if (/[\r\n]/.test(cell)) most = this.#longestRow;
        at = close + 1;
      } else {
        for (; at < end; at++) {
          const code = text.charCodeAt(at);
          if (code === delimiter || code === LF || code === CR) break;
          if (code === QUOTE) this.#refuse(UNFIT_QUOTES);
        }
        if (at - start > most) this.#refuse(this.#tooLong(most));
        if (at === end && !last) return -1;
        cell = text.slice(from, at);
      }
      if (at - start > most) this.#refuse(this.#tooLong(most));
      cells.push(trimmed(cell));
      if (at >= end) return end;
      const code = text.charCodeAt(at);
      if (code === LF || code === CR) return this.#lineEnd(text, at);
      // Nothing may follow a closing quote.
      if (code !== delimiter) this.#refuse(UNFIT_QUOTES);
      at++;
    }
  }

  /** Returns the end of the cell with its quote at `from`; -1 while unknown. */
  #closingQuote(text: string, start: number, from: number, last: boolean): number {
    let at = from + 1;
    for (;;) {
      at = text.indexOf('"', at);
      // For a quote at the very end, only the following text shows whether it is doubled.
      if (at === -1 || (at === text.length - 1 && !last)) {
        if (text.length - start > this.#longestRow) this.#refuse(this.#tooLong(this.#longestRow));
        if (last) this.#refuse(UNFIT_QUOTES);
        return -1;
      }
      if (text.charCodeAt(at + 1) !== QUOTE) return at;
      at += 2;
    }
  }

  #tooLong(most: number): string {
    const hint = most > this.#longestLine ? '. Perhaps a quotation mark is not closed' : '';
    return `The row is longer than ${most} characters${hint}.`;
  }

  #refuse(message: string): never {
    throw new BadCsv(this.#row, message);
  }
}

/** Returns the delimiter in Excel's own first line, such as `sep=;`; null for any other line. */
export function separatorLine(line: string): Delimiter | null {
  const [, named] = /^\s*"?sep=([,;\t|])"?[\s,;|]*$/i.exec(line) ?? [];
  return DELIMITERS.find((one) => one === named) ?? null;
}

/** Returns the delimiter of a header: the most frequent one outside quotes; a comma if there is none. */
export function sniffDelimiter(line: string): Delimiter {
  const outside = line.replace(/"[^"]*("|$)/g, '');
  let best: Delimiter = ',';
  let most = 0;
  for (const one of DELIMITERS) {
    const count = outside.split(one).length - 1;
    if (count > most) {
      best = one;
      most = count;
    }
  }
  return best;
}

const UNFIT_QUOTES = 'A quotation mark (") in this row is not closed, or has text after it.';

/** Trims a cell. Most cells start and end with a letter or digit, which is a fast check. */
function trimmed(cell: string): string {
  if (cell === '') return cell;
  const first = cell.charCodeAt(0);
  const last = cell.charCodeAt(cell.length - 1);
  return first <= 32 || last <= 32 || first > 126 || last > 126 ? cell.trim() : cell;
}
