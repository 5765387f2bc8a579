/** The failure that every client of a system outside throws. */
import { AppError, OutsideFailure } from '../platform/errors.ts';
import { type OutsideErrorKind, outsideWords, shortName, THE_LMS } from '../platform/outside.ts';

export interface FailureDetails {
  /** HTTP status of the answer; null when there was none. */
  status?: number | null;
  /** `no`: the system certainly did nothing; `maybe`: no one knows; `answered`: a definite answer. */
  sent: 'no' | 'maybe' | 'answered';
  /** The system's own words, for logs and for messages to people; never a token. */
  detail: string;
  /** When the system wants to be asked again, where it said so. */
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

/** A call to a system outside that failed. */
export class OutsideError extends OutsideFailure {
  /** As texts name it: `Zoom`, `the LMS`. */
  readonly system: string;
  readonly kind: OutsideErrorKind;
  readonly status: number | null;
  readonly sent: FailureDetails['sent'];
  readonly detail: string;
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
    this.retryAt = of.retryAt ?? null;
  }

  /** Whether a token is refused: then no other call with it would succeed either. */
  get ofToken(): boolean {
    return this.kind === 'signed-out' || this.kind === 'token-refused';
  }

  /** In the words of its kind; what is ours to answer keeps our words. */
  toAppError(): AppError {
    const { kind, system } = this;
    if (kind === 'signed-out' || kind === 'not-found') return new AppError(kind, { cause: this });
    const code = `${system === THE_LMS ? 'lms' : 'outside'}-${CODES[kind]}` as const;
    return new AppError(code, { ...outsideWords(kind, system, this.detail), cause: this });
  }
}
