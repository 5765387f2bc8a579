import { expect, test } from 'vitest';
import { momentOfWallClock, wallClock } from '../../src/http/time-zones.ts';

const at = (text: string) => Date.parse(`${text}Z`);
const moment = (text: string, zone: string) =>
  new Date(momentOfWallClock(at(text), zone)).toISOString().slice(0, 16);

test('timetable.md §9: a repeated hour means its first occurrence, and a time in a skipped hour moves forward', () => {
  expect(moment('2026-10-25T01:30', 'Europe/Paris')).toBe('2026-10-24T23:30');
  expect(moment('2026-10-25T02:30', 'Europe/Paris')).toBe('2026-10-25T00:30');
  expect(moment('2026-10-25T03:30', 'Europe/Paris')).toBe('2026-10-25T02:30');
  expect(moment('2027-03-28T02:30', 'Europe/Paris')).toBe('2027-03-28T01:30');
  expect(moment('2027-03-28T04:30', 'Europe/Paris')).toBe('2027-03-28T02:30');
  expect(moment('2027-03-28T02:30', 'Asia/Singapore')).toBe('2027-03-27T18:30');
});

test('a time survives conversion to local time and back, through a whole year in every zone of the school', () => {
  for (const zone of ['Europe/Paris', 'Asia/Singapore', 'Asia/Dubai', 'America/New_York'])
    for (let hour = 0; hour < 24 * 366; hour++) {
      const ms = Date.UTC(2026, 5, 1, hour);
      const back = momentOfWallClock(wallClock(ms, zone), zone);
      // A repeated hour means its first occurrence.
      expect([ms, ms - 3_600_000]).toContain(back);
    }
});
