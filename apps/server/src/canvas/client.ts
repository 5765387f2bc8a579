/** The only client for Canvas: respects its rate limit, shares identical reads and classifies every failure. */
import { setMaxListeners } from 'node:events';
import { z } from 'zod';
import type { OutboundAnswer } from '../outbound/answer.ts';
import { createCheck } from '../outbound/check.ts';
import { createOutbound } from '../outbound/outbound.ts';
import type { Gate, Outbound } from '../outbound/types.ts';
import { THE_LMS } from '../platform/outside.ts';
import { Shared } from '../platform/shared.ts';
import { isThrottled, refusesToken, remainingOf, understand } from './answers.ts';
import { Bucket } from './bucket.ts';
import { PageMemory } from './page-memory.ts';
import { readPages } from './pages.ts';
import {
  type CanvasAnswer,
  type CanvasClient,
  CanvasError,
  type CanvasRequest,
  serviceToken,
} from './types.ts';
import { contentOf, targetOf } from './wire.ts';

export interface CanvasClientOptions {
  /** Origin of the LMS. */
  url: string;
  /** Maximum calls in flight for one token. */
  maxInFlight: number;
  /** Milliseconds allowed until an answer of the LMS begins, and for a pause within it. */
  timeoutMs: number;
  /** Token of the service user, which `check` tests. Without one, `check` only tests whether the LMS answers. */
  serviceToken?: string | null;
  /** Maximum pages of a list. */
  maxPages?: number;
  /** Maximum bytes of a list. */
  maxListBytes?: number;
  /** Maximum milliseconds to wait for all pages of a list together. */
  maxListMs?: number;
}

const MAX_PAGES = 1_000;
const MAX_LIST_BYTES = 268_435_456;

/** Maximum connections for all tokens together. */
const MOST_CONNECTIONS = 128;
const CONNECT_MS = 10_000;
/** A whole answer can take this many times as long as its beginning. */
const WHOLE_TIMES = 10;
/** A list can take this many times as long: half an hour, if an answer can take half a minute to begin. */
const LIST_TIMES = 60;
/** Maximum times that one call is throttled: about a minute in total, because the bucket's pauses grow. */
const MOST_THROTTLES = 12;

/** Creates the client. Nothing is sent before the first call. */
export function createCanvasClient(options: CanvasClientOptions): CanvasClient {
  const outbound = openOutbound(options.url, options.timeoutMs);
  const calls = new Calls(outbound, options.maxInFlight);
  const call = <T>(request: CanvasRequest<T>) => calls.call(request);
  const bounds = {
    pages: options.maxPages ?? MAX_PAGES,
    bytes: options.maxListBytes ?? MAX_LIST_BYTES,
    ms: options.maxListMs ?? options.timeoutMs * LIST_TIMES,
  };
  const lists = { call, memory: new PageMemory(), bounds };
  return {
    system: outbound.system,
    call,
    pages: (request) => readPages(lists, request),
    async list<T>(request: CanvasRequest<T[]>) {
      const items: T[] = [];
      for await (const { data } of readPages(lists, request)) items.push(...data);
      return items;
    },
    fetch: outbound.fetch,
    now: () => calls.lmsTime(),
    check: createCheck(outbound.system, (signal) => ask(outbound, calls, options.serviceToken, signal)),
    stats: () => outbound.stats(),
    close: () => outbound.close(),
  };
}

function openOutbound(origin: string, timeoutMs: number): Outbound {
  return createOutbound({
    system: THE_LMS,
    origin,
    headers: { accept: 'application/json' },
    connectMs: Math.min(timeoutMs, CONNECT_MS),
    firstByteMs: timeoutMs,
    pauseMs: timeoutMs,
    wholeMs: timeoutMs * WHOLE_TIMES,
    atOnce: MOST_CONNECTIONS,
    throttledRepeats: MOST_THROTTLES,
    isThrottled,
    refusesToken,
    failure: (kind, failure) => new CanvasError(kind, failure),
  });
}

