/** Default gate of a client: limits the requests under way, in order of arrival, and closes when asked to wait. */
import type { Gate, Place, PlaceEnd } from './types.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 16_000;
/** Served waiters kept at the head of the queue before it is compacted. */
const MOST_SERVED = 1_000;

interface Waiter {
  enter: (() => void) | null;
}

export class Turnstile implements Gate {
  readonly #most: number;
  readonly #waiting: Waiter[] = [];
  /** Index of the next waiter, which avoids shifting a long queue. */
  #head = 0;
  #inside = 0;
  #closedUntil = 0;
  #pause = FIRST_PAUSE_MS;
  #timer: NodeJS.Timeout | null = null;

  constructor(most: number) {
    this.#most = most;
  }

  enter(signal?: AbortSignal): Promise<Place> {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        waiter.enter = null;
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        enter: () => {
          signal?.removeEventListener('abort', onAbort);
          this.#inside++;
          resolve({ leave: (end) => this.#leave(end) });
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(waiter);
      this.#serve();
    });
  }

  #leave({ answer, throttled, waitMs }: PlaceEnd): void {
    this.#inside--;
    if (throttled) {
      const now = performance.now();
      // A wait of 0 seconds gives no guidance, so the usual pause applies.
      const pause = waitMs || this.#pause * (0.75 + Math.random() / 2);
      // Requests that were under way when the gate closed provide no new information.
      if (now >= this.#closedUntil) this.#pause = Math.min(LONGEST_PAUSE_MS, this.#pause * 2);
      this.#closedUntil = Math.max(this.#closedUntil, now + pause);
    } else if (answer) this.#pause = FIRST_PAUSE_MS;
    this.#serve();
  }

  #serve(): void {
    while (this.#head < this.#waiting.length && this.#inside < this.#most) {
      const wait = this.#closedUntil - performance.now();
      if (wait > 0) return this.#serveIn(wait);
      this.#waiting[this.#head++]?.enter?.();
    }
    if (this.#head === this.#waiting.length || this.#head > MOST_SERVED) {
      this.#waiting.splice(0, this.#head);
      this.#head = 0;
    }
  }

  #serveIn(ms: number): void {
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#serve();
    }, Math.ceil(ms));
  }
}
