import { describe, expect, it } from 'vitest';
import { pastedCells, pastedLines } from '../src/pasted-cells.ts';

describe('pasted cells', () => {
  it('are trimmed and unquoted as in a spreadsheet, and a quote elsewhere is part of the text', () => {
    expect(pastedCells('a\t b \n\n" x\ty ""z"" "\t 5"\t"open\n', '\t')).toEqual([
      ['a', 'b'],
      [''],
      ['x\ty "z"', '5"', '"open'],
      [''],
    ]);
    expect(pastedCells('', ';')).toEqual([['']]);
    expect(pastedCells('a;', ';')).toEqual([['a', '']]);
    expect(pastedCells('\u00a0"two\nlines"', ';')).toEqual([['two\nlines']]);
  });

  // Quotes would take hours if each one caused another search of the previous cell.
  it.each([
    ['quotes', '"'],
    ['quotes in text', '"a'],
    ['quotes after spaces', `${' '.repeat(1_999)}"x`],
    ['quotes that never end', '"""x\t'],
    ['line endings', '\n'],
    ['separators', '\t'],
  ])(
    'GRP-27 four million characters of %s are read in a moment',
    (_, piece) => {
      let cells = 0;
      for (const line of pastedLines(piece.repeat(4_000_000 / piece.length), '\t')) cells += line.length;
      expect(cells).toBeGreaterThan(0);
    },
    20_000,
  );
});
