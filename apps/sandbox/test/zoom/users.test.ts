/** Users, paging, and scheduling privileges (Zoom reference §4, §6). */
import { expect, test } from 'vitest';
import {
  ALMA,
  BASIC,
  BRUNO,
  CARLA,
  HOUR,
  HUGO,
  INACTIVE,
  type Json,
  PENDING,
  SERVICE,
  useZoom,
} from './client.ts';

const zoom = useZoom();
const emails = (list: unknown) => (list as Json[]).map((user) => String(user['email']));

test('§6 the list has active users; others are listed by status, pending ones without an id', async () => {
  const list = async (query: string) => (await zoom.call('GET', `/users?page_size=300${query}`)).body;
  const active = emails((await list(''))['users']);
  expect(active).toEqual(expect.arrayContaining([SERVICE, ALMA, BRUNO, HUGO, CARLA, BASIC]));
  expect(active).not.toContain(INACTIVE);
  expect(active).toEqual(emails((await list('&status=active'))['users']));
  expect(emails((await list('&status=inactive'))['users'])).toEqual([INACTIVE]);
  const pending = (await list('&status=pending'))['users'] as Json[];
  expect(emails(pending)).toEqual([PENDING]);
  expect(pending[0]).not.toHaveProperty('id');
  expect(emails((await list('&role_id=0'))['users'])).toEqual([SERVICE]);
  expect((await zoom.call('GET', '/users?status=gone')).body).toMatchObject({
    code: 300,
    errors: [{ field: 'status' }],
  });
});

test('§6 users are people at the school, with the same emails, except for the service account', async () => {
  const known = new Set([...zoom.sandbox.world.channels.values()].map(({ path }) => path));
  const all = await Promise.all(
    ['active', 'inactive', 'pending'].map((status) =>
      zoom.call('GET', `/users?page_size=300&status=${status}`),
    ),
  );
  const users = all.flatMap(({ body }) => emails(body['users']));
  expect(users.length).toBeGreaterThan(40);
  expect(users.filter((email) => !known.has(email))).toEqual([SERVICE]);
});

test('§6 a user is read by id or by email in any case, with fields that lists leave out; `me` is unknown', async () => {
  const { body } = await zoom.call('GET', '/users/Hugo.Tan@Northbridge.example');
  expect(body).toMatchObject({
    email: HUGO,
    display_name: 'Hugo Tan',
    type: 2,
    timezone: 'Asia/Singapore',
    account_id: 'sandbox-zoom-account',
    role_name: 'Member',
  });
  expect(body['id']).toMatch(/^[\w-]{22}$/);
  expect((await zoom.call('GET', `/users/${String(body['id'])}`)).body).toEqual(body);
  expect(body['pmi']).toBeTypeOf('number');
  expect((await zoom.call('GET', '/users/me')).body['code']).toBe(1001);
  expect((await zoom.call('GET', `/users/${PENDING}`)).body).toMatchObject({ status: 'pending' });
});

test('§4 a page has 30 users by default, and 300 at most; tokens lead exactly to the end', async () => {
  const first = (await zoom.call('GET', '/users')).body;
  const total = Number(first['total_records']);
  expect(first['page_size']).toBe(30);
  expect(total).toBeGreaterThan(30);
  const seen = emails(first['users']);
  let token = String(first['next_page_token']);
  while (token !== '') {
    const { body } = await zoom.call('GET', `/users?next_page_token=${token}`);
    seen.push(...emails(body['users']));
    token = String(body['next_page_token']);
  }
  expect(new Set(seen).size).toBe(total);
  expect(seen).toHaveLength(total);
  expect((await zoom.call('GET', '/users?page_size=1000')).body['page_size']).toBe(300);
  const second = (await zoom.call('GET', '/users?page_size=10&page_number=2')).body;
  expect(emails(second['users'])).toEqual(seen.slice(10, 20));
});

