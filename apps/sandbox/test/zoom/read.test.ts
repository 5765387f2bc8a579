/** Reading, listing, the invitation, and how long a number lasts (Zoom reference §8). */
import { expect, test } from 'vitest';
import { ALMA, BRUNO, DAY, HOUR, HUGO, type Json, START, useZoom } from './client.ts';

const zoom = useZoom();

const topics = async (host: string, query = '') => {
  const { body } = await zoom.call('GET', `/users/${host}/meetings?page_size=300${query}`);
  return (body['meetings'] as Json[]).map(({ topic }) => topic);
};
const codeOf = async (id: unknown) => (await zoom.read(id))['code'] ?? null;

test('unknown and invalid numbers are rejected; a webinar’s number has its own error', async () => {
  expect(await zoom.call('GET', '/meetings/81234567890')).toMatchObject({
    status: 404,
    body: { code: 3001, message: 'Meeting does not exist: 81234567890.' },
  });
  expect(await zoom.call('GET', '/meetings/abc')).toMatchObject({
    status: 400,
    body: { code: 300, message: 'Invalid meeting id.' },
  });
  for (const method of ['GET', 'PATCH', 'DELETE'])
    expect(
      await zoom.call(method, '/meetings/97204118836', method === 'PATCH' ? {} : undefined),
    ).toMatchObject({
      status: 400,
      body: { code: 3000, message: 'Cannot access webinar info.' },
    });
  expect((await zoom.call('GET', '/webinars/97204118836')).body).toMatchObject({ type: 5 });
});

test('list entries have 250 characters of the agenda, but neither passcode nor settings', async () => {
  const host = await zoom.freshHost();
  const meeting = await zoom.make(host, {
    agenda: `[ref 1] ${'x'.repeat(400)}`,
    settings: { alternative_hosts: ALMA },
  });
  const { body } = await zoom.call('GET', `/users/${host}/meetings`);
  const [entry] = body['meetings'] as Json[];
  expect(Object.keys(entry ?? {}).sort()).toEqual(
    [
      'uuid',
      'id',
      'host_id',
      'topic',
      'type',
      'start_time',
      'duration',
      'timezone',
      'created_at',
      'join_url',
      'agenda',
    ].sort(),
  );
  expect(entry?.['agenda']).toBe(`[ref 1] ${'x'.repeat(242)}`);
  expect(entry).toMatchObject({ id: meeting['id'], join_url: meeting['join_url'] });
  expect((await zoom.call('GET', '/users/nobody@northbridge.example/meetings')).body['code']).toBe(1001);
});

test('`scheduled` has what has not expired; `upcoming` covers half a year; `previous_meetings` has past ones', async () => {
  const host = await zoom.freshHost();
  const at = (day: number) => new Date(zoom.clock.at + day * DAY).toISOString().replace('.000', '');
  await zoom.make(host, { topic: 'far', start_time: at(300) });
  await zoom.make(host, { topic: 'soon', start_time: at(2) });
  const now = await zoom.make(host, { topic: 'now', start_time: at(0), duration: 30 });
  await zoom.make(host, { topic: 'any', type: 3 });
  zoom.clock.at += HOUR;
  expect(await topics(host)).toEqual(['now', 'soon', 'far', 'any']);
  expect(await topics(host, '&type=upcoming')).toEqual(['soon', 'any']);
  expect(await topics(host, '&type=previous_meetings')).toEqual(['now']);
  expect(await topics(host, '&type=live')).toEqual([]);
  await zoom.ask('POST', `/sandbox/zoom/meetings/${String(now['id'])}/start`);
  expect(await topics(host, '&type=live')).toEqual(['now']);
  expect(await topics(host, '&type=upcoming')).toEqual(['now', 'soon', 'any']);
  expect(await topics(host, '&type=upcoming_meetings')).toEqual(['soon', 'any']);
  const [from, to] = [at(1).slice(0, 10), at(2).slice(0, 10)];
  expect(await topics(host, `&from=${from}&to=${to}`)).toEqual(['soon', 'any']);
  expect((await zoom.call('GET', `/users/${host}/meetings?type=all`)).body['code']).toBe(300);
});

