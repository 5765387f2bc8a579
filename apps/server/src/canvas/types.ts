/** Types of the Canvas client. */
import type { z } from 'zod';
import { type FailureDetails, OutsideError } from '../outbound/errors.ts';
import type { OutboundFetch, TokenSource } from '../outbound/types.ts';
import { type OutsideErrorKind, type OutsideSystem, THE_LMS } from '../platform/outside.ts';

/** An access token and the way to renew it. Calls with the same `bucket` share one of Canvas's leaky buckets. */
export interface CanvasToken extends TokenSource {
  /** Name of the bucket: one for each access token (reference §5). Never the token itself. */
  readonly bucket: string;
  /** Owner of the token. An admin whose token is refused has to sign in again; a service user cannot. */
  readonly owner: 'admin' | 'service';
}

/** Creates the token of the service user. */
export function serviceToken(value: string): CanvasToken {
  return { bucket: 'service', owner: 'service', value: () => Promise.resolve(value) };
}

export interface CanvasForm {
  /** Name of the file field. */
  field: string;
  filename: string;
  contentType: string;
  /** A generator can only be read once, so a throttled call with one is not repeated. */
  content: AsyncIterable<string | Uint8Array> | string;
}

export interface CanvasRequest<T> {
  token: CanvasToken;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `accounts/1/terms` below `/api/v1`, or an absolute path that starts with `/`. Segments are percent-encoded. */
  path: string;
  /** Names and values, not encoded. */
  query?: readonly (readonly [string, string])[];
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as multipart/form-data instead of `body`. */
  form?: CanvasForm;
  /** Schema of the fields to read; all others are removed. */
  answer: z.ZodType<T>;
  /** Additional status, besides success, with a readable answer. */
  alsoRead?: number;
  /** Aborts queued and running work. */
  signal?: AbortSignal;
  /** Piece of work that the call belongs to: pieces take turns in the queue. Defaults to the signal. */
  lane?: object;
}

export interface CanvasAnswer<T> {
  status: number;
  data: T;
  /** Bytes of the answer as received. */
  bytes: number;
  /** Path and query of the next page on the LMS's host, or null. */
  next: string | null;
  /** Number of the last page, if Canvas returns it. */
  last: number | null;
}

export interface CanvasClient extends OutsideSystem {
  /** Makes one call. @throws CanvasError, or the reason of `signal` */
  call<T>(request: CanvasRequest<T>): Promise<CanvasAnswer<T>>;
  /**
   * Yields all pages of a list in order, from the one in `query` or the first. The first is yielded as soon as it
   * arrives; the others are read concurrently. Stops requesting when the reader stops.
   */
  pages<T>(request: CanvasRequest<T>): AsyncGenerator<{ page: number; data: T }, void, void>;
  /** Returns the items of all pages. */
  list<T>(request: CanvasRequest<T[]>): Promise<T[]>;
  /** Current time by the clock of the LMS, whatever ours shows. */
  now(): Date;
  /** For the sign-in library, which calls the same host. */
  readonly fetch: OutboundFetch;
  /** Closes all connections; running calls fail. */
  close(): Promise<void>;
}

/** A call to Canvas that failed. */
export class CanvasError extends OutsideError {
  constructor(kind: OutsideErrorKind, failure: FailureDetails) {
    super(THE_LMS, kind, failure);
    this.name = 'CanvasError';
  }
}
