/** Failures on demand, and the log (Zoom reference §15.1: the result of a lost answer is unknown). */
import { expect, test } from 'vitest';
import { ALMA, useZoom } from './client.ts';

const zoom = useZoom();
const count = async (host: string) =>
  Number((await zoom.call('GET', `/users/${host}/meetings`)).body['total_records']);
const meetings = (host: string) => `/zoom/v2/users/${host}/meetings`;

test('a meeting whose answer was lost exists, and retrying creates another', async () => {
  const host = await zoom.freshHost();
  await zoom.fault({ kind: 'drop', when: 'after', method: 'POST', match: meetings(host), count: 1 });
  await expect(zoom.make(host)).rejects.toThrow('fetch failed');
  expect(await count(host)).toBe(1);
  await zoom.make(host);
  expect(await count(host)).toBe(2);
});

test('a connection cut before the work means that nothing was created', async () => {
  const host = await zoom.freshHost();
  await zoom.fault({ kind: 'drop', when: 'before', method: 'POST', match: meetings(host), count: 1 });
  await expect(zoom.make(host)).rejects.toThrow('fetch failed');
  expect(await count(host)).toBe(0);
});

test('§5 a change while another is in progress gets a special kind of 429, and a retry succeeds', async () => {
  const meeting = await zoom.make(ALMA);
  const path = `/meetings/${String(meeting['id'])}`;
  await zoom.fault({ kind: 'concurrent', count: 1 });
  expect((await zoom.call('GET', path)).status).toBe(200);
  const refused = await zoom.call('PATCH', path, { topic: 'Other' });
  expect(refused).toMatchObject({
    status: 429,
    body: { code: 429, message: expect.stringMatching(/^Too many concurrent requests\. /) },
  });
  expect(refused.headers.get('retry-after')).toBeNull();
  expect((await zoom.read(meeting['id']))['topic']).toBe('Class');
  expect((await zoom.call('PATCH', path, { topic: 'Other' })).status).toBe(204);
});

test('too many requests, 5xx and a revoked token use Zoom’s format', async () => {
  const ask = () => zoom.call('GET', `/users/${ALMA}`);
  await zoom.fault({ kind: 'throttle', count: 1 });
  expect(await ask()).toMatchObject({ status: 429, body: { code: 429 } });
  await zoom.fault({ kind: 'status', status: 503, count: 1 });
  const broken = await ask();
  expect(broken).toMatchObject({ status: 503, body: { code: 503 } });
  expect(broken.headers.get('x-zm-trackingid')).toBeTruthy();
  await zoom.fault({ kind: 'revoke-token', count: 1 });
  expect(await ask()).toMatchObject({ status: 401, body: { code: 124 } });
});

test('the log has only calls to Zoom, and counts the rejected ones', async () => {
  const fresh = useLog();
  await fresh.clear();
  await zoom.call('GET', `/users/${ALMA}`, undefined, 'reader');
  await zoom.set({ limits: { perSecond: { Light: 0 } } });
  await zoom.call('GET', `/users/${ALMA}`, undefined, 'reader');
  await zoom.ask('GET', '/api/v1/accounts/1');
  const { requests, byClient } = await fresh.read();
  const calls = requests.filter(({ path }) => !path.includes('oauth'));
  expect(calls.map(({ path, status }) => [path, status])).toEqual([
    [`/zoom/v2/users/${ALMA}`, 200],
    [`/zoom/v2/users/${ALMA}`, 429],
  ]);
  expect(Object.values(byClient).map(({ throttled }) => throttled)).toContain(1);
});

function useLog() {
  type Log = {
    requests: { path: string; status: number }[];
    byClient: Record<string, { throttled: number }>;
  };
  const path = '/sandbox/requests?system=zoom';
  return {
    clear: () => zoom.ask('DELETE', path),
    read: async () => (await zoom.ask('GET', path)).body as Log,
  };
}
