/** Web pages from elsewhere, and names that point at this machine. */
import { request as ask } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../src/server.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, mode: 'test' });
});
afterAll(() => sandbox.close());

function send(method: string, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((answered, failed) => {
    const asked = ask(
      new URL(path, sandbox.url),
      { method, headers: { 'user-agent': 'test', ...headers } },
      (response) => {
        response.resume();
        answered(response.statusCode ?? 0);
      },
    );
    asked.on('error', failed).end();
  });
}

describe('a page from elsewhere', () => {
  test.each([
    ['https://evil.example', 'another site'],
    ['null', 'a page that hides its origin'],
    ['http://evil.localhost:1', 'a subdomain of our own name'],
  ])('cannot reset, set faults or import: %s (%s)', async (origin) => {
    for (const path of [
      '/sandbox/reset',
      '/sandbox/faults',
      '/api/v1/accounts/1/sis_imports?access_token=sandbox-admin-token',
    ])
      expect(await send('POST', path, { origin })).toBe(403);
    expect(await send('DELETE', '/sandbox/requests', { origin })).toBe(403);
  });

  test('cannot read data under its own host name', async () => {
    const path = '/api/v1/users/self?access_token=sandbox-admin-token';
    expect(await send('GET', path, { host: `rebound.example:${sandbox.port}` })).toBe(403);
    expect(await send('GET', path, { host: '%' })).toBeGreaterThanOrEqual(400);
    for (const host of ['localhost', `127.0.0.1:${sandbox.port}`, `[::1]:${sandbox.port}`])
      expect(await send('GET', path, { host })).toBe(200);
  });
});

/** Returns the first line of the answer to a request without a usable host name. */
function nameless(head: string): Promise<string> {
  return new Promise((answered, failed) => {
    let text = '';
    const socket = connect(sandbox.port, '127.0.0.1', () => socket.write(`${head}\r\n\r\n`));
    socket.on('data', (data) => {
      text += String(data);
    });
    socket.on('error', failed).on('close', () => answered(text.split('\r\n')[0] ?? ''));
  });
}

describe('the published token', () => {
  const path = '/api/v1/users/self?access_token=sandbox-admin-token';

  test('is only for this machine', async () => {
    await expect(startSandbox({ port: 0, mode: 'test', host: '0.0.0.0' })).rejects.toThrow(
      /SANDBOX_ADMIN_TOKEN/,
    );
    const own = await startSandbox({
      port: 0,
      mode: 'test',
      host: '0.0.0.0',
      adminToken: 'a-token-of-ones-own',
    });
    await own.close();
  });

  test('is not accepted for requests that a proxy forwards', async () => {
    for (const name of ['x-forwarded-for', 'forwarded', 'via'])
      expect(await send('GET', path, { host: 'localhost', [name]: '203.0.113.7' })).toBe(403);
  });

  test.each([
    `GET ${path} HTTP/1.1\r\nHost:\r\nConnection: close`,
    `GET ${path} HTTP/1.1\r\nHost:  \r\nConnection: close`,
    `GET ${path} HTTP/1.0`,
  ])('is not accepted without a host name (%j)', async (head) => {
    expect(await nameless(head)).toMatch(/ 40[03] /);
  });
});

test('the sandbox’s own pages, and programs, can write', async () => {
  expect(await send('POST', '/sandbox/reset', { origin: sandbox.url })).toBe(200);
  expect(await send('POST', '/sandbox/reset', { origin: `http://localhost:${sandbox.port}` })).toBe(200);
  expect(await send('POST', '/sandbox/reset', {})).toBe(200);
});
