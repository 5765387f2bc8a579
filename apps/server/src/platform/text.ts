/** Converts text from other systems for the database. */

/** Removes the characters that PostgreSQL refuses in text and JSON: NUL and lone surrogates. */
export function storable(text: string): string {
  return text.replace(/[\u0000\p{Cs}]/gu, '\ufffd');
}

/** Copies a part of a text: the part alone would keep the whole text in memory. */
export function ownText(part: string): string {
  return Buffer.from(part, 'utf16le').toString('utf16le');
}

const NAMED = 5;

/** Lists the first names, and the number of others: `A, B and 3 more`. */
export function listed(names: readonly string[], between = ', '): string {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  return names.slice(0, NAMED).join(between) + more;
}
