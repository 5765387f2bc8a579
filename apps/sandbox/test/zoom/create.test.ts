/** Creating a meeting (Zoom reference §7). */
import { describe, expect, test } from 'vitest';
import {
  ALMA,
  BASIC,
  BRUNO,
  CARLA,
  FARID,
  HUGO,
  INACTIVE,
  type Json,
  PENDING,
  SERVICE,
  START,
  useZoom,
} from './client.ts';

const zoom = useZoom();
const create = (host: string, fields: object) => zoom.call('POST', `/users/${host}/meetings`, fields);
const count = async (host: string) =>
  Number((await zoom.call('GET', `/users/${host}/meetings`)).body['total_records']);

test('the answer has every field, with ids in Zoom’s format, and is the same when read again', async () => {
  const { status, body } = await create(HUGO, {
    topic: 'Valuation, session 3',
    agenda: '[ref CE-4711-1] Bring your laptop',
    start_time: '2026-10-06T09:00:00Z',
    duration: 90,
    timezone: 'Asia/Singapore',
  });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    host_id: await zoom.idOf(HUGO),
    host_email: HUGO,
    topic: 'Valuation, session 3',
    agenda: '[ref CE-4711-1] Bring your laptop',
    type: 2,
    status: 'waiting',
    start_time: '2026-10-06T09:00:00Z',
    duration: 90,
    timezone: 'Asia/Singapore',
    created_at: '2026-10-05T08:00:00Z',
    pre_schedule: false,
  });
  expect(body['id']).toBeTypeOf('number');
  expect(Number(body['id'])).toBeGreaterThan(2 ** 32);
  expect(String(body['id'])).toMatch(/^\d{9,11}$/);
  expect(body['uuid']).toMatch(/==$/);
  expect(body['join_url']).toBe(
    `${zoom.url}/zoom/j/${String(body['id'])}?pwd=${String(body['encrypted_password'])}`,
  );
  expect(body['start_url']).toContain('zak=');
  for (const name of ['assistant_id', 'pmi', 'occurrences']) expect(body).not.toHaveProperty(name);
  expect(await zoom.read(body['id'])).toEqual(body);
});

test('sending the same request twice creates two meetings (§1)', async () => {
  const host = await zoom.freshHost();
  const [one, two] = [await zoom.make(host), await zoom.make(host)];
  expect(one['id']).not.toBe(two['id']);
  expect(await count(host)).toBe(2);
});

test('defaults come from the documentation, then from the host; settings locked by the account silently override both', async () => {
  const hugo = (await zoom.make(HUGO))['settings'];
  expect(hugo).toMatchObject({
    approval_type: 2,
    use_pmi: false,
    audio: 'both',
    auto_recording: 'none',
    join_before_host: false,
    email_notification: true,
    mute_upon_entry: true,
  });
  const alma = await zoom.make(ALMA, { settings: { waiting_room: false, join_before_host: true, odd: 1 } });
  expect(alma['settings']).toMatchObject({
    mute_upon_entry: false,
    waiting_room: true,
    join_before_host: true,
  });
  expect(alma['settings']).not.toHaveProperty('odd');
  expect(alma).toMatchObject({ duration: 60, timezone: 'Europe/Paris', topic: 'Class' });
});

test.each([
  [
    'Z means UTC, whatever the zone',
    { start_time: '2026-11-02T09:00:00Z', timezone: 'Asia/Singapore' },
    '2026-11-02T09:00:00Z',
  ],
  [
    'without Z it is local time in the zone',
    { start_time: '2026-11-02T09:00:00', timezone: 'Asia/Singapore' },
    '2026-11-02T01:00:00Z',
  ],
  [
    'also in summer time',
    { start_time: '2026-10-06T09:00:00', timezone: 'Europe/Paris' },
    '2026-10-06T07:00:00Z',
  ],
  [
    'after the clocks change',
    { start_time: '2026-10-25T09:00:00', timezone: 'Europe/Paris' },
    '2026-10-25T08:00:00Z',
  ],
  [
    'without either, it is in the account’s zone, not the host’s',
    { start_time: '2026-11-02T09:00:00' },
    '2026-11-02T08:00:00Z',
  ],
  ['a time in the past becomes now', { start_time: '2026-10-01T09:00:00Z' }, '2026-10-05T08:00:00Z'],
])('start_time: %s', async (_what, fields, expected) => {
  expect((await zoom.make(HUGO, fields))['start_time']).toBe(expected);
});

