/** Several systems in one sandbox: faults and requests of one do not affect the others. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Faults } from '../../src/faults/faults.ts';
import { html } from '../../src/http/html.ts';
import { RequestLog } from '../../src/http/request-log.ts';
import { type System, Systems } from '../../src/http/systems.ts';
import { type Sandbox, startSandbox } from '../../src/server.ts';

const counted = { seeds: 0, revoked: [] as string[] };

/** A minimal system with its own format for answers. */
const tiny: System = {
  id: 'tiny',
  prefixes: ['/tiny'],
  faults: new Faults(['nap']),
  log: new RequestLog(),
  routes: async (app) => {
    app.get('/tiny/hello', () => ({ hello: 'you' }));
    app.post('/tiny/hello', () => ({ hello: 'you' }));
  },
  reset: () => void counted.seeds++,
  onFrontPage: () => html`<h2>Tiny</h2>`,
  credentialOf: ({ headers }) => String(headers['x-tiny-key'] ?? '') || null,
  revoke: (key) => void counted.revoked.push(key),
  refuse: (reply) => reply.code(429).send({ tiny: 'slowly' }),
  failure: (status) => ({ tiny: status }),
  answerError: (error, _request, reply) => reply.code(400).send({ tiny: (error as Error).message }),
};

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, mode: 'test' }, [tiny]);
});
afterAll(() => sandbox.close());
afterEach(async () => {
  await ask('/sandbox/faults', 'DELETE');
  await ask('/sandbox/requests', 'DELETE');
  await ask('/sandbox/requests?system=tiny', 'DELETE');
});

type Answer = { status: number; headers: Headers; body: unknown };

