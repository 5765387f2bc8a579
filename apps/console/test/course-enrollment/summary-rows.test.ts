import { describe, expect, test } from 'vitest';
import {
  changesFirst,
  distinctNames,
  type SummaryRow,
  sameInAll,
} from '../../src/components/SummaryTable/summary-rows.ts';

const row = (key: string, more: Partial<SummaryRow> = {}): SummaryRow => ({
  key,
  course: `Course ${key}`,
  detail: '',
  sections: [],
  role: 'Student',
  action: 'Add',
  count: 1,
  figures: {},
  ...more,
});

describe('the rows of a review', () => {
  test('CE-12 a value shared by all rows is shown once; sections are left out if no row names one', () => {
    expect([...sameInAll([row('1'), row('2')])]).toEqual([
      ['role', 'Role: Student'],
      ['action', 'Action Type: Add'],
      ['section', ''],
    ]);
  });

  test('CE-12 a value that differs in one row keeps its column', () => {
    const rows = [row('1'), row('2', { role: 'TA', sections: ['A'] }), row('3', { action: 'Remove' })];
    expect([...sameInAll(rows).keys()]).toEqual([]);
    expect([...sameInAll(rows.slice(0, 2)).keys()]).toEqual(['action']);
    expect(sameInAll([]).size).toBe(0);
  });

  test('CE-12 rows with changes come first, otherwise in their original order', () => {
    const rows = [row('1', { count: 0 }), row('2'), row('3', { count: 0 }), row('4')];
    expect(changesFirst(rows).map(({ key }) => key)).toEqual(['2', '4', '1', '3']);
  });

  test('SE-12 rows for sections with the same name get distinct names', () => {
    const one = (key: string, id: string, role = 'Student') =>
      row(key, { name: 'Finance, Tutorial', id, role });
    const named = distinctNames([row('1'), one('2', 'T-1'), one('3', 'T-2'), one('4', 'T-2', 'TA')]);
    const names = named.map(({ name, course }) => name ?? course);
    expect(names).toEqual([
      'Course 1',
      'Finance, Tutorial (T-1 · Student)',
      'Finance, Tutorial (T-2 · Student)',
      'Finance, Tutorial (T-2 · TA)',
    ]);
  });
});
