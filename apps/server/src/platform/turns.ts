/** Long work on this process's only thread, with pauses for other work. */
import { setImmediate as yieldToOthers } from 'node:timers/promises';

/** Milliseconds of work between two turns. */
const TURN_MS = 8;

export class Turns {
  #since = performance.now();

  /** Yields to other work if this work has run long enough. Call it between small steps. */
  async pass(): Promise<void> {
    if (performance.now() - this.#since < TURN_MS) return;
    await yieldToOthers();
    this.#since = performance.now();
  }
}
