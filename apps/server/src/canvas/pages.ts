/** Reads a list over all its pages: concurrently if pages are numbered, otherwise one after the other. */
import { pageNumber, withoutPage, withPage } from './links.ts';
import type { KnownLength, PageMemory } from './page-memory.ts';
import { type CanvasAnswer, CanvasError, type CanvasRequest } from './types.ts';
import { targetOf } from './wire.ts';

export interface ListParts {
  call: <T>(request: CanvasRequest<T>) => Promise<CanvasAnswer<T>>;
  memory: PageMemory;
  bounds: ListBounds;
}

export interface ListBounds {
  /** Maximum pages of a list. */
  pages: number;
  /** Maximum bytes of a list, as received. */
  bytes: number;
  /** Maximum milliseconds that the reader waits for pages in total. */
  ms: number;
}

export interface Page<T> {
  page: number;
  data: T;
}

/** Pages requested ahead if the length is unknown: initially, and after pages have arrived. */
const FIRST_AHEAD = 6;
/** Two more than run concurrently, so that the next request is sent before the last answer is processed. */
const MOST_AHEAD = 13;
/** Maximum pages held that the reader has not taken yet. */
const MOST_HELD = 24;

/**
 * Yields all pages in order, starting from the requested one. If Canvas does not count pages, later ones are guessed
 * and those beyond the end dropped. An empty page is only yielded if it is the first.
 * @throws CanvasError of the first page that fails, `too-much` for a list without an end, `odd` for a list that loops;
 * the reason of the request's signal
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

/** Enforces the limits of a list while its pages are awaited in order. */
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
      throw new CanvasError('timeout', {
        sent: 'answered',
        detail: `a list that took more than ${most.ms} ms`,
      });
    }
    const more = pages >= most.pages && answer.next !== null;
    const detail = `a list of more than ${more ? `${most.pages} pages` : `${most.bytes} bytes`}`;
    if (more || bytes > most.bytes) throw new CanvasError('too-much', { sent: 'answered', detail });
    return answer;
  };
}

function circle(): CanvasError {
  return new CanvasError('odd', { sent: 'answered', detail: 'a list whose pages repeat' });
}

/** Reads pages by bookmark; the next one is requested while the reader has the current one. */
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
    // The error is thrown when the reader gets to that page.
    next?.catch(() => undefined);
    if (page === 1 || !isEmpty(answer.data)) yield { page, data: answer.data };
    if (next === null) return;
    answer = await within(next);
  }
}

/** Pages of a list that are requested before the reader gets to them. */
class PagesAhead<T> {
  readonly #call: ListParts['call'];
  readonly #request: CanvasRequest<T>;
  readonly #requests = new Map<number, { answer: Promise<CanvasAnswer<T>>; cancel: () => void }>();
  #template: string;
  #launched: number;
  #running = 0;
  #ahead = FIRST_AHEAD;
  /** Pages up to this one exist, or existed at the previous read. */
  #sure: number;
  #counted = false;
  /** Whether to request pages beyond those known to exist. */
  #guessing: boolean;
  /** The last page to request: Canvas's count, or the first page found to be the last. */
  #end: number;

  constructor(
    { call, bounds }: ListParts,
    request: CanvasRequest<T>,
    firstPage: number,
    known: KnownLength | undefined,
  ) {
    this.#call = call;
    this.#request = request;
    this.#template = known?.template ?? targetOf(request);
    this.#launched = firstPage;
    this.#sure = known?.pages ?? firstPage;
    this.#guessing = known === undefined;
    this.#end = firstPage + bounds.pages - 1;
  }

  get template(): string {
    return this.#template;
  }

  /** Requests the pages that existed at the previous read. */
  askKnown(): void {
    while (this.#launched < Math.min(this.#sure, this.#end) && this.#requests.size < MOST_HELD)
      this.#ask(++this.#launched);
  }

  /** Uses the first page's information about the following ones. @param last null if Canvas does not count pages */
  learn(next: string, last: number | null): void {
    this.#template = next;
    if (last === null) return;
    this.#counted = true;
    this.#sure = Math.min(last, this.#end);
    this.endsAt(this.#sure);
  }

  endsAt(page: number): void {
    this.#end = Math.min(this.#end, page);
    for (const [number, one] of this.#requests) if (number > this.#end) one.cancel();
  }

  /** Returns undefined for a page that was not requested. */
  answerOf(page: number): Promise<CanvasAnswer<T>> | undefined {
    return this.#requests.get(page)?.answer;
  }

  drop(page: number): void {
    this.#requests.delete(page);
  }

  /** Records that the reader has reached a page, and whether another follows. */
  reached(page: number, hasNext: boolean): void {
    if (!hasNext) return this.endsAt(page);
    // The list has grown since its length was reported.
    if (this.#counted && page === this.#end) this.#end = page + 1;
    this.#askMore();
  }

  isLast(page: number): boolean {
    return page === this.#end;
  }

  #ask(page: number): void {
    const cancel = new AbortController();
    const { signal: own } = this.#request;
    const signal = own ? AbortSignal.any([own, cancel.signal]) : cancel.signal;
    this.#running++;
    const answer = this.#call({
      ...this.#request,
      path: withPage(this.#template, page),
      query: [],
      signal,
    });
    this.#requests.set(page, { answer, cancel: () => cancel.abort() });
    answer.then(
      (got) => this.#arrived(page, got),
      // An error is thrown when the reader gets to its page.
      () => this.#running--,
    );
  }

  #arrived(page: number, got: CanvasAnswer<T>): void {
    this.#running--;
    const last = got.next === null || isEmpty(got.data);
    if (last && !this.#counted) this.endsAt(page);
    if (!last && page >= this.#sure) this.#guessing = true;
    this.#ahead = Math.min(MOST_AHEAD, this.#ahead + 1);
    this.#askMore();
  }

  #askMore(): void {
    const mayAsk = () =>
      this.#requests.size < MOST_HELD &&
      (this.#launched < this.#sure || (this.#guessing && this.#running < this.#ahead));
    while (this.#launched < this.#end && mayAsk()) this.#ask(++this.#launched);
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
  const ahead = new PagesAhead(parts, request, firstPage, known);
  const begun = call(request);
  // Known pages are requested together with the first one; guesses wait for it.
  ahead.askKnown();
  const within = keep(bounds);
  const first = await within(begun);
  const next = first.next === null ? null : pageNumber(first.next);
  if (first.next === null || next === null) {
    ahead.endsAt(firstPage);
    if (firstPage === 1) memory.remember(list, null);
    yield* oneByOne(parts, request, first, within);
    return;
  }
  ahead.learn(first.next, first.last);
  let got = first;
  for (let page = firstPage; ; page++) {
    if (page > firstPage) {
      const prefetched = ahead.answerOf(page);
      if (!prefetched) return;
      got = await within(prefetched);
      ahead.drop(page);
    }
    if (got.next !== null && (pageNumber(got.next) ?? page + 1) !== page + 1) throw circle();
    ahead.reached(page, got.next !== null);
    if (page === firstPage || !isEmpty(got.data)) yield { page, data: got.data };
    if (got.next === null || ahead.isLast(page)) {
      if (firstPage === 1) memory.remember(list, { pages: page, template: ahead.template });
      return;
    }
  }
}

/** Tells whether an answer is an empty list, or Canvas's wrapper around one (`{"enrollment_terms":[]}`). */
function isEmpty(data: unknown): boolean {
  if (Array.isArray(data)) return data.length === 0;
  if (typeof data !== 'object' || data === null) return false;
  return Object.values(data).some((value) => Array.isArray(value) && value.length === 0);
}
