/** Texts from outside as the database takes them. */

/** The text without what PostgreSQL refuses in texts and JSON: NUL and halves of surrogate pairs. */
export function storable(text: string): string {
  return text.replace(/[\u0000\p{Cs}]/gu, '\ufffd');
}
