/** Failures as the screens show them: what happened, what to do next, and a reference to quote. */
import { type ErrorBody, type ErrorCode, type ErrorDetail, errorEnvelope } from '@lms-admin/contract/errors';
import { texts } from './texts.ts';

/** The server's codes, and two that only a browser can detect. */
export type ApiErrorCode = ErrorCode | 'unreachable' | 'odd-answer';

/** A failed call to the back end. `message` says what happened, `next` what to do. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ApiErrorCode;
  /** HTTP status; 0 when there was no answer at all. */
  readonly status: number;
  readonly next: string;
  /** Null when no server sent one. */
  readonly requestId: string | null;
  readonly details: readonly ErrorDetail[];
  /** The draft of an SIS file that has problems and can be corrected in place; null for anything else. */
  readonly draft: string | null;

  constructor(
    status: number,
    body: Omit<ErrorBody, 'code' | 'requestId'> & { code: ApiErrorCode; requestId: string | null },
    options?: ErrorOptions,
  ) {
    super(body.message, options);
    this.status = status;
    this.code = body.code;
    this.next = body.next;
    this.requestId = body.requestId;
    this.details = body.details ?? [];
    this.draft = body.draft ?? null;
  }
}

/** Returns the request ID that every answer carries in its header, envelope or not. */
export function requestIdOf(response: Response): string | null {
  return response.headers.get('x-request-id');
}

/** Creates the failure for a call without an answer: the network is down, or the server is restarting. */
export function unreachable(cause: unknown): ApiError {
  return new ApiError(
    0,
    { code: 'unreachable', message: texts.unreachable, next: texts.unreachableNext, requestId: null },
    { cause },
  );
}

/**
 * Creates the failure for an answer that does not match its schema: a proxy in front of the server may have written it.
 */
export function unexpectedAnswer(status: number, requestId: string | null, cause?: unknown): ApiError {
  const [message, next] = oddWords(status);
  return new ApiError(status, { code: 'odd-answer', message, next, requestId }, { cause });
}

function oddWords(status: number): [message: string, next: string] {
  if (status === 413) return [texts.tooLarge, texts.tooLargeNext];
  if (status >= 502 && status <= 504) return [texts.away, texts.awayNext];
  return [texts.unexpectedAnswer, texts.unexpectedAnswerNext];
}

/** Reads the failure that an answer's body describes; a proxy in front of the server may have written the body. */
export function errorIn(status: number, body: unknown, requestId: string | null): ApiError {
  const parsed = errorEnvelope.safeParse(body);
  return parsed.success
    ? new ApiError(status, parsed.data.error)
    : unexpectedAnswer(status, requestId, parsed.error);
}

/** Reads the envelope of a failed answer. */
export async function errorOf(response: Response): Promise<ApiError> {
  const requestId = requestIdOf(response);
  try {
    return errorIn(response.status, await response.json(), requestId);
  } catch (cause) {
    return unexpectedAnswer(response.status, requestId, cause);
  }
}

/** Tells whether a call ended because the administrator left the screen, which is not a failure to show. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
