/** Guesses a sortable name as Canvas does. */
export function lastNameFirst(name: string): string {
  const words = name.trim().split(/\s+/);
  const last = words.pop() ?? '';
  return words.length === 0 ? last : `${last}, ${words.join(' ')}`;
}

/** Guesses a first and a last name from the sortable name, as Canvas does. */
export function nameParts({ sortable_name }: { sortable_name: string }): {
  first_name: string;
  last_name: string;
} {
  const [before = '', after] = sortable_name.split(/\s*,\s*/, 2);
  if (after !== undefined) return { first_name: after, last_name: before };
  const words = before.trim().split(/\s+/);
  const last = words.length > 1 ? words.pop() : undefined;
  return { first_name: words.join(' '), last_name: last ?? '' };
}