test('a meeting without a time is an instant meeting, which no list contains; type 3 has no time', async () => {
  const host = await zoom.freshHost();
  const instant = await zoom.make(host, { start_time: undefined });
  expect(instant).toMatchObject({ type: 1, start_time: '2026-10-05T08:00:00Z' });
  expect(await count(host)).toBe(0);
  const recurring = await zoom.make(host, { type: 3 });
  expect(recurring).not.toHaveProperty('start_time');
  expect(await count(host)).toBe(1);
});

test.each<[string, object]>([
  ['topic', { topic: 'x'.repeat(201) }],
  ['agenda', { agenda: 'x'.repeat(2001) }],
  ['type', { type: 7 }],
  ['start_time', { start_time: 'tomorrow' }],
  ['start_time', { start_time: '2027-02-30T09:00:00Z' }],
  ['start_time', { start_time: '2026-10-06T09:00:00+02:00' }],
  ['timezone', { timezone: 'Mars/Olympus' }],
  ['duration', { duration: 'long' }],
  ['password', { password: '12345678901' }],
  ['password', { password: '123' }],
  ['password', { password: 'with blank' }],
  ['settings.jbh_time', { settings: { jbh_time: 7 } }],
  ['settings.join_before_host', { settings: { join_before_host: 'maybe' } }],
  ['recurrence.end_times', { type: 8, recurrence: { type: 2, end_times: 61 } }],
])('an invalid %s is named, and nothing is created', async (field, fields) => {
  const before = await count(CARLA);
  expect(await create(CARLA, { start_time: '2026-10-06T09:00:00Z', ...fields })).toMatchObject({
    status: 400,
    body: { code: 300, message: 'Validation Failed.', errors: [{ field, message: 'Invalid field.' }] },
  });
  expect(await count(CARLA)).toBe(before);
});

test('200 and 2,000 characters are accepted', async () => {
  const body = await zoom.make(ALMA, { topic: 'x'.repeat(200), agenda: 'y'.repeat(2000) });
  expect(String(body['agenda'])).toHaveLength(2000);
});

test('a passcode is created if the host’s settings say so, unless the request prevents it or sets one', async () => {
  const made = await zoom.make(ALMA);
  expect(made['password']).toMatch(/^\d{6}$/);
  expect(await zoom.make(ALMA, { password: 'chosen-1' })).toMatchObject({ password: 'chosen-1' });
  const none = await zoom.make(ALMA, { default_password: false });
  const ofFarid = await zoom.make(FARID);
  for (const body of [none, ofFarid]) {
    expect(body['password']).toBe('');
    expect(body).not.toHaveProperty('encrypted_password');
    expect(body['join_url']).toBe(`${zoom.url}/zoom/j/${String(body['id'])}`);
  }
});

describe('schedule_for', () => {
  const refusal = async (host: string, fields: object) => {
    const { status, body } = await create(host, { start_time: '2026-10-06T09:00:00Z', ...fields });
    return [status, body['code'], body['message']];
  };

  test('needs that person’s privilege; the user in the path is then the assistant', async () => {
    const body = await zoom.make(BRUNO, { schedule_for: HUGO });
    expect(body).toMatchObject({ host_email: HUGO, assistant_id: await zoom.idOf(BRUNO) });
    expect(await zoom.make(BRUNO, { schedule_for: await zoom.idOf(HUGO) })).toMatchObject({
      host_email: HUGO,
    });
    expect(await refusal(HUGO, { schedule_for: BRUNO })).toEqual([
      400,
      3000,
      `You cannot schedule a meeting for ${BRUNO}`,
    ]);
  });

  test('naming oneself is allowed; an unknown person is error 300, and an instant meeting is error 3000', async () => {
    const own = await zoom.make(BRUNO, { schedule_for: BRUNO });
    expect(own).toMatchObject({ host_email: BRUNO });
    expect(own).not.toHaveProperty('assistant_id');
    expect((await refusal(BRUNO, { schedule_for: 'nobody@northbridge.example' })).slice(0, 2)).toEqual([
      400, 300,
    ]);
    expect((await refusal(BRUNO, { schedule_for: HUGO, type: 1 })).slice(0, 2)).toEqual([400, 3000]);
  });

  test('ends when the licence is removed', async () => {
    const host = await zoom.freshHost();
    expect((await create(SERVICE, { schedule_for: host })).status).toBe(201);
    await zoom.ask('PATCH', `/sandbox/zoom/users/${host}`, { type: 1 });
    expect((await refusal(SERVICE, { schedule_for: host })).slice(0, 2)).toEqual([400, 3000]);
  });
});

