/**
 * Calls that the Canvas client retries or never retries, and the names of its failures (LMS reference §3 to
 * §5).
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { CanvasToken } from '../../src/canvas/types.ts';
import { closeAll, failure, get, json, lms, throttle, token } from './support.ts';

afterEach(closeAll);

describe('retries', () => {
  it('OP-100 a throttled call is retried, for reads and writes alike, and is not mistaken for a missing permission', async () => {
    const { canvas, seen } = await lms((_request, response, count) =>
      count <= 2 ? throttle(response) : json(response, {}),
    );
    await canvas.call(get('x', { method: 'POST', body: { a: 1 } }));
    expect(seen).toHaveLength(3);
    expect(canvas.stats()).toMatchObject({ calls: 3, outcomes: { throttled: 2, ok: 1 } });
  });

  it('a read is retried after a 5xx and after a dropped connection', async () => {
    const { canvas, seen } = await lms((request, response, count) => {
      if (count === 1) json(response, {}, {}, 502);
      else if (count === 2) request.socket.destroy();
      else json(response, { fine: true });
    });
    const { data } = await canvas.call(get('x'));
    expect(data).toEqual({ fine: true });
    expect(seen).toHaveLength(3);
  });

  it.each([
    ['5xx', (_: IncomingMessage, response: ServerResponse) => json(response, {}, {}, 500), 'down'],
    ['a dropped connection', (request: IncomingMessage) => void request.socket.destroy(), 'down'],
    ['silence', () => undefined, 'timeout'],
  ] as const)('a write with an unknown result is never retried: %s', async (_name, handler, kind) => {
    const { canvas, seen } = await lms(handler, { timeoutMs: 200 });
    const error = await failure(canvas.call(get('x', { method: 'POST', body: {} })));
    expect(error).toMatchObject({ kind, sent: 'maybe' });
    expect(seen).toHaveLength(1);
  });

  it('a rejected connection certainly changed nothing', async () => {
    const { canvas, close } = await lms(() => undefined);
    close();
    await sleep(20);
    const error = await failure(canvas.call(get('x', { method: 'POST', body: {} })));
    expect(error).toMatchObject({ kind: 'down', sent: 'no' });
  });

  it('a file that can be read only once is not sent a second time', async () => {
    const { canvas, seen } = await lms((_request, response) => throttle(response));
    async function* csv() {
      yield 'a,b';
    }
    const form = { field: 'attachment', filename: 'x.csv', contentType: 'text/csv', content: csv() };
    const error = await failure(canvas.call(get('x', { method: 'POST', form })));
    expect(error).toMatchObject({ kind: 'throttled', sent: 'no' });
    expect(seen).toHaveLength(1);
  });
});

describe('tokens', () => {
  it('OP-09 a rejected token is renewed once and the call retried', async () => {
    let current = 'old';
    const renewable: CanvasToken = {
      ...token,
      value: () => Promise.resolve(current),
      refresh: (refused) => {
        expect(refused).toBe('old');
        current = 'new';
        return Promise.resolve(current);
      },
    };
    const { canvas } = await lms((request, response) =>
      request.headers.authorization === 'Bearer new'
        ? json(response, { fine: true })
        : json(response, {}, { 'www-authenticate': 'Bearer realm="canvas-lms"' }, 401),
    );
    expect((await canvas.call(get('x', { token: renewable }))).data).toEqual({ fine: true });
  });

  it.each([
    [{ 'www-authenticate': 'Bearer realm="canvas-lms"' }, 'admin', 'signed-out'],
    [{ 'www-authenticate': 'Bearer realm="canvas-lms"' }, 'service', 'token-refused'],
    [{}, 'admin', 'refused'],
  ] as const)('OP-09 401 with %o for a token of the %s is %s', async (headers, owner, kind) => {
    const { canvas } = await lms((_request, response) => json(response, {}, headers, 401));
    expect(await failure(canvas.call(get('x', { token: { ...token, owner } })))).toMatchObject({ kind });
  });
});

describe('failure messages', () => {
  it.each([
    [
      403,
      { status: 'unauthorized', errors: [{ message: 'user not authorized' }] },
      'refused',
      'user not authorized',
    ],
    [404, { errors: [{ message: 'The specified resource does not exist.' }] }, 'not-found', 'does not exist'],
    [400, { errors: ['SIS imports can only be executed on root accounts'] }, 'rejected', 'root accounts'],
    [400, { errors: { name: [{ attribute: 'name', message: 'is taken' }] } }, 'rejected', 'is taken'],
    [400, { errors: 'Invalid as_user_id' }, 'rejected', 'Invalid as_user_id'],
    [400, { message: 'Terms only belong to root_accounts.' }, 'rejected', 'Terms only'],
    [400, { error: true, error_message: 'Missing attachment' }, 'rejected', 'Missing attachment'],
    [404, { status: 'not found' }, 'not-found', 'status 404'],
  ])('%i %o', async (status, body, kind, words) => {
    const { canvas } = await lms((_request, response) => json(response, body, {}, status));
    const error = await failure(canvas.call(get('x')));
    expect(error).toMatchObject({ kind, status, sent: 'answered' });
    expect(error.detail).toContain(words);
    expect(error.message).not.toContain('secret');
  });

  it('an unexpected answer is reported as such and does not cause a crash', async () => {
    const { canvas } = await lms((_request, response) => json(response, { id: 'x' }));
    const error = await failure(canvas.call(get('x', { answer: z.object({ id: z.number() }) })));
    expect(error).toMatchObject({ kind: 'odd', status: 200 });
  });
});

describe('simultaneous calls', () => {
  it('at most 11 calls with one token are in flight, and jobs take turns', async () => {
    let now = 0;
    let most = 0;
    const order: string[] = [];
    const { canvas } = await lms((request, response) => {
      most = Math.max(most, ++now);
      order.push(request.url ?? '');
      setTimeout(() => {
        now--;
        json(response, {}, { 'x-rate-limit-remaining': String(600 - 50 * now) });
      }, 20);
    });
    const [big, small] = [new AbortController().signal, new AbortController().signal];
    const many = Array.from({ length: 100 }, (_, index) => canvas.call(get(`big/${index}`, { signal: big })));
    await sleep(5);
    await canvas.call(get('small', { signal: small }));
    expect(order.length).toBeLessThan(40);
    await Promise.all(many);
    expect(most).toBe(11);
  });

  it('slows down when another program uses the same quota, and speeds up again', async () => {
    let foreign = 400;
    const held: { path: string; response: ServerResponse }[] = [];
    const { canvas } = await lms(
      (request, response) => void held.push({ path: request.url ?? '', response }),
    );

    /** Answers one call at a time, so that nothing depends on the order of arrival. */
    async function round(name: string, count: number): Promise<number> {
      const calls = new Map<string, Promise<unknown>>(
        Array.from({ length: count }, (_, index) => {
          const path = `${name}/${index}`;
          return [`/api/v1/${path}`, canvas.call(get(path))] as const;
        }),
      );
      const inFlight: number[] = [];
      while (calls.size > 0) {
        const all = () => expect(held.length).toBe(Math.max(1, canvas.stats().inFlight));
        await vi.waitFor(all, { interval: 1, timeout: 60_000 });
        const batch = held.splice(0);
        inFlight.push(batch.length);
        for (const [index, { path, response }] of batch.entries()) {
          const others = batch.length - index - 1;
          await vi.waitFor(() => expect(held.length).toBe(canvas.stats().inFlight - others - 1), {
            interval: 1,
            timeout: 60_000,
          });
          json(
            response,
            {},
            { 'x-rate-limit-remaining': String(600 - foreign - 50 * (others + held.length)) },
          );
          await calls.get(path);
          calls.delete(path);
        }
      }
      return Math.max(...inFlight.slice(-Math.ceil(inFlight.length / 2)));
    }

    const busy = await round('busy', 60);
    expect(busy).toBeLessThanOrEqual(4);
    foreign = 0;
    await round('growing', 30);
    expect(await round('free', 60)).toBeGreaterThanOrEqual(2 * busy);
  });

  it('simultaneous identical reads are one call, which is stopped once all its readers have left', async () => {
    let aborted = 0;
    const { canvas, seen } = await lms((request, response) => {
      response.on('close', () => {
        if (!response.writableFinished) aborted++;
      });
      if (request.url !== '/api/v1/slow') setTimeout(() => json(response, {}), 20);
    });
    await Promise.all([canvas.call(get('x')), canvas.call(get('x')), canvas.call(get('y'))]);
    expect(seen).toHaveLength(2);

    const [one, two] = [new AbortController(), new AbortController()];
    const both = [one, two].map(({ signal }) =>
      canvas.call(get('slow', { signal })).catch((e: unknown) => e),
    );
    await vi.waitFor(() => expect(seen).toHaveLength(3));
    one.abort(new Error('first has gone'));
    expect(await both[0]).toMatchObject({ message: 'first has gone' });
    await sleep(30);
    expect(aborted).toBe(0);
    two.abort(new Error('second has gone'));
    await both[1];
    await vi.waitFor(() => expect(aborted).toBe(1));
  });

  it('queued work is never sent after its reader has left', async () => {
    const { canvas, seen } = await lms((_request, response) => {
      setTimeout(() => json(response, {}), 2_000);
    });
    const reader = new AbortController();
    const work = Array.from({ length: 50 }, (_, index) =>
      canvas.call(get(`x/${index}`, { signal: reader.signal })).catch(() => 'gone'),
    );
    await vi.waitFor(() => expect(seen).toHaveLength(11));
    reader.abort();
    expect(new Set(await Promise.all(work))).toEqual(new Set(['gone']));
    await sleep(150);
    expect(seen).toHaveLength(11);
  });
});
