/**
 * Canvas's errors (reference §3, §4): every error body of the plain REST endpoints, in one table. Routes throw an
 * {@link ApiError}; {@link answerError} writes it.
 */

import type { FastifyReply, FastifyRequest } from 'fastify';

const BEARER_REALM = 'Bearer realm="canvas-lms"';

/** An error as an answer. `body` is sent as JSON; a string is sent as plain text. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Record<string, string>;

  constructor(status: number, body: unknown, headers: Record<string, string> = {}) {
    super(`HTTP ${status}`);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** Returns a 401 for a request without credentials (§3). */
export function unauthenticated(): ApiError {
  const body = { status: 'unauthenticated', errors: [{ message: 'user authorization required' }] };
  return new ApiError(401, body, { 'www-authenticate': BEARER_REALM });
}

/** Returns a 401 for a token that is unknown, expired or revoked, or past a permanent expiry date (§3). */
export function badToken(kind: 'Invalid' | 'Revoked' | 'Expired', expiredAt?: string): ApiError {
  const error = { message: `${kind} access token.`, ...(expiredAt ? { expired_at: expiredAt } : {}) };
  return new ApiError(401, { errors: [error] }, { 'www-authenticate': BEARER_REALM });
}

/** Returns a 401 without `WWW-Authenticate`: the developer key's scopes do not contain this endpoint (§3). */
export function insufficientScopes(): ApiError {
  return new ApiError(401, { errors: [{ message: 'Insufficient scopes on access token.' }] });
}

/** Returns a 401 for a person whom the caller cannot act as (§3). */
export function badAsUser(): ApiError {
  return new ApiError(401, { errors: 'Invalid as_user_id' });
}

/** Returns a 403 for a caller who is signed in, but not permitted (§3). */
export function forbidden(): ApiError {
  return new ApiError(403, {
    status: 'unauthorized',
    errors: [{ message: 'user not authorized to perform that action' }],
  });
}

/** Returns a 404 for an object that is missing or deleted (§1, §3). */
export function notFound(): ApiError {
  return new ApiError(404, { errors: [{ message: 'The specified resource does not exist.' }] });
}

/** Returns a 400 for a required parameter that is missing (§3). */
export function missing(param: string): ApiError {
  return new ApiError(400, { errors: [{ message: `${param} is missing` }] });
}

/** Returns a 400 for a request that Canvas has no specific message for (§3). */
export function badRequest(): ApiError {
  return new ApiError(400, { errors: [{ message: 'An error occurred.', error_code: 'bad_request' }] });
}

/**
 * Returns a 400 for a record that is not valid (§3). The message is also used as the type, as Canvas does for
 * free text.
 */
export function invalid(attribute: string, message: string, type: string = message): ApiError {
  return new ApiError(400, { errors: { [attribute]: [{ attribute, type, message }] } });
}

/** @throws ApiError 400 if the end is before the start. @param field the end */
export function checkDates(
  field: string,
  start: string | null | undefined,
  end: string | null | undefined,
): void {
  if (start && end && end < start) throw invalid(field, 'End date cannot be before start date');
}

/** Returns a 400 or 401 with `{"message": …}` (§6.2, §6.8, §7.1). */
export function refused(status: number, message: string): ApiError {
  return new ApiError(status, { message });
}

/** Returns a 400 for a bookmark that does not come from this server (§4). */
export function badBookmark(): ApiError {
  const page = 'Invalid page; please restart iteration and follow `next` links';
  return new ApiError(400, { status: 'bad_request', errors: [{ page }] });
}

/** Returns a 404 for an invalid page number (§4). */
export function noSuchPage(): ApiError {
  return new ApiError(404, { errors: [{ message: 'An error occurred.', error_code: 'not_found' }] });
}

/** Returns a 500 for an unhandled error (§3). */
export function serverError(reportId: number): ApiError {
  return new ApiError(500, {
    errors: [{ message: 'An error occurred.', error_code: 'internal_server_error' }],
    error_report_id: reportId,
  });
}

/** Returns the body that a fault sends instead of a route's answer. */
export function failure(status: number, fault: number): unknown {
  return status === 500 ? serverError(fault).body : { errors: [{ message: 'An error occurred.' }] };
}

let nextReport = 1;

/** Handles errors: writes a thrown error as Canvas does. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof ApiError) {
    void reply.code(error.status).headers(error.headers);
    if (typeof error.body === 'string') {
      void reply.header('content-type', 'text/plain; charset=utf-8');
    }
    // Fastify would send no body for null.
    if (error.body === null)
      return reply.header('content-type', 'application/json; charset=utf-8').send('null');
    return reply.send(error.body);
  }
  const status = (error as { statusCode?: number }).statusCode ?? 500;
  // A path or body that cannot be parsed.
  if (status === 400) return answerError(badRequest(), request, reply);
  if (status >= 400 && status < 500) {
    const message = error instanceof Error ? error.message : 'Bad request';
    return reply.code(status).send({ errors: [{ message }] });
  }
  request.log.error(error);
  return reply.code(500).send(serverError(nextReport++).body);
}
