/**
 * Values that a spreadsheet made of what people meant: copied or exported, they pass for text and mean nobody.
 */

/**
 * With a sign in the exponent, as every spreadsheet writes it: an id such as `12E3` or `101E` is nobody's number. One that
 * grows small, `1E-01`, may be the id of a section, unless it has decimals.
 */
const SCIENTIFIC = /^[+-]?(?:\d{1,3}(?:[.,]\d+)?E\+|\d{1,3}[.,]\d+E-)\d{1,3}$/i;

/** `#N/A` and `#NV`, `#REF!` and `#BEZUG!`, `#¿NOMBRE?`, `#DIV/0!`, `Err:502`, and what does not fit in its column. */
const ERROR =
  /^(?:#(?:N\/[AD]|NV|I\/T|GETTING_DATA|DIV\/0!|[\u00A1\u00BF]?\p{L}[\p{L}\d_/.]*[!?])|#{3,}|Err:\d{3})$/iu;

/** Begins with `=` and goes on as formulas do; or a function behind a sign, as older spreadsheets write it. */
const FORMULA = /^(?:=[\p{L}\p{N}_$'"({[+\-@#.\\]|[+\-@][\p{L}][\p{L}\d.]*\()/u;

/** Of most values nothing more is asked: what a spreadsheet makes has a sign in it. */
const ORDINARY = /^[\w ]*$/;

/**
 * Why a value cannot be what somebody meant, where a spreadsheet has made it: a short reason that follows 'is'.
 * Null for every other text. Blanks around the value do not matter.
 */
export function spreadsheetValue(text: string): string | null {
  if (ORDINARY.test(text)) return null;
  const value = text.trim();
  if (SCIENTIFIC.test(value)) return 'a number in scientific notation, as a spreadsheet shortens long ids';
  if (ERROR.test(value)) return 'an error value of a spreadsheet';
  return FORMULA.test(value) ? 'a formula' : null;
}