test('meetings are listed in pages; a recurring one is listed once per occurrence', async () => {
  const host = await zoom.freshHost();
  const recurring = await zoom.make(host, { type: 8, recurrence: { type: 2, end_times: 35 } });
  const first = (await zoom.call('GET', `/users/${host}/meetings`)).body;
  expect(first).toMatchObject({ total_records: 35, page_size: 30 });
  const token = String(first['next_page_token']);
  const second = (await zoom.call('GET', `/users/${host}/meetings?next_page_token=${token}`)).body;
  const entries = [...(first['meetings'] as Json[]), ...(second['meetings'] as Json[])];
  expect(new Set(entries.map(({ id }) => id))).toEqual(new Set([recurring['id']]));
  expect(new Set(entries.map(({ start_time }) => start_time)).size).toBe(35);
  expect(second['next_page_token']).toBe('');
});

test('`previous_meetings` covers half a year, longer than numbers last', async () => {
  const host = await zoom.freshHost();
  const { id } = await zoom.make(host, { topic: 'held' });
  zoom.clock.at += 100 * DAY;
  expect(await codeOf(id)).toBe(3001);
  expect(await topics(host)).toEqual([]);
  expect(await topics(host, '&type=previous_meetings')).toEqual(['held']);
  zoom.clock.at += 100 * DAY;
  expect(await topics(host, '&type=previous_meetings')).toEqual([]);
});

test('each occurrence of a recurring meeting is past, upcoming or too far away on its own', async () => {
  const host = await zoom.freshHost();
  const recurrence = { type: 2, repeat_interval: 1, end_times: 40 };
  const { id } = await zoom.make(host, { type: 8, recurrence });
  const times = async (query: string) => {
    const { body } = await zoom.call('GET', `/users/${host}/meetings?page_size=300${query}`);
    return (body['meetings'] as Json[]).map(({ start_time }) => String(start_time).slice(0, 10));
  };
  zoom.clock.at += 14 * DAY;
  expect(await times('')).toHaveLength(40);
  expect(await times('&type=previous_meetings')).toEqual(['2026-10-05', '2026-10-12']);
  const coming = await times('&type=upcoming');
  expect([coming[0], coming.at(-1)]).toEqual(['2026-10-19', '2027-04-19']);
  expect(await times('&from=2026-10-12&to=2026-10-19')).toEqual(['2026-10-12', '2026-10-19']);
  const soon = async () => (await zoom.call('GET', `/users/${host}/upcoming_meetings`)).body;
  expect(await soon()).toMatchObject({
    total_records: 1,
    meetings: [{ id, start_time: '2026-10-19T09:00:00Z' }],
  });
  await zoom.ask('POST', `/sandbox/zoom/meetings/${String(id)}/start`);
  expect(await times('&type=live')).toEqual(['2026-10-12']);
  await zoom.ask('POST', `/sandbox/zoom/meetings/${String(id)}/end`);
  zoom.clock.at += 2 * DAY;
  expect(await soon()).toMatchObject({ total_records: 0, meetings: [] });
});

test('the alternative host of a person who has left still has the next day’s meetings', async () => {
  const [host, gone] = [await zoom.freshHost(), await zoom.freshHost()];
  await zoom.make(gone, { topic: 'gone', settings: { alternative_hosts: host } });
  await zoom.make(host, { topic: 'mine' });
  await zoom.ask('DELETE', `/sandbox/zoom/users/${gone}`);
  const { status, body } = await zoom.call('GET', `/users/${host}/upcoming_meetings`);
  expect([status, (body['meetings'] as Json[]).map(({ topic }) => topic)]).toEqual([200, ['mine']]);
});

test('a list can lag behind new meetings, on demand', async () => {
  const host = await zoom.freshHost();
  await zoom.set({ listLagMs: 5000 });
  const { id } = await zoom.make(host);
  expect(await topics(host)).toEqual([]);
  expect(await codeOf(id)).toBeNull();
  zoom.clock.at += 5000;
  expect(await topics(host)).toEqual(['Class']);
});

