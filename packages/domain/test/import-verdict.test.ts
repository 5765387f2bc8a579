import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { IMPORT_STATES, isFinal } from '../src/import-states.ts';
import { appliedRows, importVerdict } from '../src/import-verdict.ts';

const ended = (state: string, rows: number, counts: Record<string, number>, leftOut = false) => ({
  state,
  rows,
  counts,
  leftOut,
});

describe('the verdict on an import (OP-35, OP-36)', () => {
  test.each([
    ['all rows', ended('imported', 6, { enrollments: 6 }), 'done', 6],
    ['a section left out before it was sent', ended('imported', 6, { enrollments: 6 }, true), 'partly', 6],
    ['rows that the LMS passed over without a word', ended('imported', 6, { enrollments: 4 }), 'partly', 4],
    ['people who were deleted already', { ...ended('imported', 2, { users: 1 }), uncounted: 1 }, 'done', 2],
    ['more passed over than those', { ...ended('imported', 4, { users: 1 }), uncounted: 1 }, 'partly', 1],
    [
      'remarks beside them',
      { ...ended('imported_with_messages', 3, { users: 1 }), uncounted: 1 },
      'partly',
      1,
    ],
    [
      'abstract courses, which IMP-02 leaves out',
      ended('imported', 2, { courses: 0, abstract_courses: 2 }),
      'done',
      2,
    ],
    ['no counts at all', ended('imported', 6, {}), 'done', null],
    ['counts of another unit than rows', ended('imported', 6, { users: 6, logins: 4 }), 'done', null],
    ['remarks', ended('imported_with_messages', 3, { users: 1 }), 'partly', 1],
    ['remarks on every row', ended('imported_with_messages', 3, { users: 0 }), 'failed', 0],
    ['one file of a zip', ended('failed_with_messages', 3, { users: 1 }), 'partly', 1],
    ['no file of a zip', ended('failed_with_messages', 3, { users: 0 }), 'failed', 0],
    ['a crash, not looked up', ended('failed', 6, { enrollments: 0 }), 'failed', null],
    ['a crash, looked up', ended('failed', 6, { enrollments: 0, rows_applied: 2 }), 'partly', 2],
    ['an abort, looked up', ended('aborted', 6, { rows_applied: 0, rows_not_applied: 6 }), 'failed', 0],
    ['still running', ended('importing', 6, {}), null, null],
  ] as const)('%s', (_name, one, verdict, applied) => {
    expect([importVerdict(one), appliedRows(one)]).toEqual([verdict, applied]);
  });

  test('property: exactly the ended imports have one, and it is never better than what was applied', () => {
    const count = fc.nat({ max: 9 });
    const counts = fc.record(
      { enrollments: count, users: count, rows_applied: count },
      { requiredKeys: ['enrollments'] },
    );
    fc.assert(
      fc.property(fc.constantFrom(...IMPORT_STATES), count, counts, fc.boolean(), (state, rows, of, left) => {
        const one = ended(state, rows, of, left);
        const verdict = importVerdict(one);
        const applied = appliedRows(one);
        expect(verdict !== null).toBe(isFinal(state));
        if (verdict === 'done') expect(left).toBe(false);
        if (verdict === 'done' && applied !== null) expect(applied).toBe(rows);
        if (verdict === 'failed' && applied !== null) expect(applied).toBe(0);
      }),
    );
  });
});
