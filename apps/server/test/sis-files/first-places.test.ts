/** Positions at which texts first appear, which for any texts are the same as in a Map. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FirstPlaces } from '../../src/sis-files/first-places.ts';

test('SIS-07 any text is found at its first position', () => {
  const texts = fc.array(
    fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('', 'a', 'b', 'Zoë', '#N/A')),
    {
      maxLength: 300,
    },
  );
  fc.assert(
    fc.property(texts, (some) => {
      const places = new FirstPlaces();
      const known = new Map<string, number>();
      for (const [at, text] of some.entries()) {
        expect(places.note(text, at, true)).toBe(known.get(text) ?? null);
        if (!known.has(text)) known.set(text, at);
      }
      expect(places.size).toBe(known.size);
    }),
  );
});

test('SIS-07 a hundred thousand ids that differ in one digit are found, each of them twice', () => {
  const places = new FirstPlaces();
  const id = (n: number) => `MBA26-${String(n).padStart(6, '0')}`;
  const far = 7 * 2 ** 32;
  for (let n = 0; n < 100_000; n++) if (places.note(id(n), far + n, true) !== null) throw new Error(id(n));
  for (let n = 0; n < 100_000; n++) if (places.note(id(n), 0, true) !== far + n) throw new Error(id(n));
  expect(places.size).toBe(100_000);
});

test('SIS-07 texts that must not be stored can still be searched for', () => {
  const places = new FirstPlaces();
  places.note('5001', 2, true);
  expect(places.note('5002', 3, false)).toBe('unknown');
  expect(places.note('5001', 4, false)).toBe(2);
  expect(places.size).toBe(1);
});
