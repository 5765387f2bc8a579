import { describe, expect, test } from 'vitest';
import { clockFormat, duration, momentFormat, timeAgo } from '../../src/components/moments.ts';

const now = Date.parse('2026-11-21T14:30:00Z');
const before = (seconds: number) => timeAgo(new Date(now - seconds * 1000).toISOString(), now, 'UTC');

describe('times in words', () => {
  test("an exact time is in the person's zone, with a 24-hour clock", () => {
    expect(momentFormat('Europe/Berlin')('2026-11-21T14:02:00Z')).toBe('21 Nov 2026, 15:02');
    expect(momentFormat('UTC')(null)).toBe('–');
    expect(momentFormat('No/Such_Zone')('2026-11-21T14:02:00Z')).toMatch(/2026, \d\d:\d\d$/);
  });

  test('a time of today is shown without its date', () => {
    expect(clockFormat('UTC', now)('2026-11-21T14:02:00Z')).toBe('14:02');
    expect(clockFormat('UTC', now)('2026-11-20T14:02:00Z')).toBe('20 Nov 2026, 14:02');
  });

  test('a time of the last week is shown as how long ago it was', () => {
    expect([0, 59, 60, 3_599, 3_600, 86_400, 6 * 86_400, 7 * 86_400].map(before)).toEqual([
      'just now',
      'just now',
      '1 minute ago',
      '59 minutes ago',
      '1 hour ago',
      'yesterday',
      '6 days ago',
      '14 Nov 2026',
    ]);
  });

  test('a duration is shown in seconds, minutes or hours', () => {
    expect([400, 38_000, 240_000, 3_600_000, 7_800_000, 7_199_000].map(duration)).toEqual([
      '0 s',
      '38 s',
      '4 min',
      '1 h',
      '2 h 10 min',
      '2 h',
    ]);
  });
});
