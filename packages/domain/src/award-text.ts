/** Names as they were typed, in lists and in surveys: how they are shown and how they are compared (OP-105). Pure. */

/** Anything but letters of ASCII with single blanks between them: of most texts nothing more is asked. */
const ODD = /[^!-~ ]| {2}|^ | $/;
const UNTIDY = /[\p{Cc}\p{Cs}]|\s\s|[^\S ]|^\s|\s$/u;
const BLANKS = /[\s\p{Cc}\p{Cs}]+/gu;

/** The text without blanks around it; a run of blanks, line breaks or what no one can see becomes one blank. */
export function tidy(text: string): string {
  return ODD.test(text) && UNTIDY.test(text) ? text.replace(BLANKS, ' ').trim() : text;
}

/** The text of a cell, tidy; empty where there is none, null where it is neither text nor a number. */
export function cellText(cell: unknown): string | null {
  if (typeof cell === 'string') return tidy(cell);
  if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell);
  return cell === null || cell === undefined ? '' : null;
}

/** Letters that have no accent to remove. */
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

/** The form in which names are compared: case, accents and blanks aside, and however quotes and dashes were typed. */
export function nameKey(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase().replaceAll(' ', '');
  return text
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\p{Cc}\p{Cf}\p{Cs}\s]+/gu, '')
    .replace(SPECIAL, (letter) => LETTERS[letter] ?? '');
}

/** The order of two texts that is the same on every machine. */
export function inOrder(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