test('the next day’s meetings include those of other hosts that the user can start; an unknown user is 3001', async () => {
  const host = await zoom.freshHost();
  await zoom.make(host, { topic: 'mine' });
  await zoom.make(host, { topic: 'later', start_time: '2026-10-07T09:00:00Z' });
  await zoom.make(BRUNO, { topic: 'standing in', settings: { alternative_hosts: host } });
  const { body } = await zoom.call('GET', `/users/${host}/upcoming_meetings`);
  expect((body['meetings'] as Json[]).map((each) => [each['topic'], each['is_host']])).toEqual([
    ['mine', true],
    ['standing in', false],
  ]);
  const stranger = await zoom.call('GET', '/users/nobody@northbridge.example/upcoming_meetings');
  expect(stranger).toMatchObject({ status: 404, body: { code: 3001 } });
});

test('a number of type 2 expires 30 days after its time or its last use, and a recurring one after 365', async () => {
  const plain = await zoom.make(ALMA);
  const used = await zoom.make(ALMA);
  const recurring = await zoom.make(ALMA, { type: 3 });
  zoom.clock.at += 20 * DAY;
  await zoom.ask('POST', `/sandbox/zoom/meetings/${String(used['id'])}/start`);
  await zoom.ask('POST', `/sandbox/zoom/meetings/${String(used['id'])}/end`);
  zoom.clock.at += 10 * DAY + HOUR - 1;
  expect(await codeOf(plain['id'])).toBeNull();
  zoom.clock.at += 1;
  expect(await codeOf(plain['id'])).toBe(3001);
  expect((await zoom.call('PATCH', `/meetings/${String(plain['id'])}`, {})).body['code']).toBe(3001);
  expect(await codeOf(used['id'])).toBeNull();
  zoom.clock.at += 100 * DAY;
  expect(await codeOf(used['id'])).toBe(3001);
  expect(await codeOf(recurring['id'])).toBeNull();
  zoom.clock.at += 235 * DAY;
  expect(await codeOf(recurring['id'])).toBe(3001);
});

test('§1 a past meeting is found by its number, and by its uuid, which is encoded twice if it begins with a slash', async () => {
  const hold = async (topic: string) => {
    const meeting = await zoom.make(HUGO, { topic });
    for (const what of ['start', 'end']) {
      await zoom.ask('POST', `/sandbox/zoom/meetings/${String(meeting['id'])}/${what}`);
      zoom.clock.at += HOUR;
    }
    return meeting;
  };
  const past = (name: string) => zoom.call('GET', `/past_meetings/${name}`);
  const coming = await zoom.make(HUGO);
  expect(await past(String(coming['id']))).toMatchObject({ status: 404, body: { code: 3001 } });
  let held = await hold('Held');
  expect((await past(String(held['id']))).body).toMatchObject({
    uuid: held['uuid'],
    topic: 'Held',
    user_email: HUGO,
    start_time: '2026-10-05T08:00:00Z',
    end_time: '2026-10-05T09:00:00Z',
    duration: 60,
  });
  for (let nth = 0; nth < 500 && !String(held['uuid']).startsWith('/'); nth++) {
    zoom.clock.at = START;
    held = await hold('Slash');
  }
  const once = encodeURIComponent(String(held['uuid']));
  expect((await past(encodeURIComponent(once))).body).toMatchObject({ id: held['id'], topic: 'Slash' });
  expect((await past(once)).status).toBe(404);
});

test('the invitation is plain text with CRLF', async () => {
  const meeting = await zoom.make(HUGO, {
    topic: 'Valuation',
    timezone: 'Asia/Singapore',
    password: 'secret-1',
  });
  const { body } = await zoom.call('GET', `/meetings/${String(meeting['id'])}/invitation`);
  expect(body['sip_links']).toEqual([]);
  const text = String(body['invitation']);
  expect(text.replaceAll('\r\n', '')).not.toContain('\n');
  const lines = text.split('\r\n');
  expect(lines[0]).toBe('Hugo Tan is inviting you to a scheduled Zoom meeting.');
  expect(lines).toContain('Topic: Valuation');
  expect(lines).toContain('Time: Oct 5, 2026, 5:00 PM Asia/Singapore');
  expect(lines).toContain(String(meeting['join_url']));
  expect(lines.join('\n')).toMatch(/Meeting ID: \d{3} \d{4} \d{4}\nPasscode: secret-1/);
});
