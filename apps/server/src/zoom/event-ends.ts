/** How one event ends that could not be done, in words for its line. */
import { type Did, wordsOfLost, wordsOfRest, wordsOfStopped } from './did.ts';
import { EventProblem, HostDayOver, Stopped } from './problems.ts';

export interface EventEnd {
  /** `todo`: the day of a host is used up, and the event waits for the next one; or the work was cancelled. */
  state: 'done' | 'failed' | 'todo';
  /** What was done, or why it was not, for the event's line. */
  message: string;
  /** Why it was not, without what was done although it failed. */
  problem?: string;
  /** What helps where it failed and trying again does not. */
  next?: string | null;
}

/** @param error what ended it @throws what concerns all events, or passes by itself */
export function endOf(error: unknown, did: Did): EventEnd {
  if (error instanceof EventProblem) {
    const { message: problem, next } = error;
    const said = problem + wordsOfLost(did) + wordsOfRest(did);
    const message = [said, ...new Set(did.warnings)].join(' ');
    return { state: 'failed', message, problem, next };
  }
  if (error instanceof Stopped) return { state: 'todo', message: wordsOfStopped(did) };
  if (error instanceof HostDayOver) {
    // When it goes on is said of the job, in the reader's zone; of a cancelled one it would be untrue.
    return { state: 'todo', message: `${error.host} has used up today’s 100 changes in Zoom.` };
  }
  throw error;
}
