import { describe, expect, test } from 'vitest';
import { ADMIN_TOKEN, signIn, useSandbox } from './client.ts';

const client = useSandbox();
const set = (fault: object) => client.send('POST', '/sandbox/faults', fault, { token: null });
const clear = () => client.ask('/sandbox/faults', { method: 'DELETE', token: null });

describe('faults on demand', () => {
  test('a given number of 503s for a pattern, then normal answers; faults are listed and cleared', async () => {
    await set({ match: '/api/v1/accounts/*/terms', kind: 'status', status: 503, count: 2 });
    expect((await client.api('/accounts/1/roles')).status).toBe(200);
    const listed = await client.ask('/sandbox/faults', { token: null });
    expect(listed.body['faults']?.[0]).toMatchObject({ kind: 'status', status: 503, count: 2, hits: 0 });
    const states = [];
    for (let i = 0; i < 3; i++) states.push((await client.api('/accounts/1/terms')).status);
    expect(states).toEqual([503, 503, 200]);
    expect((await clear()).body).toEqual({ faults: [] });
  });

  test('a fault first lets through as many requests as it is told to skip', async () => {
    await set({ match: '/api/v1/accounts/1/terms', kind: 'status', status: 503, spares: 2, count: 1 });
    const states = [];
    for (let i = 0; i < 4; i++) states.push((await client.api('/accounts/1/terms')).status);
    expect(states).toEqual([200, 200, 503, 200]);
  });

  test('a fault is removed by its id, and the others stay; an unknown id is reported', async () => {
    const first = await set({ match: '/api/v1/accounts/1/terms', kind: 'status', status: 503 });
    await set({ match: '/api/v1/accounts/1/roles', kind: 'status', status: 502 });
    const path = `/sandbox/faults/${first.body['id']}`;
    const left = await client.ask(path, { method: 'DELETE', token: null });
    expect(left.body['faults']).toMatchObject([{ match: '/api/v1/accounts/1/roles' }]);
    expect((await client.api('/accounts/1/terms')).status).toBe(200);
    expect((await client.api('/accounts/1/roles')).status).toBe(502);
    expect((await client.ask(path, { method: 'DELETE', token: null })).status).toBe(404);
    await clear();
  });

  test('§3 a 500 has the body of an unhandled error', async () => {
    await set({ match: '/api/v1/users/self', kind: 'status', count: 1 });
    const answer = await client.api('/users/self');
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({
      errors: [{ message: 'An error occurred.', error_code: 'internal_server_error' }],
      error_report_id: expect.any(Number),
    });
  });

  test('drop: the connection is cut in the middle of the body', async () => {
    await set({ match: '/api/v1/accounts/1/courses', kind: 'drop', count: 1 });
    await expect(client.api('/accounts/1/courses')).rejects.toThrow();
    expect((await client.api('/accounts/1/courses')).status).toBe(200);
  });

  test('drop after: the work is done, but the client does not know', async () => {
    await set({
      match: '/api/v1/accounts/1/sis_imports',
      method: 'POST',
      kind: 'drop',
      when: 'after',
      count: 1,
    });
    const body = 'user_id,login_id,status\nD1,d1@northbridge.example,active\n';
    const send = () =>
      client.api('/accounts/1/sis_imports', {
        method: 'POST',
        body,
        headers: { 'content-type': 'text/csv' },
      });
    await expect(send()).rejects.toThrow();
    expect((await client.api('/accounts/1/sis_imports')).body['sis_imports']).toHaveLength(1);
  });

  test('drop before: the work is not done', async () => {
    await set({ match: '/api/v1/calendar_events', method: 'POST', kind: 'drop', when: 'before', count: 1 });
    const event = { calendar_event: { context_code: 'user_1', title: 'x' } };
    await expect(client.send('POST', '/api/v1/calendar_events', event)).rejects.toThrow();
    expect((await client.api('/calendar_events?all_events=1')).body).toEqual([]);
  });

  test('timeout: silence, then the connection is cut', async () => {
    await set({ match: '/api/v1/users/self', kind: 'timeout', ms: 100, count: 1 });
    const from = performance.now();
    await expect(client.api('/users/self')).rejects.toThrow();
    expect(performance.now() - from).toBeGreaterThan(80);
  });

  test('§5 throttle gives a 429 with a text that says 403', async () => {
    await set({ match: '*', kind: 'throttle', count: 1 });
    const answer = await client.api('/users/self');
    expect(answer.status).toBe(429);
    expect(answer.text).toBe('403 Forbidden (Rate Limit Exceeded)\n');
  });

  test('§3 revoke-token ends the token used in the request', async () => {
    const token = String((await signIn(client, 'elena.marsh'))['access_token']);
    await set({ match: '/api/v1/*', kind: 'revoke-token', count: 1 });
    const answer = await client.api('/users/self', { token });
    expect(answer.body).toEqual({ errors: [{ message: 'Revoked access token.' }] });
  });

  test('latency with a share: only some calls are slow', async () => {
    await set({ match: '/api/v1/users/self', kind: 'latency', randomMs: [1_500, 1_600], share: 0.5 });
    // All calls run at once, with a latency longer than any normal call takes, even on a busy machine.
    const times = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const from = performance.now();
        await client.api('/users/self');
        return performance.now() - from;
      }),
    );
    const slow = times.filter((ms) => ms > 1_450).length;
    expect(slow).toBeGreaterThan(0);
    expect(slow).toBeLessThan(times.length);
    await clear();
  });

  test('an invalid fault is rejected', async () => {
    expect((await set({ kind: 'explode' })).status).toBe(400);
    expect((await set({ kind: 'status', share: 2 })).status).toBe(400);
    expect((await set({ kind: 'status', colour: 'red' })).status).toBe(400);
  });
});

describe('the request log', () => {
  test('counts all calls and simultaneous calls, and contains no secrets', async () => {
    await client.ask('/sandbox/requests', { method: 'DELETE', token: null });
    await set({ match: '/api/v1/*', kind: 'latency', ms: 60 });
    await Promise.all(Array.from({ length: 7 }, () => client.api(`/users/self?access_token=${ADMIN_TOKEN}`)));
    await clear();
    const log = (await client.ask('/sandbox/requests', { token: null })).body;
    expect(log['requests']).toHaveLength(7);
    expect(log['highWater']).toBe(7);
    expect(log['requests']?.[0]).toMatchObject({
      method: 'GET',
      path: '/api/v1/users/self?access_token=…',
      status: 200,
    });
    expect(Object.values(log['byClient'] ?? {})[0]).toMatchObject({ requests: 7, highWater: 7, inFlight: 0 });
    expect(JSON.stringify(log)).not.toContain(ADMIN_TOKEN);
  });
});

describe('reset', () => {
  test('restores the seed, ends all sessions and keeps the script token', async () => {
    const token = String((await signIn(client, 'alma.reyes'))['access_token']);
    const event = { calendar_event: { context_code: 'user_1', title: 'x' } };
    await client.send('POST', '/api/v1/calendar_events', event);
    expect((await client.ask('/sandbox/reset', { method: 'POST', token: null })).status).toBe(200);
    expect((await client.api('/calendar_events?all_events=1')).body).toEqual([]);
    expect((await client.api('/users/self', { token })).status).toBe(401);
    expect((await client.api('/users/self')).status).toBe(200);
  });
});
