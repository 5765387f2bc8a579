/** Web pages of others, and names that were made to point at this machine. */
import { request as ask } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../src/server.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, mode: 'test' });
});
afterAll(() => sandbox.close());

function send(method: string, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((answered, failed) => {
    const asked = ask(new URL(path, sandbox.url), { method, headers }, (response) => {
      response.resume();
      answered(response.statusCode ?? 0);
    });
    asked.on('error', failed).end();
  });
}

describe('a page of somebody else', () => {
  test.each([
    ['https://evil.example', 'another site'],
    ['null', 'a page that hides where it comes from'],
    ['http://evil.localhost:1', 'a name below our own'],
  ])('neither resets, nor sets faults, nor imports: %s (%s)', async (origin) => {
    for (const path of [
      '/sandbox/reset',
      '/sandbox/faults',
      '/api/v1/accounts/1/sis_imports?access_token=sandbox-admin-token',
    ])
      expect(await send('POST', path, { origin })).toBe(403);
    expect(await send('DELETE', '/sandbox/requests', { origin })).toBe(403);
  });

  test('cannot read under a name of its own', async () => {
    const path = '/api/v1/users/self?access_token=sandbox-admin-token';
    expect(await send('GET', path, { host: `rebound.example:${sandbox.port}` })).toBe(403);
    expect(await send('GET', path, { host: '%' })).toBeGreaterThanOrEqual(400);
    for (const host of ['localhost', `127.0.0.1:${sandbox.port}`, `[::1]:${sandbox.port}`])
      expect(await send('GET', path, { host })).toBe(200);
  });
});

test('the campus’s own pages, and programs, may write', async () => {
  expect(await send('POST', '/sandbox/reset', { origin: sandbox.url })).toBe(200);
  expect(await send('POST', '/sandbox/reset', { origin: `http://localhost:${sandbox.port}` })).toBe(200);
  expect(await send('POST', '/sandbox/reset', {})).toBe(200);
});
