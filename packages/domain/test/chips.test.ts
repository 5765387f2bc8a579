import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addPasted,
  type ChipsResult,
  confirmTyped,
  ENTRY_KINDS,
  type EntryKindId,
  entryKey,
  piecesOf,
} from '../src/chips.ts';

const KINDS = Object.keys(ENTRY_KINDS) as EntryKindId[];
const taken = (...chips: string[]): ChipsResult => ({
  chips,
  problems: [],
  rest: '',
  known: 0,
  notTaken: [],
  without: 0,
});
const invalid = (text: string) => ({ kind: 'invalid' as const, text });

describe('email addresses', () => {
  test('CE-09: pasted entries that already exist are silently skipped', () => {
    expect(addPasted('email', ['a@x.org'], 'A@X.org b@x.org')).toEqual({
      ...taken('a@x.org', 'b@x.org'),
      known: 1,
    });
  });

  test('CE-09: an invalid piece with an @ is named, but other words are not', () => {
    const result = addPasted('email', [], 'Last, First <a@x.org>; b@x\n@c (d@x.org).');
    const why = 'it is not a complete address';
    expect(result).toEqual({
      ...taken('a@x.org', 'd@x.org'),
      notTaken: [
        { text: 'b@x', why },
        { text: '@c', why },
      ],
    });
  });

  test('CE-10, CE-11: a wrong typed entry stays in the field with the reason', () => {
    expect(confirmTyped('email', [], 'nonsense')).toEqual({
      ...taken(),
      problems: [invalid('nonsense')],
      rest: 'nonsense',
    });
    expect(confirmTyped('email', ['a@x.org'], ' A@x.org ')).toEqual({
      ...taken('a@x.org'),
      problems: [{ kind: 'duplicate', text: 'A@x.org' }],
      rest: 'A@x.org',
    });
    expect(confirmTyped('email', [], 'a@x.org,')).toEqual(taken('a@x.org'));
    expect(confirmTyped('email', ['a@x.org'], '   ')).toEqual(taken('a@x.org'));
    expect(confirmTyped('email', [], 'two words')).toMatchObject({
      problems: [invalid('two'), invalid('words')],
      rest: 'two words',
    });
  });

  test('CE-09: repeats and lines without an address are counted, and the latter named', () => {
    expect(addPasted('email', ['a@x.org'], 'E-mail\na@x.org\nb@x.org\nB@x.org\n#N/A\n')).toEqual({
      ...taken('a@x.org', 'b@x.org'),
      known: 2,
      without: 2,
      notTaken: [
        { text: 'E-mail', why: 'it contains no address' },
        { text: '#N/A', why: 'it is an error value of a spreadsheet' },
      ],
    });
  });

  test.each(['mary–ann@x.org', 'a(n)n@x.org', 'o’neill@x.org', 'ann@bob@x.org', 'mary ann@x.org'])(
    'CE-09 CE-10: %s, typed or pasted alone, stays in the field unchanged',
    (text) => {
      const refused = { ...taken(), problems: [invalid(text)], rest: text };
      expect(confirmTyped('email', [], text)).toEqual(refused);
      expect(addPasted('email', [], text)).toEqual(refused);
    },
  );

  test('ZC-21 ZC-22: hosts are accepted in the same way', () => {
    expect(addPasted('host', [], 'Reyes, Alma <alma@x.org>')).toEqual(taken('alma@x.org'));
    expect(confirmTyped('host', [], 'alma').problems).toEqual([invalid('alma')]);
  });
});

describe('SIS IDs', () => {
  test('SE-11 OP-50: a spreadsheet column, a list with commas and quoted values are accepted; a repeat counts once', () => {
    expect(addPasted('sis-id', ['PS1'], 'PS1, PS2;PS3\r\n"PS4"\tPS3')).toEqual({
      ...taken('PS1', 'PS2', 'PS3', 'PS4'),
      known: 2,
    });
    expect(confirmTyped('sis-id', [], 'A1 A2\nA2')).toEqual({ ...taken('A1', 'A2'), known: 1 });
  });

  test('SE-11 OP-50: invalid entries stay in the field, and the others are accepted', () => {
    expect(addPasted('sis-id', [], 'a.b_c-d@e, müller, a/b, ok')).toEqual({
      ...taken('a.b_c-d@e', 'ok'),
      problems: [invalid('müller'), invalid('a/b')],
      rest: 'müller a/b',
    });
  });

  test('SE-11: an id that a spreadsheet has converted is rejected as a whole', () => {
    const made = ['7,1015E+06', '#N/A', '1.2E-05', '=A1'];
    expect(addPasted('sis-id', [], ['PS1', ...made].join('\n'))).toEqual({
      ...taken('PS1'),
      problems: made.map(invalid),
      rest: made.join(' '),
    });
    // Text that stays in the field is read again when focus leaves it.
    expect(confirmTyped('sis-id', ['PS1'], made.join(' '))).toMatchObject({
      chips: ['PS1'],
      rest: made.join(' '),
    });
    expect(piecesOf('5001508, 7,1015E+06; 7,1016E+06')).toEqual(['5001508', '7,1015E+06', '7,1016E+06']);
    expect(addPasted('course-id', [], '12\t7,1015E+06').chips).toEqual(['12']);
  });

  test('SE-11: an invisible character does not split an id', () => {
    expect(addPasted('sis-id', [], '\uFEFFPS1\u200B, P\uFEFFS2')).toMatchObject({
      chips: ['PS1'],
      problems: [invalid('P\uFEFFS2')],
    });
  });

  test('upper and lower case are different', () =>
    expect(addPasted('sis-id', ['a'], 'A').chips).toEqual(['a', 'A']));
});

describe('course ids', () => {
  test('ZR-09 ZR-13 OP-63: only numbers are accepted', () => {
    expect(addPasted('course-id', [], '123, 45\n067')).toEqual(taken('123', '45', '067'));
    expect(confirmTyped('course-id', ['67'], '067').problems).toEqual([{ kind: 'duplicate', text: '067' }]);
    for (const text of ['12a', '-1', '1.5', '１２', 'MBA26-FBL'])
      expect(confirmTyped('course-id', [], text).problems).toEqual([invalid(text)]);
  });
});

describe('every kind of entry', () => {
  test.each(KINDS)('property: %s: the list never has an invalid or repeated entry', (kind) => {
    const entry = fc.oneof(
      fc.string(),
      fc.constantFrom('a@x.org', 'A@x.org', 'b@y.org', '12', '012', 'PS-1'),
    );
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 20 }), (entries) => {
        let chips: readonly string[] = [];
        for (const one of entries) {
          ({ chips } = confirmTyped(kind, chips, one));
          ({ chips } = addPasted(kind, chips, one));
        }
        expect(chips.every(ENTRY_KINDS[kind].isEntry)).toBe(true);
        expect(new Set(chips.map((chip) => entryKey(kind, chip))).size).toBe(chips.length);
      }),
    );
  });

  test('property: pieces are returned unchanged, whatever separates them', () => {
    const piece = fc.stringMatching(/^[\w.@-]{1,12}$/);
    const separator = fc.constantFrom(',', ' ', '\n', '\r\n', '\t', ';', ', ', ' ;\n');
    fc.assert(
      fc.property(fc.array(fc.tuple(piece, separator), { maxLength: 30 }), (parts) => {
        const text = parts.map(([one, between]) => one + between).join('');
        expect(piecesOf(text)).toEqual(parts.map(([one]) => one));
      }),
    );
    expect(piecesOf('"A1"\t\'A2\'\n""')).toEqual(['A1', 'A2']);
  });
});
