import type { Option } from '../../components/CoursePicker/options.ts';

/**
 * Finds the matching options; those that begin with the typed text come first, then others with the same first letter.
 */
export function bestFirst(options: readonly Option[], { inputValue }: { inputValue: string }): Option[] {
  const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const wanted = plain(inputValue.trim());
  const fits = options.filter(({ name }) => plain(name).includes(wanted));
  const best = fits.filter(({ name }) => plain(name).startsWith(wanted));
  const letters = new Set(best.map(({ firstLetter }) => firstLetter));
  const others = fits.filter((option) => !best.includes(option));
  return [
    ...best.filter(({ name }) => plain(name) === wanted),
    ...best.filter(({ name }) => plain(name) !== wanted),
    ...others.filter(({ firstLetter }) => letters.has(firstLetter)),
    ...others.filter(({ firstLetter }) => !letters.has(firstLetter)),
  ];
}
