/** The error that every client of another system throws. */
import { AppError, OutsideFailure } from '../platform/errors.ts';
import { type OutsideErrorKind, outsideWords, shortName, THE_LMS } from '../platform/outside.ts';

export interface FailureDetails {
  /** HTTP status of the answer; null when there was none. */
  status?: number | null;
  /** `no`: the system certainly did nothing; `maybe`: unknown; `answered`: a definite answer. */
  sent: 'no' | 'maybe' | 'answered';
  /** The system's own words, for logs and messages; never a token. */
  detail: string;
  /** The system's own ID of the request, for its support; null if it gave none. */
  answerId?: string | null;
  /** When the system wants to be called again, if it said so. */
  retryAt?: Date | null;
  cause?: unknown;
}

const CODES = {
  down: 'down',
  timeout: 'down',
  throttled: 'throttled',
  'token-refused': 'refused',
  refused: 'refused',
  rejected: 'refused',
  'too-much': 'odd',
  odd: 'odd',
} as const satisfies Record<Exclude<OutsideErrorKind, 'signed-out' | 'not-found'>, string>;

/** A failed call to another system. */
export class OutsideError extends OutsideFailure {
  /** Name of the system in texts: `Zoom`, `the LMS`. */
  readonly system: string;
  readonly kind: OutsideErrorKind;
  readonly status: number | null;
  readonly sent: FailureDetails['sent'];
  readonly detail: string;
  readonly answerId: string | null;
  readonly retryAt: Date | null;

  constructor(system: string, kind: OutsideErrorKind, of: FailureDetails) {
    super(
      `${shortName(system)} ${kind}: ${of.detail}`,
      of.cause === undefined ? undefined : { cause: of.cause },
    );
    this.name = 'OutsideError';
    this.system = system;
    this.kind = kind;
    this.status = of.status ?? null;
    this.sent = of.sent;
    this.detail = of.detail;
    this.answerId = of.answerId ?? null;
    this.retryAt = of.retryAt ?? null;
  }

  /** Tells whether the token was refused: no other call with it would succeed either. */
  get ofToken(): boolean {
    return this.kind === 'signed-out' || this.kind === 'token-refused';
  }

  /** Converts the failure to the error for its kind; errors of LMS Admin keep their own words. */
  toAppError(): AppError {
    const { kind, system } = this;
    if (kind === 'signed-out' || kind === 'not-found') return new AppError(kind, { cause: this });
    const code = `${system === THE_LMS ? 'lms' : 'outside'}-${CODES[kind]}` as const;
    return new AppError(code, { ...outsideWords(kind, system, this.detail), cause: this });
  }
}
