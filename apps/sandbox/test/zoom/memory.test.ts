/** State of the practice Zoom across restarts, and its constant seed. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/server.ts';
import { seedZoom, ZOOM_SEED } from '../../src/zoom/seed/seed.ts';
import { ZoomStore } from '../../src/zoom/store/store.ts';
import { ALMA, BRUNO, basic, HUGO, type Json } from './client.ts';

const data = mkdtempSync(join(tmpdir(), 'sandbox-zoom-'));
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await start();
});
afterAll(async () => {
  await sandbox.close();
  rmSync(data, { recursive: true, force: true });
});

const start = () => startSandbox({ port: 0, mode: 'test', data });
const again = async () => {
  await sandbox.close();
  sandbox = await start();
};

async function token(): Promise<string> {
  const response = await fetch(`${sandbox.url}/zoom/oauth/token`, {
    method: 'POST',
    headers: basic('sandbox-zoom-client', 'sandbox-zoom-secret'),
    body: new URLSearchParams({
      grant_type: 'account_credentials',
      account_id: 'sandbox-zoom-account',
    }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

async function call(bearer: string, method: string, path: string, body?: object): Promise<Json> {
  const response = await fetch(`${sandbox.url}/zoom/v2${path}`, {
    method,
    headers: {
      authorization: `Bearer ${bearer}`,
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  return (text === '' ? {} : JSON.parse(text)) as Json;
}

const without = ({ join_url, start_url, ...rest }: Json) => [
  rest,
  new URL(String(join_url)).search,
  Boolean(start_url),
];
const state = async () => (await (await fetch(`${sandbox.url}/sandbox/zoom`)).json()) as Json;

test('the seed matches its version: raise ZOOM_SEED when it changes, and write its checksum here', () => {
  const store = new ZoomStore();
  seedZoom(store);
  const all = JSON.stringify([store.users(), [...store.meetings()]]);
  const sum = createHash('sha256').update(all).digest('hex').slice(0, 16);
  expect({ ZOOM_SEED, sum }).toEqual({ ZOOM_SEED: 1, sum: 'c4fd87d3f956a861' });
});

test('meetings, privileges, hosts’ daily limits and tokens survive a restart; a reset deletes them', async () => {
  const bearer = await token();
  const plan = { topic: 'Class', start_time: new Date(Date.now() + 86_400_000).toISOString() };
  const [kept, deleted] = [
    await call(bearer, 'POST', `/users/${HUGO}/meetings`, plan),
    await call(bearer, 'POST', `/users/${HUGO}/meetings`, plan),
  ];
  await call(bearer, 'DELETE', `/meetings/${String(deleted['id'])}`);
  await call(bearer, 'DELETE', `/users/${HUGO}/assistants/${BRUNO}`);
  await fetch(`${sandbox.url}/sandbox/zoom/users/${ALMA}`, { method: 'DELETE' });
  await again();
  expect(without(await call(bearer, 'GET', `/meetings/${String(kept['id'])}`))).toEqual(without(kept));
  expect((await call(bearer, 'GET', `/meetings/${String(deleted['id'])}`))['code']).toBe(3001);
  expect(await call(bearer, 'GET', `/users/${BRUNO}/schedulers`)).toEqual({ schedulers: [] });
  expect((await call(bearer, 'GET', `/users/${ALMA}`))['code']).toBe(1001);
  expect((await state())['hostDays']).toEqual({ [HUGO]: 2 });
  const next = await call(bearer, 'POST', `/users/${HUGO}/meetings`, plan);
  expect([kept['id'], deleted['id']]).not.toContain(next['id']);

  sandbox.reset();
  expect((await call(bearer, 'GET', `/users/${ALMA}`))['code']).toBe(124);
  await again();
  const fresh = await token();
  expect((await call(fresh, 'GET', `/meetings/${String(kept['id'])}`))['code']).toBe(3001);
  expect((await call(fresh, 'GET', `/users/${ALMA}`))['email']).toBe(ALMA);
  expect((await state())['hostDays']).toEqual({});
  // The same sandbox assigns the same numbers again.
  expect((await call(fresh, 'POST', `/users/${HUGO}/meetings`, plan))['id']).toBe(kept['id']);
});
