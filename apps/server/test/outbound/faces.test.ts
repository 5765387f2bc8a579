/**
 * Interfaces of the outbound client: a `fetch` for libraries, and a check that a system is reachable and
 * accessible.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { createCheck } from '../../src/outbound/check.ts';
import { OutsideError } from '../../src/outbound/errors.ts';
import { introduceAs } from '../../src/outbound/outbound.ts';
import { closeAll, failure, outside } from './support.ts';

afterEach(closeAll);

describe('fetch', () => {
  it('sends what a library sends and returns a Response', async () => {
    introduceAs('it@school.example');
    const { outbound, seen, url } = await outside((_, response) =>
      response.writeHead(400, { 'content-type': 'application/json', 'x-many': ['a', 'b'] }).end('{"no":1}'),
    );
    const response = await outbound.fetch(`${url}/token?x=1`, {
      method: 'post',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'a b' }),
    });
    expect([response.status, response.headers.get('x-many')]).toEqual([400, 'a,b']);
    expect(await response.json()).toEqual({ no: 1 });
    expect(seen).toMatchObject([
      { line: 'POST /token?x=1', body: 'grant_type=refresh_token&refresh_token=a+b' },
    ]);
    // Hosted systems reject calls that do not name the caller, and ask for a contact.
    expect(seen[0]?.agent).toMatch(/^lms-admin\/\d+\.\d+\.\d+ \(\+mailto:it@school\.example\)$/);
    const bytes = new TextEncoder().encode('bytes');
    await outbound.fetch(`${url}/b`, { method: 'PUT', headers: {}, body: bytes });
    expect(seen[1]?.body).toBe('bytes');
  });

  it('accepts answers without a body', async () => {
    const { outbound, url } = await outside((_, response) => response.writeHead(204).end());
    const response = await outbound.fetch(`${url}/x`, { method: 'DELETE', headers: {}, body: null });
    expect([response.status, response.body]).toEqual([204, null]);
  });

  it('does not reach any other host', async () => {
    const { outbound, seen } = await outside((_, response) => response.end());
    for (const address of ['https://evil.example/', 'http://127.0.0.1:1/x', 'file:///etc/passwd'])
      await expect(outbound.fetch(address, { method: 'GET', headers: {} })).rejects.toThrow(TypeError);
    expect(seen).toHaveLength(0);
  });

  it('rejects a request that it could not send', async () => {
    const { outbound, url } = await outside((_, response) => response.end());
    const body = new ReadableStream();
    await expect(outbound.fetch(url, { method: 'POST', headers: {}, body })).rejects.toThrow(TypeError);
    await expect(outbound.fetch(url, { method: 'TRACE', headers: {} })).rejects.toThrow(TypeError);
  });

  it('fails with the same kinds of failure as other requests', async () => {
    const { outbound, url, stop } = await outside(() => undefined);
    await stop();
    const asked = outbound.fetch(url, { method: 'POST', headers: {} });
    expect(await failure(asked)).toMatchObject({ kind: 'down', sent: 'no' });
  });
});

describe('the check that a system is reachable and accessible', () => {
  it('simultaneous checks share one call', async () => {
    const { outbound, seen } = await outside((_, response) => response.end());
    const check = createCheck('the LMS', (signal) =>
      outbound.request({ method: 'GET', path: '/me', signal }),
    );
    const states = await Promise.all([check(), check(), check()]);
    expect(states[0]).toEqual({ state: 'up', message: 'The LMS answers.', next: null });
    expect(await check()).toBe(states[0]);
    expect(seen).toHaveLength(1);
  });

  it('a failure has its own text', async () => {
    const refused = new OutsideError('Zoom', 'token-refused', { sent: 'answered', detail: 'Invalid token' });
    expect(await createCheck('Zoom', () => Promise.reject(refused))()).toEqual({
      state: 'down',
      message: 'Zoom does not accept LMS Admin’s token.',
      next: 'Ask IT Support to renew it in the settings of LMS Admin.',
      failure: { kind: 'token-refused', detail: 'Invalid token' },
    });
    const late = new DOMException('late', 'TimeoutError');
    expect(await createCheck('Zoom', () => Promise.reject(late))()).toMatchObject({
      state: 'down',
      message: 'Zoom does not answer.',
    });
  });
});
