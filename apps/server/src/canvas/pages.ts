/** Reading a list over all its pages: many at a time where pages have numbers, one after the other where they do not. */
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

/** Pages of a list that are asked for before its reader gets to them. */
class PagesAhead<T> {
  readonly #call: ListParts['call'];
  readonly #request: CanvasRequest<T>;
  readonly #asked = new Map<number, { answer: Promise<CanvasAnswer<T>>; cancel: () => void }>();
  #template: string;
  #launched: number;
  #running = 0;
  #ahead = FIRST_AHEAD;
  /** Pages up to this one are there, or were when the list was read before. */
  #sure: number;
  #counted = false;
  /** Whether to ask for pages of which no one knows that they are there. */
  #guessing: boolean;
  /** The last page that may be asked for: what Canvas says, or the first page found to have nothing after it. */
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

  /** Asks for what was there when the list was read before. */
  askKnown(): void {
    while (this.#launched < Math.min(this.#sure, this.#end) && this.#asked.size < MOST_HELD)
      this.#ask(++this.#launched);
  }

  /** Takes over what the first page tells of those after it. @param last null where Canvas does not count */
  learn(next: string, last: number | null): void {
    this.#template = next;
    if (last === null) return;
    this.#counted = true;
    this.#sure = Math.min(last, this.#end);
    this.endsAt(this.#sure);
  }

  endsAt(page: number): void {
    this.#end = Math.min(this.#end, page);
    for (const [number, one] of this.#asked) if (number > this.#end) one.cancel();
  }

  /** Undefined for a page that was not asked for. */
  answerOf(page: number): Promise<CanvasAnswer<T>> | undefined {
    return this.#asked.get(page)?.answer;
  }

  drop(page: number): void {
    this.#asked.delete(page);
  }

  /** The reader has a page, and knows whether there is one after it. */
  reached(page: number, hasNext: boolean): void {
    if (!hasNext) return this.endsAt(page);
    // The list has grown since its length was told.
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
    this.#asked.set(page, { answer, cancel: () => cancel.abort() });
    answer.then(
      (got) => this.#arrived(page, got),
      // A failure is thrown when the reader gets to its page.
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
      this.#asked.size < MOST_HELD &&
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
  // What is known is asked for together with the first page; what is not waits for it.
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
      const asked = ahead.answerOf(page);
      if (!asked) return;
      got = await within(asked);
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

/** An empty list, or Canvas's wrapper around one (`{"enrollment_terms":[]}`). */
function isEmpty(data: unknown): boolean {
  if (Array.isArray(data)) return data.length === 0;
  if (typeof data !== 'object' || data === null) return false;
  return Object.values(data).some((value) => Array.isArray(value) && value.length === 0);
}
