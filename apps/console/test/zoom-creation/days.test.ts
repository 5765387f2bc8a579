import fc from 'fast-check';
import { expect, test } from 'vitest';
import { knownZone } from '../../src/components/moments.ts';
import { dayOf, dayText, lastDay, timesFormat, todayIn } from '../../src/tools/zoom-creation/days.ts';

test("OP-73 today is the current day in the profile's zone", () => {
  const late = Date.parse('2026-11-22T22:30:00Z');
  expect(todayIn('Europe/Paris', late)).toBe('2026-11-22');
  expect(todayIn('Asia/Singapore', late)).toBe('2026-11-23');
  expect(todayIn('America/New_York', late)).toBe('2026-11-22');
});

test("OP-73 the browser's zone is used if the profile's zone is unknown or missing", () => {
  const own = new Intl.DateTimeFormat('en-GB').resolvedOptions().timeZone;
  expect(knownZone(null)).toBe(own);
  expect(knownZone('Mars/Olympus')).toBe(own);
  expect(knownZone('Asia/Singapore')).toBe('Asia/Singapore');
});

test('ZC-39 OP-65 the period always has thirty days', () => {
  expect(lastDay('2026-11-22')).toBe('2026-12-22');
  expect(lastDay('2027-02-15')).toBe('2027-03-17');
  const days = fc.date({ min: new Date('1970-01-01'), max: new Date('2200-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(days, (date) => {
      const day = date.toISOString().slice(0, 10);
      expect(dayOf(day)).toBe(day);
      expect(Date.parse(lastDay(day)) - Date.parse(day)).toBe(30 * 86_400_000);
    }),
  );
});

test('ZC-11 only a day that exists in the modern calendar is read from an address', () => {
  for (const none of [
    null,
    '',
    '2026-02-30',
    '2026-13-01',
    '0202-11-22',
    '22.11.2026',
    '2026-11-22T00:00',
    '12026-01-01',
  ])
    expect(dayOf(none)).toBeNull();
  expect(dayText('2026-11-22')).toBe('22 Nov 2026');
});

test("ZC-08 PERM-18 event times are shown in the profile's zone", () => {
  const paris = timesFormat('Europe/Paris');
  const event = { start_at: '2026-11-23T08:00:00Z', end_at: '2026-11-23T09:30:00Z' };
  expect(paris(event)).toBe('Mon, 23 Nov 2026, 09:00–10:30');
  expect(timesFormat('Asia/Singapore')(event)).toBe('Mon, 23 Nov 2026, 16:00–17:30');
  expect(paris({ ...event, end_at: '2026-11-23T23:30:00Z' })).toBe(
    'Mon, 23 Nov 2026, 09:00–Tue, 24 Nov 2026, 00:30',
  );
  expect(paris({ ...event, end_at: event.start_at })).toBe('Mon, 23 Nov 2026, 09:00');
  expect(paris({ ...event, all_day: true })).toBe('Mon, 23 Nov 2026');
  expect(paris({ start_at: null })).toBe('');
  // Formats times in the night when the clocks go back.
  const night = (start: string, end: string) =>
    paris({ start_at: `2026-10-25T${start}:00Z`, end_at: `2026-10-25T${end}:00Z` });
  expect(night('00:30', '01:30')).toBe('Sun, 25 Oct 2026, 02:30 (UTC+2)–02:30 (UTC+1)');
  expect(night('01:30', '02:30')).toBe('Sun, 25 Oct 2026, 02:30 (UTC+1)–03:30');
  expect(night('23:00', '23:30')).toBe('Mon, 26 Oct 2026, 00:00–00:30');
});
