/** Errors of Zoom (Zoom reference §2, §3, §5). Routes throw a {@link ZoomError}; {@link answerError} writes it. */

import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUnreadablePath } from '../../http/plumbing.ts';

export type FieldError = { field: string; message: string };

/** An error as an answer; `body` is sent as JSON. */
export class ZoomError extends Error {
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

/** Returns an API error; its status does not always match the code. */
function refusal(
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
): ZoomError {
  return new ZoomError(status, { code, message }, headers);
}

/** Returns a 401 if the token is missing, unknown or expired. */
export function badToken(expired = false): ZoomError {
  return refusal(401, 124, expired ? 'Access token is expired.' : 'Invalid access token.');
}

/** Returns a 400 if the app does not have a scope that the call needs. */
export function missingScope(scope: string): ZoomError {
  return refusal(400, 4711, `Invalid access token, does not contain scopes:[${scope}].`);
}

export function notAnObject(): ZoomError {
  return refusal(400, 300, 'Request Body should be a valid JSON object.');
}

/** Returns a 400 that names the invalid fields, with dots in their paths. */
export function invalidFields(fields: readonly string[]): ZoomError {
  const errors: FieldError[] = fields.map((field) => ({ field, message: 'Invalid field.' }));
  return new ZoomError(400, { code: 300, message: 'Validation Failed.', errors });
}

/** Returns a 400 for a single error in the request. */
export function invalid(message: string): ZoomError {
  return refusal(400, 300, message);
}

export function noUser(who: string): ZoomError {
  return refusal(404, 1001, `User does not exist: ${who}.`);
}

/** Returns a 404 for something that is unknown, deleted or expired. */
export function noMeeting(number: string | number): ZoomError {
  return refusal(404, 3001, `Meeting does not exist: ${number}.`);
}

/** Returns a 404 for an ID that is not an occurrence of the meeting, or for a cancelled occurrence. */
export function noOccurrence(id: string): ZoomError {
  return refusal(404, 3001, `Meeting occurrence does not exist: ${id}.`);
}

/**
 * Returns a 400 for an action that the meeting does not allow: it is a webinar, it has started, or a
 * privilege is missing.
 */
export function notForMeeting(message: string): ZoomError {
  return refusal(400, 3000, message);
}

export function mayNotScheduleFor(who: string): ZoomError {
  return notForMeeting(`You cannot schedule a meeting for ${who}`);
}

/** Returns a 400 if the user has no licence or the feature is off. */
export function mayNotHost(): ZoomError {
  return refusal(400, 3161, 'This user is not allowed to host or schedule meetings.');
}

export function meetingRuns(): ZoomError {
  return refusal(400, 3002, 'A meeting cannot be deleted while it is in progress.');
}

export function meetingEnded(): ZoomError {
  return refusal(400, 3007, 'A meeting that has ended cannot be deleted.');
}

export function personalRoom(): ZoomError {
  return refusal(400, 3018, 'A personal room cannot be deleted.');
}

export function badAlternativeHost(email: string): ZoomError {
  const message = `Unable to assign "${email}" as an alternative host because the user cannot be selected at this time`;
  return refusal(400, 1114, message);
}

/** Returns a 400 for people who do not qualify for a privilege. */
export function noPrivilege(message: string): ZoomError {
  return refusal(400, 200, message);
}

/** Returns a 429, with the limit's headers. */
export function tooMany(message: string, headers: Record<string, string>): ZoomError {
  return refusal(429, 429, message, headers);
}

/** Returns an error of the token endpoint, which has its own envelope (§2). */
export function tokenRefusal(error: string, reason: string, status = 400): ZoomError {
  return new ZoomError(status, { reason, error });
}

/** Returns the body that a fault sends instead of the route's answer. */
export function failure(status: number, fault: number): object {
  return { code: status, message: `Fault ${fault} of the sandbox.` };
}

/** Answers unknown paths of the practice Zoom with Zoom's own text and code. */
export function unknownCall(): ZoomError {
  return refusal(404, 2300, 'This API endpoint is not recognized.');
}

/** Adds a tracking ID to the answer, for Zoom's support staff (§1). */
export function track(reply: FastifyReply): void {
  void reply.header('x-zm-trackingid', `v=2.0;clid=sandbox;rid=WEB_${randomUUID().replaceAll('-', '')}`);
}

export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (isUnreadablePath(error)) {
    track(reply);
    return answerError(invalid('The request path is not valid.'), request, reply);
  }
  if (error instanceof ZoomError) {
    if (error.status === 429 && request.passage) request.passage.refused = true;
    return reply.code(error.status).headers(error.headers).send(error.body);
  }
  const status = statusOf(error);
  // Invalid JSON or an unsupported media type.
  if (status === 400 || status === 415) return answerError(notAnObject(), request, reply);
  if (status >= 500) reply.log.error(error);
  return reply.code(status).send({ code: status, message: 'The request could not be answered.' });
}

/**
 * Handles errors like `answerError`, but for the token endpoint, which also has its own envelope for
 * unreadable bodies.
 */
export function answerTokenError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const isRead = error instanceof ZoomError ? !('code' in error.body) : statusOf(error) >= 500;
  return answerError(isRead ? error : tokenRefusal('invalid_request', 'Bad Request'), request, reply);
}

function statusOf(error: unknown): number {
  return (error as { statusCode?: number }).statusCode ?? 500;
}
