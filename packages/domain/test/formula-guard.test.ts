import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { guarded, unguarded } from '../src/formula-guard.ts';

describe('OP-81 the formula guard', () => {
  it('is put only before values that a spreadsheet would execute', () => {
    for (const value of ['=1+1', '+41', '-M1', '@x', '\tx', '\rx', '\nx'])
      expect(guarded(value)).toBe(`'${value}`);
    for (const value of ['', 'a=1', '7101', 'Zoë O’Neill–Łukasz', "'t Hart"])
      expect(guarded(value)).toBe(value);
  });

  it('property: no guarded value is executed, and each is restored unchanged', () => {
    const value = fc
      .tuple(fc.stringMatching(/^['=+\-@\t\r\n]{0,4}$/), fc.string())
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(value, (text) => {
        expect(guarded(text)).not.toMatch(/^[=+\-@\t\r\n]/);
        expect(unguarded(guarded(text))).toBe(text);
      }),
    );
  });
});
