/** Terms: the grouping letter and the filter by programme name (PICK-11, PICK-22, PICK-23). */

/** Returns the grouping key of a name: its first letter in upper case, digits together as `0-9`. */
export function firstLetter(name: string): string {
  const first = name.trim().charAt(0).toUpperCase();
  return /[0-9]/.test(first) ? '0-9' : first;
}

/** Sorts by grouping letter, then by name; stable and the same everywhere (digits first). */
export function sortByFirstLetter<T extends { name: string }>(
  items: readonly T[],
): (T & { firstLetter: string })[] {
  const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });
  return items
    .map((item) => ({ ...item, firstLetter: firstLetter(item.name) }))
    .sort((a, b) => collator.compare(a.firstLetter, b.firstLetter) || collator.compare(a.name, b.name));
}

/** Programme-name prefixes and the term-name prefixes they offer (OP-29: the first four each offer all three). */
const TERM_PREFIXES: readonly (readonly [programmes: readonly string[], terms: readonly string[]])[] = [
  [
    ['MBA', 'PHD', 'TIEMBA', 'GEMBA'],
    ['MBA', 'PHD', 'EMBA'],
  ],
  [['MIM'], ['MIM']],
  [['MFIN', 'EXECUTIVE MASTER IN FINANCE'], ['MFIN']],
  [['BFC'], ['BFC']],
  [['MCC', 'EXECUTIVE MASTER IN CHANGE'], ['MCCC']],
];

/** Returns the term-name prefixes of a programme, or null when every term can be selected. */
export function termPrefixes(programmeName: string): readonly string[] | null {
  const name = programmeName.trim().toUpperCase();
  for (const [programmes, terms] of TERM_PREFIXES) {
    if (programmes.some((prefix) => name.startsWith(prefix))) return terms;
  }
  return null;
}

/** Returns the terms that a programme offers, compared ignoring case; all terms if its name matches no prefix. */
export function termsOfProgramme<T extends { name: string }>(
  terms: readonly T[],
  programmeName: string,
): T[] {
  const prefixes = termPrefixes(programmeName);
  if (!prefixes) return [...terms];
  return terms.filter((term) => prefixes.some((prefix) => term.name.trim().toUpperCase().startsWith(prefix)));
}
