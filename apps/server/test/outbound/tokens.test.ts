/** Tokens for LMS Admin's own credentials: fetched once and shared, renewed before they expire and after a rejection. */
import { afterEach, describe, expect, it } from 'vitest';
import { OutsideError } from '../../src/outbound/errors.ts';
import { createTokenSource } from '../../src/outbound/token-source.ts';
import { closeAll, failure, outside } from './support.ts';

afterEach(closeAll);

const HOUR = 3_600_000;
const read = { method: 'GET', path: '/x' } as const;

/** Creates a source with the tokens `t1`, `t2` …, and its clock. */
function counted(lifeMs = HOUR) {
  const state = { fetched: 0, now: 0 };
  const source = createTokenSource(
    () => Promise.resolve({ value: `t${++state.fetched}`, lifeMs }),
    () => state.now,
  );
  return { state, source };
}

describe('a token', () => {
  it('is fetched once for 50 simultaneous requests, and sent with each', async () => {
    let fetched = 0;
    const { outbound, seen } = await outside((request, response) => {
      if (request.url === '/oauth/token') response.end(JSON.stringify({ access_token: `t${++fetched}` }));
      else response.end();
    });
    const token = createTokenSource(async () => {
      const answer = await outbound.request({ method: 'POST', path: '/oauth/token', body: 'grant_type=x' });
      return { value: JSON.parse(answer.text).access_token, lifeMs: HOUR };
    });
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => outbound.request({ ...read, path: `/${index}`, token })),
    );
    expect(fetched).toBe(1);
    expect(seen.filter(({ authorization }) => authorization === 'Bearer t1')).toHaveLength(50);
  });

  it('is renewed before it expires, by only one of the requests', async () => {
    const { state, source } = counted();
    expect(await source.value()).toBe('t1');
    state.now = HOUR - 61_000;
    expect(await source.value()).toBe('t1');
    state.now = HOUR - 59_000;
    expect(await Promise.all([source.value(), source.value(), source.value()])).toEqual(['t2', 't2', 't2']);
    expect(state.fetched).toBe(2);
  });

  it('is used until it expires if no new one is issued', async () => {
    let now = 0;
    let fetched = 0;
    const source = createTokenSource(
      () => {
        if (++fetched > 1) throw new Error('busy');
        return Promise.resolve({ value: 't1', lifeMs: HOUR });
      },
      () => now,
    );
    await source.value();
    now = HOUR - 1_000;
    expect(await source.value()).toBe('t1');
    now = HOUR + 1;
    await expect(source.value()).rejects.toThrow('busy');
  });
});

it('is taken by queued requests only when they are sent, so that they use the latest one', async () => {
  let value = 'old';
  const token = { value: () => Promise.resolve('old'), latest: () => value };
  const { outbound, seen } = await outside(
    (_, response) => {
      value = 'new';
      response.end();
    },
    { atOnce: 1 },
  );
  await Promise.all([outbound.request({ ...read, token }), outbound.request({ ...read, token })]);
  expect(seen.map(({ authorization }) => authorization)).toEqual(['Bearer old', 'Bearer new']);
});

describe('a rejected token', () => {
  it('is renewed once for all rejected requests, which are then retried', async () => {
    const { state, source } = counted();
    const { outbound, seen } = await outside((request, response) => {
      response.writeHead(request.headers.authorization === 'Bearer t2' ? 200 : 401).end();
    });
    await source.value();
    state.now = 60_000;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        outbound.request({ method: 'POST', path: `/${index}`, body: 'a', token: source }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(state.fetched).toBe(2);
    expect(seen.filter(({ authorization }) => authorization === 'Bearer t2')).toHaveLength(20);
  });

  it('that has only just been issued is not renewed: the rejection is returned', async () => {
    const { state, source } = counted();
    const { outbound, seen } = await outside((_, response) => response.writeHead(401).end('no'));
    for (let time = 0; time < 3; time++)
      expect((await outbound.request({ ...read, token: source })).status).toBe(401);
    expect(state.fetched).toBe(1);
    expect(seen).toHaveLength(3);
  });

  it('is renewed at most once for each request', async () => {
    const { state, source } = counted();
    const { outbound, seen } = await outside((_, response) => response.writeHead(401).end());
    await source.value();
    state.now = 60_000;
    expect((await outbound.request({ ...read, token: source })).status).toBe(401);
    expect(state.fetched).toBe(2);
    expect(seen).toHaveLength(2);
  });
});

it('that could not be fetched means that nothing was sent, whatever happened to the token request', async () => {
  const { outbound, seen } = await outside((_, response) => response.end());
  const lost = new OutsideError('Zoom', 'down', { sent: 'maybe', detail: 'ECONNRESET' });
  const token = { value: () => Promise.reject(lost) };
  const error = await failure(outbound.request({ method: 'POST', path: '/x', body: 'a', token }));
  expect(error).toMatchObject({ kind: 'down', sent: 'no', detail: 'ECONNRESET' });
  expect(seen).toHaveLength(0);
});
