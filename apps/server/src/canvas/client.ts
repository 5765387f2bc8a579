/** The one door to Canvas: keeps under its limit, repeats what is safe to repeat, renews tokens, names every failure. */
import { setMaxListeners } from 'node:events';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Bucket } from './bucket.ts';
import { errorText } from './error-text.ts';
import { readLinks } from './links.ts';
import { readPages } from './pages.ts';
import { createTransport, type RawAnswer } from './transport.ts';
import { type CanvasAnswer, type CanvasClient, CanvasError, type CanvasRequest } from './types.ts';

export interface CanvasClientOptions {
  /** Origin of the LMS. */
  url: string;
  /** Most calls in flight for one token. */
  maxInFlight: number;
  timeoutMs: number;
}

/** Repeats after a dropped connection or 5xx, of reads only. */
const MOST_REPEATS = 2;
/** The bucket's pauses grow, so that this is about a minute. */
const MOST_THROTTLES = 12;
const REPEAT_PAUSE_MS = 200;

interface SharedCall {
  answer: Promise<RawAnswer>;
  readers: number;
  stop: AbortController;
}

/** Opens the door. Nothing is sent before the first call. */
export function createCanvasClient(options: CanvasClientOptions): CanvasClient {
  const transport = createTransport(options.url, options.timeoutMs);
  const buckets = new Map<string, Bucket>();
  const shared = new Map<string, SharedCall>();
  const stats = { calls: 0, time: 0, throttled: 0, inFlight: 0, highWater: 0 };

  function bucketOf(name: string): Bucket {
    const known = buckets.get(name);
    if (known) return known;
    // Tokens come and go with sessions; buckets without work are forgotten when there are many.
    if (buckets.size > 500) for (const [key, one] of buckets) if (one.idle) buckets.delete(key);
    const bucket = new Bucket(options.maxInFlight);
    buckets.set(name, bucket);
    return bucket;
  }

  /** One attempt under the limit. */
  async function attempt(request: CanvasRequest<unknown>, target: string, signal?: AbortSignal) {
    const slot = await bucketOf(request.token.bucket).acquire(laneOf(request), signal);
    let outcome = { remaining: null as number | null, throttled: false };
    let started = performance.now();
    try {
      const token = await request.token.value();
      started = performance.now();
      stats.calls++;
      stats.highWater = Math.max(stats.highWater, ++stats.inFlight);
      try {
        const raw = await transport.send(request, target, token, signal);
        outcome = { remaining: raw.remaining, throttled: isThrottled(raw) };
        return { raw, token };
      } finally {
        stats.inFlight--;
        stats.time += performance.now() - started;
      }
    } finally {
      if (outcome.throttled) stats.throttled++;
      if (signal?.aborted) slot.abandon();
      else slot.release(outcome);
    }
  }

  /** Attempts until there is an answer that is not throttling, a renewable token or a passing failure. */
  async function answerTo(request: CanvasRequest<unknown>, target: string, signal?: AbortSignal) {
    let throttles = 0;
    let repeats = 0;
    let renewed = false;
    for (;;) {
      let got: { raw: RawAnswer; token: string };
      try {
        got = await attempt(request, target, signal);
      } catch (error) {
        if (!(error instanceof CanvasError) || error.kind !== 'down' || !mayRepeat(request, error))
          throw error;
        if (++repeats > MOST_REPEATS) throw error;
        await sleep(REPEAT_PAUSE_MS * repeats * (0.5 + Math.random()), undefined, { signal });
        continue;
      }
      const { raw, token } = got;
      if (isThrottled(raw)) {
        // The bucket has paused itself; the next attempt waits in its queue.
        if (++throttles <= MOST_THROTTLES && !isReadOnce(request)) continue;
        throw new CanvasError('throttled', { status: raw.status, sent: 'no', detail: 'rate limit exceeded' });
      }
      if (raw.status === 401 && raw.challenged && !renewed && request.token.refresh) {
        renewed = true;
        if ((await request.token.refresh(token)) !== null) {
          if (!isReadOnce(request)) continue;
          throw new CanvasError('down', {
            sent: 'no',
            detail: 'the token was renewed; the body cannot be sent again',
          });
        }
      }
      if (raw.status >= 500 && request.method === 'GET' && ++repeats <= MOST_REPEATS) {
        await sleep(REPEAT_PAUSE_MS * repeats * (0.5 + Math.random()), undefined, { signal });
        continue;
      }
      return raw;
    }
  }

  /** Reads of the same thing at the same time with the same token are one call; it ends when all its readers have. */
  async function sharedAnswer(request: CanvasRequest<unknown>, target: string): Promise<RawAnswer> {
    const key = `${request.token.bucket} ${target}`;
    let one = shared.get(key);
    if (!one) {
      const stop = new AbortController();
      const answer = answerTo({ ...request, lane: laneOf(request) }, target, stop.signal);
      one = { answer, readers: 0, stop };
      shared.set(key, one);
      const forget = () => {
        if (shared.get(key)?.stop === stop) shared.delete(key);
      };
      answer.then(forget, forget);
    }
    one.readers++;
    const call = one;
    try {
      return await untilAborted(call.answer, request.signal);
    } finally {
      if (--call.readers === 0) {
        if (shared.get(key) === call) shared.delete(key);
        call.stop.abort(request.signal?.reason);
      }
    }
  }

  async function call<T>(request: CanvasRequest<T>): Promise<CanvasAnswer<T>> {
    if (request.signal) {
      request.signal.throwIfAborted();
      // One signal ends a thousand look-ups; that is no leak.
      setMaxListeners(0, request.signal);
    }
    const target = targetOf(request);
    const raw =
      request.method === 'GET'
        ? await sharedAnswer(request, target)
        : await answerTo(request, target, request.signal);
    return understand(raw, request);
  }

  return {
    call,
    pages: (request) => readPages(call, request),
    async list<T>(request: CanvasRequest<T[]>) {
      const items: T[] = [];
      for await (const { data } of readPages(call, request)) items.push(...data);
      return items;
    },
    stats: () => ({ ...stats }),
    close: () => transport.close(),
  };
}

