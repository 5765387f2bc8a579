import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { CANVAS_THROTTLE } from '../../../src/config.ts';
import { ADMIN_TOKEN, useSandbox } from './client.ts';

const client = useSandbox({ throttle: { ...CANVAS_THROTTLE, quota: 600 } });
const selfHosted = useSandbox({ throttleStatus: 403 });

describe('§5 throttling', () => {
  test('§5 every answer shows its cost and the remaining quota', async () => {
    const answer = await client.api('/users/self');
    expect(Number(answer.headers.get('x-request-cost'))).toBeGreaterThan(0);
    const remaining = Number(answer.headers.get('x-rate-limit-remaining'));
    expect(remaining).toBeGreaterThan(590);
    expect(remaining).toBeLessThanOrEqual(600);
  });

  test('§5 thirteen calls at once fill the bucket, and a call made later passes', async () => {
    await client.send(
      'POST',
      '/sandbox/faults',
      { match: '/api/v1/users/self', kind: 'latency', ms: 300 },
      { token: null },
    );
    const answers = await Promise.all(Array.from({ length: 16 }, () => client.api('/users/self')));
    const refused = answers.filter((answer) => answer.status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(3);
    expect(refused.length).toBeLessThanOrEqual(5);
    const [first] = refused;
    expect(first?.text).toBe('403 Forbidden (Rate Limit Exceeded)\n');
    expect(first?.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(first?.headers.get('x-rate-limit-remaining')).toBe('0.0');
    expect(first?.headers.get('x-request-cost')).toBeNull();
    expect(first?.headers.get('retry-after')).toBeNull();
    await client.ask('/sandbox/faults', { method: 'DELETE', token: null });
    expect((await client.api('/users/self')).status).toBe(200);
  });

  test('§5 eleven calls at once always pass, and one client does not slow down another', async () => {
    const mine = Array.from({ length: 11 }, () => client.api('/users/self'));
    const others = Array.from({ length: 11 }, () => client.api('/users/self', { token: 'somebody-else' }));
    expect((await Promise.all(mine)).map((answer) => answer.status)).toEqual(Array(11).fill(200));
    expect((await Promise.all(others)).map((answer) => answer.status)).toEqual(Array(11).fill(401));
  });

  test('§5 a setting switches to the 403 of self-hosted Canvas', async () => {
    const fault = { match: '/api/v1/users/self', kind: 'throttle', count: 1 };
    await selfHosted.send('POST', '/sandbox/faults', fault, { token: null });
    const answer = await selfHosted.api('/users/self');
    expect([answer.status, answer.text]).toEqual([403, '403 Forbidden (Rate Limit Exceeded)\n']);
  });

  test('§5 calls without a user agent are rejected, including those for tokens and files', async () => {
    const status = (path: string, headers: Record<string, string>, method = 'GET') =>
      new Promise<number | undefined>((resolve, reject) => {
        const sent = request(`${client.url}${path}`, { method, headers }, (answer) => {
          answer.resume();
          resolve(answer.statusCode);
        });
        sent.on('error', reject).end();
      });
    const named = { 'user-agent': 'a-script/1.0 (+it@school.example)' };
    const token = { authorization: `Bearer ${ADMIN_TOKEN}` };
    const calls: [path: string, method: string, answer: number][] = [
      ['/api/v1/users/self', 'GET', 200],
      ['/api/v1/accounts/1/sis_imports', 'POST', 200],
      ['/login/oauth2/token', 'POST', 400],
      ['/files/999999/download', 'GET', 404],
    ];
    for (const [path, method, answer] of calls) {
      expect(await status(path, token, method), path).toBe(403);
      expect(await status(path, { ...token, ...named }, method), path).toBe(answer);
    }
    // The sandbox's own endpoints are not part of Canvas.
    expect(await status('/sandbox/notices', {})).toBe(200);
  });
});
