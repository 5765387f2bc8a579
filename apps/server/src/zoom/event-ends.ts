/** End of an event that could not be done, with the text for its item. */
import { type EventChanges, wordsOfLost, wordsOfRest, wordsOfStopped } from './event-changes.ts';
import { EventProblem, HostDayOver, Stopped } from './problems.ts';

export interface EventEnd {
  /** `todo`: the host's daily limit is reached, and the event waits for the next day; or the work was cancelled. */
  state: 'done' | 'failed' | 'todo';
  /** What was done for the event, or why nothing was, as the message of its item. */
  message: string;
  /** Whether the work was cancelled while the event was under way. */
  stopped?: true;
  /** Why the event failed, without what was done before. */
  problem?: string;
  /** Next step if a repeat does not help. */
  next?: string | null;
}

export interface Reconciled extends EventEnd {
  changes: EventChanges;
}

/** @param error the error that ended it @throws errors that are temporary, or that concern all events */
export function endOf(error: unknown, changes: EventChanges): EventEnd {
  if (error instanceof EventProblem) {
    const { message: problem, next } = error;
    const text = problem + wordsOfLost(changes) + wordsOfRest(changes);
    const message = [text, ...new Set(changes.warnings)].join(' ');
    return { state: 'failed', message, problem, next };
  }
  if (error instanceof Stopped) return { state: 'todo', message: wordsOfStopped(changes), stopped: true };
  if (error instanceof HostDayOver) {
    // The job shows the time of its next turn in the reader's time zone; for a cancelled job there is none.
    return { state: 'todo', message: `${error.host} has used up today’s 100 changes in Zoom.` };
  }
  throw error;
}