async function ask(path: string, method = 'GET', body?: string): Promise<Answer> {
  const response = await fetch(sandbox.url + path, {
    method,
    headers: {
      authorization: 'Bearer sandbox-admin-token',
      'x-tiny-key': 'k1',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

const set = (fault: object) => ask('/sandbox/faults', 'POST', JSON.stringify(fault));
const states = async () => [(await ask('/tiny/hello')).status, (await ask('/api/v1/accounts/1')).status];
const faults = async (query = '') => (await ask(`/sandbox/faults${query}`)).body;

test('a fault affects only requests to its own system, even if it matches all paths', async () => {
  expect((await set({ system: 'tiny', kind: 'status', status: 503 })).body).toMatchObject({ system: 'tiny' });
  expect(await states()).toEqual([503, 200]);
  await ask('/sandbox/faults', 'DELETE');
  await set({ kind: 'status', status: 502 });
  expect(await states()).toEqual([200, 502]);
});

test('each system has its own error format, and ends its own credentials', async () => {
  await set({ system: 'tiny', kind: 'status', status: 500, count: 1 });
  expect(await ask('/tiny/hello')).toMatchObject({ status: 500, body: { tiny: 500 } });
  await set({ system: 'tiny', kind: 'throttle', count: 1 });
  expect(await ask('/tiny/hello')).toMatchObject({ status: 429, body: { tiny: 'slowly' } });
  await set({ system: 'tiny', kind: 'revoke-token', count: 1 });
  expect(await states()).toEqual([200, 200]);
  expect(counted.revoked).toEqual(['k1']);
  expect(await ask('/tiny/hello', 'POST', '{"')).toMatchObject({
    status: 400,
    body: { tiny: 'The request body is not valid JSON.' },
  });
});

test('one system does not know another’s kinds of faults', async () => {
  expect((await set({ system: 'tiny', kind: 'import-fail' })).status).toBe(400);
  expect((await set({ kind: 'nap' })).status).toBe(400);
  expect((await set({ system: 'tiny', kind: 'nap', count: 1 })).status).toBe(201);
  expect(await states()).toEqual([200, 200]);
  expect([tiny.faults.takeOwn(), tiny.faults.takeOwn()]).toEqual(['nap', null]);
});

test('faults are listed for all systems or for one, and removed by id, by system or all at once', async () => {
  const of = (...systems: string[]) => ({ faults: systems.map((system) => ({ system })) });
  const first = (await set({ kind: 'latency' })).body as { id: number };
  const second = (await set({ system: 'tiny', kind: 'latency' })).body as { id: number };
  await set({ system: 'tiny', kind: 'drop' });
  expect(second.id).not.toBe(first.id);
  expect(await faults()).toMatchObject(of('canvas', 'tiny', 'tiny'));
  expect(await faults('?system=tiny')).toMatchObject(of('tiny', 'tiny'));
  const left = await ask(`/sandbox/faults/${second.id}`, 'DELETE');
  expect(left.body).toMatchObject(of('canvas', 'tiny'));
  expect((await ask('/sandbox/faults?system=tiny', 'DELETE')).body).toMatchObject(of('canvas'));
  await set({ system: 'tiny', kind: 'drop' });
  expect((await ask('/sandbox/faults', 'DELETE')).body).toEqual({ faults: [] });
});

test('held requests continue when their fault is removed, alone or with all others; other requests are answered in the meantime', async () => {
  for (const taken of [(id: number) => `/sandbox/faults/${id}`, () => '/sandbox/faults']) {
    const { id } = (await set({ system: 'tiny', kind: 'hold', method: 'POST' })).body as { id: number };
    const held = ask('/tiny/hello', 'POST', '{}');
    const hits = async () =>
      ((await faults()) as { faults: { hits: number }[] }).faults.map((one) => one.hits);
    await expect.poll(hits).toEqual([1]);
    expect(await states()).toEqual([200, 200]);
    expect((await ask('/sandbox/requests?system=tiny')).body).toMatchObject({
      requests: [{ method: 'GET' }],
    });
    expect((await ask(taken(id), 'DELETE')).body).toEqual({ faults: [] });
    expect(await held).toMatchObject({ status: 200, body: { hello: 'you' } });
    expect((await ask('/tiny/hello', 'POST', '{}')).status).toBe(200);
    await ask('/sandbox/requests?system=tiny', 'DELETE');
  }
});

test('each system has its own log; a request that names none gets Canvas’s', async () => {
  const paths = async (query: string) =>
    ((await ask(`/sandbox/requests${query}`)).body as { requests: { path: string }[] }).requests.map(
      ({ path }) => path,
    );
  await states();
  await ask('/tinyish');
  expect(await paths('')).toEqual(['/api/v1/accounts/1', '/tinyish']);
  expect(await paths('?system=canvas')).toEqual(['/api/v1/accounts/1', '/tinyish']);
  expect(await paths('?system=tiny')).toEqual(['/tiny/hello']);
  await ask('/sandbox/requests', 'DELETE');
  expect([await paths(''), await paths('?system=tiny')]).toEqual([[], ['/tiny/hello']]);
  await states();
  await ask('/sandbox/requests?system=tiny', 'DELETE');
  expect([await paths(''), await paths('?system=tiny')]).toEqual([['/api/v1/accounts/1'], []]);
});

test('only Canvas has throttling and its headers', async () => {
  const [hello, account] = [await ask('/tiny/hello'), await ask('/api/v1/accounts/1')];
  for (const name of ['x-request-cost', 'x-rate-limit-remaining']) {
    expect(hello.headers.has(name)).toBe(false);
    expect(account.headers.has(name)).toBe(true);
  }
});

test('an unknown system is rejected, and the known ones are listed', async () => {
  const refused = { status: 400, body: { systems: expect.arrayContaining(['canvas', 'zoom', 'tiny']) } };
  expect(await set({ system: 'tinny', kind: 'drop' })).toMatchObject(refused);
  expect(await set({ system: 7, kind: 'drop' })).toMatchObject(refused);
  for (const path of ['/sandbox/faults', '/sandbox/requests'])
    for (const query of ['system=tinny', 'system=', 'system', 'system[]=tiny'])
      for (const method of ['GET', 'DELETE'])
        expect(await ask(`${path}?${query}`, method), `${method} ${path}?${query}`).toMatchObject(refused);
});

test('a reset applies to all systems; the front page shows all of them', async () => {
  await set({ system: 'tiny', kind: 'drop' });
  const before = counted.seeds;
  sandbox.reset();
  expect(counted.seeds).toBe(before + 1);
  expect(await faults()).toEqual({ faults: [] });
  const { body } = await ask('/');
  expect(body).toContain('Who can sign in');
  expect(body).toContain('<h2>Tiny</h2>');
});

test('two systems cannot share a name or a prefix', () => {
  expect(() => new Systems([tiny, { ...tiny, prefixes: ['/other'] }])).toThrow('taken twice');
  expect(() => new Systems([tiny, { ...tiny, id: 'other' }])).toThrow('taken twice');
});

test('the longest prefix decides; the sandbox’s own paths belong to no system', () => {
  const [all, inner] = [
    { ...tiny, id: 'all', prefixes: ['/'] },
    { ...tiny, id: 'inner', prefixes: ['/tiny/in'] },
  ];
  const systems = new Systems([all, tiny, inner]);
  const at = (path: string) => systems.at(path)?.id ?? null;
  expect(['/tiny', '/tiny/x', '/tiny/in/x', '/tiny/inn', '/tinyish', '/x'].map(at)).toEqual([
    'tiny',
    'tiny',
    'inner',
    'tiny',
    'all',
    'all',
  ]);
  expect(['/', '/sandbox', '/sandbox/faults', '/images/a.svg'].map(at)).toEqual([null, null, null, null]);
});
