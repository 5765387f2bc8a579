/** Cells of text copied from a spreadsheet. */

/**
 * Splits text into cells as spreadsheets copy them: quoted if they contain a separator, a line end or quotes, which are
 * doubled. Trimmed; an empty line is one empty cell.
 */
export function pastedCells(text: string, separator: string): string[][] {
  return [...pastedLines(text, separator)];
}

/**
 * Splits text line by line like `pastedCells`, for callers that do not need all lines. Reads every character at most
 * twice.
 */
export function* pastedLines(text: string, separator: string): Generator<string[], void, void> {
  let cells: string[] = [];
  for (let at = 0; at <= text.length; ) {
    const from = afterBlanks(text, at, separator);
    const close = text.charAt(from) === '"' ? closingQuote(text, from, separator) : -1;
    const end = close === -1 ? endOfCell(text, from, separator) : close + 1;
    const cell = close === -1 ? text.slice(from, end) : text.slice(from + 1, close).replaceAll('""', '"');
    cells.push(cell.trim());
    if (text.charAt(end) !== separator) {
      yield cells;
      cells = [];
    }
    at = end + 1;
  }
}

function endOfCell(text: string, from: number, separator: string): number {
  let at = from;
  while (at < text.length && !endsCell(text.charAt(at), separator)) at++;
  return at;
}

function afterBlanks(text: string, from: number, separator: string): number {
  let at = from;
  while (at < text.length && !endsCell(text.charAt(at), separator) && text.charAt(at).trim() === '') at++;
  return at;
}

function endsCell(character: string, separator: string): boolean {
  return character === separator || character === '\n' || character === '\r';
}

/** Longest quoted cell to search for: without a limit, text full of quotes would take very long. */
const LONGEST_CELL = 2_000;

/** Returns the end of a cell that starts with a quote; -1 when the quote is just a character of the text. */
function closingQuote(text: string, from: number, separator: string): number {
  let at = from + 1;
  for (;;) {
    at = text.indexOf('"', at);
    if (at === -1 || at - from > LONGEST_CELL) return -1;
    if (text.charAt(at + 1) !== '"') break;
    at += 2;
  }
  const next = text.charAt(at + 1);
  return next === '' || endsCell(next, separator) ? at : -1;
}
