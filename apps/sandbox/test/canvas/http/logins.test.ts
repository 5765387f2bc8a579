/**
 * Logins and addresses of people, changed by hand (Logins and Communication Channels in the API
 * documentation).
 */
import { describe, expect, test } from 'vitest';
import { type Json, links, signIn, useSandbox } from './client.ts';

const client = useSandbox();
const { api } = client;
const post = (path: string, json: unknown = {}) => client.send('POST', `/api/v1${path}`, json);
const put = (path: string, json: unknown) => client.send('PUT', `/api/v1${path}`, json);
const remove = (path: string) => api(path, { method: 'DELETE' });
const errorOf = (body: Json, attribute: string) => body['errors']?.[attribute]?.map((one) => one['type']);

let taken = 0;
async function newcomer(more: object = {}): Promise<number> {
  taken += 1;
  const made = await post('/accounts/1/users', {
    user: { name: `Login Holder ${taken}` },
    pseudonym: { unique_id: `holder.${taken}@school.example`, ...more },
  });
  return Number(made.body['id']);
}

describe('§6.6 logins', () => {
  test('§6.6 a person can have several; they are listed under the root account and under the person', async () => {
    const id = await newcomer();
    const made = await post('/accounts/1/logins', {
      user: { id },
      login: { unique_id: 'second', sis_user_id: 'LOGIN-2', authentication_provider_id: 'canvas' },
    });
    expect(made.body).toMatchObject({
      user_id: id,
      account_id: 1,
      unique_id: 'second',
      sis_user_id: 'LOGIN-2',
      authentication_provider_type: 'canvas',
      workflow_state: 'active',
    });
    const listed = await api(`/accounts/1/logins?user[id]=${id}&per_page=1`);
    expect(listed.body).toHaveLength(1);
    expect(links(listed).map(([rel]) => rel)).toEqual(['current', 'next', 'first', 'last']);
    const names = (await api(`/users/${id}/logins`)).body.map((login) => login['unique_id']);
    expect(names).toContain('second');
    expect((await api('/users/sis_user_id:LOGIN-2')).body['id']).toBe(id);
  });

  test('§6.6 logins belong to the root account; an empty request is a 400', async () => {
    const id = await newcomer();
    const below = await post('/accounts/86/logins', { user: { id }, login: { unique_id: 'x' } });
    expect([below.status, below.body]).toEqual([
      400,
      { message: 'Action must be called on a root account.' },
    ]);
    expect((await post('/accounts/1/logins')).status).toBe(400);
    const unknown = { unique_id: 'x', authentication_provider_id: 'saml' };
    expect((await post('/accounts/1/logins', { user: { id }, login: unknown })).status).toBe(404);
  });

  test('§6.6 errors name the field of the login; if the name is in use, only that is reported', async () => {
    const id = await newcomer();
    const add = async (login: object) => (await post('/accounts/1/logins', { user: { id }, login })).body;
    expect(errorOf(await add({ unique_id: '' }), 'unique_id')).toEqual(['invalid', 'too_short']);
    expect(errorOf(await add({ unique_id: 'x', password: 'short' }), 'password')).toEqual(['too_short']);
    const held = await add({ unique_id: 'ALMA.reyes@northbridge.example', sis_user_id: '9000101' });
    expect(Object.keys(held['errors'] ?? {})).toEqual(['unique_id']);
    const [login] = (await api(`/users/${id}/logins`)).body;
    const state = await put(`/accounts/1/logins/${login?.['id']}`, { login: { workflow_state: 'deleted' } });
    expect(errorOf(state.body, 'workflow_state')).toEqual(['invalid workflow_state']);
  });

  test('§6.6 a login can be deleted, except a person’s last one', async () => {
    const id = await newcomer();
    await post('/accounts/1/logins', { user: { id }, login: { unique_id: 'spare' } });
    const [first, second] = (await api(`/users/${id}/logins`)).body;
    const gone = await remove(`/users/${id}/logins/${first?.['id']}`);
    expect(gone.body).toMatchObject({ id: first?.['id'], workflow_state: 'deleted' });
    expect((await remove(`/users/${id}/logins/${first?.['id']}`)).status).toBe(404);
    const last = await remove(`/users/${id}/logins/${second?.['id']}`);
    expect(last.status).toBe(400);
    expect(last.body['errors']?.['base']?.[0]?.['message']).toBe('Users must have at least one login');
    expect((await remove(`/users/1/logins/${second?.['id']}`)).status).toBe(404);
  });

  test('§6.6 last_login is the latest of all the person’s logins', async () => {
    const id = await newcomer();
    await post('/accounts/1/logins', { user: { id }, login: { unique_id: 'busy' } });
    const logins = client.world.loginsOf(id);
    for (const [at, login] of logins.entries())
      client.world.pseudonyms.change(login, { last_request_at: `2026-0${at + 1}-01T00:00:00Z` });
    const found = await api('/accounts/1/users?search_term=busy&include[]=last_login');
    expect(found.body[0]?.['last_login']).toBe('2026-02-01T00:00:00Z');
  });
});

