/** The one way out: every request to a system outside is made here, within bounds, and fails with a name. */

import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { OutsideErrorKind, OutsideStats } from '../platform/outside.ts';
import { RELEASE } from '../platform/release.ts';
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

/** Systems outside refuse calls that do not say what makes them, and ask for its version when something is wrong. */
const NAME = `lms-admin/${RELEASE}`;
let agent = NAME;

/** Whom operators of other systems can ask about the calls of clients that are made from here on; null: the calls do not say. */
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
/** Repeats after a dropped connection or 5xx. */
const MOST_REPEATS = 2;
const REPEAT_PAUSE_MS = 200;
const IDLE_MS = 10_000;
/** Doing these twice is the same as doing them once (RFC 9110, 9.2.2). */
const REPEATABLE = new Set(['GET', 'HEAD', 'PUT', 'DELETE']);

type Settings = Required<Omit<OutboundOptions, 'failure'>> & Pick<OutboundOptions, 'failure'>;

/** What a request has cost so far. */
interface Repeated {
  throttles: number;
  repeats: number;
  renewals: number;
}

/** A client's way to one system. Nothing is sent before the first request. */
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
    this.fetch = fetchOver(new URL(set.origin).origin, (asked) => this.request(asked));
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

  async request(asked: OutboundRequest): Promise<OutboundAnswer> {
    return (await this.#answerTo(asked, false)).answer;
  }

  stream(asked: OutboundRequest): Promise<OutboundStream> {
    return this.#answerTo(asked, true);
  }

  stats(): OutsideStats {
    return this.#figures.stats();
  }

  close(): Promise<void> {
    this.#closed = true;
    return this.#pool.destroy();
  }

  /** Attempts until there is an answer that is not throttling, a renewable token or a passing failure. */
  async #answerTo(request: OutboundRequest, streamed: boolean): Promise<OutboundStream> {
    const { signal, gate = this.#turnstile } = request;
    // One signal may end a thousand requests; that is no leak.
    if (signal) setMaxListeners(0, signal);
    const made: Repeated = { throttles: 0, repeats: 0, renewals: 0 };
    for (;;) {
      const known = request.token && (await this.#tokenOf(request.token));
      const place = await gate.enter(signal);
      const token = request.token?.latest?.() ?? known;
      let got: OutboundStream;
      try {
        got = await this.#attempt(request, token, place, streamed);
      } catch (error) {
        if (await this.#passes(error, request, made)) continue;
        throw error;
      }
      if (!(await this.#isToRepeat(got.answer, request, token, made))) return got;
    }
  }

  /** One sending, from its place in the gate to giving the place back. */
  async #attempt(request: OutboundRequest, token: string | undefined, place: Place, streamed: boolean) {
    const set = this.#set;
    const ended = this.#figures.begin();
    return exchange(this.#pool, {
      request,
      headers: {
        ...set.headers,
        ...request.headers,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      maxBytes: request.maxBytes ?? set.maxBytes,
      wholeMs: request.wholeMs ?? set.wholeMs,
      streamed,
      failure: (kind, of) => this.#failure(kind, of),
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

  /** Whether a failure has passed, so that the request is made again; waits. */
  async #passes(error: unknown, request: OutboundRequest, made: Repeated): Promise<boolean> {
    if (!(error instanceof OutsideError) || error.kind !== 'down') return false;
    const safe = isRepeatable(request) || (error.sent === 'no' && !request.bodyOnce);
    return safe && this.#again(null, request, made);
  }

  /** Whether an answer is none yet, so that the request is made again; waits. @throws OutsideError for what cannot be made again */
  async #isToRepeat(
    answer: OutboundAnswer,
    request: OutboundRequest,
    token: string | undefined,
    made: Repeated,
  ): Promise<boolean> {
    if (this.#set.isThrottled(answer)) {
      this.#requirePatience(answer, request, made);
      return true;
    }
    if (token !== undefined && (await this.#renewed(answer, request, token, made))) return true;
    return answer.status >= 500 && isRepeatable(request) && this.#again(retryAfterMs(answer), request, made);
  }

  /** The gate waits; the next attempt waits in its line. @throws OutsideError when that takes too long */
  #requirePatience(answer: OutboundAnswer, { bodyOnce }: OutboundRequest, made: Repeated): void {
    const waitMs = retryAfterMs(answer);
    const patient =
      (waitMs ?? 0) <= this.#set.longestWaitMs && ++made.throttles <= this.#set.throttledRepeats;
    if (patient && !bodyOnce) return;
    throw this.#failure('throttled', {
      status: answer.status,
      sent: 'no',
      detail: 'rate limit exceeded',
      retryAt: waitMs === null ? null : new Date(Date.now() + waitMs),
    });
  }

  /** Whether the token was refused and there is another one now. @throws OutsideError */
  async #renewed(
    answer: OutboundAnswer,
    { token: source, bodyOnce }: OutboundRequest,
    token: string,
    made: Repeated,
  ): Promise<boolean> {
    if (made.renewals > 0 || !this.#set.refusesToken(answer) || !source?.refresh) return false;
    made.renewals++;
    try {
      if ((await source.refresh(token)) === null) return false;
    } catch (error) {
      // The refused request should have done nothing; only a look can tell for certain.
      throw error instanceof OutsideError ? this.#sentAs('maybe', error) : error;
    }
    if (!bodyOnce) return true;
    const detail = 'the token was renewed; the body cannot be sent again';
    throw this.#failure('down', { sent: 'maybe', detail });
  }

  /** Without a token nothing is sent, whatever else was. */
  async #tokenOf(source: TokenSource): Promise<string> {
    try {
      return await source.value();
    } catch (error) {
      if (!(error instanceof OutsideError) || error.sent === 'no') throw error;
      throw this.#sentAs('no', error);
    }
  }

  /** Whether a passing failure may be waited for; waits. */
  async #again(waitMs: number | null, { signal }: OutboundRequest, made: Repeated): Promise<boolean> {
    const { longestWaitMs } = this.#set;
    if (this.#closed || made.repeats >= MOST_REPEATS || (waitMs ?? 0) > longestWaitMs) return false;
    made.repeats++;
    await sleep(waitMs ?? REPEAT_PAUSE_MS * made.repeats * (0.5 + Math.random()), undefined, { signal });
    return true;
  }

  #failure(kind: OutsideErrorKind, of: FailureDetails): OutsideError {
    return this.#set.failure?.(kind, of) ?? new OutsideError(this.system, kind, of);
  }

  /** The failure of another request, told of this one. */
  #sentAs(sent: OutsideError['sent'], cause: OutsideError): OutsideError {
    const { kind, status, detail } = cause;
    return this.#failure(kind, { status, sent, detail, cause });
  }
}

function isRepeatable({ method, repeatable, bodyOnce }: OutboundRequest): boolean {
  return !bodyOnce && (repeatable ?? REPEATABLE.has(method));
}
