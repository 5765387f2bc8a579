/**
 * Values that a spreadsheet made of what people meant: copied or exported, they pass for text and mean no one.
 */

/**
 * With a sign in the exponent, as every spreadsheet writes it: an id such as `12E3` or `101E` is no one's number. One that
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
 * Why a value cannot be what someone meant, where a spreadsheet has made it: a short reason that follows 'is'.
 * Null for every other text. Blanks around the value do not matter.
 */
export function spreadsheetValue(text: string): string | null {
  if (ORDINARY.test(text)) return null;
  const value = text.trim();
  if (SCIENTIFIC.test(value)) return 'a number in scientific notation, as a spreadsheet shortens long ids';
  if (ERROR.test(value)) return 'an error value of a spreadsheet';
  return FORMULA.test(value) ? 'a formula' : null;
}

/** Of most ids nothing more is asked: digits alone, or letters and digits joined by signs of which none parts thousands. */
const PLAIN_ID = /^\d+$/;

/** A whole number with decimals that are nothing, as a column of numbers with gaps is written: `7101501.0`. */
const DECIMAL = /^\d+[.,]0+$/;
/** Thousands that are set apart: `7,101,501`, `7'101'501`, `7 101 501`; points only in pairs, since one may part an id. */
const GROUPED = /^\d{1,3}(?:(?:[,'’\u00a0\u202f ]\d{3})+|(?:\.\d{3}){2,})$/;
const MONTH =
  '(?:jan|feb|fév|febr|mar|mär|mrz|apr|avr|abr|may|mai|mag|jun|juin|giu|jul|juil|lug|aug|aoû|août|ago|sep|sept|set|oct|okt|ott|nov|dec|dez|déc|dic)';
/** What becomes of `1.5` or `5-1`: `01.Mai`, `1-May`, `05. Jan. 26`; and `May-01`, but not the `MAY-01` of an id. */
const DAY_OF_MONTH = new RegExp(`^\\d{1,2}[-. /] ?${MONTH}\\p{L}{0,6}\\.?(?:[-. /] ?\\d{2,4})?$`, 'iu');
const MONTH_AND_NUMBER = new RegExp(`^${MONTH}\\.?[- ]\\d{2,4}$`, 'iu');
const CAPITALS = /^\p{Lu}{2}/u;
const WHOLE_DATE = /^\d{1,2}(?:\/\d{1,2}\/|\.\d{1,2}\.)\d{4}$/;
const WORD =
  /^(?:true|false|wahr|falsch|vrai|faux|verdadero|falso|vero|null|nan|none|undefined|n\/a|\(null\))$/i;

/**
 * Why a value cannot be an id, a login or a code, where it could be a text: a number, a date or a word that a spreadsheet or a
 * database export made of it. Null for every other text; what `spreadsheetValue` knows counts too.
 */
export function spreadsheetId(text: string): string | null {
  if (PLAIN_ID.test(text)) return null;
  const value = text.trim();
  if (DECIMAL.test(value)) return 'a number with decimals, as a spreadsheet or an export writes numbers';
  if (GROUPED.test(value)) return 'a number with separators for thousands';
  const monthFirst = MONTH_AND_NUMBER.test(value) && !CAPITALS.test(value);
  if (monthFirst || DAY_OF_MONTH.test(value) || WHOLE_DATE.test(value))
    return 'a date that a spreadsheet made';
  if (WORD.test(value)) return 'a word that a spreadsheet or a database puts for a value';
  return spreadsheetValue(text);
}
