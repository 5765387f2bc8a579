import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/** The longest time spent working without serving other requests, in milliseconds. */
const SLICE_MS = 12;
/** The time between two clock checks of a paced import, in milliseconds. */
const TICK_MS = 50;

/** The import was stopped: aborted, or the world was reset. */
export class Stopped extends Error {}

/**
 * The speed of an import: instant, or a number of rows per second in real time, so that people and polling clients
 * can see its progress. In both cases, other requests are served every few milliseconds.
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

  /** Lets other work run when a pause is due. @throws Stopped */
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

  /** Returns the number of rows to process before `done` is called again. */
  get step(): number {
    if (this.#rowsPerSecond === 'instant') return 100;
    return Math.max(1, Math.min(100, Math.floor((this.#rowsPerSecond * TICK_MS) / 1000)));
  }

  /** Counts processed rows, and waits until their time has passed. @throws Stopped */
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

  /** Waits when the import is paced; does nothing at `instant`. @throws Stopped */
  async pause(ms: number): Promise<void> {
    if (this.#rowsPerSecond === 'instant') return;
    const until = performance.now() + ms;
    while (performance.now() < until) {
      await sleep(TICK_MS);
      this.check();
    }
  }

  /** Lets some time pass, at any pace. @throws Stopped */
  async wait(): Promise<void> {
    await sleep(TICK_MS);
    this.check();
  }

  /** Waits until the import is stopped. @throws Stopped */
  async hang(): Promise<never> {
    for (;;) await this.wait();
  }
}
