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

describe('Activity filters', () => {
  test('are kept in the address and read from it again', () => {
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

  test('report a last day that comes before the first', () => {
    const day = { ...NO_FILTERS, from: '2026-11-02', to: '2026-11-02' };
    expect(isBackwards(day)).toBe(false);
    expect(isBackwards({ ...day, to: '2026-11-01' })).toBe(true);
    expect(isBackwards({ ...day, to: '' })).toBe(false);
  });

  test('invalid values in an address are ignored', () => {
    expect(from('tool=<x>&state=asleep&from=2026-13-01&to=yesterday&text=%20')).toEqual(NO_FILTERS);
    expect(from(`text=${'x'.repeat(300)}`).text).toHaveLength(100);
  });

  test("show everyone's work only to people with permission", () => {
    expect(from('all=1').all).toBe(true);
    expect(from('all=1', false).all).toBe(false);
  });

  test('ask the server for whole days in the time zone used on screen', () => {
    const days = { ...NO_FILTERS, from: '2026-11-26', to: '2026-11-26' };
    const of = (zone: string) => Object.fromEntries(queryOf(days, zone));
    expect(of('Europe/Paris')).toEqual({ from: '2026-11-25T23:00:00.000Z', to: '2026-11-26T22:59:59.999Z' });
    expect(of('Asia/Singapore')).toEqual({
      from: '2026-11-25T16:00:00.000Z',
      to: '2026-11-26T15:59:59.999Z',
    });
    // This day has 25 hours.
    const long = Object.fromEntries(
      queryOf({ ...days, from: '2026-10-25', to: '2026-10-25' }, 'Europe/Paris'),
    );
    expect(Date.parse(long.to ?? '') - Date.parse(long.from ?? '')).toBe(25 * 3_600_000 - 1);
  });

  test('every filter exists in the contract', () => {
    for (const state of STATE_FILTERS) {
      const some = {
        tool: 'create-users',
        state,
        text: 'row',
        from: '2026-01-31',
        to: '2026-02-28',
        all: true,
      };
      expect(jobQuery.safeParse(Object.fromEntries(queryOf(some, 'UTC'))).success).toBe(true);
    }
  });
});
