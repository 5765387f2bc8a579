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

describe('the result of an import (OP-35, OP-36)', () => {
  test.each([
    ['all rows', ended('imported', 6, { enrollments: 6 }), 'done', 6],
    ['a section skipped before sending', ended('imported', 6, { enrollments: 6 }, true), 'partly', 6],
    ['rows that the LMS silently skipped', ended('imported', 6, { enrollments: 4 }), 'partly', 4],
    ['people who were already deleted', { ...ended('imported', 2, { users: 1 }), uncounted: 1 }, 'done', 2],
    ['more rows skipped than those', { ...ended('imported', 4, { users: 1 }), uncounted: 1 }, 'partly', 1],
    [
      'remarks as well as those',
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
    ['counts in a unit other than rows', ended('imported', 6, { users: 6, logins: 4 }), 'done', null],
    ['remarks', ended('imported_with_messages', 3, { users: 1 }), 'partly', 1],
    ['remarks on every row', ended('imported_with_messages', 3, { users: 0 }), 'failed', 0],
    ['one file in a zip', ended('failed_with_messages', 3, { users: 1 }), 'partly', 1],
    ['no file in a zip', ended('failed_with_messages', 3, { users: 0 }), 'failed', 0],
    ['a crash, not looked up', ended('failed', 6, { enrollments: 0 }), 'failed', null],
    ['a crash, looked up', ended('failed', 6, { enrollments: 0, rows_applied: 2 }), 'partly', 2],
    ['an abort, looked up', ended('aborted', 6, { rows_applied: 0, rows_not_applied: 6 }), 'failed', 0],
    ['still running', ended('importing', 6, {}), null, null],
  ] as const)('%s', (_name, one, verdict, applied) => {
    expect([importVerdict(one), appliedRows(one)]).toEqual([verdict, applied]);
  });

  test('property: an import has a result exactly if it has ended, and the result is never better than what was applied', () => {
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
