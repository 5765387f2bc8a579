/** What the one way out takes and gives. */
import type { Readable } from 'node:stream';
import type { OutsideErrorKind, OutsideStats } from '../platform/outside.ts';
import type { OutboundAnswer } from './answer.ts';
import type { FailureDetails, OutsideError } from './errors.ts';

export interface OutboundOptions {
  /** As texts name it: `Zoom`, `the LMS`. */
  system: string;
  /** Origin that requests go to; redirects are never followed. */
  origin: string;
  /** Headers of every request. */
  headers?: Readonly<Record<string, string>>;
  /** Milliseconds to connect. */
  connectMs?: number;
  /** Milliseconds until the answer begins. */
  firstByteMs?: number;
  /** Milliseconds that an answer may pause. */
  pauseMs?: number;
  /** Milliseconds from sending to the end of the answer. */
  wholeMs?: number;
  /** Most bytes of an answer. */
  maxBytes?: number;
  /** Most requests running at once. */
  atOnce?: number;
  /** How often a request that was throttled is made again. */
  throttledRepeats?: number;
  /** Longest wait that a `Retry-After` may ask for, in milliseconds; a longer one is a failure with its `retryAt`. */
  longestWaitMs?: number;
  /** Whether an answer means 'slow down'; status 429 by default. It must say for certain that nothing was done. */
  isThrottled?(answer: OutboundAnswer): boolean;
  /** Whether an answer asks for another token; status 401 by default. */
  refusesToken?(answer: OutboundAnswer): boolean;
  /** The client's own class of failure. */
  failure?(kind: OutsideErrorKind, failure: FailureDetails): OutsideError;
}

export interface OutboundRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query, encoded. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  /** A function is called once for each attempt, and what it gives is sent as it is read. */
  body?: string | Uint8Array | (() => AsyncIterable<string | Uint8Array>);
  /** The body can be read once only: the request is not sent a second time. */
  bodyOnce?: boolean;
  /** Sent as `Authorization: Bearer`. */
  token?: TokenSource;
  /** Whether doing it twice is the same as doing it once; by the method when not given. */
  repeatable?: boolean;
  /** Decides when it is sent, instead of the client's own gate. */
  gate?: Gate;
  /** Instead of the client's. */
  wholeMs?: number;
  /** Instead of the client's. */
  maxBytes?: number;
  /** Ends queued and running work. */
  signal?: AbortSignal;
}

/** An access token that many requests share. */
export interface TokenSource {
  /** Asked for before a request waits in line: getting one may itself take a request. */
  value(): Promise<string>;
  /** The newest one known, for a request that has stood in line; asks no one. */
  latest?(): string | undefined;
  /**
   * Renews the token after it was refused.
   * @param refused the value that was refused: one that has been renewed meanwhile is not renewed again
   * @returns the new value, or null when it cannot be renewed
   */
  refresh?(refused: string): Promise<string | null>;
}

/** Lets requests out, a number at a time. */
export interface Gate {
  /** Waits for a place. @throws the reason of `signal` */
  enter(signal?: AbortSignal): Promise<Place>;
}

export interface Place {
  /** Gives the place back. Called once. */
  leave(end: PlaceEnd): void;
}

export interface PlaceEnd {
  /** Null when none came. */
  answer: OutboundAnswer | null;
  /** The system asks to slow down. */
  throttled: boolean;
  /** What it says of how long, in milliseconds. */
  waitMs: number | null;
  /** Our side gave up; the system may still be working on it. */
  abandoned: boolean;
}

export interface OutboundStream {
  answer: OutboundAnswer;
  /** The bytes of a 2xx answer as they come, read to the end or destroyed by anyone who asked; null: `answer` has them. */
  body: Readable | null;
}

/** `fetch` as far as libraries need it. */
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
   * One request and its whole answer, whatever its status. Made again where that is safe: after a failure when it is
   * repeatable or was certainly not sent, after 5xx when it is repeatable, after throttling, once with a renewed token.
   * @throws OutsideError, or the reason of `signal`
   */
  request(request: OutboundRequest): Promise<OutboundAnswer>;
  /** The same, with a 2xx answer that is read as it comes: once it has begun, nothing is repeated. */
  stream(request: OutboundRequest): Promise<OutboundStream>;
  /** For libraries that bring their own protocol. Reaches the client's origin only. */
  readonly fetch: OutboundFetch;
  stats(): OutsideStats;
  /** Ends all connections; running requests fail. */
  close(): Promise<void>;
}
