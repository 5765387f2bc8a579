/** Writing CSV for the LMS: RFC 4180 quoting, lines joined by newlines, no trailing newline (OP-43). */

/** One cell, quoted only where it needs to be. */
export function csvCell(value: string): string {
  return /[",\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/** One line without its end. */
export function csvLine(cells: readonly string[]): string {
  return cells.map(csvCell).join(',');
}

/** Small CSV as one text; large ones are written in chunks by the code that knows their shape. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map(csvLine).join('\n');
}
