import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ChipsState,
  confirmText,
  dismissNotTaken,
  NO_CHIPS,
  pasteText,
  refusal,
  removeChip,
  restoreChips,
  searchChips,
  settled,
} from '../../src/components/ChipsInput/chips-state.ts';

const chips = (...list: string[]) => ({ chips: list, text: '' });
const paste = (state: typeof NO_CHIPS, text: string) => pasteText('email', state, '', text, '');

describe('an email address field', () => {
  test('CE-09 typed text becomes a chip, and the field is cleared', () => {
    const { state, notice } = confirmText('email', { chips: [], text: ' ana@school.example ' });
    expect(state).toEqual(chips('ana@school.example'));
    expect(notice).toMatchObject({ problems: [], added: 1 });
  });

  test('CE-10 CE-11 shows the documented messages, and keeps the text so that it can be corrected', () => {
    const wrong = confirmText('email', { chips: [], text: 'ana' });
    expect(wrong.notice.problems).toEqual(['ana is not a valid email address.']);
    expect(wrong.state).toEqual({ chips: [], text: 'ana' });
    const twice = confirmText('email', { chips: ['ana@school.example'], text: 'ANA@school.example' });
    expect(twice.notice.problems).toEqual(['ANA@school.example has already been added.']);
    expect(twice.state.chips).toHaveLength(1);
  });

  test('CE-09 CE-10 a separator after rejected text stays, so that the next text becomes a separate entry', () => {
    const wrong = confirmText('email', { chips: [], text: 'mary' }, ',');
    expect(wrong.state).toEqual({ chips: [], text: 'mary,' });
    expect(wrong.notice.problems).toEqual(['mary is not a valid email address.']);
    const next = confirmText('email', { chips: [], text: `${wrong.state.text}ann@school.example` }, ',');
    expect(next.state.chips).toEqual(['ann@school.example']);
    // Accepted text is cleared, and confirming twice does not add a second chip.
    expect(next.state.text).toBe('');
    expect(confirmText('email', wrong.state, ',').state.text).toBe('mary,');
  });

  test.each(['7,1015E+06', '#N/A', '=A1'])(
    'CE-10 a value that a spreadsheet has changed is recognised: %s',
    (text) => {
      const { state, notice } = confirmText('email', { chips: [], text });
      expect(state).toEqual({ chips: [], text });
      expect(notice.problems).toEqual([
        expect.stringMatching(/is not a valid email address\. It is .*(spreadsheet|formula)/),
      ]);
    },
  );

  test('CE-09 accepts 500 addresses from a spreadsheet column in one paste, and skips existing ones', () => {
    const column = Array.from({ length: 500 }, (_, index) => `p${index}@school.example`).join('\r\n');
    const { state, notice } = paste(chips('p7@school.example'), column);
    expect(state.chips).toHaveLength(500);
    expect(notice).toMatchObject({ added: 499, known: 1, refused: 0, without: 0, problems: [] });
  });

  test('CE-09 accepts a line from a mail program', () => {
    const line =
      'Reyes, Alma <alma@school.example>; "Keller, Bruno" <bruno@school.example>; ALMA@school.example';
    const { state, notice } = paste(NO_CHIPS, line);
    expect(state.chips).toEqual(['alma@school.example', 'bruno@school.example']);
    expect(notice).toMatchObject({ added: 2, known: 1, refused: 0, without: 0 });
  });

  test('CE-09 a pasted piece with an @ that is not an address is named, not lost', () => {
    const { state, notice } = paste(NO_CHIPS, 'ana@school.example\nbruno@school\n@carla\n');
    expect(state.chips).toEqual(['ana@school.example']);
    expect(notice).toMatchObject({ added: 1, refused: 2 });
    const why = 'it is not a complete address';
    expect(state.notTaken).toEqual([
      { text: 'bruno@school', why },
      { text: '@carla', why },
    ]);
    // The list of rejected pieces stays through later actions, until it is dismissed.
    const next = confirmText('email', { ...state, text: 'dora@school.example' }).state;
    expect(next.notTaken).toEqual(state.notTaken);
    expect(removeChip(next, 'dora@school.example').notTaken).toEqual(state.notTaken);
    expect(dismissNotTaken(next)).toEqual(chips('ana@school.example', 'dora@school.example'));
  });

  test('CE-10 shows the documented message, followed by what is wrong', () => {
    expect(paste(NO_CHIPS, 'mary–ann@school.example').notice.problems).toEqual([
      'mary–ann@school.example is not a valid email address. – is not allowed in an address.',
    ]);
  });

  test('CE-09 pasting into a half-typed address completes it', () => {
    expect(pasteText('email', NO_CHIPS, 'ana@', 'school.example', '').state.chips).toEqual([
      'ana@school.example',
    ]);
  });

  test('CE-10 a paste without any address is rejected in the same way as typed text', () => {
    const { state, notice } = paste(NO_CHIPS, 'nobody');
    expect(notice.problems).toEqual(['nobody is not a valid email address.']);
    expect(state.text).toBe('nobody');
  });

  test('removes one entry, removes all of them and restores them', () => {
    const three = chips('a@x.example', 'b@x.example', 'c@x.example');
    expect(removeChip(three, 'b@x.example').chips).toEqual(['a@x.example', 'c@x.example']);
    expect(restoreChips('email', chips('B@x.example', 'd@x.example'), three.chips).chips).toEqual([
      'a@x.example',
      'c@x.example',
      'B@x.example',
      'd@x.example',
    ]);
    expect(searchChips(three.chips, ' B@ ')).toEqual(['b@x.example']);
    expect(searchChips(three.chips, '')).toBe(three.chips);
  });

  test('CE-11 whatever is typed or pasted, no address appears twice', () => {
    const address = fc.constantFrom('a@x.example', 'A@x.example', 'b@x.example', 'c@y.example', 'nonsense');
    const input = fc.record({ list: fc.array(address, { maxLength: 6 }), pasted: fc.boolean() });
    fc.assert(
      fc.property(fc.array(input, { maxLength: 8 }), (inputs) => {
        let state = NO_CHIPS;
        for (const { list, pasted } of inputs) {
          const text = list.join(', ');
          state = (pasted ? paste(state, text) : confirmText('email', { ...state, text })).state;
        }
        const keys = state.chips.map((chip) => chip.toLowerCase());
        expect(new Set(keys).size).toBe(keys.length);
      }),
    );
  });
});

