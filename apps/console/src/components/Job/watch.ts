/** Following work that goes on: what is known after each poll, and when the next poll is due. Pure. */

export interface Watch<Seen> {
  /** What the polls so far have shown. */
  seen: Seen;
  /** Polls that brought an answer. */
  polls: number;
  /** Polls in a row that brought none. */
  failures: number;
  /** True when following was given up; the work itself goes on (OP-39). */
  gaveUp: boolean;
  /** Why the server will not show this work; null while it does. */
  refusal: unknown;
  /** Whether the next poll is due at once. */
  due: boolean;
}

export type WatchAction<Answer> =
  | { type: 'seen'; answer: Answer }
  /** A poll that brought no answer. */
  | { type: 'missed' }
  /** The server will not show this work: polling again would not help. */
  | { type: 'refused'; error: unknown }
  | { type: 'again' }
  /** The browser has a connection again. */
  | { type: 'online' };

/** How work of a kind is watched. Keep it the same between renders (a constant, or useMemo). */
export interface WatchRules<Seen, Answer> {
  start: Seen;
  /** What is known after an answer. */
  fold: (before: Seen, answer: Answer) => Seen;
  /** Milliseconds until the next poll while all is well; null once there is nothing more to see. */
  pace: (seen: Seen) => number | null;
}

/** Polls that may fail in a row before following is given up: with the pauses below about ten minutes. */
const MOST_FAILURES = 22;
/** From this many failed polls on, a hint says that nothing can be seen at the moment. */
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
      // What was refused stays refused; everything else may be seen again now.
      return state.refusal === null ? { ...state, failures: 0, gaveUp: false, due: true } : state;
  }
}

/** Milliseconds until the next poll, or null when none is needed. The first one is due at once. */
export function nextPoll<Seen>(
  { pace }: Pick<WatchRules<Seen, never>, 'pace'>,
  state: Watch<Seen>,
): number | null {
  const pause = pace(state.seen);
  if (state.gaveUp || pause === null) return null;
  // After a reload, or an interruption, the work may long have ended.
  if (state.due) return 0;
  return state.failures === 0 ? pause : Math.min(pause * 2 ** state.failures, LONGEST_PAUSE_MS);
}

/** Whether the screen should say that it cannot see the work at the moment. */
export function lostSight(state: Pick<Watch<unknown>, 'gaveUp' | 'failures'>): boolean {
  return state.gaveUp || state.failures >= HINT_AFTER;
}
