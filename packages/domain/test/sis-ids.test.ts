import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPersonSisId, sisIdEntries, splitSisIds } from '../src/sis-ids.ts';

const id = fc.stringMatching(/^[\w.@-]{1,12}$/);
const separator = fc.constantFrom(',', ' ', '\n', '\r\n', '\t', ';', ', ', ' ;\n');

describe('SIS ids of people', () => {
  test('SE-11 OP-50 letters, digits, dots, underscores, hyphens and @, a hundred at most', () => {
    expect(['5001234', 'a.b_c-d@e', 'x'.repeat(100)].every(isPersonSisId)).toBe(true);
    expect(['', 'a b', 'a/b', 'müller', 'a,b', 'x'.repeat(101)].some(isPersonSisId)).toBe(false);
  });

  test('SE-11 OP-50 ids come out as they went in, whatever stands between them', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(id, separator), { maxLength: 30 }), (parts) => {
        const text = parts.map(([one, between]) => one + between).join('');
        const ids = parts.map(([one]) => one);
        expect(sisIdEntries(text)).toEqual(ids);
        expect(splitSisIds(text)).toEqual([...new Set(ids)]);
        expect(splitSisIds(splitSisIds(text).join(', '))).toEqual(splitSisIds(text));
      }),
    );
  });

  test('SE-11 quotes of a spreadsheet are not part of an entry; any text gives entries without separators', () => {
    expect(splitSisIds('"A1"\t\'A2\'\n""')).toEqual(['A1', 'A2']);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const entry of splitSisIds(text)) expect(entry).toMatch(/^[^\s,;]+$/);
      }),
    );
  });
});
