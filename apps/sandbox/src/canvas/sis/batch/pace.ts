import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** Longest stretch of work without letting other requests through, in milliseconds. */
const SLICE_MS = 12;
/** How often a paced import looks at the clock, in milliseconds. */
const TICK_MS = 50;

/** The import was taken off its hands: aborted, or the world was reset. */
export class Stopped extends Error {}

/**
 * How fast an import works: at once, or so many rows per second in real time, so that people and pollers
 * see it go on. Either way the event loop is given back every few milliseconds.
 */
export class Pace {
  readonly #rowsPerSecond: number | 'instant';
  readonly #isStopped: () => boolean;
  #turn = performance.now();
  #start: number | null = null;
  #rows = 0;

  constructor(rowsPerSecond: number | 'instant', isStopped: () => boolean) {
    this.#rowsPerSecond = rowsPerSecond;
    this.#isStopped = isStopped;
  }

  get isStopped(): boolean {
    return this.#isStopped();
  }

  get isInstant(): boolean {
    return this.#rowsPerSecond === 'instant';
  }

  /** Lets other work through when it is time. @throws Stopped */
  readonly yieldNow = async (): Promise<void> => {
    if (performance.now() - this.#turn < SLICE_MS) return;
    await nextTurn();
    this.#turn = performance.now();
    this.check();
  };

  /** @throws Stopped */
  check(): void {
    if (this.#isStopped()) throw new Stopped();
  }

  /** How many rows may be worked on before `done` is called again. */
  get step(): number {
    if (this.#rowsPerSecond === 'instant') return 100;
    return Math.max(1, Math.min(100, Math.floor((this.#rowsPerSecond * TICK_MS) / 1000)));
  }

  /** Notes rows that were worked on, and waits for as long as they should have taken. @throws Stopped */
  async done(rows: number): Promise<void> {
    await this.yieldNow();
    if (this.#rowsPerSecond === 'instant') return;
    this.#start ??= performance.now();
    this.#rows += rows;
    const due = this.#start + (this.#rows / this.#rowsPerSecond) * 1000;
    for (let left = due - performance.now(); left > 0; left = due - performance.now()) {
      await sleep(Math.min(left, TICK_MS));
      this.check();
    }
  }

  /** Waits so many milliseconds when the import is paced; nothing at `instant`. @throws Stopped */
  async pause(ms: number): Promise<void> {
    if (this.#rowsPerSecond === 'instant') return;
    const until = performance.now() + ms;
    while (performance.now() < until) {
      await sleep(TICK_MS);
      this.check();
    }
  }

  /** Lets some time go by, at any pace. @throws Stopped */
  async wait(): Promise<void> {
    await sleep(TICK_MS);
    this.check();
  }

  /** Does nothing until it is stopped. @throws Stopped */
  async hang(): Promise<never> {
    for (;;) await this.wait();
  }
}
