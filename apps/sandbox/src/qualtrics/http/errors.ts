/** How Qualtrics says no (reference of Qualtrics §2). Routes throw a {@link QualtricsError}; {@link answerError} writes it. */

import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** An answer that is not a success. */
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

/** A refusal in the envelope; many have no code, as no written record has one. */
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

/** `404 - Not Found`. */
export function httpStatus(status: number): string {
  return `${status} - ${STATUS_CODES[status] ?? 'Error'}`;
}

export function noCredentials(): QualtricsError {
  return refusal(400, 'Expected authorization in headers, but none provided.', 'ATP_2');
}

export function unknownToken(): QualtricsError {
  return refusal(401, 'Unrecognized X-API-TOKEN.', 'DCD_7');
}

/** 401 of a bearer token that is unknown, over, or of another data center. */
export function badBearer(): QualtricsError {
  return refusal(401, 'The access token is invalid or has expired.');
}

export function forbidden(message = 'You do not have permission to access this survey.'): QualtricsError {
  return refusal(403, message);
}

export function noSurvey(): QualtricsError {
  return refusal(404, 'The survey could not be found.');
}

/** 404 for a progress id or a file id that is unknown or over. */
export function noExport(): QualtricsError {
  return refusal(404, 'The requested export could not be found.');
}

export function unknownCall(): QualtricsError {
  return refusal(404, 'The requested resource does not exist.');
}

/** 400 for a body that is wrong. */
export function invalid(message: string): QualtricsError {
  return refusal(400, message, 'QVAL_1');
}

/** 429. @param seconds until there is room again */
export function tooMany(seconds: number): QualtricsError {
  return refusal(429, 'Too many requests. Please try again later.', undefined, {
    'retry-after': String(seconds),
  });
}

/** The token endpoint speaks as OAuth does. */
export function tokenRefusal(status: number, error: string): QualtricsError {
  return new QualtricsError(status, { error });
}

/** The body of an answer that a fault gives in place of a route. */
export function failure(status: number, fault: number): object {
  const error = { errorMessage: `Fault ${fault} of the sandbox.`, instanceId: randomUUID() };
  return { meta: { httpStatus: httpStatus(status), error } };
}

export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof QualtricsError) {
    if (error.status === 429 && request.passage) request.passage.refused = true;
    return reply.code(error.status).headers(error.headers).send(error.body);
  }
  const status = (error as { statusCode?: number }).statusCode ?? 500;
  // A body that is no JSON, and one of a kind that is not read.
  if (status === 400 || status === 415)
    return answerError(invalid('The request body is not valid JSON.'), request, reply);
  if (status >= 500) reply.log.error(error);
  return answerError(refusal(status, 'The request could not be answered.'), request, reply);
}
