/** Unusual dates, titles and all-day events in the calendar (reference §12, §14). */
import { describe, expect, test } from 'vitest';
import { signIn, useSandbox } from './client.ts';

const client = useSandbox();
const write = async (method: string, path: string, calendar_event: object) =>
  (await client.send(method, `/api/v1/calendar_events${path}`, { calendar_event })).body;
const list = (query: string, token?: string) =>
  client.api(`/calendar_events?context_codes[]=user_1&${query}`, token === undefined ? {} : { token });

describe('§12 dates in lists', () => {
  test('§12 every part has two digits, every time has seconds, and a plain date can use any of four separators', async () => {
    const bad = { errors: { start_date: 'Invalid date or invalid datetime for start_date' } };
    for (const start of ['2026-9-1', '2026-09-01T10:00', '2026-09-01 10:00:00', '20260901', '2026-13-01']) {
      const answer = await list(`start_date=${encodeURIComponent(start)}`);
      expect([start, answer.status, answer.body]).toEqual([start, 400, bad]);
    }
    for (const start of [
      '2026-09-01',
      '2026/09/01',
      '2026.09.01',
      '2026 09 01',
      '2026-09-01T10:00:00.123Z',
      '2026-09-01T10:00:00+02:00',
      '2026-09-01T10:00:00',
    ])
      expect((await list(`start_date=${encodeURIComponent(start)}`)).status, start).toBe(200);
  });

  test('§14.1 a time without a zone is read in the caller’s zone', async () => {
    // 12:00 in Paris, the time zone of user 1.
    const event = await write('POST', '', { context_code: 'user_1', start_at: '2026-12-10T11:00:00Z' });
    const found = async (from: string, to: string) =>
      (await list(`start_date=${from}&end_date=${to}`)).body.map(({ id }) => id);
    expect(await found('2026-12-10T12:00:00', '2026-12-10T12:30:00')).toEqual([event['id']]);
    expect(await found('2026-12-10T11:00:00', '2026-12-10T11:30:00')).toEqual([]);
    const local = await write('PUT', `/${event['id']}`, { start_at: '2026-12-10 15:00', end_at: null });
    expect(local['start_at']).toBe('2026-12-10T14:00:00Z');
    const token = String((await signIn(client, 'carla.singh'))['access_token']);
    const own = { context_code: 'user_103', start_at: '2026-12-10T15:00:00' };
    const singapore = await client.send(
      'POST',
      '/api/v1/calendar_events',
      { calendar_event: own },
      { token },
    );
    expect(singapore.body['start_at']).toBe('2026-12-10T07:00:00Z');
  });
});

describe('§14.3 titles and all-day events', () => {
  test('§14.3 an event without a title is named after the type of its calendar; an empty title stays empty', async () => {
    const title = async (fields: object) => (await write('POST', '', fields))['title'];
    expect(await title({ context_code: 'course_1001' })).toBe('Course Event');
    expect(await title({ context_code: 'user_1' })).toBe('User Event');
    expect(await title({ context_code: 'account_1' })).toBe('Account Event');
    expect(await title({ context_code: 'user_1', title: '' })).toBe('');
    const event = await write('POST', '', { context_code: 'user_1', title: 'Named' });
    expect((await write('PUT', `/${event['id']}`, { title: '' }))['title']).toBe('');
    expect((await write('PUT', `/${event['id']}`, { title: null }))['title']).toBe('User Event');
  });

  test('§14.3 all-day events: start and end each move to midnight of their own day; the date stays when the event gets a time again', async () => {
    const made = await write('POST', '', {
      context_code: 'user_1',
      start_at: '2026-12-01T10:00:00Z',
      end_at: '2026-12-03T15:00:00Z',
      all_day: true,
    });
    const days = { start_at: '2026-11-30T23:00:00Z', end_at: '2026-12-02T23:00:00Z' };
    expect(made).toMatchObject({ ...days, all_day: true, all_day_date: '2026-12-01' });
    const text = await write('PUT', `/${made['id']}`, { title: 'Days', all_day: true });
    expect(text).toMatchObject({ ...days, all_day: true });
    const timed = await write('PUT', `/${made['id']}`, { start_at: '2026-12-02T10:00:00Z' });
    expect(timed).toMatchObject({ all_day: false, all_day_date: '2026-12-01' });
    const midnight = await write('POST', '', { context_code: 'user_1', start_at: '2026-12-04' });
    expect(midnight).toMatchObject({
      all_day: true,
      all_day_date: '2026-12-04',
      end_at: '2026-12-03T23:00:00Z',
    });
  });
});
