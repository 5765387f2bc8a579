/** What the Canvas client repeats, what it never repeats, and how it names failures (LMS reference §3 to §5). */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createCanvasClient } from '../../src/canvas/client.ts';
import {
  type CanvasClient,
  CanvasError,
  type CanvasRequest,
  type CanvasToken,
} from '../../src/canvas/types.ts';

type Handler = (request: IncomingMessage & { body: string }, response: ServerResponse, count: number) => void;

const opened: { canvas: CanvasClient; close: () => void }[] = [];
afterEach(async () => {
  for (const { canvas, close } of opened.splice(0)) {
    await canvas.close();
    close();
  }
});

/** An LMS that answers as the handler says; `seen` lists what it was asked. */
async function lms(handler: Handler, options: { timeoutMs?: number } = {}) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      seen.push(`${request.method} ${request.url}`);
      handler(Object.assign(request, { body: Buffer.concat(chunks).toString() }), response, seen.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const canvas = createCanvasClient({ url, maxInFlight: 11, timeoutMs: options.timeoutMs ?? 2_000 });
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  opened.push({ canvas, close });
  return { canvas, seen, url, close };
}

function json(
  response: ServerResponse,
  body: unknown,
  headers: Record<string, string> = {},
  status = 200,
): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(JSON.stringify(body));
}

function throttle(response: ServerResponse): void {
  response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8', 'x-rate-limit-remaining': '0.0' });
  response.end('403 Forbidden (Rate Limit Exceeded)\n');
}

const token: CanvasToken = { bucket: 'a', owner: 'admin', value: () => Promise.resolve('secret') };
const anything = z.unknown();
const get = (path: string, more: Partial<CanvasRequest<unknown>> = {}): CanvasRequest<unknown> => ({
  token,
  method: 'GET',
  path,
  answer: anything,
  ...more,
});

async function failure(work: Promise<unknown>): Promise<CanvasError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(CanvasError);
  return error as CanvasError;
}

