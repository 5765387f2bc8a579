/** Errors that people see: one class and one table of texts. Only this file decides how an error looks outside. */
import type { ErrorBody, ErrorCode, ErrorDetail } from '@lms-admin/contract/errors';
import { outsideWords, THE_LMS } from './outside.ts';

interface ErrorText {
  readonly status: number;
  /** What happened, for people. */
  readonly message: string;
  /** What to do next, for people. */
  readonly next: string;
}

/** Name used when a failure does not name its system. */
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
    next: 'Open LMS Admin at its own address and try again.',
  },
  'not-found': { status: 404, message: 'Not found.', next: 'Check the number, or choose again.' },
  'bad-request': {
    status: 400,
    message: 'The request is not in the expected format.',
    next: 'Correct these fields and try again.',
  },
  'too-many-rows': {
    status: 413,
    message: 'There are too many rows for one submission.',
    next: 'Choose fewer people or fewer courses.',
  },
  'too-large': { status: 413, message: 'The request is too large.', next: 'Send less data at a time.' },
  conflict: { status: 409, message: 'This has already been done or changed.', next: 'Check it again.' },
  'name-taken': {
    status: 409,
    message: 'This name is already used.',
    next: 'Choose another name.',
  },
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
  /** Replaces the default text about the cause. */
  message?: string;
  /** Whether the text says that nothing has been sent: adds this sentence to the cause. */
  nothingSent?: boolean;
  /** Replaces the default next step. */
  next?: string;
  /** Replaces the default status of the code. */
  status?: number;
  details?: readonly ErrorDetail[];
  /** Id of the draft in which the refused file can be corrected. */
  draft?: string;
  /** For the log only. */
  cause?: unknown;
}

/** An error with a code of the contract; routes throw it, and the error handler writes it. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly nothingSent: boolean;
  readonly next: string;
  readonly details: readonly ErrorDetail[] | undefined;
  readonly draft: string | undefined;

  constructor(code: ErrorCode, options: ErrorOptions = {}) {
    const text = ERROR_TEXTS[code];
    const message = options.message ?? text.message;
    super(
      options.nothingSent ? `${message} Nothing has been sent.` : message,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = 'AppError';
    this.code = code;
    this.status = options.status ?? text.status;
    this.nothingSent = options.nothingSent ?? false;
    this.next = options.next ?? text.next;
    this.details = options.details;
    this.draft = options.draft;
  }

  /** Returns the error as sent to the browser. */
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

/** A failure of another system that can become an error for people. Clients of other systems throw subclasses. */
export abstract class OutsideFailure extends Error {
  abstract toAppError(): AppError;
}

/** Creates a detail of a `bad-request` that concerns a field and no row. */
export function fieldDetail(field: string | null, message: string): ErrorDetail {
  return { row: null, field, message };
}
