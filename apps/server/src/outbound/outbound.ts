/** Makes every request to other systems, with limits and named errors. Nothing else connects to them. */

import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { OutsideErrorKind, OutsideStats } from '../platform/outside.ts';
import { RELEASE } from '../platform/release.ts';
import { REQUEST_ID, workingFor } from '../platform/request-id.ts';
import type { OutboundAnswer } from './answer.ts';
import { type FailureDetails, OutsideError } from './errors.ts';
import { exchange } from './exchange.ts';
import { fetchOver } from './fetch.ts';
import { createFigures } from './figures.ts';
import { retryAfterMs } from './retry-after.ts';
import { Turnstile } from './turnstile.ts';
import type {
  Outbound,
  OutboundFetch,
  OutboundOptions,
  OutboundRequest,
  OutboundStream,
  Place,
  TokenSource,
} from './types.ts';

/** Other systems refuse calls without a user agent, and ask for the version when something is wrong. */
const NAME = `lms-admin/${RELEASE}`;
let agent = NAME;

/** Sets the contact for operators of other systems, for clients created from now on; null sends none. */
export function introduceAs(contact: string | null): void {
  agent = contact === null ? NAME : `${NAME} (+mailto:${contact})`;
}

const DEFAULTS = {
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
/** Maximum number of repeats after a dropped connection or 5xx. */
const MOST_REPEATS = 2;
const REPEAT_PAUSE_MS = 200;
const IDLE_MS = 10_000;
/** Repeating these has the same effect as one call (RFC 9110, 9.2.2). */
const REPEATABLE = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);

type Settings = Required<Omit<OutboundOptions, 'failure'>> & Pick<OutboundOptions, 'failure'>;

/** Repeats of a request so far. */
interface Repeated {
  throttles: number;
  repeats: number;
  renewals: number;
}

/** Creates a client's connection to one system. Nothing is sent before the first request. */
export function createOutbound(options: OutboundOptions): Outbound {
  return new WayOut({ ...DEFAULTS, ...options, headers: { 'user-agent': agent, ...options.headers } });
}

class WayOut implements Outbound {
  readonly system: string;
  readonly fetch: OutboundFetch;
  readonly #set: Settings;
  readonly #pool: Pool;
  readonly #turnstile: Turnstile;
  readonly #figures = createFigures();
  #closed = false;

