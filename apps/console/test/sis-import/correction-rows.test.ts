/** The rows shown while a file is corrected (SIS-05). */
import type { DraftRow, SisDraft } from '@lms-admin/contract/sis-drafts';
import { sisTableOf } from '@lms-admin/domain/sis-tables';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  edited,
  fresh,
  isNeeded,
  leftOfPaste,
  merged,
  neighbour,
  openColumns,
  pastedEdits,
} from '../../src/tools/sis-import/corrections/correction-rows.ts';
import { texts } from '../../src/tools/sis-import/corrections/texts.ts';

const columns: SisDraft['columns'] = ['user_id', 'password', 'status'].map((name) => ({
  header: name,
  name,
  added: false,
  secret: name === 'password',
}));
const row = (at: number, ...wrong: (number | null)[]): DraftRow => ({
  row: at,
  cells: [`u${at}`, '••••', 'x'],
  corrected: [],
  problems: wrong.map((column) => ({ column, group: 0, message: 'wrong' })),
});

describe('SIS-05 rows while a file is corrected', () => {
  test('keep their positions and are marked as corrected; new ones follow after them', () => {
    const before = fresh([row(2, 0), row(3, 2), row(4, 2)]);
    const after = merged(before, [row(3, 2), row(9, 0)], columns);
    expect(after.map((one) => [one.row, one.right])).toEqual([
      [2, true],
      [3, false],
      [4, true],
      [9, false],
    ]);
    expect(merged(after, [row(2, 0)], columns).map((one) => one.right)).toEqual([false, true, true, true]);
  });

  test('no row is lost or duplicated, whichever rows the server lists', () => {
    const some = fc.uniqueArray(fc.integer({ min: 2, max: 30 }), { maxLength: 10 });
    fc.assert(
      fc.property(some, some, (before, after) => {
        const rows = merged(
          fresh(before.map((at) => row(at, 0))),
          after.map((at) => row(at, 0)),
          columns,
        );
        expect(rows.map((one) => one.row)).toEqual([
          ...before,
          ...after.filter((at) => !before.includes(at)),
        ]);
        expect(
          rows
            .filter((one) => !one.right)
            .map((one) => one.row)
            .toSorted((a, b) => a - b),
        ).toEqual(after.toSorted((a, b) => a - b));
      }),
    );
  });

  test('marked cells can be corrected, every cell if the whole row is faulty, and secret ones never', () => {
    expect(openColumns(row(2, 2), columns)).toEqual([2]);
    expect(openColumns(row(2, 1), columns)).toEqual([]);
    expect(openColumns(row(2, null), columns)).toEqual([0, 2]);
    expect(openColumns(row(2), columns)).toEqual([]);
    expect(openColumns({ ...row(2, null), cells: ['a', 'b', 'c', 'beyond'] }, columns)).toEqual([0, 2]);
  });

  test('a corrected cell can still be edited; a paste that starts elsewhere does not change it', () => {
    const rows = merged(fresh([row(2, 0), row(3, 0), row(4, 0)]), [row(2, 0), row(4, 0)], columns);
    expect(rows.map((one) => openColumns(one, columns))).toEqual([[0], [0], [0]]);
    expect(rows.map(({ right }) => right)).toEqual([false, true, false]);
    const rowsOf = (from: number) =>
      pastedEdits('a\nb\nc', rows, columns, { row: from, column: 0 })?.map((one) => one.row);
    expect(rowsOf(2)).toEqual([2, 4]);
    expect(rowsOf(3)).toEqual([3, 4]);
    // The rows as the server lists them after the correction.
    const [again] = fresh([{ ...row(3), corrected: [2] }]);
    expect(again?.right).toBe(true);
    expect(again && openColumns(again, columns)).toEqual([2]);
  });

  test('the message that no problems are left appears only if no row in the file has one', () => {
    const none = { fails: 0, unknown: 0 };
    expect(texts.left({ rows: 9, wrong: 0, beside: none })).toBe('No problems left.');
    expect(texts.left({ rows: 0, wrong: 0, beside: none })).toBe('All rows are skipped.');
    expect(texts.left({ rows: 9, wrong: 2, beside: none })).toBe('2 rows still have a problem.');
    expect(texts.left({ rows: 9, wrong: 0, beside: { fails: 1, unknown: 2 } })).toBe(
      'These rows have no problems left. The LMS will reject 1 other row. “Correct these rows” in the review opens it. 2 other rows name an ID that the LMS does not have. “Correct these IDs” in the review opens them.',
    );
    expect(texts.beside({ fails: 2, unknown: 1 })).toEqual([
      'The LMS will reject 2 other rows. “Correct these rows” in the review opens them.',
      '1 other row names an ID that the LMS does not have. “Correct these IDs” in the review opens it.',
    ]);
  });

  test('a pasted column fills the marked cells of that column, and no others', () => {
    const rows = fresh([row(2, 0), row(3, 2), row(4, 0), row(5, 0)]);
    const from = { row: 2, column: 0 };
    expect(pastedEdits('one', rows, columns, from)).toBeNull();
    expect(pastedEdits('one\r\n', rows, columns, from)).toBeNull();
    expect(pastedEdits('a\tb\r\n c \r\n', rows, columns, from)).toEqual([
      { row: 2, column: 0, value: 'a' },
      { row: 4, column: 0, value: 'c' },
    ]);
    const many = Array.from({ length: 9 }, (_, at) => String(at)).join('\n');
    expect(pastedEdits(many, rows, columns, { row: 4, column: 0 })?.map((one) => one.row)).toEqual([4, 5]);
    expect(edited(rows, [{ row: 4, column: 0, value: 'c' }])[2]?.cells[0]).toBe('c');
  });

  test('whatever a paste could not fill in is reported: extra columns, and lines without a cell', () => {
    expect(leftOfPaste('a\tb\r\nc\r\n', 2)).toEqual({ columns: 1, lines: 0 });
    expect(leftOfPaste('a\t\nc\nd\n', 2)).toEqual({ columns: 0, lines: 1 });
    expect(texts.table.pasteLeft({ columns: 0, lines: 0 }, true)).toBe('');
    expect(texts.table.pasteLeft({ columns: 1, lines: 2 }, false)).toBe(
      'Only the first column of what you pasted was used. Paste one column at a time. 2 pasted lines were not used: there are no more cells.',
    );
    expect(texts.table.pasteLeft({ columns: 0, lines: 1 }, true)).toBe(
      '1 pasted line was not used: up to 100 rows are listed at once. Paste the rest into the next rows.',
    );
  });

  test('keyboard navigation goes to the next marked cell of the column, else of any column, and stops at the ends', () => {
    const rows = fresh([row(2, 0), row(3, 2), row(4, 0)]);
    expect(neighbour(rows, columns, { row: 2, column: 0 }, 1)).toEqual({ row: 4, column: 0 });
    expect(neighbour(rows, columns, { row: 3, column: 2 }, 1)).toEqual({ row: 4, column: 0 });
    expect(neighbour(rows, columns, { row: 4, column: 0 }, 1)).toBeNull();
    expect(neighbour(rows, columns, { row: 4, column: 0 }, -1)).toEqual({ row: 2, column: 0 });
    expect(neighbour(rows, columns, { row: 2, column: 0 }, -1)).toBeNull();
  });
});

test('SIS-05 a cell cannot be emptied if every row needs a value there and no other column can replace it', () => {
  const of = (...names: string[]): SisDraft['columns'] =>
    names.map((name) => ({ header: name, name, added: false, secret: false }));
  const [users, enrolments] = [sisTableOf('user'), sisTableOf('enrollment')];
  expect(isNeeded(users, 'user_id', of('user_id', 'login_id', 'status'))).toBe(true);
  expect(isNeeded(users, 'status', of('user_id', 'login_id', 'status'))).toBe(true);
  expect(isNeeded(users, 'email', of('user_id', 'login_id', 'email', 'status'))).toBe(false);
  expect(isNeeded(enrolments, 'course_id', of('course_id', 'user_id', 'role_id'))).toBe(true);
  expect(isNeeded(enrolments, 'course_id', of('course_id', 'section_id', 'user_id', 'role_id'))).toBe(false);
});
