/** The one way out: every request to a system outside is made here, within bounds, and fails with a name. */
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { OutsideErrorKind } from '../platform/outside.ts';
import type { OutboundAnswer } from './answer.ts';
import { type FailureDetails, OutsideError } from './errors.ts';
import { exchange } from './exchange.ts';
import { fetchOver } from './fetch.ts';
import { createFigures } from './figures.ts';
import { retryAfterMs } from './retry-after.ts';
import { Turnstile } from './turnstile.ts';
import type { Outbound, OutboundOptions, OutboundRequest, OutboundStream, Place } from './types.ts';

const DEFAULTS = {
  headers: {},
  connectMs: 10_000,
  firstByteMs: 30_000,
  pauseMs: 30_000,
  wholeMs: 300_000,
  maxBytes: 16_777_216,
  atOnce: 8,
  throttledRepeats: 4,
  longestWaitMs: 30_000,
  isThrottled: (answer: OutboundAnswer) => answer.status === 429,
  refusesToken: (answer: OutboundAnswer) => answer.status === 401,
};
/** Repeats after a dropped connection or 5xx. */
const MOST_REPEATS = 2;
const REPEAT_PAUSE_MS = 200;
const IDLE_MS = 10_000;
/** Doing these twice is the same as doing them once (RFC 9110, 9.2.2). */
const REPEATABLE = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);

/** A client's way to one system. Nothing is sent before the first request. */
export function createOutbound(options: OutboundOptions): Outbound {
  const set = { ...DEFAULTS, ...options };
  const pool = new Pool(set.origin, {
    connections: set.atOnce,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    connect: { timeout: set.connectMs },
    headersTimeout: set.firstByteMs,
    bodyTimeout: set.pauseMs,
  });
  const turnstile = new Turnstile(set.atOnce);
  const figures = createFigures();
  let closed = false;

  function failure(kind: OutsideErrorKind, of: FailureDetails): OutsideError {
    return options.failure?.(kind, of) ?? new OutsideError(set.system, kind, of);
  }

  /** What failed before the request itself: it was not sent, whatever else was. */
  function notSent(error: unknown): unknown {
    if (!(error instanceof OutsideError) || error.sent === 'no') return error;
    return failure(error.kind, { status: error.status, sent: 'no', detail: error.detail, cause: error });
  }

  /** One sending, from its place in the gate to giving the place back. */
  async function attempt(
    request: OutboundRequest,
    token: string | undefined,
    place: Place,
    streamed: boolean,
  ) {
    const ended = figures.begin();
    return exchange(pool, {
      request,
      headers: {
        ...set.headers,
        ...request.headers,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      maxBytes: request.maxBytes ?? set.maxBytes,
      wholeMs: request.wholeMs ?? set.wholeMs,
      streamed,
      failure,
      onEnd({ answer, error }) {
        const throttled = answer !== null && set.isThrottled(answer);
        ended(answer, error, throttled);
        const asked = throttled ? retryAfterMs(answer) : null;
        // A longer wait is a failure of this request, and no reason to keep all others waiting.
        const waitMs = asked !== null && asked <= set.longestWaitMs ? asked : null;
        place.leave({ answer, throttled, waitMs, abandoned: request.signal?.aborted ?? false });
      },
    });
  }

  /** Without a token nothing is sent. */
  async function tokenFrom<T>(asked: Promise<T>): Promise<T> {
    try {
      return await asked;
    } catch (error) {
      throw notSent(error);
    }
  }

  /** The request was answered with a refusal of its token. It should have done nothing; only a look can tell for certain. */
  async function renewed<T>(asked: Promise<T>): Promise<T> {
    try {
      return await asked;
    } catch (error) {
      if (!(error instanceof OutsideError)) throw error;
      throw failure(error.kind, { status: error.status, sent: 'maybe', detail: error.detail, cause: error });
    }
  }

  /** Attempts until there is an answer that is not throttling, a renewable token or a passing failure. */
  async function answerTo(request: OutboundRequest, streamed: boolean): Promise<OutboundStream> {
    const { signal, bodyOnce = false, gate = turnstile } = request;
    const repeatable = !bodyOnce && (request.repeatable ?? REPEATABLE.has(request.method));
    // One signal may end a thousand requests; that is no leak.
    if (signal) setMaxListeners(0, signal);
    let throttles = 0;
    let repeats = 0;
    let renewals = 0;

    /** Whether a passing failure may be waited for; waits. */
    async function again(waitMs: number | null): Promise<boolean> {
      if (closed || repeats >= MOST_REPEATS || (waitMs ?? 0) > set.longestWaitMs) return false;
      repeats++;
      await sleep(waitMs ?? REPEAT_PAUSE_MS * repeats * (0.5 + Math.random()), undefined, { signal });
      return true;
    }

    for (;;) {
      const known = request.token && (await tokenFrom(request.token.value()));
      const place = await gate.enter(signal);
      const token = request.token?.latest?.() ?? known;
      let got: OutboundStream;
      try {
        got = await attempt(request, token, place, streamed);
      } catch (error) {
        const passing = error instanceof OutsideError && error.kind === 'down';
        const safe = passing && (repeatable || (error.sent === 'no' && !bodyOnce));
        if (safe && (await again(null))) continue;
        throw error;
      }
      const { answer } = got;
      if (set.isThrottled(answer)) {
        const waitMs = retryAfterMs(answer);
        const patient = (waitMs ?? 0) <= set.longestWaitMs && ++throttles <= set.throttledRepeats;
        // The gate waits; the next attempt stands in its line.
        if (patient && !bodyOnce) continue;
        throw failure('throttled', {
          status: answer.status,
          sent: 'no',
          detail: 'rate limit exceeded',
          retryAt: waitMs === null ? null : new Date(Date.now() + waitMs),
        });
      }
      if (token !== undefined && renewals === 0 && set.refusesToken(answer) && request.token?.refresh) {
        renewals++;
        if ((await renewed(request.token.refresh(token))) !== null) {
          if (!bodyOnce) continue;
          const detail = 'the token was renewed; the body cannot be sent again';
          throw failure('down', { sent: 'maybe', detail });
        }
      }
      if (answer.status >= 500 && repeatable && (await again(retryAfterMs(answer)))) continue;
      return got;
    }
  }

  const request = async (asked: OutboundRequest) => (await answerTo(asked, false)).answer;
  return {
    system: set.system,
    request,
    stream: (asked) => answerTo(asked, true),
    fetch: fetchOver(new URL(set.origin).origin, request),
    stats: figures.stats,
    close() {
      closed = true;
      return pool.destroy();
    },
  };
}
