/**
 * The envelope of every error: a code, what happened, what to do next, and an id to quote. It contains no internal
 * details.
 */
import { z } from 'zod';

export const ERROR_CODES = [
  'signed-out', // 401: sign in again; the only such code (OP-09)
  'unknown-user', // 401 at the token exchange only
  'not-allowed', // 403: flag, role or registry
  'foreign-origin', // 403: a write from another site
  'not-found', // 404: also what is out of scope (OP-14)
  'bad-request', // 400: the input is not valid; details say where
  'too-many-rows', // 413
  'too-large', // 413
  'conflict', // 409
  'name-taken', // 409: what should be created has the name of something else
  'busy', // 429: our own rate limit
  'lms-down', // 502: no answer, or 5xx
  'lms-throttled', // 503: the LMS is busy, and waiting did not help
  'lms-refused', // 502: the LMS does not permit our request
  'lms-odd', // 502: an unexpected answer
  'outside-down', // 502: the same for another outside system
  'outside-throttled', // 503
  'outside-refused', // 502
  'outside-odd', // 502
  'internal', // 500
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

export const errorDetail = z.object({
  /** Row of a CSV, where the header is row 1; null if the problem is not in a row. */
  row: z.number().int().nullable(),
  /** Column or field name. */
  field: z.string().nullable(),
  message: z.string(),
  /** The message with … for the values that differ between rows; missing where it is the message itself. */
  kind: z.string().optional(),
});
export type ErrorDetail = z.infer<typeof errorDetail>;

export const errorBody = z.object({
  code: z.enum(ERROR_CODES),
  message: z.string(),
  next: z.string(),
  requestId: z.string(),
  details: z.array(errorDetail).optional(),
  /** A rejected SIS file is stored under this id, to be corrected in place. */
  draft: z.uuid().optional(),
});
export type ErrorBody = z.infer<typeof errorBody>;

export const errorEnvelope = z.object({ status: z.number().int(), error: errorBody });
export type ErrorEnvelope = z.infer<typeof errorEnvelope>;