  constructor(set: Settings) {
    this.system = set.system;
    this.fetch = fetchOver(new URL(set.origin).origin, (outboundRequest) => this.request(outboundRequest));
    this.#set = set;
    this.#pool = new Pool(set.origin, {
      connections: set.atOnce,
      pipelining: 1,
      keepAliveTimeout: IDLE_MS,
      connect: { timeout: set.connectMs },
      headersTimeout: set.firstByteMs,
      bodyTimeout: set.pauseMs,
    });
    this.#turnstile = new Turnstile(set.atOnce);
  }

  async request(outboundRequest: OutboundRequest): Promise<OutboundAnswer> {
    return (await this.#answerTo(outboundRequest, false)).answer;
  }

  stream(outboundRequest: OutboundRequest): Promise<OutboundStream> {
    return this.#answerTo(outboundRequest, true);
  }

  stats(): OutsideStats {
    return this.#figures.stats();
  }

  close(): Promise<void> {
    this.#closed = true;
    return this.#pool.destroy();
  }

  /** Tries again until the answer is neither throttling, nor a renewable token, nor a temporary failure. */
  async #answerTo(request: OutboundRequest, streamed: boolean): Promise<OutboundStream> {
    const { signal, gate = this.#turnstile } = request;
    // One signal may end a thousand requests; that is not a leak.
    if (signal) setMaxListeners(0, signal);
    const repeated: Repeated = { throttles: 0, repeats: 0, renewals: 0 };
    for (;;) {
      const known = request.token && (await this.#tokenOf(request.token));
      const place = await gate.enter(signal);
      const token = request.token?.latest?.() ?? known;
      let got: OutboundStream;
      try {
        got = await this.#attempt(request, token, place, streamed);
      } catch (error) {
        if (await this.#passes(error, request, repeated)) continue;
        throw error;
      }
      if (!(await this.#isToRepeat(got.answer, request, token, repeated))) return got;
    }
  }

  /** Makes one attempt, from entering the gate to leaving it. */
  async #attempt(request: OutboundRequest, token: string | undefined, place: Place, streamed: boolean) {
    const set = this.#set;
    const ended = this.#figures.begin();
    const origin = workingFor();
    return exchange(this.#pool, {
      request,
      headers: {
        ...set.headers,
        ...request.headers,
        ...(origin === undefined ? {} : { [REQUEST_ID]: origin }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      maxBytes: request.maxBytes ?? set.maxBytes,
      wholeMs: request.wholeMs ?? set.wholeMs,
      streamed,
      failure: (kind, of) => this.#failure(kind, of),
      onEnd({ answer, error }) {
        const throttled = answer !== null && set.isThrottled(answer);
        ended(answer, error, throttled);
        const retryAfter = throttled ? retryAfterMs(answer) : null;
        // A longer wait is a failure of this request, and no reason to make all others wait.
        const waitMs = retryAfter !== null && retryAfter <= set.longestWaitMs ? retryAfter : null;
        place.leave({ answer, throttled, waitMs, abandoned: request.signal?.aborted ?? false });
      },
    });
  }

  /** Returns whether a failure is temporary and the request is to be repeated; waits if so. */
  async #passes(error: unknown, request: OutboundRequest, repeated: Repeated): Promise<boolean> {
    if (!(error instanceof OutsideError) || error.kind !== 'down') return false;
    const safe = isRepeatable(request) || (error.sent === 'no' && !request.bodyOnce);
    return safe && this.#repeats(null, request, repeated);
  }

  /**
   * Returns whether to repeat the request after this answer; waits if so.
   * @throws OutsideError if it cannot be repeated
   */
  async #isToRepeat(
    answer: OutboundAnswer,
    request: OutboundRequest,
    token: string | undefined,
    repeated: Repeated,
  ): Promise<boolean> {
    if (this.#set.isThrottled(answer)) {
      this.#requireShortWait(answer, request, repeated);
      return true;
    }
    if (token !== undefined && (await this.#renewed(answer, request, token, repeated))) return true;
    return (
      answer.status >= 500 && isRepeatable(request) && this.#repeats(retryAfterMs(answer), request, repeated)
    );
  }

  /**
   * Requires a short wait: the gate pauses, and the next attempt waits in its queue.
   * @throws OutsideError when that takes too long
   */
  #requireShortWait(answer: OutboundAnswer, { bodyOnce }: OutboundRequest, repeated: Repeated): void {
    const waitMs = retryAfterMs(answer);
    const patient =
      (waitMs ?? 0) <= this.#set.longestWaitMs && ++repeated.throttles <= this.#set.throttledRepeats;
    if (patient && !bodyOnce) return;
    throw this.#failure('throttled', {
      status: answer.status,
      sent: 'no',
      detail: 'rate limit exceeded',
      retryAt: waitMs === null ? null : new Date(Date.now() + waitMs),
    });
  }

  /** Returns whether the token was refused and a new one is available. @throws OutsideError */
  async #renewed(
    answer: OutboundAnswer,
    { token: source, bodyOnce }: OutboundRequest,
    token: string,
    repeated: Repeated,
  ): Promise<boolean> {
    if (repeated.renewals > 0 || !this.#set.refusesToken(answer) || !source?.refresh) return false;
    repeated.renewals++;
    try {
      if ((await source.refresh(token)) === null) return false;
    } catch (error) {
      // A refused request should have changed nothing; only reading again can confirm that.
      throw error instanceof OutsideError ? this.#sentAs('maybe', error) : error;
    }
    if (!bodyOnce) return true;
    const detail = 'the token was renewed; the body cannot be sent again';
    throw this.#failure('down', { sent: 'maybe', detail });
  }

  /** Reads the token; without one nothing is sent, whatever happened before. */
  async #tokenOf(source: TokenSource): Promise<string> {
    try {
      return await source.value();
    } catch (error) {
      if (!(error instanceof OutsideError) || error.sent === 'no') throw error;
      throw this.#sentAs('no', error);
    }
  }

  /** Returns whether a temporary failure may be retried; waits if so. */
  async #repeats(waitMs: number | null, { signal }: OutboundRequest, repeated: Repeated): Promise<boolean> {
    const { longestWaitMs } = this.#set;
    if (this.#closed || repeated.repeats >= MOST_REPEATS || (waitMs ?? 0) > longestWaitMs) return false;
    repeated.repeats++;
    await sleep(waitMs ?? REPEAT_PAUSE_MS * repeated.repeats * (0.5 + Math.random()), undefined, { signal });
    return true;
  }

  #failure(kind: OutsideErrorKind, of: FailureDetails): OutsideError {
    return this.#set.failure?.(kind, of) ?? new OutsideError(this.system, kind, of);
  }

  /** Reports the failure of another request for this one. */
  #sentAs(sent: OutsideError['sent'], cause: OutsideError): OutsideError {
    const { kind, status, detail } = cause;
    return this.#failure(kind, { status, sent, detail, cause });
  }
}

function isRepeatable({ method, repeatable, bodyOnce }: OutboundRequest): boolean {
  return !bodyOnce && (repeatable ?? REPEATABLE.has(method));
}
