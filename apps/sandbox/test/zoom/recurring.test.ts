/** Recurring meetings: their occurrences, JSON and calendar file (Zoom reference §7, §8, §11). */
import { expect, test } from 'vitest';
import { HUGO, type Json, useZoom } from './client.ts';

const zoom = useZoom();

const recurring = (start: string, recurrence: object, timezone = 'Europe/Paris') =>
  zoom.make(HUGO, { type: 8, start_time: start, timezone, recurrence });
const times = (meeting: Json) =>
  (meeting['occurrences'] as Json[]).map(({ start_time }) => String(start_time));
const days = (meeting: Json) => times(meeting).map((time) => time.slice(0, 10));

test('§7 occurrences of a recurring meeting keep their local time after the clocks change', async () => {
  const weekly = { type: 2, end_times: 3 };
  expect(times(await recurring('2026-10-12T08:00:00Z', weekly))).toEqual([
    '2026-10-12T08:00:00Z',
    '2026-10-19T08:00:00Z',
    '2026-10-26T09:00:00Z',
  ]);
  const daily = { type: 1, repeat_interval: 2, end_times: 2 };
  expect(times(await recurring('2026-10-24T10:00:00', daily))).toEqual([
    '2026-10-24T08:00:00Z',
    '2026-10-26T09:00:00Z',
  ]);
  expect(times(await recurring('2026-10-24T08:00:00Z', daily, 'Asia/Singapore'))[1]).toBe(
    '2026-10-26T08:00:00Z',
  );
});

test('§7 weekly_days: from 1 (Sunday) to 7; the first occurrence is on the first such day', async () => {
  const meeting = await recurring('2026-10-07T08:00:00Z', {
    type: 2,
    repeat_interval: 2,
    weekly_days: '5,2',
    end_times: 4,
  });
  expect(days(meeting)).toEqual(['2026-10-08', '2026-10-19', '2026-10-22', '2026-11-02']);
  expect(meeting['recurrence']).toMatchObject({ weekly_days: '5,2', repeat_interval: 2 });
});

test('§7 a monthly meeting takes place on a date, or on a day of one of the month’s weeks', async () => {
  expect(days(await recurring('2026-10-31T08:00:00Z', { type: 3, monthly_day: 31, end_times: 3 }))).toEqual([
    '2026-10-31',
    '2026-12-31',
    '2027-01-31',
  ]);
  const second = { type: 3, monthly_week: 2, monthly_week_day: 3, end_times: 2 };
  expect(days(await recurring('2026-10-06T08:00:00Z', second))).toEqual(['2026-10-13', '2026-11-10']);
  const last = { type: 3, repeat_interval: 3, monthly_week: -1, monthly_week_day: 6, end_times: 2 };
  expect(days(await recurring('2026-10-06T08:00:00Z', last))).toEqual(['2026-10-30', '2027-01-29']);
});

test('§7 a recurrence has an end date; invalid fields are named', async () => {
  const until = { type: 2, end_date_time: '2026-10-26T23:00:00Z' };
  expect(days(await recurring('2026-10-12T08:00:00Z', until))).toHaveLength(3);
  for (const [field, recurrence] of [
    ['type', { type: 4 }],
    ['weekly_days', { type: 2, weekly_days: '0' }],
    ['monthly_day', { type: 3, monthly_day: 32 }],
    ['monthly_week', { type: 3, monthly_week: 5, monthly_week_day: 1 }],
  ] as const) {
    const { body } = await zoom.call('POST', `/users/${HUGO}/meetings`, {
      type: 8,
      start_time: '2026-10-12T08:00:00Z',
      recurrence,
    });
    expect(body['errors'], field).toEqual([{ field: `recurrence.${field}`, message: 'Invalid field.' }]);
  }
});

test('§8, §11 the invitation links to a calendar file with all occurrences, which needs no login', async () => {
  const meeting = await recurring('2026-10-19T08:00:00Z', { type: 2, end_times: 2 });
  const { body } = await zoom.call('GET', `/meetings/${String(meeting['id'])}/invitation`);
  const lines = String(body['invitation']).split('\r\n');
  const link = lines.find((line) => line.startsWith('Weekly: '))?.slice('Weekly: '.length) ?? '';
  expect(new URL(link).pathname).not.toContain(String(meeting['id']));
  await zoom.set({ icsNeedsHost: true });
  const file = await zoom.ask('GET', link);
  expect(file.headers.get('content-type')).toContain('text/calendar');
  const of = (name: string) =>
    [...file.text.matchAll(new RegExp(`^${name}:(.*)\\r$`, 'gm'))].map((one) => one[1]);
  expect(of('DTSTART')).toEqual(['20261019T080000Z', '20261026T090000Z']);
  expect(new Set(of('UID')).size).toBe(2);
});

test('§9 one occurrence is changed or cancelled on its own; an unknown one is 3001, and nothing else changes', async () => {
  const meeting = await recurring('2026-10-19T08:00:00Z', { type: 2, end_times: 4 });
  const path = `/meetings/${String(meeting['id'])}`;
  const [one = '', two = ''] = (meeting['occurrences'] as Json[]).map((each) =>
    String(each['occurrence_id']),
  );
  const at = (id: string) => `${path}?occurrence_id=${id}`;
  for (const method of ['GET', 'PATCH', 'DELETE'])
    expect(await zoom.call(method, at('1'), method === 'PATCH' ? {} : undefined)).toMatchObject({
      status: 404,
      body: { code: 3001 },
    });
  expect(await zoom.read(meeting['id'])).toEqual(meeting);
  const change = { start_time: '2026-10-20T13:00:00Z', duration: 30, agenda: 'Moved', topic: 'Other' };
  expect((await zoom.call('PATCH', at(one), change)).status).toBe(204);
  expect((await zoom.call('GET', at(one))).body).toMatchObject({
    start_time: '2026-10-20T13:00:00Z',
    duration: 30,
    agenda: 'Moved',
    topic: 'Class',
  });
  expect((await zoom.call('DELETE', at(two))).status).toBe(204);
  expect((await zoom.call('DELETE', at(two))).status).toBe(404);
  const after = await zoom.read(meeting['id']);
  expect(after).toMatchObject({ start_time: meeting['start_time'], agenda: '', duration: 60 });
  expect((after['occurrences'] as Json[]).map(({ start_time, status }) => [start_time, status])).toEqual([
    ['2026-10-20T13:00:00Z', 'available'],
    ['2026-10-26T09:00:00Z', 'deleted'],
    ['2026-11-02T09:00:00Z', 'available'],
    ['2026-11-09T09:00:00Z', 'available'],
  ]);
  const { body } = await zoom.call('GET', `/users/${HUGO}/meetings?page_size=300`);
  const listed = (body['meetings'] as Json[]).filter(({ id }) => id === meeting['id']);
  expect(listed.map(({ start_time }) => String(start_time).slice(0, 10))).toEqual([
    '2026-10-20',
    '2026-11-02',
    '2026-11-09',
  ]);
});