test('alternative hosts are given by id or email, separated by semicolons or commas; they receive an email unless it is disabled', async () => {
  const both = `${BRUNO.toUpperCase()}, ${await zoom.idOf(ALMA)}`;
  const body = await zoom.make(HUGO, { settings: { alternative_hosts: both } });
  expect(body['settings']).toMatchObject({ alternative_hosts: `${BRUNO};${ALMA}` });
  expect(await zoom.mails()).toEqual(['alternative-host bruno.keller', 'alternative-host alma.reyes']);
  await zoom.make(HUGO, {
    settings: { alternative_hosts: BRUNO, alternative_hosts_email_notification: false },
  });
  expect(await zoom.mails()).toHaveLength(2);
});

test.each([
  ['a stranger', 'stranger@elsewhere.example'],
  ['a Basic user', BASIC],
  ['somebody inactive', INACTIVE],
  ['somebody pending', PENDING],
  ['the host', HUGO],
])(
  '%s cannot be an alternative host: 1114 names the address, no meeting is created and no email is sent',
  async (_who, email) => {
    const before = await count(HUGO);
    expect(
      await create(HUGO, {
        start_time: '2026-10-06T09:00:00Z',
        settings: { alternative_hosts: `${ALMA};${email}` },
      }),
    ).toMatchObject({
      status: 400,
      body: {
        code: 1114,
        message: `Unable to assign "${email}" as an alternative host because the user cannot be selected at this time`,
      },
    });
    expect(await count(HUGO)).toBe(before);
    expect(await zoom.mails()).toEqual([]);
  },
);

test('people who cannot host give error 3161: inactive, pending, or with the feature disabled; a Basic user can host', async () => {
  const host = await zoom.freshHost();
  await zoom.ask('PATCH', `/sandbox/zoom/users/${host}`, { mayHost: false });
  for (const who of [INACTIVE, PENDING, host])
    expect(await create(who, {}), who).toMatchObject({ status: 400, body: { code: 3161 } });
  expect((await create(BASIC, {})).status).toBe(201);
  expect(await create('nobody@northbridge.example', {})).toMatchObject({ status: 404, body: { code: 1001 } });
});

test('a recurring meeting has occurrences, and every meeting has the account’s tracking fields', async () => {
  const body = await zoom.make(ALMA, {
    type: 8,
    recurrence: { type: 2, repeat_interval: 1, end_times: 3 },
    tracking_fields: [
      { field: 'Programme', value: 'MBA' },
      { field: 'Unknown', value: 'x' },
    ],
  });
  expect((body['occurrences'] as Json[]).map(({ start_time }) => start_time)).toEqual([
    '2026-10-05T09:00:00Z',
    '2026-10-12T09:00:00Z',
    '2026-10-19T09:00:00Z',
  ]);
  expect(body['tracking_fields']).toEqual([{ field: 'Programme', value: 'MBA' }]);
  const { tracking_fields: known } = (await zoom.call('GET', '/tracking_fields')).body;
  expect((known as Json[]).map(({ field }) => field)).toEqual(['Programme', 'Reference']);
  const daily = await zoom.make(ALMA, {
    type: 8,
    recurrence: { type: 1, repeat_interval: 2, end_date_time: '2026-10-10T00:00:00Z' },
  });
  expect(daily['occurrences']).toHaveLength(3);
  expect(START).toBe(Date.parse(String(daily['created_at'])));
});

test('the link of a meeting in the personal room has the room’s number (§11)', async () => {
  const body = await zoom.make(ALMA, { settings: { use_pmi: true } });
  const pmi = (await zoom.call('GET', `/users/${ALMA}`)).body['pmi'];
  expect(body['pmi']).toBe(String(pmi));
  const link = new URL(String(body['join_url']));
  expect(link.pathname).toBe(`/zoom/j/${String(pmi)}`);
  expect(link.searchParams.get('omn')).toBe(String(body['id']));
  // The room's number finds the room, which cannot be deleted or given to another host.
  const room = await zoom.read(pmi);
  expect(room).toMatchObject({ id: pmi, type: 4, host_email: ALMA });
  for (const name of ['start_time', 'duration']) expect(room).not.toHaveProperty(name);
  expect(new URL(String(room['join_url'])).pathname).toBe(link.pathname);
  expect(await zoom.call('DELETE', `/meetings/${String(pmi)}`)).toMatchObject({
    status: 400,
    body: { code: 3018 },
  });
  const handed = await zoom.call('PATCH', `/meetings/${String(pmi)}`, { schedule_for: HUGO });
  expect(handed.status).toBe(400);
  expect(await zoom.read(pmi)).toEqual(room);
  expect((await zoom.call('GET', `/users/${ALMA}/meetings`)).text).not.toContain('"type":4');
});
