/** The one door to Canvas: keeps under its limit, shares calls for the same thing, names every failure. */
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
  /** Most calls in flight for one token. */
  maxInFlight: number;
  /** Milliseconds that the LMS may take to begin its answer, and to pause within it. */
  timeoutMs: number;
  /** Token of the service user, whose acceptance `check` asks for; without one it asks whether the LMS is there. */
  serviceToken?: string | null;
  /** Most pages of a list. */
  maxPages?: number;
  /** Most bytes of a list. */
  maxListBytes?: number;
  /** Most milliseconds that a list is waited for, all its pages together. */
  maxListMs?: number;
}

const MAX_PAGES = 1_000;
const MAX_LIST_BYTES = 268_435_456;

/** Connections of all tokens together. */
const MOST_CONNECTIONS = 128;
const CONNECT_MS = 10_000;
/** A whole answer may take so many times as long as its beginning. */
const WHOLE_TIMES = 10;
/** And a list so many times: half an hour, where an answer may take half a minute to begin. */
const LIST_TIMES = 60;
/** The bucket's pauses grow, so that this is about a minute. */
const MOST_THROTTLES = 12;

/** Opens the door. Nothing is sent before the first call. */
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

/** Asks the LMS whether it is there, and accepts the token of the service user. */
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
  // Anyone who refuses a call without a token is there.
  const { status } = await outbound.request({ method: 'GET', path: `/api/v1/${path}`, signal });
  if (status >= 500) throw new CanvasError('down', { status, sent: 'maybe', detail: `status ${status}` });
}

/** Single calls: each in the bucket of its token, reads of the same thing shared. */
class Calls {
  readonly #outbound: Outbound;
  readonly #maxInFlight: number;
  readonly #buckets = new Map<string, Bucket>();
  readonly #shared = new Map<string, Shared<OutboundAnswer>>();
  /** What the LMS last said of its time, and when that was by a clock that no one sets: ours may jump meanwhile. */
  #heard: { told: number; at: number } | null = null;

  constructor(outbound: Outbound, maxInFlight: number) {
    this.#outbound = outbound;
    this.#maxInFlight = maxInFlight;
  }

  async call<T>(request: CanvasRequest<T>): Promise<CanvasAnswer<T>> {
    if (request.signal) {
      request.signal.throwIfAborted();
      // One signal ends a thousand look-ups; that is no leak.
      setMaxListeners(0, request.signal);
    }
    const target = targetOf(request);
    const answer =
      request.method === 'GET'
        ? await this.#sharedAnswer(request, target)
        : await this.#answerTo(request, target, request.signal);
    return understand(answer, request);
  }

  /** What time it is by the clock of the LMS; by ours before its first answer. */
  lmsTime(): Date {
    const heard = this.#heard;
    return new Date(heard ? heard.told + performance.now() - heard.at : Date.now());
  }

  /** Reads of the same thing at the same time with the same token are one call; it ends when all its readers have. */
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
      // A repeated PUT or DELETE would be answered by what the first one left behind.
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
    // Tokens come and go with sessions; buckets without work are forgotten when there are many.
    if (this.#buckets.size > 500)
      for (const [key, one] of this.#buckets) if (one.idle) this.#buckets.delete(key);
    const bucket = new Bucket(this.#maxInFlight);
    this.#buckets.set(name, bucket);
    return bucket;
  }

  #hearTime(answer: OutboundAnswer): void {
    const told = Date.parse(answer.header('date') ?? '');
    if (!Number.isNaN(told)) this.#heard = { told, at: performance.now() };
  }
}

/** Canvas's bucket as the gate of the way out. */
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
