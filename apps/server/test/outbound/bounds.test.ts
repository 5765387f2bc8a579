/**
 * Limits on answers, on simultaneous calls and on waits after throttling, and what ends when the reader
 * leaves.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { OutboundAnswer } from '../../src/outbound/answer.ts';
import { retryAfterMs } from '../../src/outbound/retry-after.ts';
import type { OutboundRequest } from '../../src/outbound/types.ts';
import { closeAll, event, failure, outside } from './support.ts';

afterEach(closeAll);

const read: OutboundRequest = { method: 'GET', path: '/x' };
const MEGABYTE = Buffer.alloc(1_048_576, 'x');

describe('bytes', () => {
  it('an endless answer ends at the limit, with a clear error', async () => {
    const left = event<number>();
    let sent = 0;
    const { outbound, seen } = await outside(
      (_, response) => {
        const pour = () => {
          do sent += MEGABYTE.length;
          while (response.write(MEGABYTE));
        };
        response.on('drain', pour).on('close', () => left.tell(sent));
        pour();
      },
      { maxBytes: 3_000_000 },
    );
    const error = await failure(outbound.request(read));
    expect(error).toMatchObject({ kind: 'too-much', sent: 'maybe', status: 200 });
    // Bytes already sent may still arrive.
    expect(await left.happened).toBeLessThan(64 * MEGABYTE.length);
    expect(seen).toHaveLength(1);
    expect(outbound.stats().outcomes['too-much']).toBe(1);
  });

  it('an answer that announces too many bytes is not read', async () => {
    const { outbound } = await outside(
      (_, response) => void response.writeHead(200, { 'content-length': 101 }).write('x'),
      { maxBytes: 100 },
    );
    expect(await failure(outbound.request(read))).toMatchObject({ kind: 'too-much' });
  });

  it('an answer of exactly the limit is accepted, and a request can set its own limit', async () => {
    const { outbound } = await outside((_, response) => response.end('x'.repeat(100)), { maxBytes: 100 });
    expect((await outbound.request(read)).body).toHaveLength(100);
    expect(await failure(outbound.request({ ...read, maxBytes: 99 }))).toMatchObject({ kind: 'too-much' });
  });
});

describe('a streamed answer', () => {
  it('arrives as it is sent, at the pace of its reader', async () => {
    const part = event();
    const { outbound } = await outside((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).write('first');
      void part.happened.then(() => response.end(MEGABYTE));
    });
    const { answer, body } = await outbound.stream(read);
    expect([answer.status, answer.header('content-type')]).toEqual([200, 'text/plain']);
    const chunks: Buffer[] = [];
    for await (const chunk of body ?? []) {
      chunks.push(chunk);
      part.tell();
    }
    expect(Buffer.concat(chunks).toString()).toBe(`first${MEGABYTE.toString()}`);
    expect(outbound.stats()).toMatchObject({ inFlight: 0, outcomes: { ok: 1 } });
  });

  it('that is not 2xx is read completely, so that the error in it is available', async () => {
    const { outbound } = await outside((_, response) => response.writeHead(404).end('gone'));
    expect(await outbound.stream(read)).toMatchObject({ answer: { status: 404, text: 'gone' }, body: null });
  });

  it('has the same limits, and ends when its reader stops', async () => {
    const { outbound } = await outside((_, response) => void response.write(MEGABYTE), {
      maxBytes: 2_000_000,
    });
    const { body } = await outbound.stream(read);
    expect(outbound.stats().inFlight).toBe(1);
    body?.destroy();
    expect(outbound.stats()).toMatchObject({ inFlight: 0, outcomes: { abandoned: 1 } });

    const endless = await outside((_, response) => void response.write(Buffer.concat([MEGABYTE, MEGABYTE])), {
      maxBytes: 2_000_000,
    });
    const all = await endless.outbound.stream(read);
    const reading = (async () => {
      for await (const _ of all.body ?? []);
    })();
    expect(await failure(reading)).toMatchObject({ kind: 'too-much' });
  });

  it('that breaks off is a failure with its own name', async () => {
    const { outbound } = await outside((request) => {
      request.socket.end('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nab');
    });
    const { body } = await outbound.stream(read);
    const reading = (async () => {
      for await (const _ of body ?? []);
    })();
    expect(await failure(reading)).toMatchObject({ kind: 'down', sent: 'maybe' });
  });
});

describe('simultaneous calls', () => {
  it('are sent in order of arrival, and no more at once than the system allows', async () => {
    let now = 0;
    let most = 0;
    const { outbound, seen } = await outside(
      (_, response) => {
        most = Math.max(most, ++now);
        setImmediate(() => {
          now--;
          response.end();
        });
      },
      { atOnce: 3 },
    );
    const paths = Array.from({ length: 30 }, (_, index) => `/${index}`);
    await Promise.all(paths.map((path) => outbound.request({ method: 'GET', path })));
    expect(most).toBeLessThanOrEqual(3);
    expect(seen.slice(0, 3).map(({ line }) => line)).toEqual(
      expect.arrayContaining(['GET /0', 'GET /1', 'GET /2']),
    );
    expect(outbound.stats()).toMatchObject({ calls: 30, highWater: 3, inFlight: 0, outcomes: { ok: 30 } });
  });

  it('are not sent if they are still queued when their reader leaves; a running one ends', async () => {
    const first = event();
    const left = event();
    const { outbound, seen } = await outside(
      (_, response) => {
        response.on('close', () => left.tell());
        first.tell();
      },
      { atOnce: 1 },
    );
    const reader = new AbortController();
    const work = Array.from({ length: 20 }, (_, index) =>
      outbound
        .request({ method: 'GET', path: `/${index}`, signal: reader.signal })
        .catch((error: unknown) => error),
    );
    await first.happened;
    const reason = new Error('gone');
    reader.abort(reason);
    expect(new Set(await Promise.all(work))).toEqual(new Set([reason]));
    await left.happened;
    expect(seen).toHaveLength(1);
    expect(outbound.stats()).toMatchObject({ calls: 1, inFlight: 0, outcomes: { abandoned: 1 } });
    await expect(outbound.request({ ...read, signal: reader.signal })).rejects.toBe(reason);
  });
});

describe('throttling', () => {
  it('after a 429, reads and writes wait as long as requested, and so do the other calls', async () => {
    const { outbound, seen } = await outside((_, response, count) => {
      if (count === 1) response.writeHead(429, { 'retry-after': '1' }).end();
      else response.end('done');
    });
    const answer = await outbound.request({ method: 'POST', path: '/x', body: 'a' });
    expect(answer.text).toBe('done');
    expect((seen[1]?.at ?? 0) - (seen[0]?.at ?? 0)).toBeGreaterThan(990);
    expect(outbound.stats()).toMatchObject({ calls: 2, outcomes: { throttled: 1, ok: 1 } });
  });

  it('if no time is given, the client waits a little, and finally gives up', async () => {
    const { outbound, seen } = await outside((_, response) => response.writeHead(429).end(), {
      throttledRepeats: 1,
    });
    const error = await failure(outbound.request(read));
    expect(error).toMatchObject({ kind: 'throttled', sent: 'no', status: 429, retryAt: null });
    expect(seen).toHaveLength(2);
  });

  it('a wait over the limit is a failure that says when to try again, and does not delay other calls', async () => {
    const { outbound, seen } = await outside((request, response) => {
      if (request.url === '/x') response.writeHead(429, { 'retry-after': '7200' }).end();
      else response.end();
    });
    const error = await failure(outbound.request(read));
    expect(error).toMatchObject({ kind: 'throttled', sent: 'no' });
    expect((error.retryAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(7_190_000);
    expect(seen).toHaveLength(1);
    expect((await outbound.request({ method: 'GET', path: '/y' })).status).toBe(200);
  });

  it('a 503 can also name a time: a read waits for it, up to the limit', async () => {
    const { outbound, seen } = await outside((request, response, count) => {
      if (request.url === '/long') response.writeHead(503, { 'retry-after': '7200' }).end();
      else if (count === 1) response.writeHead(503, { 'retry-after': '1' }).end();
      else response.end();
    });
    expect((await outbound.request(read)).status).toBe(200);
    expect((seen[1]?.at ?? 0) - (seen[0]?.at ?? 0)).toBeGreaterThan(990);
    expect((await outbound.request({ method: 'GET', path: '/long' })).status).toBe(503);
    expect(seen).toHaveLength(3);
  });

  const now = Date.parse('2026-11-22T10:00:00Z');
  it.each([
    ['120', {}, 120_000],
    ['0', {}, 0],
    ['1.5', {}, 1_500],
    ['Sun, 22 Nov 2026 10:00:30 GMT', {}, 30_000],
    ['2026-11-22T10:01:00Z', {}, 60_000],
    // The other system's clock is an hour ahead of the server's.
    ['Sun, 22 Nov 2026 11:00:30 GMT', { date: 'Sun, 22 Nov 2026 11:00:00 GMT' }, 30_000],
    ['Sun, 22 Nov 2026 09:00:00 GMT', {}, 0],
    ['soon', {}, null],
    ['', {}, null],
  ])('Retry-After %s', (text, headers, ms) => {
    const answer = new OutboundAnswer(429, { 'retry-after': text, ...headers }, Buffer.alloc(0));
    expect(retryAfterMs(answer, now)).toBe(ms);
  });
});

it('closing ends running calls, and nothing is retried', async () => {
  const first = event();
  const { outbound, seen } = await outside(() => first.tell());
  const running = failure(outbound.request(read));
  await first.happened;
  await outbound.close();
  expect(await running).toMatchObject({ kind: 'down' });
  expect(seen).toHaveLength(1);
});
