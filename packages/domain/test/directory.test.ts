import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DIRECTORY_TABLES, type DirectoryCounts, dailyMoments, shrunkTables } from '../src/directory.ts';

const counts = (rows: number): DirectoryCounts => ({
  users: rows,
  logins: rows,
  accounts: rows,
  terms: rows,
  courses: rows,
  sections: rows,
});

describe('a report with missing rows', () => {
  test('is rejected if more than a tenth of people, logins, courses or sections are missing', () => {
    expect(shrunkTables(counts(1_000), { ...counts(1_000), users: 900 })).toEqual([]);
    expect(shrunkTables(counts(1_000), { ...counts(1_000), users: 899, sections: 0 })).toEqual([
      { table: 'users', before: 1_000, after: 899 },
      { table: 'sections', before: 1_000, after: 0 },
    ]);
  });

  test('can lack one of the few terms or accounts, but not all of them', () => {
    expect(shrunkTables(counts(3), { ...counts(3), terms: 2, accounts: 1 })).toEqual([]);
    expect(shrunkTables(counts(3), { ...counts(3), terms: 0 })).toEqual([
      { table: 'terms', before: 3, after: 0 },
    ]);
  });

  test('is never the first report, nor one that has grown', () => {
    const rows = fc.nat(100_000);
    fc.assert(
      fc.property(fc.tuple(...DIRECTORY_TABLES.map(() => fc.tuple(rows, rows))), (pairs) => {
        const before = { ...counts(0) };
        const after = { ...counts(0) };
        DIRECTORY_TABLES.forEach((table, at) => {
          const [a = 0, b = 0] = pairs[at] ?? [];
          before[table] = Math.min(a, b);
          after[table] = Math.max(a, b);
        });
        expect(shrunkTables(before, after)).toEqual([]);
      }),
    );
  });
});

describe('a time of day', () => {
  const at = (text: string) => Date.parse(text);

  test('is in the zone, even across a change of the clocks', () => {
    expect(dailyMoments(at('2026-11-26T12:00:00Z'), '02:00', 'Asia/Singapore')).toEqual({
      last: at('2026-11-25T18:00:00Z'),
      next: at('2026-11-26T18:00:00Z'),
    });
    // At 02:00 on this day the clocks go forward.
    expect(dailyMoments(at('2026-03-29T12:00:00Z'), '02:00', 'Europe/Paris')).toEqual({
      last: at('2026-03-29T01:00:00Z'),
      next: at('2026-03-30T00:00:00Z'),
    });
  });

  test('has a last and a next occurrence at every moment, at most 25 hours away', () => {
    const zone = fc.constantFrom(
      'UTC',
      'Europe/Paris',
      'Pacific/Kiritimati',
      'Pacific/Pago_Pago',
      'America/New_York',
    );
    const time = fc
      .tuple(fc.nat(23), fc.nat(59))
      .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
    const moment = fc.integer({ min: at('2020-01-01T00:00:00Z'), max: at('2040-01-01T00:00:00Z') });
    fc.assert(
      fc.property(moment, time, zone, (now, clock, where) => {
        const { last, next } = dailyMoments(now, clock, where);
        expect(last).toBeLessThanOrEqual(now);
        expect(next).toBeGreaterThan(now);
        expect(next - last).toBeLessThanOrEqual(25 * 3_600_000);
      }),
    );
  });
});
