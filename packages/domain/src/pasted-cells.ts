/** The cells of text that was copied from a spreadsheet. */

/**
 * Cells as spreadsheets copy them: quoted where they hold a separator, a line end or quotes, which are doubled. Trimmed; a
 * blank line is one empty cell.
 */
export function pastedCells(text: string, separator: string): string[][] {
  const lines: string[][] = [[]];
  let cell = '';
  const endCell = () => {
    lines.at(-1)?.push(cell.trim());
    cell = '';
  };
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"' && cell.trim() === '') {
      const end = closingQuote(text, at, separator);
      if (end !== -1) {
        cell = text.slice(at + 1, end).replaceAll('""', '"');
        at = end;
        continue;
      }
    }
    if (character === separator) endCell();
    else if (character === '\n' || character === '\r') {
      endCell();
      lines.push([]);
    } else cell += character;
  }
  endCell();
  return lines;
}

/** Longest quoted cell that is looked for: without an end to the search, text full of quotes would take for ever. */
const LONGEST_CELL = 2_000;

/** Where the cell that begins with a quote ends; -1 when the quote is just a character of the text. */
function closingQuote(text: string, from: number, separator: string): number {
  let at = from + 1;
  for (;;) {
    at = text.indexOf('"', at);
    if (at === -1 || at - from > LONGEST_CELL) return -1;
    if (text.charAt(at + 1) !== '"') break;
    at += 2;
  }
  const next = text.charAt(at + 1);
  return next === '' || next === separator || next === '\n' || next === '\r' ? at : -1;
}
