/** Texts from outside as the database takes them. */

/** The text without what PostgreSQL refuses in texts and JSON: NUL and halves of surrogate pairs. */
export function storable(text: string): string {
  return text.replace(/[\u0000\p{Cs}]/gu, '\ufffd');
}

/** A copy that is alone: a part of a text holds the whole text in memory for as long as it is kept. */
export function ownText(part: string): string {
  return Buffer.from(part, 'utf16le').toString('utf16le');
}

const NAMED = 5;

/** The first of some names, and how many more there are: `A, B and 3 more`. */
export function listed(names: readonly string[], between = ', '): string {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  return names.slice(0, NAMED).join(between) + more;
}
