/** The one envelope of every failure: a code, what happened, what to do next, and an id to quote. No internals. */
import { z } from 'zod';

export const ERROR_CODES = [
  'signed-out', // 401: sign in again, and nothing else (OP-09)
  'unknown-user', // 401 at the token exchange only
  'not-allowed', // 403: flag, role or registry
  'foreign-origin', // 403: a write from another site
  'not-found', // 404: also what is out of scope (OP-14)
  'bad-request', // 400: the input does not fit; details say where
  'too-many-rows', // 413
  'too-large', // 413
  'conflict', // 409
  'busy', // 429: our own rate limit
  'lms-down', // 502: no answer, or 5xx
  'lms-throttled', // 503: the LMS asks us to wait, and waiting did not help
  'lms-refused', // 502: the LMS does not permit what we asked
  'lms-odd', // 502: an answer that we do not understand
  'outside-down', // 502: the same of another system outside
  'outside-throttled', // 503
  'outside-refused', // 502
  'outside-odd', // 502
  'internal', // 500
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

export const errorDetail = z.object({
  /** 1-based row of a CSV, header being row 1; null elsewhere. */
  row: z.number().int().nullable(),
  /** Column or field name. */
  field: z.string().nullable(),
  message: z.string(),
});
export type ErrorDetail = z.infer<typeof errorDetail>;

export const errorBody = z.object({
  code: z.enum(ERROR_CODES),
  message: z.string(),
  next: z.string(),
  requestId: z.string(),
  details: z.array(errorDetail).optional(),
  /** A refused SIS file is kept under this id, to be corrected in place. */
  draft: z.uuid().optional(),
});
export type ErrorBody = z.infer<typeof errorBody>;

export const errorEnvelope = z.object({ status: z.number().int(), error: errorBody });
export type ErrorEnvelope = z.infer<typeof errorEnvelope>;