test('§4 a token lasts 15 minutes and is valid only for its query', async () => {
  const { body } = await zoom.call('GET', '/users?page_size=5');
  const token = String(body['next_page_token']);
  const refused = { status: 400, body: { code: 300, message: 'The next page token is invalid or expired.' } };
  expect(await zoom.call('GET', `/users?page_size=6&next_page_token=${token}`)).toMatchObject(refused);
  expect(await zoom.call('GET', `/users?page_size=5&next_page_token=x${token}`)).toMatchObject(refused);
  zoom.clock.at += HOUR / 4 - 1;
  expect((await zoom.call('GET', `/users?page_size=5&next_page_token=${token}`)).status).toBe(200);
  zoom.clock.at += 1;
  expect(await zoom.call('GET', `/users?page_size=5&next_page_token=${token}`)).toMatchObject(refused);
});

test('§6 schedulers are the people for whom one can schedule, without names; assistants are the reverse', async () => {
  const ofBruno = (await zoom.call('GET', `/users/${BRUNO}/schedulers`)).body['schedulers'];
  const hugo = (await zoom.call('GET', `/users/${HUGO}`)).body;
  expect(ofBruno).toEqual([{ id: hugo['id'], email: HUGO, pmi: hugo['pmi'] }]);
  const ofService = emails((await zoom.call('GET', `/users/${SERVICE}/schedulers`)).body['schedulers']);
  expect(ofService).toEqual(expect.arrayContaining([ALMA, BRUNO, HUGO]));
  expect(ofService).not.toContain(CARLA);
  const assistants = (await zoom.call('GET', `/users/${HUGO}/assistants`)).body['assistants'];
  expect(emails(assistants).sort()).toEqual([BRUNO, SERVICE]);
});

test('§6 the privilege is granted and revoked from either side; both people need a licence', async () => {
  const host = await zoom.freshHost();
  const schedulers = async () =>
    emails((await zoom.call('GET', `/users/${CARLA}/schedulers`)).body['schedulers']);
  const grant = (email: string) =>
    zoom.call('POST', `/users/${host}/assistants`, { assistants: [{ email }] });
  expect((await grant(CARLA)).status).toBe(201);
  expect(await schedulers()).toEqual([host]);
  expect((await zoom.call('DELETE', `/users/${host}/assistants/${CARLA}`)).status).toBe(204);
  expect(await schedulers()).toEqual([]);
  await grant(CARLA);
  expect((await zoom.call('DELETE', `/users/${CARLA}/schedulers/${host}`)).status).toBe(204);
  expect(await schedulers()).toEqual([]);
  await grant(CARLA);
  expect((await zoom.call('DELETE', `/users/${host}/assistants`)).status).toBe(204);
  expect(await schedulers()).toEqual([]);
  await grant(CARLA);
  expect((await zoom.call('DELETE', `/users/${CARLA}/schedulers`)).status).toBe(204);
  expect(await schedulers()).toEqual([]);
  expect((await grant(BASIC)).status).toBe(400);
  expect((await grant('nobody@northbridge.example')).body['code']).toBe(1001);
});

test('§6 a host’s settings can be read, and so can the account’s rules for passcodes', async () => {
  const settings = (await zoom.call('GET', `/users/${HUGO}/settings`)).body;
  expect(settings).toMatchObject({
    schedule_meeting: { mute_upon_entry: true, require_password_for_scheduling_new_meetings: true },
    recording: {},
    in_meeting: {},
  });
  const security = await zoom.call('GET', `/users/${HUGO}/settings?option=meeting_security`);
  expect(security.body).toMatchObject({
    meeting_security: { meeting_password_requirement: { length: 6 } },
  });
});

test('§6 a user who has left is 1001 on every path, and their meetings have been deleted', async () => {
  const host = await zoom.freshHost();
  const meeting = await zoom.make(host);
  await zoom.ask('DELETE', `/sandbox/zoom/users/${host}`);
  for (const path of ['', '/meetings', '/schedulers', '/assistants', '/settings'])
    expect((await zoom.call('GET', `/users/${host}${path}`)).body['code'], path).toBe(1001);
  expect((await zoom.call('POST', `/users/${host}/meetings`, {})).body['code']).toBe(1001);
  expect((await zoom.read(meeting['id']))['code']).toBe(3001);
});
