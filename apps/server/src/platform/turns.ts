/** Work on this process's only thread, with turns for everybody else in between. */
import { setImmediate as yieldToOthers } from 'node:timers/promises';

/** Milliseconds of work between two turns. */
const TURN_MS = 8;

export class Turns {
  #since = performance.now();

  /** Lets others have their turn when this work has gone on for long enough. To be called between small steps. */
  async pass(): Promise<void> {
    if (performance.now() - this.#since < TURN_MS) return;
    await yieldToOthers();
    this.#since = performance.now();
  }
}
