/** Formats the administrator's name for the top bar. */

/** Returns the first name of 'Alma Reyes' or 'Reyes, Alma'; null if none. */
export function firstName(name: string): string | null {
  const [last, first] = name.split(',', 2);
  const given = (first ?? last ?? '').trim().split(/\s+/)[0];
  return given ? given : null;
}

/** Returns one or two capital letters for an avatar without a picture. */
export function initials(name: string): string {
  const [last = '', first] = name.split(',', 2);
  const words = (first === undefined ? last : `${first} ${last}`).trim().split(/\s+/).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map(
    (word) => word?.match(/./u)?.[0] ?? '',
  );
  return letters.join('').toUpperCase();
}
