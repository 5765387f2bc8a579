/** Other systems: their kinds of failure with texts for people, and their state and statistics for operators. */

import { z } from 'zod';

/** Name of the LMS in texts; other systems use their own name. */
export const THE_LMS = 'the LMS';

/**
 * `down` no answer or 5xx · `timeout` · `throttled` even after waiting · `signed-out` the person's token is refused ·
 * `token-refused` the installation's own token or key is refused · `refused` a permission is missing · `not-found` ·
 * `rejected` another 4xx · `too-much` more bytes or pages than allowed · `odd` an answer of unexpected form.
 */
export type OutsideErrorKind =
  | 'down'
  | 'timeout'
  | 'throttled'
  | 'signed-out'
  | 'token-refused'
  | 'refused'
  | 'not-found'
  | 'rejected'
  | 'too-much'
  | 'odd';

export interface OutsideWords {
  /** The cause, for people. */
  message: string;
  /** What to do next, for people. */
  next: string;
}

/** Returns the texts about a failure, for people. */
export function outsideWords(kind: OutsideErrorKind, system: string, detail = ''): OutsideWords {
  const name = capital(system);
  const rights = `Ask IT Support to check the permissions in ${system}.`;
  switch (kind) {
    case 'down':
    case 'timeout':
      return { message: `${name} does not answer.`, next: 'Try again in a few minutes.' };
    case 'throttled':
      return { message: `${name} is busy.`, next: 'Wait a minute and try again.' };
    case 'signed-out':
      return { message: `${name} no longer accepts your sign-in.`, next: 'Sign in again.' };
    case 'token-refused':
      return {
        message: `${name} does not accept LMS Admin’s token.`,
        next: 'Ask IT Support to renew it in the settings of LMS Admin.',
      };
    case 'refused':
      return { message: `${name} does not allow this.`, next: rights };
    case 'not-found':
      return {
        message: `${name} did not find what was requested.`,
        next: 'Check the number, or choose again.',
      };
    case 'rejected':
      return { message: `${name} rejected this: ${detail}`, next: rights };
    case 'too-much':
      return {
        message: `${name} sent more than LMS Admin can process.`,
        next: 'Request less data at a time. If it keeps happening, contact IT Support.',
      };
    case 'odd':
      return {
        message: `${name} sent an unexpected response.`,
        next: 'Try again. If it keeps happening, contact IT Support.',
      };
  }
}

/** State of a system: whether it is reachable and accepts the credentials, with texts for people. */
export const systemState = z.object({
  state: z.enum(['up', 'down', 'not-configured']),
  message: z.string(),
  /** The next step; null if there is nothing to do. */
  next: z.string().nullable(),
});
export type SystemState = z.infer<typeof systemState> & {
  /** Why a call failed, for operators. It is not part of any answer. */
  failure?: { kind: OutsideErrorKind; detail: string };
};

/** How a call ended: `ok` below 400 · `rejected` another 4xx · `down` no answer or 5xx · `abandoned` reader left. */
export type OutsideOutcome = 'ok' | 'rejected' | 'throttled' | 'down' | 'timeout' | 'too-much' | 'abandoned';

/** One call that has ended. */
export interface RecentCall {
  /** Time in milliseconds since 1970. */
  at: number;
  /** From sending to the end of the answer. */
  ms: number;
  outcome: OutsideOutcome;
}

export interface OutsideStats {
  /** Calls sent, repeats included. */
  calls: number;
  /** Finished calls, by outcome. */
  outcomes: Readonly<Record<OutsideOutcome, number>>;
  /** Milliseconds from sending to the end of the answer, summed over all calls. */
  time: number;
  /** Calls running now. */
  inFlight: number;
  /** Maximum number of concurrent calls so far. */
  highWater: number;
  /** The latest finished calls, newest last. */
  recent: readonly RecentCall[];
}

/** A client as operators see it. */
export interface OutsideSystem {
  /** Name in texts. */
  readonly system: string;
  stats(): OutsideStats;
  /** Checks whether the system answers and accepts the credentials. Never throws; asks at most every few seconds. */
  check(): Promise<SystemState>;
}

/** Returns the name with a capital, for the beginning of a sentence. */
export function capital(system: string): string {
  return system.charAt(0).toUpperCase() + system.slice(1);
}

/** Returns the name without its article, for figures and logs. */
export function shortName(system: string): string {
  return system.replace(/^the /, '');
}
