import { jobQuery } from '@lms-admin/contract/jobs';
import { describe, expect, test } from 'vitest';
import {
  filtersOf,
  isBackwards,
  isNarrowed,
  NO_FILTERS,
  queryOf,
  STATE_FILTERS,
  searchOf,
} from '../../src/app/activity/activity-filters.ts';

const from = (search: string, mayAll = true) => filtersOf(new URLSearchParams(search), mayAll);

describe('the filters of Activity', () => {
  test('stand in the address, and come out of it again', () => {
    const filters = {
      ...NO_FILTERS,
      tool: 'sis-import',
      state: 'failed',
      text: 'a & b',
      from: '2026-11-01',
      all: true,
    };
    expect(from(searchOf(filters).toString())).toEqual(filters);
    expect(searchOf(NO_FILTERS).toString()).toBe('');
    expect(isNarrowed(filters)).toBe(true);
    expect(isNarrowed({ ...NO_FILTERS, all: true })).toBe(false);
  });

  test('a last day before the first is said', () => {
    const day = { ...NO_FILTERS, from: '2026-11-02', to: '2026-11-02' };
    expect(isBackwards(day)).toBe(false);
    expect(isBackwards({ ...day, to: '2026-11-01' })).toBe(true);
    expect(isBackwards({ ...day, to: '' })).toBe(false);
  });

  test('what makes no sense in an address is passed over', () => {
    expect(from('tool=<x>&state=asleep&from=2026-13-01&to=yesterday&text=%20')).toEqual(NO_FILTERS);
    expect(from(`text=${'x'.repeat(300)}`).text).toHaveLength(100);
  });

  test("everybody's only for who may see them", () => {
    expect(from('all=1').all).toBe(true);
    expect(from('all=1', false).all).toBe(false);
  });

  test('the server is asked for whole days where the person is', () => {
    const days = { ...NO_FILTERS, from: '2026-11-01', to: '2026-11-30' };
    const query = Object.fromEntries(queryOf(days, null));
    expect(new Date(query.from ?? '').getTime()).toBe(new Date(2026, 10, 1).getTime());
    expect(new Date(query.to ?? '').getTime()).toBe(new Date(2026, 11, 1).getTime() - 1);
    expect(queryOf(days, 'No/Zone')).toEqual(queryOf(days, null));
  });

  test.each([
    ['Pacific/Kiritimati', '2026-11-25T10:00:00.000Z', '2026-11-26T09:59:59.999Z'],
    ['Europe/Paris', '2026-11-25T23:00:00.000Z', '2026-11-26T22:59:59.999Z'],
  ])('a day is that of the clock by which the list shows its moments: %s', (zone, begin, end) => {
    const query = queryOf({ ...NO_FILTERS, from: '2026-11-26', to: '2026-11-26' }, zone);
    expect(Object.fromEntries(query)).toEqual({ from: begin, to: end });
  });

  test('every filter is one that the contract knows', () => {
    for (const state of STATE_FILTERS) {
      const some = {
        tool: 'create-users',
        state,
        text: 'row',
        from: '2026-01-31',
        to: '2026-02-28',
        all: true,
      };
      expect(jobQuery.safeParse(Object.fromEntries(queryOf(some, null))).success).toBe(true);
    }
  });
});
