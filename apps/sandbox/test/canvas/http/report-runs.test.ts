/** Permissions for account reports, and the stages of a report (reference §17.1). */
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { form, type Json, links, signIn, useSandbox } from './client.ts';

const clock = { ms: Date.parse('2026-11-10T09:00:00Z') };
const client = useSandbox({ reportMs: 0, now: () => new Date(clock.ms) });
/** Runs end only when they are aborted. */
const slow = useSandbox({ reportMs: 3_600_000, now: () => new Date(clock.ms) });

const KIND = '/accounts/1/reports/provisioning_csv';
const terms = form({ 'parameters[terms]': 'true' });

async function complete(path = KIND, body = terms): Promise<Json> {
  const begun = await client.api(path, body);
  expect(begun.status, begun.text).toBe(200);
  const read = async () => (await client.api(`${path}/${begun.body['id']}`)).body;
  await expect.poll(async () => (await read())['status']).toBe('complete');
  return read();
}

describe('§17.1 permissions', () => {
  test('without permission each call is a 403, even in the account of one’s own course', async () => {
    const { id } = await complete();
    const token = String((await signIn(client, 'hugo.tan'))['access_token']);
    const calls: [method: string, path: string][] = [
      ['GET', '/accounts/1/reports'],
      ['POST', KIND],
      ['GET', KIND],
      ['GET', `${KIND}/${id}`],
      ['PUT', `${KIND}/${id}/abort`],
      ['DELETE', `${KIND}/${id}`],
      ['POST', '/accounts/86/reports/provisioning_csv'],
    ];
    for (const [method, path] of calls)
      expect(await client.api(path, { method, token }), path).toMatchObject({
        status: 403,
        body: {
          status: 'unauthorized',
          errors: [{ message: 'user not authorized to perform that action' }],
        },
      });
    expect((await client.api('/accounts/999999/reports')).status).toBe(404);
  });

  test('with permission in a sub-account only, reports run there and nowhere else', async () => {
    const { world } = client;
    const role = [...world.roles.values()].find(({ name }) => name === 'AccountAdmin');
    const admin = { account_id: 86, user_id: 108, role_id: role?.id ?? 0, sis_batch_id: null };
    const given = world.accountUsers.add({ ...admin, workflow_state: 'active' });
    const token = String((await signIn(client, 'hugo.tan'))['access_token']);
    const there = await client.api('/accounts/86/reports/provisioning_csv', { ...terms, token });
    expect(there.status).toBe(200);
    expect((await client.api(KIND, { ...terms, token })).status).toBe(403);
    // A run belongs to its account.
    expect((await client.api(`${KIND}/${there.body['id']}`)).status).toBe(404);
    world.accountUsers.change(given, { workflow_state: 'deleted' });
  });
});

describe('§17.1 the lists', () => {
  test('all kinds are on one page, sorted by title; each parameter has a description', async () => {
    const { body } = await client.api('/accounts/1/reports?per_page=1');
    expect(body.map((kind) => kind['report'])).toEqual(['provisioning_csv', 'sis_export_csv']);
    for (const kind of body)
      for (const parameter of Object.values(kind['parameters'] ?? {}))
        expect(parameter).toEqual({ required: false, description: expect.any(String) });
  });

  test('runs of one kind come in pages, newest first; a kind that never ran has none', async () => {
    const before = (await client.api(KIND)).body.length;
    const first = await complete();
    const second = await complete();
    const page = await client.api(`${KIND}?per_page=1`);
    expect(page.body).toMatchObject([{ id: second['id'] }]);
    const next = new Map(links(page)).get('next') ?? '';
    expect((await client.ask(next)).body).toMatchObject([{ id: first['id'] }]);
    expect((await client.api(KIND)).body).toHaveLength(before + 2);
    expect((await client.api('/accounts/83/reports/provisioning_csv')).body).toEqual([]);
    expect((await client.api('/accounts/1/reports/no_such_kind')).body).toEqual([]);
  });
});

