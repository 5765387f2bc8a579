/** Corrections on top of a file, and suggested values (SIS-05). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { earlierRow, problemText, quotedValue } from '../src/problem-text.ts';
import { type CorrectionStep, Corrections, likelyValue, problemKind } from '../src/sis-corrections.ts';
import { rowCheck, statusProblem } from '../src/sis-row-rules.ts';
import { formProblems, shown, valueProblems } from '../src/sis-rows.ts';
import { sisTableFor } from '../src/sis-tables.ts';

const cell = fc.constantFrom('', 'a', 'b', ' a b ', 'x');
const row = fc.array(cell, { maxLength: 5 });
const step: fc.Arbitrary<CorrectionStep> = fc.oneof(
  fc.record({
    does: fc.constant('cells' as const),
    cells: fc.array(fc.record({ row: fc.integer({ min: 2, max: 6 }), column: fc.nat(4), value: cell }), {
      maxLength: 4,
    }),
  }),
  fc.record({ does: fc.constant('replace' as const), column: fc.nat(4), from: cell, to: cell }),
  fc.record({ does: fc.constant('join' as const), column: fc.nat(4) }),
  fc.record({ does: fc.constant('leave-out' as const), rows: fc.array(fc.integer({ min: 2, max: 6 })) }),
);
const FILE = { header: 3, width: 4 };

describe('SIS-05 steps', () => {
  test('have the same result together as one by one', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 12 }),
        row,
        fc.integer({ min: 2, max: 6 }),
        (steps, cells, at) => {
          let one = new Corrections([], FILE).cells(at, cells);
          for (const each of steps) one = new Corrections([each], FILE).cells(at, one);
          expect(new Corrections(steps, FILE).cells(at, cells)).toEqual(one);
        },
      ),
    );
  });

  test('that were undone leave no trace; rows that no step names stay unchanged', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 6 }), row, (steps, cells) => {
        const untouched = steps.filter((one) => one.does === 'cells' || one.does === 'leave-out');
        const plain = new Corrections([], FILE).cells(9, cells);
        expect(new Corrections(untouched, FILE).cells(9, cells)).toEqual(plain);
        expect(new Corrections(steps.slice(0, 0), FILE).cells(2, cells)).toEqual(plain);
        expect(plain.slice(0, cells.length)).toEqual(cells.length < 4 ? cells : plain.slice(0, cells.length));
      }),
    );
  });

  test('a replaced value disappears from its column, and from no other', () => {
    fc.assert(
      fc.property(row, (cells) => {
        const corrected = new Corrections([{ does: 'replace', column: 1, from: 'a', to: 'b' }], FILE).cells(
          2,
          cells,
        );
        const before = new Corrections([], FILE).cells(2, cells);
        expect(corrected).toEqual(before.map((one, at) => (at === 1 && one === 'a' ? 'b' : one)));
      }),
    );
  });

  test('columns are named, skipped and added; cells beyond the header are still sent last', () => {
    const columns: CorrectionStep = {
      does: 'columns',
      names: ['user_id', '', 'status'],
      added: [{ name: 'login_id', value: 'l' }],
    };
    const one = new Corrections(
      [columns, { does: 'cells', cells: [{ row: 3, column: 4, value: 'own' }] }],
      FILE,
    );
    expect(one.sentHeader(['A', 'B', 'C'])).toEqual(['user_id', 'status', 'login_id']);
    expect(one.sent(one.cells(2, ['1', '2', '3']))).toEqual(['1', '3', 'l']);
    expect(one.sent(one.cells(3, ['1', '2', '3', 'more']))).toEqual(['1', '3', 'own', 'more']);
    expect(one.names(['A', 'B', 'C'])).toEqual(['user_id', '', 'status', '', 'login_id']);
    expect(one.sentPlaces()).toEqual([0, 2, 4]);
    expect(new Corrections([], FILE).sentPlaces()).toEqual([0, 1, 2]);
  });
});

describe('SIS-05 problems', () => {
  test('of one kind are recognised whatever their value', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary' }),
        fc.nat(),
        fc.nat(),
        (a, b, m, n) => {
          const twice = (value: string, at: number) =>
            `${shown(value)} is already in row ${at}. Keep one of the two rows.`;
          expect(problemKind(twice(a, m))).toBe(problemKind(twice(b, n)));
          const status = (value: string) => statusProblem(value || 'x', ['active', 'deleted']).message;
          expect(problemKind(status(a))).toBe(problemKind(status(b)));
          expect(problemKind(status(a))).not.toBe(problemKind(twice(a, m)));
        },
      ),
    );
    expect(problemKind('"a\\"b" is already in row 3 of "x y".csv.')).toBe('… is already in an earlier row.');
    // Values that contain quotes are shown unchanged, and still grouped.
    for (const value of ['a"b', '"', 'C:\\', 'a\\"']) {
      expect(shown(value)).toBe(`“${value}”`);
      expect(problemKind(`${shown(value)} is already in row 3.`)).toBe('… is already in an earlier row.');
    }
  });

  test('of the checks name the kind that their text would give', () => {
    const header = ['user_id', 'login_id', 'email', 'full_name', 'status'];
    const table = sisTableFor(header);
    if (table === null) throw new Error('no table');
    const check = rowCheck(table, header);
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 5, maxLength: 5 }), (row) => {
        const cells = row.map((cell) => cell.trim());
        const found = [
          ...formProblems(cells, header, table),
          ...check(cells),
          ...valueProblems(cells, header, table),
        ];
        for (const { message, kind = message } of found) expect(kind).toBe(problemKind(message));
      }),
    );
    const text = problemText`${quotedValue('7')} is already in ${earlierRow('row 3 of a.csv')}. Keep one of the two rows.`;
    expect(text.message).toBe('"7" is already in row 3 of a.csv. Keep one of the two rows.');
    expect(text.kind).toBe('… is already in an earlier row. Keep one of the two rows.');
  });

  test.each([
    ['status', ' Actif', ['active', 'deleted'], 'active'],
    ['status', 'remove', ['active', 'deleted'], 'deleted'],
    ['status', 'suspend', ['active', 'deleted'], null],
    ['status', '', ['active'], 'active'],
    ['status', 'perhaps', ['active'], null],
    ['login_id', 'a b@x.example', [], 'ab@x.example'],
    ['login_id', 'ab@x.example', [], null],
    ['user_id', 'a b', [], null],
  ])('%s %j: the likely value is suggested', (column, value, states, expected) => {
    expect(likelyValue(column, value, states)).toBe(expected);
  });
});
