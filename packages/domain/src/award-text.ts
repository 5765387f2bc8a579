/** Typed names, in lists and in surveys: their form for display and for comparison (OP-105). Pure. */

/** Anything but visible ASCII characters with single spaces between them: most texts need no further check. */
const ODD = /[^!-~ ]| {2}|^ | $/;
const UNTIDY = /[\p{Cc}\p{Cs}]|\s\s|[^\S ]|^\s|\s$/u;
const BLANKS = /[\s\p{Cc}\p{Cs}]+/gu;

/**
 * Returns the text without surrounding spaces; a run of spaces, line breaks or invisible characters becomes one
 * space.
 */
export function tidy(text: string): string {
  return ODD.test(text) && UNTIDY.test(text) ? text.replace(BLANKS, ' ').trim() : text;
}

/** Returns the tidied text of a cell; empty if there is none, null if it is neither text nor a number. */
export function cellText(cell: unknown): string | null {
  if (typeof cell === 'string') return tidy(cell);
  if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell);
  return cell === null || cell === undefined ? '' : null;
}

/** Letters without a removable accent. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  ς: 'σ',
  '’': "'",
  '‘': "'",
  ʼ: "'",
  '‐': '-',
  '‑': '-',
  '–': '-',
  '—': '-',
};
const SPECIAL = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'gu');
const PLAIN = /^[\x20-\x7e]*$/;

/** Returns the form for comparing names: without regard to case, accents, spaces, and the form of quotes and dashes. */
export function nameKey(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase().replaceAll(' ', '');
  return text
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\p{Cc}\p{Cf}\p{Cs}\s]+/gu, '')
    .replace(SPECIAL, (letter) => LETTERS[letter] ?? '');
}

/** Compares texts in an order that is the same on every machine. */
export function inOrder(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
