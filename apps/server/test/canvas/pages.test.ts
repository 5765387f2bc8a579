/**
 * Lists read over all their pages (LMS reference §4): in order, each page once, several at a time, and never
 * without end.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { CanvasRequest } from '../../src/canvas/types.ts';
import { closeAll, failure, get, type Handler, json, lms } from './support.ts';

afterEach(closeAll);

type Style = 'counted' | 'uncounted' | 'bookmark';

/** Serves a list of `total` numbered pages. The style decides what the Link header says. */
function paged(total: number, style: Style): Handler {
  return (request, response) => {
    const url = new URL(request.url ?? '', `http://${request.headers.host}`);
    const page = pageOf(request.url);
    const link = (to: number, rel: string) => {
      const at = new URL(url);
      at.searchParams.set('page', style === 'bookmark' ? `bookmark:${to}` : String(to));
      return `<${at.href}>; rel="${rel}"`;
    };
    const links = [link(page, 'current')];
    if (page < total) links.push(link(page + 1, 'next'));
    if (style === 'counted' || (style === 'uncounted' && page >= total)) links.push(link(total, 'last'));
    // Pages do not always arrive in the order of the requests.
    setTimeout(
      () => json(response, page > total ? [] : [page], { link: links.join(',') }),
      5 * Math.random(),
    );
  };
}

function pageOf(address = ''): number {
  const page = new URLSearchParams(address.split('?')[1] ?? '').get('page') ?? '1';
  return Number(page.replace('bookmark:', ''));
}

const numbers = get('list', { answer: z.array(z.number()) }) as CanvasRequest<number[]>;
const upTo = (total: number) => Array.from({ length: total }, (_, index) => index + 1);

