/** Failures: limits, faults on demand, and the log (Qualtrics reference §2, §9, §12). */
import { expect, test } from 'vitest';
import { MINUTE, START, SURVEY, TOKEN, useQualtrics } from './client.ts';

const qualtrics = useQualtrics();
const csv = { format: 'csv' };
const whoami = () => qualtrics.call('GET', '/whoami');

test('§9 calls per minute are limited, by kind and in total; a 429 says how long to wait', async () => {
  await qualtrics.set({ limits: { perMinute: { start: 2, progress: 1 } } });
  const [one] = [await qualtrics.start(csv), await qualtrics.start(csv)];
  qualtrics.clock.at = START + 20_000;
  const refused = await qualtrics.start(csv);
  expect(refused).toMatchObject({ status: 429, meta: { httpStatus: '429 - Too Many Requests' } });
  expect(refused.headers.get('retry-after')).toBe('40');
  expect(one.headers.get('retry-after')).toBeNull();
  expect(await qualtrics.progress(one.result['progressId'])).toMatchObject({ status: 200 });
  expect(await qualtrics.progress(one.result['progressId'])).toMatchObject({ status: 429 });
  expect(await whoami()).toMatchObject({ status: 200 });
  qualtrics.clock.at = START + MINUTE;
  expect(await qualtrics.start(csv)).toMatchObject({ status: 200 });
  await qualtrics.set({ limits: { perMinute: { all: 1 } } });
  expect([(await whoami()).status, (await whoami()).status]).toEqual([200, 429]);
});

test('the default limits are the published ones', async () => {
  const { limits } = await qualtrics.set({ limits: {} });
  expect(limits).toMatchObject({ perMinute: { all: 3000, start: 100, progress: 1000, file: 100 } });
});

test('simultaneous exports are limited', async () => {
  qualtrics.clock.at = START + 5 * MINUTE;
  await qualtrics.set({ exportMs: 1000, limits: { exportsAtOnce: 1 } });
  expect(await qualtrics.start(csv)).toMatchObject({ status: 200 });
  expect((await qualtrics.state())['running']).toBe(1);
  expect(await qualtrics.start(csv)).toMatchObject({ status: 429 });
  qualtrics.clock.at += 1000;
  expect(await qualtrics.start(csv)).toMatchObject({ status: 200 });
});

test('an export can fail once', async () => {
  await qualtrics.fault({ kind: 'export-fail', count: 1 });
  const { result } = await qualtrics.start(csv);
  expect((await qualtrics.progress(result['progressId'])).result).toEqual({
    percentComplete: 0,
    status: 'failed',
  });
  expect(await qualtrics.rows()).toHaveLength(422);
});

test('too many requests, 5xx and a revoked token use Qualtrics’s envelope', async () => {
  await qualtrics.fault({ kind: 'throttle', count: 1 });
  const throttled = await whoami();
  expect(throttled).toMatchObject({ status: 429 });
  expect(Number(throttled.headers.get('retry-after'))).toBeGreaterThan(0);
  await qualtrics.fault({ kind: 'status', status: 503, count: 1 });
  const broken = await whoami();
  expect(broken).toMatchObject({ status: 503, meta: { httpStatus: '503 - Service Unavailable' } });
  expect(broken.meta.error).toHaveProperty('instanceId');
  await qualtrics.fault({ kind: 'revoke-token', count: 1 });
  expect([(await whoami()).status, (await whoami()).status]).toEqual([401, 401]);
  qualtrics.sandbox.reset();
  expect((await whoami()).status).toBe(200);
});

test('§12 a file is cut off in the middle, and complete on the next request', async () => {
  const { result } = await qualtrics.start(csv);
  const { result: done } = await qualtrics.progress(result['progressId']);
  const read = async () => (await qualtrics.file(done['fileId'])).arrayBuffer();
  const whole = await read();
  await qualtrics.fault({ kind: 'drop', when: 'body', match: '*/file', count: 1 });
  await expect(read()).rejects.toThrow();
  expect((await read()).byteLength).toBe(whole.byteLength);
});

test('an export whose answer was lost exists nevertheless', async () => {
  const before = ((await qualtrics.state())['exports'] as unknown[]).length;
  await qualtrics.fault({ kind: 'drop', when: 'after', match: '*/export-responses', count: 1 });
  await expect(qualtrics.start(csv)).rejects.toThrow('fetch failed');
  expect((await qualtrics.state())['exports']).toHaveLength(before + 1);
});

test('the log has only calls to Qualtrics, and no tokens', async () => {
  await qualtrics.handle('DELETE', '/sandbox/requests?system=qualtrics');
  await whoami();
  await fetch(`${qualtrics.url}/api/v1/accounts/1`);
  await qualtrics.start(csv);
  const log = await qualtrics.handle('GET', '/sandbox/requests?system=qualtrics');
  expect(
    (log['requests'] as { path: string; status: number }[]).map(({ path, status }) => [path, status]),
  ).toEqual([
    ['/qualtrics/API/v3/whoami', 200],
    [`/qualtrics/API/v3/surveys/${SURVEY}/export-responses`, 200],
  ]);
  expect(JSON.stringify(log)).not.toContain(TOKEN['X-API-TOKEN']);
});
