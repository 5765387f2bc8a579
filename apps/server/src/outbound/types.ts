/** Input and output of outbound requests. */
import type { Readable } from 'node:stream';
import type { OutsideErrorKind, OutsideStats } from '../platform/outside.ts';
import type { OutboundAnswer } from './answer.ts';
import type { FailureDetails, OutsideError } from './errors.ts';

export interface OutboundOptions {
  /** Name of the system in texts: `Zoom`, `the LMS`. */
  system: string;
  /** Origin of the requests; redirects are never followed. */
  origin: string;
  /** Headers added to every request. */
  headers?: Readonly<Record<string, string>>;
  /** Milliseconds to connect. */
  connectMs?: number;
  /** Milliseconds until the answer begins. */
  firstByteMs?: number;
  /** Milliseconds for which an answer may pause. */
  pauseMs?: number;
  /** Milliseconds from sending to the end of the answer. */
  wholeMs?: number;
  /** Largest answer in bytes. */
  maxBytes?: number;
  /** Maximum number of requests running at once. */
  atOnce?: number;
  /** How often a throttled request is repeated. */
  throttledRepeats?: number;
  /** Longest accepted `Retry-After`, in milliseconds; a longer one is a failure with its `retryAt`. */
  longestWaitMs?: number;
  /** Returns whether an answer means 'slow down'; status 429 by default. It must guarantee that nothing was done. */
  isThrottled?(answer: OutboundAnswer): boolean;
  /** Returns whether an answer asks for another token; status 401 by default. */
  refusesToken?(answer: OutboundAnswer): boolean;
  /** Creates the client's own class of error. */
  failure?(kind: OutsideErrorKind, failure: FailureDetails): OutsideError;
}

export interface OutboundRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query, encoded. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  /** A function is called once for each attempt, and its output is sent as it is read. */
  body?: string | Uint8Array | (() => AsyncIterable<string | Uint8Array>);
  /** The body can be read only once: the request is not repeated. */
  bodyOnce?: boolean;
  /** Sent as `Authorization: Bearer`. */
  token?: TokenSource;
  /** Whether repeating has the same effect as one call; decided by the method if not given. */
  repeatable?: boolean;
  /** Gate that decides when the request is sent, in place of the client's own. */
  gate?: Gate;
  /** Replaces the client's limit. */
  wholeMs?: number;
  /** Replaces the client's limit. */
  maxBytes?: number;
  /** Cancels queued and running work. */
  signal?: AbortSignal;
}

/** An access token that many requests share. */
export interface TokenSource {
  /** Read before a request is queued: getting a token may itself need a request. */
  value(): Promise<string>;
  /** Returns the newest known token, for a request that has been queued; makes no call. */
  latest?(): string | undefined;
  /**
   * Renews a refused token.
   * @param refused the refused value; a value that has been renewed already is not renewed again
   * @returns the new value, or null if it cannot be renewed
   */
  refresh?(refused: string): Promise<string | null>;
}

/** Lets through a limited number of requests at a time. */
export interface Gate {
  /** Waits for a place. @throws the reason of `signal` */
  enter(signal?: AbortSignal): Promise<Place>;
}

export interface Place {
  /** Releases the place. Called once. */
  leave(end: PlaceEnd): void;
}

export interface PlaceEnd {
  /** Null if no answer came. */
  answer: OutboundAnswer | null;
  /** Whether the system asks to slow down. */
  throttled: boolean;
  /** Wait that the system asks for, in milliseconds. */
  waitMs: number | null;
  /** LMS Admin gave up; the system may still be working on the request. */
  abandoned: boolean;
}

export interface OutboundStream {
  answer: OutboundAnswer;
  /** Bytes of a 2xx answer as they arrive; the caller reads all or destroys the stream. Null: `answer` has them. */
  body: Readable | null;
}

/** The part of `fetch` that libraries need. */
export type OutboundFetch = (
  url: string,
  init: {
    method: string;
    headers: Readonly<Record<string, string>>;
    body?: unknown;
    signal?: AbortSignal | undefined;
  },
) => Promise<Response>;

export interface Outbound {
  readonly system: string;
  /**
   * Makes one request and returns its whole answer, whatever its status. Repeats where that is safe: after a failure if
   * it is repeatable or was certainly not sent, after 5xx if it is repeatable, after throttling, once with a renewed
   * token.
   * @throws OutsideError, or the reason of `signal`
   */
  request(request: OutboundRequest): Promise<OutboundAnswer>;
  /** Like `request`, but a 2xx answer is read as it arrives: once it has begun, nothing is repeated. */
  stream(request: OutboundRequest): Promise<OutboundStream>;
  /** For libraries that implement a protocol themselves. Reaches only the client's origin. */
  readonly fetch: OutboundFetch;
  stats(): OutsideStats;
  /** Closes all connections; running requests fail. */
  close(): Promise<void>;
}