/** Checks whether the LMS answers and accepts the service user's token. */
async function ask(
  outbound: Outbound,
  calls: Calls,
  token: string | null | undefined,
  signal: AbortSignal,
): Promise<void> {
  const path = 'accounts/1';
  if (token) {
    await calls.call({ token: serviceToken(token), method: 'GET', path, answer: z.unknown(), signal });
    return;
  }
  // A server that refuses a call without a token is running.
  const { status } = await outbound.request({ method: 'GET', path: `/api/v1/${path}`, signal });
  if (status >= 500) throw new CanvasError('down', { status, sent: 'maybe', detail: `status ${status}` });
}

/** Single calls: each uses the bucket of its token, and identical reads are shared. */
class Calls {
  readonly #outbound: Outbound;
  readonly #maxInFlight: number;
  readonly #buckets = new Map<string, Bucket>();
  readonly #shared = new Map<string, Shared<OutboundAnswer>>();
  /** Latest time reported by the LMS, with a reading of a monotonic clock, since the system clock may jump. */
  #heard: { serverTime: number; at: number } | null = null;

  constructor(outbound: Outbound, maxInFlight: number) {
    this.#outbound = outbound;
    this.#maxInFlight = maxInFlight;
  }

  async call<T>(request: CanvasRequest<T>): Promise<CanvasAnswer<T>> {
    if (request.signal) {
      request.signal.throwIfAborted();
      // One signal can end a thousand look-ups; that is not a leak.
      setMaxListeners(0, request.signal);
    }
    const target = targetOf(request);
    const answer =
      request.method === 'GET'
        ? await this.#sharedAnswer(request, target)
        : await this.#answerTo(request, target, request.signal);
    return understand(answer, request);
  }

  /** Returns the current time by the clock of the LMS, or by ours before its first answer. */
  lmsTime(): Date {
    const heard = this.#heard;
    return new Date(heard ? heard.serverTime + performance.now() - heard.at : Date.now());
  }

  /**
   * Shares one call between identical reads at the same time with the same token; the call ends when all readers have
   * stopped.
   */
  #sharedAnswer(request: CanvasRequest<unknown>, target: string): Promise<OutboundAnswer> {
    const key = `${request.token.bucket} ${target}`;
    let one = this.#shared.get(key);
    if (!one) {
      const begun = new Shared(
        (signal) => this.#answerTo({ ...request, lane: laneOf(request) }, target, signal),
        () => {
          if (this.#shared.get(key) === begun) this.#shared.delete(key);
        },
      );
      one = begun;
      this.#shared.set(key, begun);
    }
    return one.read(request.signal);
  }

  async #answerTo(
    request: CanvasRequest<unknown>,
    path: string,
    signal?: AbortSignal,
  ): Promise<OutboundAnswer> {
    const { method, token } = request;
    const answer = await this.#outbound.request({
      method,
      path,
      ...contentOf(request),
      token,
      // A repeated PUT or DELETE would get an answer about the result of the first one.
      repeatable: method === 'GET',
      gate: gateOf(this.#bucketOf(token.bucket), laneOf(request)),
      ...(signal ? { signal } : {}),
    });
    this.#hearTime(answer);
    return answer;
  }

  #bucketOf(name: string): Bucket {
    const known = this.#buckets.get(name);
    if (known) return known;
    // Tokens come and go with sessions, so idle buckets are deleted when there are many.
    if (this.#buckets.size > 500)
      for (const [key, one] of this.#buckets) if (one.idle) this.#buckets.delete(key);
    const bucket = new Bucket(this.#maxInFlight);
    this.#buckets.set(name, bucket);
    return bucket;
  }

  #hearTime(answer: OutboundAnswer): void {
    const serverTime = Date.parse(answer.header('date') ?? '');
    if (!Number.isNaN(serverTime)) this.#heard = { serverTime, at: performance.now() };
  }
}

/** Adapts Canvas's bucket to the outbound client. */
function gateOf(bucket: Bucket, lane: object): Gate {
  return {
    async enter(signal) {
      const slot = await bucket.acquire(lane, signal);
      return {
        leave({ answer, throttled, waitMs, abandoned }) {
          if (abandoned) slot.abandon();
          else slot.release({ remaining: answer && remainingOf(answer), throttled, waitMs });
        },
      };
    },
  };
}

/** Calls without a signal share one lane. */
const NO_LANE = {};
function laneOf(request: CanvasRequest<unknown>): object {
  return request.lane ?? request.signal ?? NO_LANE;
}
