import { describe, expect, test } from 'vitest';
import { changesFirst, type SummaryRow, sameInAll } from '../../src/components/SummaryTable/summary-rows.ts';

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
  test('CE-12 what all rows say is said once; a section that no row names is not said at all', () => {
    expect([...sameInAll([row('1'), row('2')])]).toEqual([
      ['role', 'Role: Student'],
      ['action', 'Action Type: Add'],
      ['section', ''],
    ]);
  });

  test('CE-12 what differs in one row keeps its column', () => {
    const rows = [row('1'), row('2', { role: 'TA', sections: ['A'] }), row('3', { action: 'Remove' })];
    expect([...sameInAll(rows).keys()]).toEqual([]);
    expect([...sameInAll(rows.slice(0, 2)).keys()]).toEqual(['action']);
    expect(sameInAll([]).size).toBe(0);
  });

  test('CE-12 rows that change something come first, else in their order', () => {
    const rows = [row('1', { count: 0 }), row('2'), row('3', { count: 0 }), row('4')];
    expect(changesFirst(rows).map(({ key }) => key)).toEqual(['2', '4', '1', '3']);
  });
});