/** Calls without a signal share one lane. */
const NO_LANE = {};
function laneOf(request: CanvasRequest<unknown>): object {
  return request.lane ?? request.signal ?? NO_LANE;
}

function targetOf(request: CanvasRequest<unknown>): string {
  const path = request.path.startsWith('/') ? request.path : `/api/v1/${request.path}`;
  const query = (request.query ?? [])
    .map(([name, value]) => `${encodeURIComponent(name)}=${encoded(value)}`)
    .join('&');
  if (query === '') return path;
  return path + (path.includes('?') ? '&' : '?') + query;
}

/** Half a surrogate pair, which somebody may well have typed, cannot be encoded. */
function encoded(value: string): string {
  return encodeURIComponent(value.replace(/\p{Cs}/gu, '\ufffd'));
}

/** A generator is its own iterator, so what it has given is gone. */
function isReadOnce({ form }: CanvasRequest<unknown>): boolean {
  if (!form || typeof form.content === 'string') return false;
  return (
    form.content instanceof Readable || (form.content[Symbol.asyncIterator]() as unknown) === form.content
  );
}

function mayRepeat(request: CanvasRequest<unknown>, error: CanvasError): boolean {
  return request.method === 'GET' || (error.sent === 'no' && !isReadOnce(request));
}

/** Throttling is 403 with a plain text, or 429; a 403 with JSON is a missing right (reference §5). */
function isThrottled(raw: RawAnswer): boolean {
  if (raw.status === 429) return true;
  if (raw.status !== 403 || raw.contentType.includes('json')) return false;
  return /rate limit exceeded/i.test(raw.text) || (raw.remaining !== null && raw.remaining <= 0);
}

function understand<T>(raw: RawAnswer, request: CanvasRequest<T>): CanvasAnswer<T> {
  if (raw.status < 200 || raw.status > 299) throw failureOf(raw, request);
  let json: unknown;
  try {
    json = raw.contentType.includes('json') ? JSON.parse(raw.text) : raw.text;
  } catch {
    throw odd(raw, 'the body is not JSON');
  }
  const read = request.answer.safeParse(json);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw odd(raw, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'unexpected'}`);
  }
  return { status: raw.status, data: read.data, ...readLinks(raw.link) };
}

function odd(raw: RawAnswer, detail: string): CanvasError {
  // The LMS did what was asked, we only cannot read what it said.
  return new CanvasError('odd', { status: raw.status, sent: 'maybe', detail });
}

function failureOf(raw: RawAnswer, request: CanvasRequest<unknown>): CanvasError {
  const detail = errorText(raw.contentType, raw.text) || `status ${raw.status}`;
  const { status } = raw;
  if (status >= 500) return new CanvasError('down', { status, sent: 'maybe', detail });
  if (status < 400) return new CanvasError('odd', { status, sent: 'answered', detail });
  if (status === 401 && raw.challenged && request.token.owner === 'admin') {
    return new CanvasError('signed-out', { status, sent: 'answered', detail });
  }
  if (status === 401 || status === 403)
    return new CanvasError('refused', { status, sent: 'answered', detail });
  if (status === 404) return new CanvasError('not-found', { status, sent: 'answered', detail });
  return new CanvasError('rejected', { status, sent: 'answered', detail });
}

/** The promise, unless the signal is faster. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
