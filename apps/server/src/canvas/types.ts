/** What the Canvas client takes and gives. */
import type { z } from 'zod';
import { type FailureDetails, OutsideError } from '../outbound/errors.ts';
import type { OutboundFetch, TokenSource } from '../outbound/types.ts';
import { type OutsideErrorKind, type OutsideSystem, THE_LMS } from '../platform/outside.ts';

/** An access token and the way to renew it. Calls with the same `bucket` share one of Canvas's leaky buckets. */
export interface CanvasToken extends TokenSource {
  /** Name of the bucket: one for each access token (reference §5). Never the token itself. */
  readonly bucket: string;
  /** Whose token it is; a refused token of an admin means 'sign in again', one of the service user does not. */
  readonly owner: 'admin' | 'service';
}

/** The token of the service user. */
export function serviceToken(value: string): CanvasToken {
  return { bucket: 'service', owner: 'service', value: () => Promise.resolve(value) };
}

export interface CanvasForm {
  /** Name of the file field. */
  field: string;
  filename: string;
  contentType: string;
  /** A generator can be read once only: a throttled call with one is not repeated. */
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
  /** What is read of the answer; everything else is cut away. */
  answer: z.ZodType<T>;
  /** A status beside those of success whose answer is read as well. */
  alsoRead?: number;
  /** Ends queued and running work. */
  signal?: AbortSignal;
  /** The piece of work that the call belongs to: pieces take turns in the queue. The signal, when not given. */
  lane?: object;
}

export interface CanvasAnswer<T> {
  status: number;
  data: T;
  /** Bytes of the answer as it came. */
  bytes: number;
  /** Path and query of the next page on the LMS's host, or null. */
  next: string | null;
  /** Number of the last page, where Canvas tells it. */
  last: number | null;
}

export interface CanvasClient extends OutsideSystem {
  /** One call. @throws CanvasError, or the reason of `signal` */
  call<T>(request: CanvasRequest<T>): Promise<CanvasAnswer<T>>;
  /**
   * All pages of a list from the one that `query` names (else the first), in their order; the first as soon as it is
   * there, the others many at a time. Stops asking when the reader stops.
   */
  pages<T>(request: CanvasRequest<T>): AsyncGenerator<{ page: number; data: T }, void, void>;
  /** The items of all pages. */
  list<T>(request: CanvasRequest<T[]>): Promise<T[]>;
  /** What time it is by the clock of the LMS, whatever ours says. */
  now(): Date;
  /** For the library that signs people in at the same host. */
  readonly fetch: OutboundFetch;
  /** Ends all connections; running calls fail. */
  close(): Promise<void>;
}

/** A call to Canvas that failed. */
export class CanvasError extends OutsideError {
  constructor(kind: OutsideErrorKind, failure: FailureDetails) {
    super(THE_LMS, kind, failure);
    this.name = 'CanvasError';
  }
}
