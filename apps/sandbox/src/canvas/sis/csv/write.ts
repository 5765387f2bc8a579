const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

/** Writes one CSV line with its line ending. */
export function stringify(cells: readonly (string | number | null)[]): string {
  return `${cells.map(quoted).join(',')}\n`;
}

function quoted(cell: string | number | null): string {
  if (cell === null) return '';
  const text = String(cell);
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
