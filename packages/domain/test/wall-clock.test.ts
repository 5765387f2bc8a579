import { expect, test } from 'vitest';
import { offsetIfTwice } from '../src/wall-clock.ts';

test('ZC-08 only a local time that occurs twice is shown with its offset from UTC', () => {
  const of = (at: string, zone: string) => offsetIfTwice(Date.parse(at), zone);
  const night = ['23:59', '00:00', '00:30', '01:30', '01:59', '02:00'];
  const at = (time: string) => of(`2026-10-${time > '12' ? 24 : 25}T${time}:00Z`, 'Europe/Copenhagen');
  expect(night.map(at)).toEqual([null, 'UTC+2', 'UTC+2', 'UTC+1', 'UTC+1', null]);
  expect(of('2026-10-25T00:30:00Z', 'Europe/London')).toBe('UTC+1');
  expect(of('2026-10-25T01:30:00Z', 'Europe/London')).toBe('UTC');
  expect(of('2026-11-01T05:30:00Z', 'America/New_York')).toBe('UTC−4');
  // Clocks that are put back by half an hour.
  expect(of('2026-04-04T14:45:00Z', 'Australia/Lord_Howe')).toBe('UTC+11');
  expect(of('2026-04-04T15:15:00Z', 'Australia/Lord_Howe')).toBe('UTC+10:30');
  expect(of('2026-04-04T15:35:00Z', 'Australia/Lord_Howe')).toBeNull();
  // In spring an hour is skipped, and no hour occurs twice.
  expect(of('2026-03-29T01:30:00Z', 'Europe/Copenhagen')).toBeNull();
  expect(of('2026-10-25T00:30:00Z', 'Asia/Singapore')).toBeNull();
});
