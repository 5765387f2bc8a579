/** Failures that people see: one class, one table of texts. Nothing else decides what a failure looks like outside. */
import type { ErrorBody, ErrorCode, ErrorDetail } from '@lms-admin/contract/errors';
import { outsideWords, THE_LMS } from './outside.ts';

interface ErrorText {
  /** HTTP status. */
  readonly status: number;
  /** What happened, for people. */
  readonly message: string;
  /** What to do next, for people. */
  readonly next: string;
}

/** Failures of other systems are told with their name; this is where none is given. */
const ANOTHER = 'the other system';

export const ERROR_TEXTS: Readonly<Record<ErrorCode, ErrorText>> = {
  'signed-out': { status: 401, message: 'Your session has ended.', next: 'Sign in again.' },
  'unknown-user': {
    status: 401,
    message: 'User not found in LMS Admin',
    next: 'Please contact IT Support',
  },
  'not-allowed': {
    status: 403,
    message: 'You do not have permission to do this.',
    next: 'Ask IT Support for the permission if you need it.',
  },
  'foreign-origin': {
    status: 403,
    message: 'The request came from another site.',
    next: 'Open LMS Admin by its own address and try again.',
  },
  'not-found': { status: 404, message: 'Not found.', next: 'Check the number, or choose again.' },
  'bad-request': {
    status: 400,
    message: 'The request does not have the expected form.',
    next: 'Correct the named fields and try again.',
  },
  'too-many-rows': {
    status: 413,
    message: 'These are too many rows for one submission.',
    next: 'Choose fewer people or fewer courses.',
  },
  'too-large': { status: 413, message: 'The request is too large.', next: 'Send less at a time.' },
  conflict: { status: 409, message: 'This has already been done or changed.', next: 'Check it again.' },
  busy: { status: 429, message: 'Too many requests.', next: 'Wait a minute and try again.' },
  'lms-down': { status: 502, ...outsideWords('down', THE_LMS) },
  'lms-throttled': { status: 503, ...outsideWords('throttled', THE_LMS) },
  'lms-refused': { status: 502, ...outsideWords('refused', THE_LMS) },
  'lms-odd': { status: 502, ...outsideWords('odd', THE_LMS) },
  'outside-down': { status: 502, ...outsideWords('down', ANOTHER) },
  'outside-throttled': { status: 503, ...outsideWords('throttled', ANOTHER) },
  'outside-refused': { status: 502, ...outsideWords('refused', ANOTHER) },
  'outside-odd': { status: 502, ...outsideWords('odd', ANOTHER) },
  internal: {
    status: 500,
    message: 'Something went wrong in LMS Admin.',
    next: 'Try again. If it keeps happening, contact IT Support with the reference.',
  },
};

export interface ErrorOptions {
  /** Replaces the default text of what happened. */
  message?: string;
  /** Replaces the default text of what to do next. */
  next?: string;
  /** Replaces the status of the code. */
  status?: number;
  details?: readonly ErrorDetail[];
  /** Under which id what was refused is kept, to be corrected. */
  draft?: string;
  /** For the log only. */
  cause?: unknown;
}

/** A failure with a code of the contract; routes throw it, the error handler writes it. */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** HTTP status. */
  readonly status: number;
  readonly next: string;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly draft: string | undefined;

  constructor(code: ErrorCode, options: ErrorOptions = {}) {
    const text = ERROR_TEXTS[code];
    super(
      options.message ?? text.message,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = 'AppError';
    this.code = code;
    this.status = options.status ?? text.status;
    this.next = options.next ?? text.next;
    this.details = options.details;
    this.draft = options.draft;
  }

  /** The failure as it travels. */
  body(requestId: string): ErrorBody {
    return {
      code: this.code,
      message: this.message,
      next: this.next,
      requestId,
      ...(this.details ? { details: [...this.details] } : {}),
      ...(this.draft === undefined ? {} : { draft: this.draft }),
    };
  }
}

/** A failure of something outside that knows how people are told of it. The clients of outside systems throw these. */
export abstract class OutsideFailure extends Error {
  abstract toAppError(): AppError;
}

/** A detail of a `bad-request` that belongs to a field and no row. */
export function fieldDetail(field: string | null, message: string): ErrorDetail {
  return { row: null, field, message };
}
