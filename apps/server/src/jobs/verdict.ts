/** What becomes of a job whose turn ended by throwing: an end in words, a rest, or another try. */
import { OutsideError } from '../outbound/errors.ts';
import { AppError } from '../platform/errors.ts';
import { toAppError } from '../platform/http-errors.ts';
import { Cancelled, type JobEnd, JobFailed, type JobRow, RestUntil } from './kind.ts';

export type Verdict =
  | { end: Omit<JobEnd, 'outcome'> & { outcome: 'failed' | 'cancelled' } }
  /** `since`: from when on something outside has failed; null where the rest belongs to the work. */
  | { restUntil: Date; why: string; since: Date | null }
  | 'our-fault';

/** Longest rest while something outside does not answer, in milliseconds. */
const LONGEST_REST_MS = 300_000;
/** These pass by themselves. */
const PASSING = ['down', 'timeout', 'throttled'];

export interface Borne {
  /** The record as this turn found it. */
  row: Pick<JobRow, 'troubleSince'>;
  /** Whether a step was made in this turn: then what fails now is a new trouble. */
  stepped: boolean;
  /** Least rest, in milliseconds. */
  leastMs: number;
  /** How long something outside may fail before the job ends, in milliseconds. */
  patienceMs: number;
}

/** @param error what the turn threw */
export function verdictOf(error: unknown, { row, stepped, leastMs, patienceMs }: Borne): Verdict {
  if (error instanceof Cancelled) {
    const result = error.result === null ? {} : { result: error.result };
    return { end: { outcome: 'cancelled', note: error.note, ...result } };
  }
  if (error instanceof JobFailed) return failed(error.message, error.next);
  if (error instanceof RestUntil) return { restUntil: error.until, why: error.message, since: null };
  if (error instanceof OutsideError) {
    const { message, next } = toAppError(error);
    if (!PASSING.includes(error.kind)) return failed(message, next);
    const now = Date.now();
    const since = stepped || row.troubleSince === null ? new Date(now) : row.troubleSince;
    const borne = now - since.getTime();
    if (borne >= patienceMs) return failed(message, 'Start it again once it answers.');
    const ms = Math.min(Math.max(leastMs, borne), LONGEST_REST_MS);
    return { restUntil: error.retryAt ?? new Date(now + ms), why: message, since };
  }
  // A right that is gone, an input that no longer fits: trying again would not help.
  if (error instanceof AppError && error.code !== 'internal') return failed(error.message, error.next);
  return 'our-fault';
}

function failed(message: string, next: string): Verdict {
  return { end: { outcome: 'failed', problem: { message, next } } };
}
