/** What the Canvas client takes and gives. */
import type { z } from 'zod';

/** An access token and the way to renew it. Calls with the same `bucket` share one of Canvas's leaky buckets. */
export interface CanvasToken {
  /** Name of the bucket: one for each access token (reference §5). Never the token itself. */
  readonly bucket: string;
  /** Whose token it is; a refused token of an admin means 'sign in again', one of the service user does not. */
  readonly owner: 'admin' | 'service';
  value(): Promise<string>;
  /**
   * Renews the token after Canvas refused it.
   * @param refused the value that was refused: one that has been renewed meanwhile is not renewed again
   * @returns the new value, or null when it cannot be renewed
   */
  refresh?(refused: string): Promise<string | null>;
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
  /** Ends queued and running work. */
  signal?: AbortSignal;
  /** The piece of work that the call belongs to: pieces take turns in the queue. The signal, when not given. */
  lane?: object;
}

export interface CanvasAnswer<T> {
  status: number;
  data: T;
  /** Path and query of the next page on the LMS's host, or null. */
  next: string | null;
  /** Number of the last page, where Canvas tells it. */
  last: number | null;
}

export interface CanvasStats {
  /** Calls sent, repeats included. */
  calls: number;
  /** Milliseconds from sending to the end of the answer, summed over all calls. */
  time: number;
  /** Answers that were throttling. */
  throttled: number;
  /** Calls running now. */
  inFlight: number;
  /** Most calls that ever ran at once. */
  highWater: number;
}

export interface CanvasClient {
  /** One call. @throws CanvasError, or the reason of `signal` */
  call<T>(request: CanvasRequest<T>): Promise<CanvasAnswer<T>>;
  /**
   * All pages of a list from the one that `query` names (else the first), in their order; the first as soon as it is
   * there, the others many at a time. Stops asking when the reader stops.
   */
  pages<T>(request: CanvasRequest<T>): AsyncGenerator<{ page: number; data: T }, void, void>;
  /** The items of all pages. */
  list<T>(request: CanvasRequest<T[]>): Promise<T[]>;
  stats(): CanvasStats;
  /** Ends all connections; running calls fail. */
  close(): Promise<void>;
}

/**
 * What went wrong with a call.
 * `down` no answer or 5xx · `timeout` · `throttled` even after waiting · `signed-out` the admin's token is refused ·
 * `refused` a right is missing · `not-found` · `rejected` another 4xx · `odd` an answer that does not fit.
 */
export type CanvasErrorKind =
  | 'down'
  | 'timeout'
  | 'throttled'
  | 'signed-out'
  | 'refused'
  | 'not-found'
  | 'rejected'
  | 'odd';

export class CanvasError extends Error {
  readonly kind: CanvasErrorKind;
  /** HTTP status of the answer; null when there was none. */
  readonly status: number | null;
  /** `no`: the LMS certainly did nothing; `maybe`: nobody knows; `answered`: a definite answer. */
  readonly sent: 'no' | 'maybe' | 'answered';
  /** Canvas's own words, for logs and for messages to people; never a token. */
  readonly detail: string;

  constructor(
    kind: CanvasErrorKind,
    options: { status?: number | null; sent: 'no' | 'maybe' | 'answered'; detail: string; cause?: unknown },
  ) {
    super(
      `LMS ${kind}: ${options.detail}`,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = 'CanvasError';
    this.kind = kind;
    this.status = options.status ?? null;
    this.sent = options.sent;
    this.detail = options.detail;
  }
}
