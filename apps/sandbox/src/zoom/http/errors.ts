/** How Zoom says no (reference of Zoom §2, §3, §5). Routes throw a {@link ZoomError}; {@link answerError} writes it. */

import type { FastifyReply, FastifyRequest } from 'fastify';

export type FieldError = { field: string; message: string };

/** An answer that is not a success; `body` is sent as JSON. */
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

/** What the API says; the status is not always the class of the code. */
function refusal(
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
): ZoomError {
  return new ZoomError(status, { code, message }, headers);
}

/** 401 for no token, one that is unknown, or one past its hour. */
export function badToken(expired = false): ZoomError {
  return refusal(401, 124, expired ? 'Access token is expired.' : 'Invalid access token.');
}

/** 400: the app was not given what the call needs. */
export function missingScope(scope: string): ZoomError {
  return refusal(400, 4711, `Invalid access token, does not contain scopes:[${scope}].`);
}

export function notAnObject(): ZoomError {
  return refusal(400, 300, 'Request Body should be a valid JSON object.');
}

/** 400 that names the fields, with dots between the steps to them. */
export function invalidFields(fields: readonly string[]): ZoomError {
  const errors: FieldError[] = fields.map((field) => ({ field, message: 'Invalid field.' }));
  return new ZoomError(400, { code: 300, message: 'Validation Failed.', errors });
}

/** 400 for one thing that is wrong with the request. */
export function invalid(message: string): ZoomError {
  return refusal(400, 300, message);
}

export function noUser(who: string): ZoomError {
  return refusal(404, 1001, `User does not exist: ${who}.`);
}

/** 404: unknown, deleted or expired. */
export function noMeeting(number: string | number): ZoomError {
  return refusal(404, 3001, `Meeting does not exist: ${number}.`);
}

/** 404: none of the times of a recurring meeting, or one that was cancelled. */
export function noOccurrence(id: string): ZoomError {
  return refusal(404, 3001, `Meeting occurrence does not exist: ${id}.`);
}

/** 400 for what a meeting does not allow: a webinar's number, a started meeting, a missing privilege. */
export function notForMeeting(message: string): ZoomError {
  return refusal(400, 3000, message);
}

export function mayNotScheduleFor(who: string): ZoomError {
  return notForMeeting(`You cannot schedule a meeting for ${who}`);
}

/** 400: no licence, or the feature is off. */
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

/** 400 of people that are not of the kind that a privilege needs. */
export function noPrivilege(message: string): ZoomError {
  return refusal(400, 200, message);
}

/** 429, with the headers of the limit. */
export function tooMany(message: string, headers: Record<string, string>): ZoomError {
  return refusal(429, 429, message, headers);
}

/** The token endpoint has an envelope of its own (§2). */
export function tokenRefusal(error: string, reason: string, status = 400): ZoomError {
  return new ZoomError(status, { reason, error });
}

/** The body of an answer that a fault gives in place of a route. */
export function failure(status: number, fault: number): object {
  return { code: status, message: `Fault ${fault} of the sandbox.` };
}

/** Paths that the practice Zoom does not know; Zoom's own words and code for it. */
export function unknownCall(): ZoomError {
  return refusal(404, 2300, 'This API endpoint is not recognized.');
}

export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof ZoomError) {
    if (error.status === 429 && request.passage) request.passage.refused = true;
    return reply.code(error.status).headers(error.headers).send(error.body);
  }
  const status = (error as { statusCode?: number }).statusCode ?? 500;
  // A body that is no JSON, and one of a kind that is not read.
  if (status === 400 || status === 415) return answerError(notAnObject(), request, reply);
  if (status >= 500) reply.log.error(error);
  return reply.code(status).send({ code: status, message: 'The request could not be answered.' });
}
