/** What an answer may not exceed, how many run at once, how long a throttled one waits, and what ends when its reader leaves. */
import { afterEach, describe, expect, it } from 'vitest';
import { OutboundAnswer } from '../../src/outbound/answer.ts';
import { retryAfterMs } from '../../src/outbound/retry-after.ts';
import type { OutboundRequest } from '../../src/outbound/types.ts';
import { closeAll, event, failure, outside } from './support.ts';

afterEach(closeAll);

const read: OutboundRequest = { method: 'GET', path: '/x' };
const MEGABYTE = Buffer.alloc(1_048_576, 'x');

describe('bytes', () => {
  it('an endless answer ends where the bound is, with a name', async () => {
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
    // What the line between us holds is on its way already.
    expect(await left.happened).toBeLessThan(64 * MEGABYTE.length);
    expect(seen).toHaveLength(1);
    expect(outbound.stats().outcomes['too-much']).toBe(1);
  });

  it('an answer that says it is too long is not read', async () => {
    const { outbound } = await outside(
      (_, response) => void response.writeHead(200, { 'content-length': 101 }).write('x'),
      { maxBytes: 100 },
    );
    expect(await failure(outbound.request(read))).toMatchObject({ kind: 'too-much' });
  });

  it('one of exactly the bound is taken, and a request may have a bound of its own', async () => {
    const { outbound } = await outside((_, response) => response.end('x'.repeat(100)), { maxBytes: 100 });
    expect((await outbound.request(read)).body).toHaveLength(100);
    expect(await failure(outbound.request({ ...read, maxBytes: 99 }))).toMatchObject({ kind: 'too-much' });
  });
});

describe('an answer that is streamed', () => {
  it('comes as it is sent, at the pace of its reader', async () => {
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

  it('what is not 2xx is whole, so that it can be read for what went wrong', async () => {
    const { outbound } = await outside((_, response) => response.writeHead(404).end('gone'));
    expect(await outbound.stream(read)).toMatchObject({ answer: { status: 404, text: 'gone' }, body: null });
  });

  it('has the same bounds, and ends when its reader stops', async () => {
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

  it('a connection that drops within it is a failure with a name', async () => {
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

describe('many', () => {
  it('no more at once than the system is given, in the order they came', async () => {
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

  it('what waits in line is never sent once its reader has gone; what runs ends', async () => {
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
  it('429 is waited for as long as it says, reads and writes alike; the others wait too', async () => {
    const { outbound, seen } = await outside((_, response, count) => {
      if (count === 1) response.writeHead(429, { 'retry-after': '1' }).end();
      else response.end('done');
    });
    const answer = await outbound.request({ method: 'POST', path: '/x', body: 'a' });
    expect(answer.text).toBe('done');
    expect((seen[1]?.at ?? 0) - (seen[0]?.at ?? 0)).toBeGreaterThan(990);
    expect(outbound.stats()).toMatchObject({ calls: 2, outcomes: { throttled: 1, ok: 1 } });
  });

  it('without a time it waits a little, and gives up in the end', async () => {
    const { outbound, seen } = await outside((_, response) => response.writeHead(429).end(), {
      throttledRepeats: 1,
    });
    const error = await failure(outbound.request(read));
    expect(error).toMatchObject({ kind: 'throttled', sent: 'no', status: 429, retryAt: null });
    expect(seen).toHaveLength(2);
  });

  it('a wait beyond the bound is a failure that says until when, and does not hold up the others', async () => {
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

  it('503 says when, too: a read waits for it, at most as long as the bound', async () => {
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
    // Their clock is an hour ahead of ours.
    ['Sun, 22 Nov 2026 11:00:30 GMT', { date: 'Sun, 22 Nov 2026 11:00:00 GMT' }, 30_000],
    ['Sun, 22 Nov 2026 09:00:00 GMT', {}, 0],
    ['soon', {}, null],
    ['', {}, null],
  ])('Retry-After %s', (text, headers, ms) => {
    const answer = new OutboundAnswer(429, { 'retry-after': text, ...headers }, Buffer.alloc(0));
    expect(retryAfterMs(answer, now)).toBe(ms);
  });
});

it('closing ends what runs, and nothing is made again', async () => {
  const first = event();
  const { outbound, seen } = await outside(() => first.tell());
  const running = failure(outbound.request(read));
  await first.happened;
  await outbound.close();
  expect(await running).toMatchObject({ kind: 'down' });
  expect(seen).toHaveLength(1);
});
