/** Search terms for the LMS when a person is searched by name. Pure. */

/** `Last, First` as in lists of people, without digits or @. */
const LAST_FIRST = /^([^,@\d]+),\s*([^,@\d]+)$/u;

/** Reverses a name with a comma, because the LMS searches names as `First Last`. */
export function nameTerm(term: string): string {
  const [, last, first] = LAST_FIRST.exec(term.trim()) ?? [];
  return last === undefined || first === undefined ? term : `${first.trim()} ${last.trim()}`;
}

/** Letters that Unicode does not split into a plain letter and a mark. */
const WHOLE_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};
const WHOLE = new RegExp(`[${Object.keys(WHOLE_LETTERS).join('')}]`, 'g');
const GERMAN: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' };

/**
 * Returns the words of a name for searching: lower case, without accents and punctuation. `O’Neill-Łuk` is `oneill
 * luk`.
 */
export function foldName(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{M}'’‘ʼ]/gu, '')
    .replace(WHOLE, (letter) => WHOLE_LETTERS[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Returns all forms of a name for searching: `Müller` is found as `muller` and as `mueller`. */
export function foldedForms(name: string): string[] {
  const plain = foldName(name);
  const german = foldName(
    name
      .toLowerCase()
      .normalize('NFC')
      .replace(/[äöü]/g, (letter) => GERMAN[letter] ?? letter),
  );
  return plain === german ? [plain] : [plain, german];
}
