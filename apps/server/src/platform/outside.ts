/** Systems outside: how they fail and what people are told of it; what each says of itself to operation. */

import { z } from 'zod';

/** How texts name the LMS; other systems go by their own name. */
export const THE_LMS = 'the LMS';

/**
 * `down` no answer or 5xx · `timeout` · `throttled` even after waiting · `signed-out` the token of the person is refused ·
 * `token-refused` our own token or key is · `refused` a right is missing · `not-found` · `rejected` another 4xx ·
 * `too-much` more bytes or pages than are taken · `odd` an answer that does not fit.
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
  /** What happened, for people. */
  message: string;
  /** What to do next, for people. */
  next: string;
}

/** What people are told of a failure. */
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
        message: `${name} does not accept the token of LMS Admin.`,
        next: 'Ask IT Support to renew it in the settings of LMS Admin.',
      };
    case 'refused':
      return { message: `${name} does not permit this.`, next: rights };
    case 'not-found':
      return { message: `${name} does not have this.`, next: 'Check the number, or choose again.' };
    case 'rejected':
      return { message: `${name} refused this: ${detail}`, next: rights };
    case 'too-much':
      return {
        message: `${name} sent more than LMS Admin can process.`,
        next: 'Ask for less at a time. If it keeps happening, contact IT Support.',
      };
    case 'odd':
      return {
        message: `${name} sent an unexpected response.`,
        next: 'Try again. If it keeps happening, contact IT Support.',
      };
  }
}

/** Whether a system is there and lets us in, in words for people. */
export const systemState = z.object({
  state: z.enum(['up', 'down', 'not-configured']),
  message: z.string(),
  /** What to do about it; null when there is nothing to do. */
  next: z.string().nullable(),
});
export type SystemState = z.infer<typeof systemState>;

/** How a call ended: `ok` below 400 · `rejected` another 4xx · `down` no answer or 5xx · `abandoned` its reader left. */
export type OutsideOutcome = 'ok' | 'rejected' | 'throttled' | 'down' | 'timeout' | 'too-much' | 'abandoned';

/** One call that has ended. */
export interface RecentCall {
  /** When, in milliseconds since 1970. */
  at: number;
  /** From sending to the end of the answer. */
  ms: number;
  outcome: OutsideOutcome;
}

export interface OutsideStats {
  /** Calls sent, repeats included. */
  calls: number;
  /** The calls that have ended, by how. */
  outcomes: Readonly<Record<OutsideOutcome, number>>;
  /** Milliseconds from sending to the end of the answer, summed over all calls. */
  time: number;
  /** Calls running now. */
  inFlight: number;
  /** Most calls that ever ran at once. */
  highWater: number;
  /** The latest that have ended, the newest last. */
  recent: readonly RecentCall[];
}

/** A client as operation sees it. */
export interface OutsideSystem {
  /** As texts name it. */
  readonly system: string;
  stats(): OutsideStats;
  /** Whether it is there, and whether we may. Never throws; asks at most every few seconds. */
  check(): Promise<SystemState>;
}

/** The name at the beginning of a sentence. */
export function capital(system: string): string {
  return system.charAt(0).toUpperCase() + system.slice(1);
}

/** The name without its article, for figures and logs. */
export function shortName(system: string): string {
  return system.replace(/^the /, '');
}