describe('pages', () => {
  it.each(['counted', 'uncounted', 'bookmark'] as const)(
    'K-03 %s: every page is read once, in order',
    async (style) => {
      for (const total of [1, 2, 7, 30]) {
        const { canvas } = await lms(paged(total, style));
        expect(await canvas.list(numbers)).toEqual(upTo(total));
        // The second time, the length of the list is already known.
        expect(await canvas.list(numbers)).toEqual(upTo(total));
      }
    },
  );

  it('the first page is available while all the others are still being fetched', async () => {
    const good = paged(30, 'uncounted');
    const { canvas } = await lms((request, response, count) => {
      if (count === 1) good(request, response, count);
    });
    const pages = canvas.pages(get('list'));
    expect(await pages.next()).toMatchObject({ value: { page: 1, data: [1] } });
    await pages.return();
  });

  it('stops fetching when the reader stops', async () => {
    const { canvas, seen } = await lms(paged(200, 'uncounted'));
    for await (const { page } of canvas.pages(get('list'))) if (page === 3) break;
    expect(canvas.stats().inFlight).toBe(0);
    const asked = canvas.stats().calls;
    await canvas.call(get('another'));
    expect(canvas.stats().calls).toBe(asked + 1);
    expect(seen.length).toBeLessThan(40);
  });

  it('a failed page causes an error only when the reader gets to it', async () => {
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

  it('a next link to another host is followed only on the configured host', async () => {
    const { canvas, seen } = await lms((request, response) =>
      request.url?.includes('page=2')
        ? json(response, [2])
        : json(response, [1], { link: '<https://evil.example/api/v1/list?page=2>; rel="next"' }),
    );
    await canvas.list(numbers);
    expect(seen).toContain('GET /api/v1/list?page=2');
  });
});

describe('a list that was read before', () => {
  it('is requested completely and immediately, without an extra page', async () => {
    // The list has a total at first, so that no guessed page of the first reading is still in flight during
    // the second.
    let good = paged(9, 'counted');
    let again = false;
    const held: (() => void)[] = [];
    const { canvas, seen } = await lms((request, response, count) => {
      const answer = () => good(request, response, count);
      if (!again) return answer();
      held.push(answer);
      // No page is answered before all have been requested.
      if (held.length === 9) for (const one of held) one();
    });
    await canvas.list(numbers);
    seen.length = 0;
    good = paged(9, 'uncounted');
    again = true;
    expect(await canvas.list(numbers)).toEqual(upTo(9));
    expect(seen.map((line) => pageOf(line)).sort((x, y) => x - y)).toEqual(upTo(9));
  });

  it.each([
    ['shorter', 4, 'uncounted'],
    ['a single page', 1, 'uncounted'],
    ['longer', 31, 'uncounted'],
    ['shorter, with a total', 3, 'counted'],
    ['longer, with a total', 40, 'counted'],
  ] as const)('and is now %s', async (_name, total, style) => {
    let now = paged(20, 'uncounted');
    const { canvas } = await lms((request, response, count) => now(request, response, count));
    expect(await canvas.list(numbers)).toEqual(upTo(20));
    now = paged(total, style);
    expect(await canvas.list(numbers)).toEqual(upTo(total));
    expect(await canvas.list(numbers)).toEqual(upTo(total));
  });

  it('and now has bookmarks is read correctly, because guessed pages are ignored', async () => {
    let now = paged(20, 'uncounted');
    const { canvas } = await lms((request, response, count) => now(request, response, count));
    await canvas.list(numbers);
    const bookmarks = paged(6, 'bookmark');
    now = (request, response, count) =>
      /page=\d/.test(request.url ?? '')
        ? json(response, { errors: [{ page: 'Invalid page' }] }, {}, 400)
        : bookmarks(request, response, count);
    expect(await canvas.list(numbers)).toEqual(upTo(6));
  });

  it('a page from the middle is not a complete list', async () => {
    const { canvas } = await lms(paged(8, 'uncounted'));
    await canvas.list(numbers);
    expect(await canvas.list({ ...numbers, query: [['page', '5']] })).toEqual([5, 6, 7, 8]);
    expect(await canvas.list(numbers)).toEqual(upTo(8));
  });
});

describe('an endless list', () => {
  it.each(['uncounted', 'bookmark'] as const)('%s: stops at the limit, with a clear error', async (style) => {
    const { canvas, seen } = await lms(paged(Number.POSITIVE_INFINITY, style), { maxPages: 20 });
    const got: number[] = [];
    const error = await failure(
      (async () => {
        for await (const { data } of canvas.pages(numbers)) got.push(...data);
      })(),
    );
    expect(error).toMatchObject({ kind: 'too-much', sent: 'answered' });
    expect(error.toAppError()).toMatchObject({
      code: 'lms-odd',
      message: 'The LMS sent more than LMS Admin can process.',
    });
    expect(got).toEqual(upTo(19));
    expect(seen.length).toBeLessThanOrEqual(20);
  });

  it('a list that reaches the limit exactly is accepted', async () => {
    const { canvas } = await lms(paged(20, 'uncounted'), { maxPages: 20 });
    expect(await canvas.list(numbers)).toEqual(upTo(20));
  });

  it('bytes are counted across all pages', async () => {
    const { canvas } = await lms(paged(20, 'uncounted'), { maxListBytes: 40 });
    expect(await failure(canvas.list(numbers))).toMatchObject({ kind: 'too-much' });
    expect(await canvas.list({ ...numbers, query: [['page', '15']] })).toEqual([15, 16, 17, 18, 19, 20]);
  });

  it.each([
    ['names itself as the next page', 'page=3', 'page=3'],
    ['goes back', 'page=3', 'page=2'],
    ['goes back by bookmark', 'page=bookmark:b', 'page=bookmark:a'],
  ])('a list that %s ends with a clear error', async (_name, from, to) => {
    const style = from.includes('bookmark') ? 'bookmark' : 'uncounted';
    const next: Record<string, string> =
      style === 'bookmark'
        ? { '': 'page=bookmark:a', 'page=bookmark:a': 'page=bookmark:b', [from]: to }
        : { '': 'page=2', 'page=2': 'page=3', [from]: to };
    const { canvas, seen, url } = await lms((request, response) => {
      const at = next[request.url?.split('?')[1] ?? ''];
      json(response, [1], at ? { link: `<${url}/api/v1/list?${at}>; rel="next"` } : {});
    });
    expect(await failure(canvas.list(numbers))).toMatchObject({ kind: 'odd', sent: 'answered' });
    expect(seen.length).toBeLessThan(20);
  });

  it.each(['uncounted', 'bookmark'] as const)(
    '%s: a list with slow pages ends at its time limit, however many bytes are left',
    async (style) => {
      const { canvas, seen } = await lms(dripping(style), { maxListMs: 400, timeoutMs: 5_000 });
      const error = await failure(canvas.list(numbers));
      expect(error).toMatchObject({ kind: 'timeout', detail: 'a list that took more than 400 ms' });
      // Requests in flight may still arrive. Any further page would arrive while the other, longer call is
      // running.
      await canvas.call(get('another'));
      const arrived = seen.length;
      await canvas.call(get('another'));
      expect(seen).toHaveLength(arrived + 1);
      expect(canvas.stats().inFlight).toBe(0);
    },
  );

  it('a single slow answer also ends at its time limit', async () => {
    const { canvas } = await lms((_, response) => drip(response), { timeoutMs: 100 });
    // Each byte arrives in time, but the last one never does.
    expect(await failure(canvas.call(get('thing')))).toMatchObject({ kind: 'timeout' });
    expect(canvas.stats().inFlight).toBe(0);
  });

  it('an endless answer ends at the byte limit', async () => {
    let sent = 0;
    const { canvas } = await lms((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const pour = () => {
        do sent += 1_000_000;
        while (response.write(Buffer.alloc(1_000_000, '[')));
      };
      response.on('drain', pour);
      pour();
    });
    expect(await failure(canvas.list(numbers))).toMatchObject({ kind: 'too-much' });
    // The read is not retried, but bytes that were already sent may still arrive.
    expect(sent).toBeLessThan(64_000_000);
  });
});

/** Writes a byte now and then, without end. */
function drip(response: Parameters<Handler>[1]): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
}

/** Serves an endless list whose pages arrive slowly, byte by byte. */
function dripping(style: Style): Handler {
  const endless = paged(Number.POSITIVE_INFINITY, style);
  return (request, response, count) => {
    const isPage = request.url?.includes('/list') ?? false;
    const timer = isPage
      ? setTimeout(() => endless(request, response, count), 60)
      : setTimeout(() => json(response, {}), 150);
    response.on('close', () => clearTimeout(timer));
  };
}
