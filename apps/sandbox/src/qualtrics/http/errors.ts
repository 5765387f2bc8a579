/** Errors of Qualtrics (reference §2). Routes throw a {@link QualtricsError}; {@link answerError} writes it. */

import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUnreadablePath } from '../../http/plumbing.ts';

/** An error as an answer. */
export class QualtricsError extends Error {
  readonly status: number;
  readonly body: object;
  readonly headers: Record<string, string>;

  constructor(status: number, body: object, headers: Record<string, string> = {}) {
    super(`HTTP ${status}`);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** Returns an error in the envelope. Many have no code, because none is documented. */
function refusal(
  status: number,
  errorMessage: string,
  errorCode?: string,
  headers: Record<string, string> = {},
): QualtricsError {
  const error = { errorMessage, ...(errorCode === undefined ? {} : { errorCode }) };
  const meta = { httpStatus: httpStatus(status), error, requestId: randomUUID() };
  return new QualtricsError(status, { meta }, headers);
}

/** Returns a status such as `404 - Not Found`. */
export function httpStatus(status: number): string {
  return `${status} - ${STATUS_CODES[status] ?? 'Error'}`;
}

export function noCredentials(): QualtricsError {
  return refusal(400, 'Expected authorization in headers, but none provided.', 'ATP_2');
}

export function unknownToken(): QualtricsError {
  return refusal(401, 'Unrecognized X-API-TOKEN.', 'DCD_7');
}

/** Returns a 401 for a bearer token that is unknown, has expired or belongs to another data center. */
export function badBearer(): QualtricsError {
  return refusal(401, 'The access token is invalid or has expired.');
}

export function forbidden(message = 'You do not have permission to access this survey.'): QualtricsError {
  return refusal(403, message);
}

export function noSurvey(): QualtricsError {
  return refusal(404, 'The survey could not be found.');
}

/** Returns a 404 for a progress ID or file ID that is unknown or has expired. */
export function noExport(): QualtricsError {
  return refusal(404, 'The requested export could not be found.');
}

export function unknownCall(): QualtricsError {
  return refusal(404, 'The requested resource does not exist.');
}

/** Returns a 400 for an invalid body. */
export function invalid(message: string): QualtricsError {
  return refusal(400, message, 'QVAL_1');
}

/** Returns a 429. @param seconds until requests are possible again */
export function tooMany(seconds: number): QualtricsError {
  return refusal(429, 'Too many requests. Please try again later.', undefined, {
    'retry-after': String(seconds),
  });
}

/** Returns an error of the token endpoint, which has OAuth's format. */
export function tokenRefusal(status: number, error: string): QualtricsError {
  return new QualtricsError(status, { error });
}

/** Returns the body that a fault sends instead of the route's answer. */
export function failure(status: number, fault: number): object {
  const error = { errorMessage: `Fault ${fault} of the sandbox.`, instanceId: randomUUID() };
  return { meta: { httpStatus: httpStatus(status), error } };
}

export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (isUnreadablePath(error))
    return answerError(refusal(400, 'The request path is not valid.'), request, reply);
  if (error instanceof QualtricsError) {
    if (error.status === 429 && request.passage) request.passage.refused = true;
    // Sent as bytes, so that the server adds no charset to the type (§1).
    const body = Buffer.from(JSON.stringify(error.body));
    return reply.code(error.status).headers(error.headers).type('application/json').send(body);
  }
  const status = statusOf(error);
  // Invalid JSON or an unsupported media type.
  if (status === 400 || status === 415)
    return answerError(invalid('The request body is not valid JSON.'), request, reply);
  if (status >= 500) reply.log.error(error);
  return answerError(refusal(status, 'The request could not be answered.'), request, reply);
}

/**
 * Handles errors like `answerError`, but for the token endpoint, which also has its own envelope for
 * unreadable bodies.
 */
export function answerTokenError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const isRead = error instanceof QualtricsError || statusOf(error) >= 500;
  return answerError(isRead ? error : tokenRefusal(400, 'invalid_request'), request, reply);
}

function statusOf(error: unknown): number {
  return (error as { statusCode?: number }).statusCode ?? 500;
}
