/** SIS ids of people as they are typed and pasted in Section Enrollment (SE-11, OP-50). */

/** Signs that a person's SIS id may have in the console. */
const PERSON_SIS_ID = /^[\w.@-]{1,100}$/;

/** Whether the whole text is a SIS id that the console takes: letters, digits, `.`, `_`, `-` and `@`. */
export function isPersonSisId(text: string): boolean {
  return PERSON_SIS_ID.test(text);
}

/**
 * The entries of typed or pasted text, in their order and as often as they stand there: parted by commas, semicolons,
 * white space or the tabs and lines of a spreadsheet. Quotes around an entry are not part of it.
 */
export function sisIdEntries(text: string): string[] {
  const entries = text.split(/[\s,;]+/).map((entry) => entry.replace(/^["']+|["']+$/g, ''));
  return entries.filter((entry) => entry !== '');
}

/** The entries of typed or pasted text, each once and in the order of first appearance. */
export function splitSisIds(text: string): string[] {
  return [...new Set(sisIdEntries(text))];
}
