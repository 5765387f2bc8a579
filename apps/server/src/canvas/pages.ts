/** Reading a list over all its pages: many at a time where pages have numbers, one after the other where they do not. */
import { pageNumber, withPage } from './links.ts';
import type { CanvasAnswer, CanvasRequest } from './types.ts';

type Call = <T>(request: CanvasRequest<T>) => Promise<CanvasAnswer<T>>;

/** Pages asked for at once when the total is not known: at first, and once pages have come. */
const FIRST_AHEAD = 6;
const MOST_AHEAD = 11;
/** Pages held that the reader has not taken yet. */
const MOST_HELD = 24;

/**
 * All pages from the one that the request names, in order. Where Canvas does not count, further pages are guessed and
 * the guesses beyond the end dropped. An empty page is only given when it is the first.
 * @throws CanvasError of the first page that fails; the reason of the request's signal
 */
export async function* readPages<T>(
  call: Call,
  request: CanvasRequest<T>,
): AsyncGenerator<{ page: number; data: T }, void, void> {
  const stop = new AbortController();
  const signal = request.signal ? AbortSignal.any([request.signal, stop.signal]) : stop.signal;
  const own = { ...request, signal, lane: request.lane ?? request.signal ?? stop.signal };
  try {
    const first = await call(own);
    const number = first.next === null ? null : pageNumber(first.next);
    if (first.next === null) yield { page: 1, data: first.data };
    else if (number === null) yield* oneByOne(call, own, first);
    else yield* manyAtOnce(call, own, first, first.next, number - 1);
  } finally {
    stop.abort(new DOMException('the reader has stopped', 'AbortError'));
  }
}

/** Pages by bookmark: the next one is under way while the reader has this one. */
async function* oneByOne<T>(
  call: Call,
  request: CanvasRequest<T>,
  first: CanvasAnswer<T>,
): AsyncGenerator<{ page: number; data: T }, void, void> {
  let answer = first;
  for (let page = 1; ; page++) {
    const next = answer.next === null ? null : call({ ...request, path: answer.next, query: [] });
    // The failure is thrown when the reader gets there, not while it reads this page.
    next?.catch(() => undefined);
    if (page === 1 || !isEmpty(answer.data)) yield { page, data: answer.data };
    if (next === null) return;
    answer = await next;
  }
}

async function* manyAtOnce<T>(
  call: Call,
  request: CanvasRequest<T>,
  first: CanvasAnswer<T>,
  next: string,
  firstPage: number,
): AsyncGenerator<{ page: number; data: T }, void, void> {
  const asked = new Map<number, { answer: Promise<CanvasAnswer<T>>; cancel: () => void }>();
  let launched = firstPage;
  let running = 0;
  let ahead = first.last === null ? FIRST_AHEAD : MOST_HELD;
  /** The last page that may be asked for: what Canvas says, or the first page found to have nothing after it. */
  let end = first.last ?? Number.POSITIVE_INFINITY;

  const endsAt = (page: number) => {
    end = Math.min(end, page);
    for (const [number, one] of asked) if (number > end) one.cancel();
  };
  const ask = (page: number) => {
    const cancel = new AbortController();
    const signal = request.signal ? AbortSignal.any([request.signal, cancel.signal]) : cancel.signal;
    running++;
    const answer = call({ ...request, path: withPage(next, page), query: [], signal });
    asked.set(page, { answer, cancel: () => cancel.abort() });
    const arrived = (got: CanvasAnswer<T> | null) => {
      running--;
      // A failure is thrown when the reader gets to its page.
      if (got === null) return;
      if (first.last === null && (got.next === null || isEmpty(got.data))) endsAt(page);
      ahead = Math.max(ahead, Math.min(MOST_AHEAD, ahead + 1));
      askMore();
    };
    answer.then(arrived, () => arrived(null));
  };
  function askMore(): void {
    const mayAsk = () => launched < end && asked.size < MOST_HELD && running < ahead;
    while (mayAsk()) ask(++launched);
  }

  askMore();
  yield { page: firstPage, data: first.data };
  for (let page = firstPage + 1; page <= end; page++) {
    const one = asked.get(page);
    if (!one) return;
    const got = await one.answer;
    asked.delete(page);
    // The list has grown since its length was told.
    if (got.next !== null && page === end && first.last !== null) end = page + 1;
    askMore();
    if (!isEmpty(got.data)) yield { page, data: got.data };
    if (got.next === null) return;
  }
}

/** An empty list, or Canvas's wrapper around one (`{"enrollment_terms":[]}`). */
function isEmpty(data: unknown): boolean {
  if (Array.isArray(data)) return data.length === 0;
  if (typeof data !== 'object' || data === null) return false;
  return Object.values(data).some((value) => Array.isArray(value) && value.length === 0);
}
