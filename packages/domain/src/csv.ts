/** Writing CSV for the LMS: RFC 4180 quoting, lines joined by newlines, no trailing newline (OP-43). */

/** What may need quotes; blanks do at the ends only. */
const ODD = /[",\s]/;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/** One cell, quoted only where it needs to be. */
export function csvCell(value: string): string {
  return ODD.test(value) && NEEDS_QUOTES.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/** One line without its end. */
export function csvLine(cells: readonly string[]): string {
  let line = '';
  for (let at = 0; at < cells.length; at++) {
    if (at > 0) line += ',';
    line += csvCell(cells[at] as string);
  }
  return line;
}

/** Small CSV as one text; large ones are written in chunks by the code that knows their shape. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map(csvLine).join('\n');
}
