/** Reading a list over all its pages: many at a time where pages have numbers, one after the other where they do not. */
import { pageNumber, withoutPage, withPage } from './links.ts';
import type { PageMemory } from './page-memory.ts';
import { type CanvasAnswer, CanvasError, type CanvasRequest } from './types.ts';
import { targetOf } from './wire.ts';

export interface ListParts {
  call: <T>(request: CanvasRequest<T>) => Promise<CanvasAnswer<T>>;
  memory: PageMemory;
  bounds: ListBounds;
}

export interface ListBounds {
  /** Most pages of a list. */
  pages: number;
  /** Most bytes of a list, as they came. */
  bytes: number;
  /** Most milliseconds that its reader waits for pages, in all. */
  ms: number;
}

export interface Page<T> {
  page: number;
  data: T;
}

/** Pages guessed at once when the length is not known: at first, and once pages have come. */
const FIRST_AHEAD = 6;
/** Two more than run at once, so that the next one is sent before the one that has come is read. */
const MOST_AHEAD = 13;
/** Pages held that the reader has not taken yet. */
const MOST_HELD = 24;

/**
 * All pages from the one that the request names, in order. Where Canvas does not count, further pages are guessed and
 * the guesses beyond the end dropped. An empty page is only given when it is the first.
 * @throws CanvasError of the first page that fails, `too-much` for a list without an end, `odd` for one that goes in a
 * circle; the reason of the request's signal
 */
export async function* readPages<T>(
  parts: ListParts,
  request: CanvasRequest<T>,
): AsyncGenerator<Page<T>, void, void> {
  const stop = new AbortController();
  const signal = request.signal ? AbortSignal.any([request.signal, stop.signal]) : stop.signal;
  const own = { ...request, signal, lane: request.lane ?? request.signal ?? stop.signal };
  try {
    yield* readAhead(parts, own);
  } finally {
    stop.abort(new DOMException('the reader has stopped', 'AbortError'));
  }
}

/** Keeps the bounds of a list, page by page in their order: each is waited for through it. */
function keep(most: ListBounds) {
  let pages = 0;
  let bytes = 0;
  let waited = 0;
  return async <T>(page: Promise<CanvasAnswer<T>>): Promise<CanvasAnswer<T>> => {
    const began = performance.now();
    const answer = await page;
    waited += performance.now() - began;
    pages++;
    bytes += answer.bytes;
    if (waited > most.ms) {
      throw new CanvasError('timeout', { sent: 'answered', detail: `a list of more than ${most.ms} ms` });
    }
    const more = pages >= most.pages && answer.next !== null;
    const detail = `a list of more than ${more ? `${most.pages} pages` : `${most.bytes} bytes`}`;
    if (more || bytes > most.bytes) throw new CanvasError('too-much', { sent: 'answered', detail });
    return answer;
  };
}

function circle(): CanvasError {
  return new CanvasError('odd', { sent: 'answered', detail: 'a list whose pages go in a circle' });
}

/** Pages by bookmark: the next one is under way while the reader has this one. */
async function* oneByOne<T>(
  { call }: ListParts,
  request: CanvasRequest<T>,
  first: CanvasAnswer<T>,
  within: ReturnType<typeof keep>,
): AsyncGenerator<Page<T>, void, void> {
  const seen = new Set([targetOf(request)]);
  let answer = first;
  for (let page = 1; ; page++) {
    if (answer.next !== null && seen.has(answer.next)) throw circle();
    seen.add(answer.next ?? '');
    const next = answer.next === null ? null : call({ ...request, path: answer.next, query: [] });
    // The failure is thrown when the reader gets there, not while it reads this page.
    next?.catch(() => undefined);
    if (page === 1 || !isEmpty(answer.data)) yield { page, data: answer.data };
    if (next === null) return;
    answer = await within(next);
  }
}

async function* readAhead<T>(
  parts: ListParts,
  request: CanvasRequest<T>,
): AsyncGenerator<Page<T>, void, void> {
  const { call, memory, bounds } = parts;
  const target = targetOf(request);
  const list = withoutPage(target);
  const firstPage = pageNumber(target) ?? 1;
  const known = firstPage === 1 ? memory.recall(list) : undefined;
  const asked = new Map<number, { answer: Promise<CanvasAnswer<T>>; cancel: () => void }>();
  let template = known?.template ?? target;
  let launched = firstPage;
  let running = 0;
  let ahead = FIRST_AHEAD;
  /** Pages up to this one are there, or were when the list was read before. */
  let sure = known?.pages ?? firstPage;
  let counted = false;
  /** Whether to ask for pages of which nobody knows that they are there. */
  let guessing = known === undefined;
  /** The last page that may be asked for: what Canvas says, or the first page found to have nothing after it. */
  let end = firstPage + bounds.pages - 1;

  const endsAt = (page: number) => {
    end = Math.min(end, page);
    for (const [number, one] of asked) if (number > end) one.cancel();
  };
  const ask = (page: number) => {
    const cancel = new AbortController();
    const signal = request.signal ? AbortSignal.any([request.signal, cancel.signal]) : cancel.signal;
    running++;
    const answer = call({ ...request, path: withPage(template, page), query: [], signal });
    asked.set(page, { answer, cancel: () => cancel.abort() });
    const arrived = (got: CanvasAnswer<T> | null) => {
      running--;
      // A failure is thrown when the reader gets to its page.
      if (got === null) return;
      const last = got.next === null || isEmpty(got.data);
      if (last && !counted) endsAt(page);
      if (!last && page >= sure) guessing = true;
      ahead = Math.min(MOST_AHEAD, ahead + 1);
      askMore();
    };
    answer.then(arrived, () => arrived(null));
  };
  function askMore(): void {
    const mayAsk = () => asked.size < MOST_HELD && (launched < sure || (guessing && running < ahead));
    while (launched < end && mayAsk()) ask(++launched);
  }

  const begun = call(request);
  // What is known is asked for together with the first page; what is not waits for it.
  while (launched < Math.min(sure, end) && asked.size < MOST_HELD) ask(++launched);
  const within = keep(bounds);
  const first = await within(begun);
  const next = first.next === null ? null : pageNumber(first.next);
  if (first.next === null || next === null) {
    endsAt(firstPage);
    if (firstPage === 1) memory.remember(list, null);
    yield* oneByOne(parts, request, first, within);
    return;
  }
  template = first.next;
  if (first.last !== null) {
    counted = true;
    sure = Math.min(first.last, end);
    endsAt(sure);
  }
  let got = first;
  for (let page = firstPage; ; page++) {
    if (page > firstPage) {
      const one = asked.get(page);
      if (!one) return;
      got = await within(one.answer);
      asked.delete(page);
    }
    if (got.next !== null && (pageNumber(got.next) ?? page + 1) !== page + 1) throw circle();
    // The list has grown since its length was told.
    if (got.next !== null && counted && page === end) end = page + 1;
    if (got.next === null) endsAt(page);
    else askMore();
    if (page === firstPage || !isEmpty(got.data)) yield { page, data: got.data };
    if (got.next === null || page === end) {
      if (firstPage === 1) memory.remember(list, { pages: page, template });
      return;
    }
  }
}

/** An empty list, or Canvas's wrapper around one (`{"enrollment_terms":[]}`). */
function isEmpty(data: unknown): boolean {
  if (Array.isArray(data)) return data.length === 0;
  if (typeof data !== 'object' || data === null) return false;
  return Object.values(data).some((value) => Array.isArray(value) && value.length === 0);
}
