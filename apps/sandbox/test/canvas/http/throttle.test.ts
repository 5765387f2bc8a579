import { describe, expect, test } from 'vitest';
import { CANVAS_THROTTLE } from '../../../src/config.ts';
import { useSandbox } from './client.ts';

const client = useSandbox({ throttle: { ...CANVAS_THROTTLE, quota: 600 } });

describe('§5 throttling', () => {
  test('§5 every answer tells its cost and what remains', async () => {
    const answer = await client.api('/users/self');
    expect(Number(answer.headers.get('x-request-cost'))).toBeGreaterThan(0);
    const remaining = Number(answer.headers.get('x-rate-limit-remaining'));
    expect(remaining).toBeGreaterThan(590);
    expect(remaining).toBeLessThanOrEqual(600);
  });

  test('§5 thirteen at once: the bucket is full, and a later call passes', async () => {
    await client.send(
      'POST',
      '/sandbox/faults',
      { match: '/api/v1/users/self', kind: 'latency', ms: 300 },
      { token: null },
    );
    const answers = await Promise.all(Array.from({ length: 16 }, () => client.api('/users/self')));
    const refused = answers.filter((answer) => answer.status === 403);
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

  test('§5 eleven at once always pass, one client does not slow another', async () => {
    const mine = Array.from({ length: 11 }, () => client.api('/users/self'));
    const others = Array.from({ length: 11 }, () => client.api('/users/self', { token: 'somebody-else' }));
    expect((await Promise.all(mine)).map((answer) => answer.status)).toEqual(Array(11).fill(200));
    expect((await Promise.all(others)).map((answer) => answer.status)).toEqual(Array(11).fill(401));
  });
});