describe('repeats', () => {
  it('OP-100 a throttled call is made again, reads and writes alike, and told apart from a missing right', async () => {
    const { canvas, seen } = await lms((_request, response, count) =>
      count <= 2 ? throttle(response) : json(response, {}),
    );
    await canvas.call(get('x', { method: 'POST', body: { a: 1 } }));
    expect(seen).toHaveLength(3);
    expect(canvas.stats()).toMatchObject({ calls: 3, throttled: 2 });
  });

  it('a read is made again after 5xx and after a dropped connection', async () => {
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
  ] as const)('a write whose fate is unknown is never made again: %s', async (_name, handler, kind) => {
    const { canvas, seen } = await lms(handler, { timeoutMs: 200 });
    const error = await failure(canvas.call(get('x', { method: 'POST', body: {} })));
    expect(error).toMatchObject({ kind, sent: 'maybe' });
    expect(seen).toHaveLength(1);
  });

  it('a refused connection certainly did nothing', async () => {
    const { canvas, close } = await lms(() => undefined);
    close();
    await sleep(20);
    const error = await failure(canvas.call(get('x', { method: 'POST', body: {} })));
    expect(error).toMatchObject({ kind: 'down', sent: 'no' });
  });

  it('a file that can be read once only is not sent a second time', async () => {
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
  it('OP-09 a refused token is renewed once and the call made again', async () => {
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
    [{ 'www-authenticate': 'Bearer realm="canvas-lms"' }, 'service', 'refused'],
    [{}, 'admin', 'refused'],
  ] as const)('OP-09 401 with %o for a token of the %s is %s', async (headers, owner, kind) => {
    const { canvas } = await lms((_request, response) => json(response, {}, headers, 401));
    expect(await failure(canvas.call(get('x', { token: { ...token, owner } })))).toMatchObject({ kind });
  });
});

describe('failures in words', () => {
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

  it('an answer that does not fit is odd, not a crash', async () => {
    const { canvas } = await lms((_request, response) => json(response, { id: 'x' }));
    const error = await failure(canvas.call(get('x', { answer: z.object({ id: z.number() }) })));
    expect(error).toMatchObject({ kind: 'odd', status: 200 });
  });
});

describe('pages', () => {
  /** A list of `total` pages; what the Link header tells is up to the test. */
  function paged(total: number, style: 'counted' | 'uncounted' | 'bookmark', wait = 5): Handler {
    return (request, response) => {
      const url = new URL(request.url ?? '', `http://${request.headers.host}`);
      const asked = url.searchParams.get('page') ?? '1';
      const page = Number(asked.replace('bookmark:', ''));
      const link = (to: number, rel: string) => {
        const at = new URL(url);
        at.searchParams.set('page', style === 'bookmark' ? `bookmark:${to}` : String(to));
        return `<${at.href}>; rel="${rel}"`;
      };
      const links = [link(page, 'current')];
      if (page < total) links.push(link(page + 1, 'next'));
      if (style === 'counted' || (style === 'uncounted' && page >= total)) links.push(link(total, 'last'));
      setTimeout(
        () => json(response, page > total ? [] : [page], { link: links.join(',') }),
        wait * Math.random(),
      );
    };
  }

  it.each(['counted', 'uncounted', 'bookmark'] as const)(
    'K-03 %s: every page, each once, in order',
    async (style) => {
      for (const total of [1, 2, 7, 30]) {
        const { canvas } = await lms(paged(total, style));
        const items = await canvas.list(
          get('list', { answer: z.array(z.number()) }) as CanvasRequest<number[]>,
        );
        expect(items).toEqual(Array.from({ length: total }, (_, index) => index + 1));
      }
    },
  );

  it('the first page is there while all the others are still on their way', async () => {
    const good = paged(30, 'uncounted');
    const { canvas } = await lms((request, response, count) => {
      if (count === 1) good(request, response, count);
    });
    const pages = canvas.pages(get('list'));
    expect(await pages.next()).toMatchObject({ value: { page: 1, data: [1] } });
    await pages.return();
  });

  it('stops asking when the reader stops', async () => {
    const { canvas, seen } = await lms(paged(200, 'uncounted'));
    for await (const { page } of canvas.pages(get('list'))) if (page === 3) break;
    const asked = seen.length;
    await sleep(100);
    expect(seen.length - asked).toBeLessThanOrEqual(11);
    expect(seen.length).toBeLessThan(40);
    expect(canvas.stats().inFlight).toBe(0);
  });

  it('a page that fails is a failure when the reader gets to it', async () => {
    const good = paged(10, 'counted');
    const { canvas } = await lms((request, response, count) =>
      request.url?.includes('page=4') ? json(response, {}, {}, 404) : good(request, response, count),
    );
    const pages: number[] = [];
    const error = await failure(
      (async () => {
        for await (const { page } of canvas.pages(get('list'))) pages.push(page);
      })(),
    );
    expect(pages).toEqual([1, 2, 3]);
    expect(error.kind).toBe('not-found');
  });

  it('a next link to another host is followed on our own host only', async () => {
    const { canvas, seen } = await lms((request, response) =>
      request.url?.includes('page=2')
        ? json(response, [2])
        : json(response, [1], { link: '<https://evil.example/api/v1/list?page=2>; rel="next"' }),
    );
    await canvas.list(get('list', { answer: z.array(z.number()) }) as CanvasRequest<number[]>);
    expect(seen).toContain('GET /api/v1/list?page=2');
  });
});

describe('many at once', () => {
  it('at most 11 calls of one token are in flight, and pieces of work take turns', async () => {
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

  it('uses less when somebody else uses the same quota, and grows back', async () => {
    let foreign = 400;
    let now = 0;
    const inFlight: number[] = [];
    const { canvas } = await lms((_request, response) => {
      inFlight.push(++now);
      setTimeout(() => {
        now--;
        json(response, {}, { 'x-rate-limit-remaining': String(600 - foreign - 50 * now) });
      }, 10);
    });
    const round = async (name: string, count: number) => {
      inFlight.length = 0;
      await Promise.all(Array.from({ length: count }, (_, index) => canvas.call(get(`${name}/${index}`))));
      return Math.max(...inFlight.slice(-Math.floor(count / 2)));
    };
    expect(await round('busy', 60)).toBeLessThanOrEqual(4);
    foreign = 0;
    await round('growing', 30);
    expect(await round('free', 60)).toBeGreaterThanOrEqual(10);
  });

  it('the same read at the same time is one call; it ends when all its readers have gone', async () => {
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

  it('queued work is never sent once its reader has gone', async () => {
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