describe('§6.6 addresses', () => {
  test('§6.6 an address is added unconfirmed, or confirmed by an administrator, and removed', async () => {
    const id = await newcomer();
    const path = `/users/${id}/communication_channels`;
    const channel = { address: 'other@school.example', type: 'email' };
    const made = await post(path, { communication_channel: channel });
    expect(made.body).toMatchObject({
      user_id: id,
      address: 'other@school.example',
      type: 'email',
      position: 2,
      workflow_state: 'unconfirmed',
    });
    const again = await post(path, { communication_channel: channel });
    expect(again.body['errors']?.['path']?.[0]?.['message']).toBe('unique!');
    expect((await api(path)).body.map((one) => one['position'])).toEqual([1, 2]);
    expect((await remove(`${path}/email/OTHER@school.example`)).body['workflow_state']).toBe('retired');
    expect((await remove(`${path}/${made.body['id']}`)).status).toBe(404);
    const back = await post(path, { communication_channel: channel, skip_confirmation: true });
    expect(back.body).toMatchObject({ id: made.body['id'], workflow_state: 'active' });
    const token = String((await signIn(client, 'hugo.tan'))['access_token']);
    expect((await api(path, { token })).status).toBe(403);
    expect((await api('/users/self/communication_channels', { token })).body).toHaveLength(1);
  });
});

describe('§6.6 new people', () => {
  const create = (user: object, more: object) => {
    taken += 1;
    return post('/accounts/1/users', { user, pseudonym: { unique_id: `made.${taken}` }, ...more });
  };

  test('§6.6 an error in the login is also reported for the person', async () => {
    const { status, body } = await post('/accounts/1/users', {
      pseudonym: { unique_id: 'p', password: 'x' },
    });
    expect(status).toBe(400);
    expect(body['errors']).toEqual({
      user: { pseudonyms: [{ attribute: 'pseudonyms', type: 'invalid', message: 'is invalid' }] },
      pseudonym: { password: [{ attribute: 'password', type: 'too_short', message: 'too_short' }] },
      observee: {},
      pairing_code: {},
      recaptcha: null,
    });
  });

  test('§6.6 an empty name stays empty; without a name, the login becomes the name', async () => {
    const empty = await create({ name: '' }, {});
    expect(empty.body).toMatchObject({ name: '', short_name: '', sortable_name: '' });
    expect((await create({}, {})).body['name']).toBe(`made.${taken}`);
  });

  test('§6.6 only an email address becomes the person’s address; its confirmation link can be returned', async () => {
    const emailOf = async (answer: { body: Json }) =>
      (await api(`/users/${answer.body['id']}`)).body['email'];
    const sms = { communication_channel: { type: 'sms', address: '8018888888' } };
    expect(await emailOf(await create({ name: 'A' }, sms))).toBeNull();
    expect(
      await emailOf(await create({ name: 'A' }, { communication_channel: { address: 'no' } })),
    ).toBeNull();
    const shown = await create(
      { name: 'A', terms_of_use: true },
      { communication_channel: { address: 'a.b@school.example', confirmation_url: true } },
    );
    expect(shown.body).toMatchObject({ confirmation_url: expect.any(String), terms_of_use: true });
  });

  test('§6.6 a time zone set by its Rails name is shown by that name', async () => {
    const made = await create({ name: 'Zone', time_zone: 'Tijuana' }, {});
    const path = `/users/${made.body['id']}`;
    expect((await put(path, { user: {} })).body['time_zone']).toBe('Tijuana');
    expect((await api(`${path}/profile`)).body['time_zone']).toBe('America/Tijuana');
    const wrong = await create({ name: 'Zone', time_zone: 'Mars' }, {});
    expect(wrong.body['errors']?.['user']?.['time_zone']?.[0]?.['type']).toBe('inclusion');
  });

  test('§6.6 names are split, and people can change only some of their own data', async () => {
    const id = await newcomer();
    await put(`/users/${id}`, { user: { name: 'Mary Ann Stone' } });
    expect((await api(`/users/${id}`)).body).toMatchObject({
      first_name: 'Mary Ann',
      last_name: 'Stone',
      permissions: { can_update_name: true, can_update_avatar: true },
    });
    const token = String((await signIn(client, 'hugo.tan'))['access_token']);
    const self = (await api('/users/self', { token })).body;
    for (const field of ['email', 'login_id', 'sis_user_id']) expect(self).not.toHaveProperty(field);
    const change = (user: object) => client.send('PUT', '/api/v1/users/self', { user }, { token });
    expect((await change({ short_name: 'Hugo' })).status).toBe(200);
    expect((await change({ time_zone: 'Europe/Paris' })).status).toBe(403);
    const profiled = await put(`/users/${id}`, { user: { title: 'Dean', bio: 'Long' } });
    expect(profiled.body).toMatchObject({ title: 'Dean', bio: 'Long', avatar_state: 'none' });
  });
});

describe('§16 people who leave the school', () => {
  test('§16 removing a person also removes their enrolments, and an ordinary person cannot do it', async () => {
    const id = await newcomer({ sis_user_id: 'LEAVER' });
    await post('/courses/1001/enrollments', { enrollment: { user_id: id, enrollment_state: 'active' } });
    const token = String((await signIn(client, 'hugo.tan'))['access_token']);
    const path = '/accounts/1/users/sis_user_id:LEAVER';
    expect((await api(path, { method: 'DELETE', token })).status).toBe(403);
    const gone = await remove(path);
    expect(gone.body).toMatchObject({ user: { id, workflow_state: 'deleted' } });
    expect((await api(`/users/${id}`)).status).toBe(404);
    expect((await remove(path)).status).toBe(404);
    expect(client.world.enrollments.by.user.get(id).map((e) => e.workflow_state)).toEqual(
      client.world.enrollments.by.user.get(id).map(() => 'deleted'),
    );
    const found = await api('/accounts/1/users?search_term=LEAVER&include_deleted_users=true');
    expect(found.body).toEqual([]);
  });
});
