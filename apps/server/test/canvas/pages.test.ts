/** Lists over all their pages (LMS reference §4): in order, each once, many at a time, and never without an end. */
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { CanvasRequest } from '../../src/canvas/types.ts';
import { closeAll, failure, get, type Handler, json, lms } from './support.ts';

afterEach(closeAll);

type Style = 'counted' | 'uncounted' | 'bookmark';

/** A list of `total` pages, each with its own number in it; what the Link header tells is up to the style. */
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
    // Not always in the order in which they were asked for.
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
    'K-03 %s: every page, each once, in order',
    async (style) => {
      for (const total of [1, 2, 7, 30]) {
        const { canvas } = await lms(paged(total, style));
        expect(await canvas.list(numbers)).toEqual(upTo(total));
        // Again, now that its length is known.
        expect(await canvas.list(numbers)).toEqual(upTo(total));
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
    expect(canvas.stats().inFlight).toBe(0);
    const asked = canvas.stats().calls;
    await canvas.call(get('another'));
    expect(canvas.stats().calls).toBe(asked + 1);
    expect(seen.length).toBeLessThan(40);
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
    await canvas.list(numbers);
    expect(seen).toContain('GET /api/v1/list?page=2');
  });
});

describe('a list that was read before', () => {
  it('is asked for as a whole at once, and for no page more', async () => {
    // Counted at first, so that no guess of the first reading is still on its way in the second.
    let good = paged(9, 'counted');
    let again = false;
    const held: (() => void)[] = [];
    const { canvas, seen } = await lms((request, response, count) => {
      const answer = () => good(request, response, count);
      if (!again) return answer();
      held.push(answer);
      // None comes before all have been asked for.
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
    ['shrunk', 4, 'uncounted'],
    ['shrunk to one page', 1, 'uncounted'],
    ['grown', 31, 'uncounted'],
    ['become counted and shorter', 3, 'counted'],
    ['become counted and longer', 40, 'counted'],
  ] as const)('and has %s meanwhile', async (_name, total, style) => {
    let now = paged(20, 'uncounted');
    const { canvas } = await lms((request, response, count) => now(request, response, count));
    expect(await canvas.list(numbers)).toEqual(upTo(20));
    now = paged(total, style);
    expect(await canvas.list(numbers)).toEqual(upTo(total));
    expect(await canvas.list(numbers)).toEqual(upTo(total));
  });

  it('and has bookmarks now: what was guessed counts for nothing', async () => {
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

  it('a page from the middle on is no whole list', async () => {
    const { canvas } = await lms(paged(8, 'uncounted'));
    await canvas.list(numbers);
    expect(await canvas.list({ ...numbers, query: [['page', '5']] })).toEqual([5, 6, 7, 8]);
    expect(await canvas.list(numbers)).toEqual(upTo(8));
  });
});

describe('a list without an end', () => {
  it.each(['uncounted', 'bookmark'] as const)('%s: ends at the bound, with a name', async (style) => {
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

  it('one of exactly the bound is taken', async () => {
    const { canvas } = await lms(paged(20, 'uncounted'), { maxPages: 20 });
    expect(await canvas.list(numbers)).toEqual(upTo(20));
  });

  it('bytes count over all pages', async () => {
    const { canvas } = await lms(paged(20, 'uncounted'), { maxListBytes: 40 });
    expect(await failure(canvas.list(numbers))).toMatchObject({ kind: 'too-much' });
    expect(await canvas.list({ ...numbers, query: [['page', '15']] })).toEqual([15, 16, 17, 18, 19, 20]);
  });

  it.each([
    ['names itself as the next page', 'page=3', 'page=3'],
    ['goes back', 'page=3', 'page=2'],
    ['goes back by bookmark', 'page=bookmark:b', 'page=bookmark:a'],
  ])('one that %s ends, with a name', async (_name, from, to) => {
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
    '%s: one whose pages drip ends after its time, however many bytes are left',
    async (style) => {
      const { canvas, seen } = await lms(dripping(style), { maxListMs: 400, timeoutMs: 5_000 });
      const error = await failure(canvas.list(numbers));
      expect(error).toMatchObject({ kind: 'timeout', detail: 'a list of more than 400 ms' });
      // What was on its way at that moment may still arrive. Another call takes longer than a page, and no page is asked for meanwhile.
      await canvas.call(get('another'));
      const arrived = seen.length;
      await canvas.call(get('another'));
      expect(seen).toHaveLength(arrived + 1);
      expect(canvas.stats().inFlight).toBe(0);
    },
  );

  it('a single answer that drips ends after its time too', async () => {
    const { canvas } = await lms((_, response) => drip(response), { timeoutMs: 100 });
    // Each byte comes in time, the last one never.
    expect(await failure(canvas.call(get('thing')))).toMatchObject({ kind: 'timeout' });
    expect(canvas.stats().inFlight).toBe(0);
  });

  it('an endless answer ends at the bound of bytes', async () => {
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
    // A read is not repeated for it, and what the line between us holds is on its way already.
    expect(sent).toBeLessThan(64_000_000);
  });
});

/** Writes a byte now and then, without an end. */
function drip(response: Parameters<Handler>[1]): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
}

/** A list without an end whose pages each take a while, byte by byte. */
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