describe('an SIS ID field', () => {
  const pasteIds = (state: ChipsState, text: string) => pasteText('sis-id', state, '', text, '');

  test('SE-11 OP-50 accepts a column, and keeps invalid ids in the field with the reason', () => {
    const { state, notice } = pasteIds(chips('PS1'), 'PS1\r\nPS2\r\nmüller\r\n');
    expect(state).toEqual({ chips: ['PS1', 'PS2'], text: 'müller' });
    expect(notice).toMatchObject({ added: 1, known: 1 });
    expect(notice.problems).toEqual([
      "'müller' is not a valid SIS ID. It can have up to 100 letters, digits, dots, underscores, hyphens and @.",
    ]);
  });

  test('SE-11 leaving a field with text confirms the text', () => {
    expect(settled('sis-id', { chips: ['A'], text: 'B A' })).toEqual(chips('A', 'B'));
    const untouched = chips('A');
    expect(settled('sis-id', untouched)).toBe(untouched);
    expect(refusal('sis-id', { chips: ['A'], text: 'B A' })).toBeNull();
    expect(refusal('sis-id', { chips: [], text: 'B a/b' })).toMatch(/^'a\/b' is not a valid SIS ID/);
  });

  test('a paste without new entries returns the same list', () => {
    const before = chips('A');
    expect(pasteIds(before, 'A').state.chips).toBe(before.chips);
  });
});

describe('a course id field', () => {
  test('ZR-13 shows the documented message once for any number of entries', () => {
    const { state, notice } = pasteText('course-id', NO_CHIPS, '', '12, x, 3y', '');
    expect(state).toEqual({ chips: ['12'], text: 'x 3y' });
    expect(notice.problems).toEqual(['Only numeric values are allowed.']);
  });
});

describe('a field for meeting hosts', () => {
  test('ZC-21 ZC-22 accepts addresses, with the documented messages', () => {
    const { state } = pasteText('host', NO_CHIPS, '', 'Reyes, Alma <alma@school.example>', '');
    expect(state).toEqual(chips('alma@school.example'));
    expect(confirmText('host', { ...state, text: 'alma@school.example' }).notice.problems).toEqual([
      'alma@school.example has already been added.',
    ]);
    expect(confirmText('host', { ...state, text: 'alma' }).notice.problems).toEqual([
      'alma is not a valid email address.',
    ]);
  });
});