describe('§17.1 the Report object', () => {
  test('a report has these keys, plus the attachment once it is complete; ids are strings on request', async () => {
    const keys =
      'created_at current_line ended_at file_url id parameters progress report run_time started_at status user';
    const begun = await client.send('POST', `/api/v1${KIND}`, {
      parameters: { accounts: true, skip_message: true },
    });
    expect(Object.keys(begun.body).sort().join(' ')).toBe(keys);
    expect(begun.body).toMatchObject({
      status: 'created',
      parameters: { accounts: true, skip_message: true },
      current_line: null,
      started_at: null,
      ended_at: null,
      run_time: null,
      file_url: null,
      user: { id: 1, display_name: 'LMS Service', html_url: `${client.url}/accounts/1/users/1` },
    });
    const path = `${KIND}/${begun.body['id']}`;
    await expect.poll(async () => (await client.api(path)).body['status']).toBe('complete');
    const { body } = await client.api(path);
    expect(Object.keys(body).sort().join(' ')).toBe(`attachment ${keys}`);
    const { attachment } = body;
    expect(body['file_url']).toBe(`${client.url}/accounts/1/files/${attachment?.['id']}/download`);
    const { text } = await client.ask(String(attachment?.['url']), { token: null });
    expect(body['current_line']).toBe(text.trimEnd().split('\n').length);
    expect(attachment).toMatchObject({ 'content-type': 'text/csv', size: Buffer.byteLength(text) });
    const strings = await client.api(path, {
      headers: { accept: 'application/json+canvas-string-ids' },
    });
    expect(strings.body).toMatchObject({ id: String(body['id']), user: { id: '1' } });
  });

  test('file_url is for the browser of a person with permission, and a token does not open it', async () => {
    const done = await complete();
    const url = String(done['file_url']);
    for (const token of [null, 'sandbox-admin-token'])
      expect(await client.ask(url, { token })).toMatchObject({ status: 302 });
    const cookieOf = async (login: string) => {
      const signedIn = await client.ask('/login/oauth2/login', {
        token: null,
        ...form({ login: `${login}@northbridge.example`, to: '/calendar' }),
      });
      return signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    };
    const as = async (login: string, address = url) =>
      client.ask(address, { token: null, headers: { cookie: await cookieOf(login) } });
    const file = await as('alma.reyes');
    expect([file.status, file.text.split(',')[0]]).toEqual([200, 'canvas_term_id']);
    expect(file.headers.get('content-disposition')).toContain(String(done['attachment']?.['filename']));
    expect((await as('hugo.tan')).status).toBe(403);
    expect((await as('alma.reyes', `${client.url}/accounts/1/files/999999/download`)).status).toBe(404);
  });

  test('deleting a report returns the deleted report, including its file; after that, each call for it is a 404', async () => {
    const done = await complete();
    const path = `${KIND}/${done['id']}`;
    const gone = await client.api(path, { method: 'DELETE' });
    expect(gone).toMatchObject({
      status: 200,
      body: { id: done['id'], status: 'deleted', attachment: { id: done['attachment']?.['id'] } },
    });
    expect((await client.api(path)).status).toBe(404);
    expect((await client.api(path, { method: 'DELETE' })).status).toBe(404);
    expect((await client.api(`${path}/abort`, { method: 'PUT' })).status).toBe(404);
    expect((await client.api(KIND)).body.map((one) => one['id'])).not.toContain(done['id']);
  });

  test('a complete run cannot be aborted', async () => {
    const done = await complete();
    expect((await client.api(`${KIND}/${done['id']}/abort`, { method: 'PUT' })).status).toBe(404);
    expect((await client.api(`${KIND}/${done['id']}`)).body['status']).toBe('complete');
  });
});

describe('§17.1 one report at a time', () => {
  let first: Json;
  const read = async (one: Json, account = 1) =>
    (await slow.api(`/accounts/${account}/reports/${one['report']}/${one['id']}`)).body;
  beforeAll(async () => {
    first = (await slow.api(KIND, terms)).body;
    await vi.waitFor(async () => expect((await read(first))['status']).toBe('running'), 60_000);
  });

  test('reports for other accounts and of other kinds wait for the one in progress', async () => {
    const below = await slow.api('/accounts/86/reports/provisioning_csv', terms);
    const other = await slow.api('/accounts/1/reports/sis_export_csv', terms);
    expect([below.status, other.status]).toEqual([200, 200]);
    expect((await read(below.body, 86))['status']).toBe('created');
    expect((await read(other.body))['status']).toBe('created');
    // A second request for a waiting run is rejected as well.
    const again = await slow.api('/accounts/86/reports/provisioning_csv', terms);
    expect([again.status, again.body['id'], again.body['status']]).toEqual([
      409,
      below.body['id'],
      'created',
    ]);
    const led = await slow.ask(again.headers.get('location') ?? '');
    expect(led.body).toMatchObject({ id: below.body['id'], report: 'provisioning_csv' });
    // Waiting runs can also be aborted, and then never start.
    for (const [one, account] of [[below.body, 86] as const, [other.body, 1] as const]) {
      const path = `/accounts/${account}/reports/${one['report']}/${one['id']}/abort`;
      expect((await slow.api(path, { method: 'PUT' })).body).toMatchObject({ status: 'aborted' });
    }
    expect((await read(first))['status']).toBe('running');
  });

  test('the order of parameters does not matter; an additional value counts as another run', async () => {
    const both = (...names: string[]) =>
      slow.api(KIND, form(Object.fromEntries(names.map((name) => [`parameters[${name}]`, 'true']))));
    const made = await both('users', 'courses');
    expect((await both('courses', 'users')).body['id']).toBe(made.body['id']);
    const other = await both('users', 'courses', 'include_deleted');
    expect(other.status).toBe(200);
    for (const { body } of [made, other]) await slow.api(`${KIND}/${body['id']}`, { method: 'DELETE' });
  });

  test('a run does not block another one after twelve hours', async () => {
    clock.ms += 12 * 3_600_000 - 1_000;
    expect((await slow.api(KIND, terms)).status).toBe(409);
    clock.ms += 2_000;
    const other = await slow.api(KIND, terms);
    expect([other.status, other.body['id'] === first['id']]).toEqual([200, false]);
    expect((await read(other.body))['status']).toBe('created');
    await slow.api(`${KIND}/${first['id']}`, { method: 'DELETE' });
    await expect.poll(async () => (await read(other.body))['status']).toBe('running');
  });

  test('as long as a run continues, its progress is below 100 and it has no file', async () => {
    const [running] = (await slow.api(KIND)).body;
    expect(running).toMatchObject({ status: 'running', file_url: null });
    expect(Number(running?.['progress'])).toBeLessThan(100);
    expect(running).not.toHaveProperty('attachment');
  });
});
