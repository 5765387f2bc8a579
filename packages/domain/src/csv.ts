/** Writing CSV for the LMS: RFC 4180 quoting, lines joined by newlines, no trailing newline (OP-43). */

/** Characters that may need quotes; spaces need them only at the ends. */
const ODD = /[",\s]/;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/** Writes one cell, quoted only if necessary. */
export function csvCell(value: string): string {
  return ODD.test(value) && NEEDS_QUOTES.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/** Writes one line without a line end. */
export function csvLine(cells: readonly string[]): string {
  let line = '';
  for (let at = 0; at < cells.length; at++) {
    if (at > 0) line += ',';
    line += csvCell(cells[at] as string);
  }
  return line;
}

/** Writes a small CSV as one text; the code that produces large ones writes them in chunks. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map(csvLine).join('\n');
}
