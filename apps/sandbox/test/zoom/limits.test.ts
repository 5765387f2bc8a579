/** Limits of the account and of a host's day (Zoom reference §2, §5). */
import { expect, test } from 'vitest';
import { ZOOM_EDUCATION } from '../../src/config.ts';
import { ALMA, type Answer, BRUNO, DAY, HOUR, HUGO, SERVICE, START, useZoom } from './client.ts';

const zoom = useZoom({ zoomLimits: ZOOM_EDUCATION });
const HOST_DAY =
  'You have exceeded the daily rate limit (3) of Meeting Create/Update API requests permitted for this particular user. You may resume these requests at GMT 00:00:00.';

/** Reads the limit headers: category, type, limit, remaining quota, and when to retry. */
function said({ headers }: Answer) {
  const of = (name: string) => headers.get(name);
  const [category, type, limit, remaining] = ['category', 'type', 'limit', 'remaining'].map((name) =>
    of(`x-ratelimit-${name}`),
  );
  return { category, type, limit, remaining, reset: of('x-ratelimit-reset'), after: of('retry-after') };
}
const user = () => zoom.call('GET', `/users/${ALMA}`);
const make = (host: string, fields: object = {}) =>
  zoom.call('POST', `/users/${host}/meetings`, { start_time: '2026-10-06T09:00:00Z', ...fields });

test('the limit per second and label is shared by all apps: the headers count down, then calls get a 429 until the next second', async () => {
  await zoom.set({ limits: { perSecond: { Light: 2 } } });
  const none = { reset: null, after: null };
  expect(said(await user())).toEqual({ category: 'Light', type: 'QPS', limit: '2', remaining: '1', ...none });
  expect((await zoom.call('GET', `/users/${ALMA}`, undefined, 'reader')).status).toBe(200);
  const refused = await user();
  expect(refused).toMatchObject({
    status: 429,
    body: {
      code: 429,
      message: 'You have reached the maximum per-second rate limit for this API. Try again later.',
    },
  });
  expect(said(refused)).toMatchObject({
    type: 'QPS',
    remaining: '0',
    reset: String(START / 1000 + 1),
    after: null,
  });
  // Another label has its own limit.
  expect(said(await zoom.call('GET', '/users'))).toMatchObject({ category: 'Medium', limit: '60' });
  zoom.clock.at += 1000;
  expect((await user()).status).toBe(200);
});

test('beyond the limit per day and label, calls get a 429 with the date when to retry', async () => {
  await zoom.set({ limits: { perDay: { Light: 1 } } });
  expect((await user()).status).toBe(200);
  const refused = await user();
  expect(refused.status).toBe(429);
  expect(String(refused.body['message'])).toContain(
    'You have reached the maximum daily rate limit for this API.',
  );
  expect(said(refused)).toMatchObject({
    type: 'Daily-limit',
    limit: '1',
    remaining: '0',
    after: '2026-10-06T00:00:00Z',
  });
  expect((await zoom.call('GET', '/users')).status).toBe(200);
  zoom.clock.at = START + DAY;
  expect((await user()).status).toBe(200);
});

test('one host can create or update 100 meetings a day, counting rejected requests; then a 429 has its own text', async () => {
  await zoom.set({ limits: { hostDay: 3 } });
  const made = await make(HUGO);
  expect(said(made)).toMatchObject({ category: 'Medium', type: 'Daily-limit', limit: '3', remaining: '2' });
  const path = `/meetings/${String(made.body['id'])}`;
  expect(said(await zoom.call('PATCH', path, { topic: 'New' }))).toMatchObject({ remaining: '1' });
  expect((await make(HUGO, { type: 7 })).status).toBe(400);
  for (const refused of [await make(HUGO), await zoom.call('PATCH', path, { topic: 'x' })]) {
    expect(refused).toMatchObject({ status: 429, body: { code: 429, message: HOST_DAY } });
    expect(said(refused)).toMatchObject({ category: 'Light', limit: '60000', reset: null, after: null });
    expect(Number(said(refused).remaining)).toBeGreaterThan(59_000);
  }
  // Reading, deleting and other hosts are not affected.
  expect((await zoom.call('GET', path)).status).toBe(200);
  expect((await zoom.call('DELETE', path)).status).toBe(204);
  expect((await make(ALMA)).status).toBe(201);
  expect((await zoom.state())['hostDays']).toEqual({ [HUGO]: 3, [ALMA]: 1 });
  zoom.clock.at = Date.parse('2026-10-05T23:59:59Z');
  expect((await make(HUGO)).status).toBe(429);
  zoom.clock.at += 1000;
  expect((await make(HUGO)).status).toBe(201);
});

test('the limit of the plan is 100', async () => {
  const host = await zoom.freshHost();
  for (let nth = 0; nth < 100; nth++) {
    zoom.clock.at += 100;
    expect((await make(host)).status).toBe(201);
  }
  expect((await make(host)).status).toBe(429);
});

test('an assistant’s meetings and their updates count towards the assistant’s limit; a transfer counts towards the former host’s', async () => {
  await zoom.set({ limits: { hostDay: 3 } });
  const made = await make(BRUNO, { schedule_for: HUGO });
  await zoom.call('PATCH', `/meetings/${String(made.body['id'])}`, { topic: 'x' });
  expect((await zoom.state())['hostDays']).toEqual({ [BRUNO]: 2 });
  const own = await make(SERVICE);
  expect(
    (await zoom.call('PATCH', `/meetings/${String(own.body['id'])}`, { schedule_for: HUGO })).status,
  ).toBe(204);
  expect((await zoom.state())['hostDays']).toEqual({ [BRUNO]: 2, [SERVICE]: 2 });
  await zoom.call('PATCH', `/meetings/${String(own.body['id'])}`, { topic: 'x' });
  expect((await zoom.state())['hostDays']).toEqual({ [BRUNO]: 2, [HUGO]: 1, [SERVICE]: 2 });
});

test('too many token requests in a minute are rejected, with the token endpoint’s errors (§2)', async () => {
  await zoom.set({ limits: { tokensPerMinute: 1 } });
  zoom.clock.at += HOUR;
  expect((await zoom.askToken('client')).status).toBe(200);
  const refused = await zoom.askToken('client');
  expect(refused.status).toBe(429);
  expect(refused.body).toHaveProperty('reason');
  zoom.clock.at += 60_000;
  expect((await zoom.askToken('client')).status).toBe(200);
});

test('limits can be disabled and enabled; an invalid setting is rejected', async () => {
  await zoom.set({ limits: { perSecond: { Light: 0 } } });
  expect((await user()).status).toBe(429);
  await zoom.set({ limits: false });
  const free = await user();
  expect([free.status, said(free).type]).toEqual([200, null]);
  expect((await zoom.set({ limits: { hostDay: -1 } })).status).toBe(400);
  expect((await zoom.set({ limit: {} })).status).toBe(400);
});
