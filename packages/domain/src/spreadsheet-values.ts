/** Values that a spreadsheet has converted: copied or exported, they look like text but identify no one. */

/**
 * With a sign in the exponent, as every spreadsheet writes it: an id such as `12E3` or `101E` does not match. A
 * negative exponent, `1E-01`, may be the id of a section, unless it has decimals.
 */
const SCIENTIFIC = /^[+-]?(?:\d{1,3}(?:[.,]\d+)?E\+|\d{1,3}[.,]\d+E-)\d{1,3}$/i;

/** `#N/A` and `#NV`, `#REF!` and `#BEZUG!`, `#¿NOMBRE?`, `#DIV/0!`, `Err:502`, and values too wide for their column. */
const ERROR =
  /^(?:#(?:N\/[AD]|NV|I\/T|GETTING_DATA|DIV\/0!|[\u00A1\u00BF]?\p{L}[\p{L}\d_/.]*[!?])|#{3,}|Err:\d{3})$/iu;

/** Starts with `=` and continues like a formula; or a function after a sign, as older spreadsheets write it. */
const FORMULA = /^(?:=[\p{L}\p{N}_$'"({[+\-@#.\\]|[+\-@][\p{L}][\p{L}\d.]*\()/u;

/** Most values need no further check, because values changed by a spreadsheet contain a special character. */
const ORDINARY = /^[\w ]*$/;

/**
 * Returns why a value cannot be intended, because a spreadsheet has converted it: a short reason that follows 'is'.
 * Null for every other text. Ignores spaces around the value.
 */
export function spreadsheetValue(text: string): string | null {
  if (ORDINARY.test(text)) return null;
  const value = text.trim();
  if (SCIENTIFIC.test(value))
    return 'a number in scientific notation, which spreadsheets use to shorten long IDs';
  if (ERROR.test(value)) return 'an error value of a spreadsheet';
  return FORMULA.test(value) ? 'a formula' : null;
}

/** Most ids need no further check: only digits, or letters and digits joined by signs that are not separators. */
const PLAIN_ID = /^\d+$/;

/** A whole number with zero decimals, as in a column of numbers with gaps: `7101501.0`. */
const DECIMAL = /^\d+[.,]0+$/;
/** Thousands: `7,101,501`, `7'101'501`, `7 101 501`; points only in pairs, because one point may be part of an id. */
const GROUPED = /^\d{1,3}(?:(?:[,'’\u00a0\u202f ]\d{3})+|(?:\.\d{3}){2,})$/;
const MONTH =
  '(?:jan|feb|fév|febr|mar|mär|mrz|apr|avr|abr|may|mai|mag|jun|juin|giu|jul|juil|lug|aug|aoû|août|ago|sep|sept|set|oct|okt|ott|nov|dec|dez|déc|dic)';
/** `1.5` or `5-1` after conversion: `01.Mai`, `1-May`, `05. Jan. 26`; and `May-01`, but not the `MAY-01` of an id. */
const DAY_OF_MONTH = new RegExp(`^\\d{1,2}[-. /] ?${MONTH}\\p{L}{0,6}\\.?(?:[-. /] ?\\d{2,4})?$`, 'iu');
const MONTH_AND_NUMBER = new RegExp(`^${MONTH}\\.?[- ]\\d{2,4}$`, 'iu');
const CAPITALS = /^\p{Lu}{2}/u;
const WHOLE_DATE = /^\d{1,2}(?:\/\d{1,2}\/|\.\d{1,2}\.)\d{4}$/;
const WORD =
  /^(?:true|false|wahr|falsch|vrai|faux|verdadero|falso|vero|null|nan|none|undefined|n\/a|\(null\))$/i;

/**
 * Returns why a value cannot be an id, a login or a code, although it could be a text: a number, a date or a word
 * that a spreadsheet or a database export has converted. Null for every other text. Includes the values of
 * `spreadsheetValue`.
 */
export function spreadsheetId(text: string): string | null {
  if (PLAIN_ID.test(text)) return null;
  const value = text.trim();
  if (DECIMAL.test(value)) return 'a number with decimals, as spreadsheets and exports write numbers';
  if (GROUPED.test(value)) return 'a number with thousands separators';
  const monthFirst = MONTH_AND_NUMBER.test(value) && !CAPITALS.test(value);
  if (monthFirst || DAY_OF_MONTH.test(value) || WHOLE_DATE.test(value))
    return 'a date created by a spreadsheet';
  if (WORD.test(value)) return 'a word that a spreadsheet or database writes in place of a value';
  return spreadsheetValue(text);
}
