import { expect, test } from 'vitest';
import { parseDate } from '../../../src/canvas/sis/csv/dates.ts';

test.each([
  ['2026-12-31', '2026-12-31T00:00:00Z'],
  ['2026.12.31', '2026-12-31T00:00:00Z'],
  ['31.12.2026', '2026-12-31T00:00:00Z'],
  ['31-12-2026 08:30', '2026-12-31T08:30:00Z'],
  ['05/06/2026', '2026-06-05T00:00:00Z'],
  ['20261231', '2026-12-31T00:00:00Z'],
  ['20261231T0830Z', '2026-12-31T08:30:00Z'],
  ['2027-06-01 12:00 PM', '2027-06-01T12:00:00Z'],
  ['1.6.2027 8:05:30 p.m. +0200', '2027-06-01T18:05:30Z'],
  ['2027-06-01 13:00 PM', undefined],
  ['0001-02-03', '0001-02-03T00:00:00Z'],
  ['20263112', undefined],
  ['12/31/2026', undefined],
  ['31.02.2026', undefined],
  ['soon', undefined],
])('§8.2 %s: the year comes first, or the day, never the month', (text, date) => {
  expect(parseDate(text)).toBe(date);
});
