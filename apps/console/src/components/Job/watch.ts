/** Following running work: its state after each poll, and when the next poll is due. Pure. */

export interface Watch<Seen> {
  /** The state from the polls so far. */
  seen: Seen;
  /** Successful polls. */
  polls: number;
  /** Failed polls in a row. */
  failures: number;
  /** Whether polling has stopped; the work itself continues (OP-39). */
  gaveUp: boolean;
  /** Why the server does not show this work; null while it does. */
  refusal: unknown;
  /** Whether the next poll is due immediately. */
  due: boolean;
}

export type WatchAction<Answer> =
  | { type: 'seen'; answer: Answer }
  /** A poll without an answer. */
  | { type: 'missed' }
  /** The server does not show this work: polling again would not help. */
  | { type: 'refused'; error: unknown }
  | { type: 'again' }
  /** The browser has a connection again. */
  | { type: 'online' };

/** How work of a kind is followed. Keep the object's identity between renders (a constant, or useMemo). */
export interface WatchRules<Seen, Answer> {
  start: Seen;
  /** The new state after an answer. */
  fold: (before: Seen, answer: Answer) => Seen;
  /** Milliseconds until the next poll while polls succeed; null in the final state. */
  pace: (seen: Seen) => number | null;
}

/** Number of failed polls in a row after which polling stops: about ten minutes with the pauses below. */
const MOST_FAILURES = 22;
/** Number of failed polls after which a hint says that the progress cannot be loaded at the moment. */
const HINT_AFTER = 3;
const LONGEST_PAUSE_MS = 30_000;

export function startWatch<Seen>({ start }: Pick<WatchRules<Seen, never>, 'start'>): Watch<Seen> {
  return { seen: start, polls: 0, failures: 0, gaveUp: false, refusal: null, due: true };
}

export function watch<Seen, Answer>(
  { fold }: Pick<WatchRules<Seen, Answer>, 'fold'>,
  state: Watch<Seen>,
  action: WatchAction<Answer>,
): Watch<Seen> {
  switch (action.type) {
    case 'seen':
      return {
        seen: fold(state.seen, action.answer),
        polls: state.polls + 1,
        failures: 0,
        gaveUp: false,
        refusal: null,
        due: false,
      };
    case 'missed':
      return {
        ...state,
        failures: state.failures + 1,
        gaveUp: state.failures + 1 >= MOST_FAILURES,
        due: false,
      };
    case 'refused':
      return { ...state, gaveUp: true, refusal: action.error };
    case 'again':
      return { ...state, failures: 0, gaveUp: false, refusal: null, due: true };
    case 'online':
      // If the server does not show the work, that will not change; any other cause of failure may have passed.
      return state.refusal === null ? { ...state, failures: 0, gaveUp: false, due: true } : state;
  }
}

/** Returns the milliseconds until the next poll, or null when none is needed. The first poll is due immediately. */
export function nextPoll<Seen>(
  { pace }: Pick<WatchRules<Seen, never>, 'pace'>,
  state: Watch<Seen>,
): number | null {
  const pause = pace(state.seen);
  if (state.gaveUp || pause === null) return null;
  // After a reload or an interruption, the work may have ended long ago.
  if (state.due) return 0;
  return state.failures === 0 ? pause : Math.min(pause * 2 ** state.failures, LONGEST_PAUSE_MS);
}

/** Tells whether the screen should say that the progress cannot be read at the moment. */
export function lostSight(state: Pick<Watch<unknown>, 'gaveUp' | 'failures'>): boolean {
  return state.gaveUp || state.failures >= HINT_AFTER;
}
