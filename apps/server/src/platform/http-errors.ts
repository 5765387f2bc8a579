/** Turns any thrown value into the error envelope (OP-97): a code, a text, the next step, a request id. */
import type { ErrorDetail, ErrorEnvelope } from '@lms-admin/contract/errors';
import { DrizzleQueryError } from 'drizzle-orm/errors';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { AppError, fieldDetail, OutsideFailure } from './errors.ts';
import { REQUEST_ID } from './request-id.ts';

/** Maximum number of invalid places that are named. */
const MOST_DETAILS = 20;

/** Converts any thrown value to an error for people. An unknown one becomes `internal`, without its text. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof OutsideFailure) return error.toAppError();
  if (error instanceof z.ZodError) return badRequest(error.issues.map(issueDetail));
  if (!(error instanceof Error)) return new AppError('internal', { cause: error });
  if (hasZodFastifySchemaValidationErrors(error)) {
    return badRequest(
      error.validation.map((issue) => ({
        row: null,
        field: issue.instancePath.replace(/^\//, '').replaceAll('/', '.') || null,
        message: issue.message ?? 'does not fit',
      })),
    );
  }
  const { code, statusCode } = error as FastifyError;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new AppError('too-large', { cause: error });
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return badRequest([fieldDetail('content-type', 'should be application/json')]);
  }
  if (statusCode === 429) return new AppError('busy');
  if (statusCode === 404) return new AppError('not-found');
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new AppError('bad-request');
  return isDatabaseAway(error) ? databaseAway(error) : new AppError('internal', { cause: error });
}

/** Refused or lost connections, too many of them, and a database that is starting or stopping (PostgreSQL's classes 08, 53300 and 57P). */
const AWAY = /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EPIPE|08\w{3}|53300|57P0[123])$/;
const AWAY_WORDS =
  /Connection terminated|timeout exceeded when trying to connect|has fallen silent|not currently accepting connections/;

/**
 * Returns whether a query failed because the database does not answer; failures of other systems have their own
 * classes.
 */
function isDatabaseAway(error: Error): boolean {
  const cause = error instanceof DrizzleQueryError ? error.cause : error;
  if (!(cause instanceof Error)) return false;
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  return AWAY.test(code) || AWAY_WORDS.test(cause.message);
}

function databaseAway(cause: Error): AppError {
  return new AppError('internal', {
    status: 503,
    message: 'The database of LMS Admin does not answer.',
    next: 'Try again in a minute. If it keeps happening, contact IT Support. Nothing on this page is lost.',
    cause,
  });
}

/** Creates a `bad-request` that names the invalid places of the input. */
export function badRequest(details: readonly ErrorDetail[]): AppError {
  const more = details.length - MOST_DETAILS;
  const rest = more > 0 ? [fieldDetail(null, `${more.toLocaleString('en-GB')} more like these`)] : [];
  return new AppError('bad-request', { details: [...details.slice(0, MOST_DETAILS), ...rest] });
}

/** Describes the place of a value that a schema rejected, and the reason. */
export function issueDetail(issue: z.core.$ZodIssue): ErrorDetail {
  return fieldDetail(issue.path.join('.') || null, issue.message);
}

/** Logs failures that the caller did not cause. Work that ended because its reader left is not a failure. */
export function logFailure(request: FastifyRequest, thrown: unknown, error: AppError, what: string): void {
  if (error.status < 500 || (thrown instanceof DOMException && thrown.name === 'AbortError')) return;
  request.log.error({ err: thrown, code: error.code }, what);
}

/** Handles the errors of every route. */
export function answerError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = toAppError(thrown);
  logFailure(request, thrown, error, 'request failed');
  const envelope: ErrorEnvelope = { status: error.status, error: error.body(request.id) };
  return reply
    .code(error.status)
    .header('cache-control', 'no-store')
    .header(REQUEST_ID, request.id)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(envelope));
}
