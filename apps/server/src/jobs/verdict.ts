/** Decides what to do with a job whose run threw: fail it with a message, pause it, or try again. */
import { OutsideError } from '../outbound/errors.ts';
import { AppError } from '../platform/errors.ts';
import { toAppError } from '../platform/http-errors.ts';
import { Cancelled, type JobEnd, JobFailed, type JobRow, RestUntil } from './kind.ts';

export type Verdict =
  | { end: Omit<JobEnd, 'outcome'> & { outcome: 'failed' | 'cancelled' } }
  /**
   * `since`: when another system began to fail; null if resting is part of the work. `signIn`: a new sign-in of the
   * admin ends the rest.
   */
  | { restUntil: Date; why: string; since: Date | null; signIn: boolean }
  | 'our-fault';

/** Longest rest while another system does not answer, in milliseconds. */
const LONGEST_REST_MS = 300_000;
/** Temporary failures: an outage ends, and IT Support renews a refused token. */
const PASSING = ['down', 'timeout', 'throttled', 'token-refused'];

export interface Borne {
  /** The record at the start of this turn. */
  row: Pick<JobRow, 'troubleSince'>;
  /** True if this run completed a step: a failure now is a new outage. */
  stepped: boolean;
  /** Shortest rest, in milliseconds. */
  leastMs: number;
  /** How long another system may fail before the job ends, in milliseconds. */
  giveUpAfterMs: number;
  /** How long a job waits for its admin to sign in again, in milliseconds. */
  signInTimeoutMs: number;
}

/** Reason shown while the LMS refuses the admin's token. */
const SIGN_IN = 'The LMS no longer accepts your sign-in. Sign in again to continue this work.';

/** @param error the error of the turn */
export function verdictOf(error: unknown, borne: Borne): Verdict {
  if (error instanceof Cancelled) {
    const result = error.result === null ? {} : { result: error.result };
    return { end: { outcome: 'cancelled', note: error.note, ...result } };
  }
  if (error instanceof JobFailed) return failed(error.message, error.next, error.refused);
  if (error instanceof RestUntil) {
    return { restUntil: error.until, why: error.message, since: null, signIn: false };
  }
  if (error instanceof OutsideError) return afterOutside(error, borne);
  // A missing permission, or input that no longer fits: another attempt would not help.
  if (error instanceof AppError && error.code !== 'internal') return failed(error.message, error.next);
  return 'our-fault';
}

function afterOutside(
  error: OutsideError,
  { row, stepped, leastMs, giveUpAfterMs, signInTimeoutMs }: Borne,
): Verdict {
  const { message, next } = toAppError(error);
  const signIn = error.kind === 'signed-out';
  if (!signIn && !PASSING.includes(error.kind)) return failed(message, next);
  const now = Date.now();
  const since = stepped || row.troubleSince === null ? new Date(now) : row.troubleSince;
  const passed = now - since.getTime();
  if (passed >= (signIn ? signInTimeoutMs : giveUpAfterMs)) {
    return failed(
      message,
      signIn ? 'Sign in again, and start this work again.' : 'When it answers again, start this work again.',
    );
  }
  if (signIn) {
    return { restUntil: new Date(since.getTime() + signInTimeoutMs), why: SIGN_IN, since, signIn };
  }
  const why = error.kind === 'token-refused' ? `${message} ${next}` : message;
  const ms = Math.min(Math.max(leastMs, passed), LONGEST_REST_MS);
  return { restUntil: error.retryAt ?? new Date(now + ms), why, since, signIn };
}

function failed(message: string, next: string, refused = false): Verdict {
  return { end: { outcome: 'failed', problem: { message, next }, refused } };
}
