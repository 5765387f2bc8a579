/**
 * Model of Canvas's leaky bucket (reference §5): each request in flight costs 50 of a quota of 600 up front, the
 * bucket leaks 10 a second, and every answer reports the remaining quota. Each access token has one bucket, which
 * limits concurrent calls and picks the next one.
 */

/** Quota that Canvas charges up front for each request. */
const UPFRONT_COST = 50;
/** Number of recent quota readings that count: about one round of calls in flight. */
const READINGS = 16;
const READING_LIFE_MS = 3_000;
const FIRST_PAUSE_MS = 400;
const LONGEST_PAUSE_MS = 8_000;

interface Outcome {
  remaining: number | null;
  throttled: boolean;
  waitMs: number | null;
}

export interface Slot {
  /**
   * Releases the slot.
   * @param outcome `X-Rate-Limit-Remaining` of the answer, null without one; how long it asks to wait (milliseconds)
   */
  release(outcome: Outcome): void;
  /** Releases the slot of an abandoned call after a typical round trip, because Canvas is still working on it. */
  abandon(): void;
}

interface Running {
  sentAt: number;
}

interface Waiter {
  grant: ((slot: Slot) => void) | null;
}

/** Waiting calls of one piece of work. `head` is the index of the next one, which avoids shifting long queues. */
interface Lane {
  waiters: Waiter[];
  head: number;
}

export class Bucket {
  readonly #most: number;
  readonly #running = new Set<Running>();
  /** In the order in which they are served. */
  readonly #lanes = new Map<object, Lane>();
  /** Estimates of the free quota if none of our calls ran, newest last. */
  #readings: { at: number; free: number }[] = [];
  /** Limit of concurrent calls learnt from throttling: halved by throttling, raised by answers. */
  #learnt: number;
  #pausedUntil = 0;
  #pause = FIRST_PAUSE_MS;
  #shrunkAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;
  /** Smoothed round trip in milliseconds. */
  #roundTrip = 100;

  constructor(most: number) {
    this.#most = most;
    this.#learnt = most;
  }

  get inFlight(): number {
    return this.#running.size;
  }

  get idle(): boolean {
    return this.#running.size === 0 && this.#lanes.size === 0;
  }

  /** Returns the number of calls that can run concurrently at the moment. */
  limit(): number {
    const since = performance.now() - READING_LIFE_MS;
    let free = Number.NEGATIVE_INFINITY;
    for (const reading of this.#readings) if (reading.at >= since) free = Math.max(free, reading.free);
    const allowed = free === Number.NEGATIVE_INFINITY ? this.#most : Math.floor((free - 1) / UPFRONT_COST);
    return Math.max(1, Math.min(this.#most, Math.floor(this.#learnt), allowed));
  }

  /**
   * Waits for a slot. Lanes take turns, so that a thousand look-ups do not delay one poll.
   * @param lane the piece of work that the call belongs to
   * @throws the reason of `signal`
   */
  acquire(lane: object, signal?: AbortSignal): Promise<Slot> {
    signal?.throwIfAborted();
    if (this.#lanes.size === 0 && this.#mayStart()) return Promise.resolve(this.#start());
    return new Promise((resolve, reject) => {
      const waiter: Waiter = { grant: null };
      const onAbort = () => {
        waiter.grant = null;
        reject(signal?.reason);
      };
      waiter.grant = (slot) => {
        signal?.removeEventListener('abort', onAbort);
        resolve(slot);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      const queue = this.#lanes.get(lane);
      if (queue) queue.waiters.push(waiter);
      else this.#lanes.set(lane, { waiters: [waiter], head: 0 });
      this.#serve();
    });
  }

  #mayStart(): boolean {
    return this.#pauseLeft() <= 0 && this.#running.size < this.limit();
  }

  #pauseLeft(): number {
    return this.#pausedUntil - performance.now();
  }

  #start(): Slot {
    const running: Running = { sentAt: performance.now() };
    this.#running.add(running);
    return {
      release: (outcome) => this.#end(running, outcome),
      abandon: () => {
        setTimeout(() => {
          if (this.#running.delete(running)) this.#serve();
        }, this.#roundTrip).unref();
      },
    };
  }

  #end(running: Running, outcome: Outcome): void {
    if (!this.#running.delete(running)) return;
    const now = performance.now();
    this.#roundTrip += (Math.min(now - running.sentAt, 5_000) - this.#roundTrip) / 8;
    if (outcome.throttled) {
      this.#slowDown(running, now);
      this.#pausedUntil = Math.max(this.#pausedUntil, now + (outcome.waitMs ?? 0));
    } else {
      this.#pause = FIRST_PAUSE_MS;
      this.#learnt = Math.min(this.#most, this.#learnt + 1 / Math.max(1, this.#learnt));
      if (outcome.remaining !== null) this.#read(running, outcome.remaining, now);
    }
    this.#serve();
  }

  /** Estimates the free quota without our other calls: each call that Canvas has probably seen holds 50. */
  #read(running: Running, remaining: number, now: number): void {
    // A call sent less than half a round trip ago had not arrived when this answer was written.
    const seenBefore = now - (now - running.sentAt) / 2;
    let others = 0;
    for (const other of this.#running) if (other.sentAt <= seenBefore) others++;
    this.#readings.push({ at: now, free: remaining + others * UPFRONT_COST });
    if (this.#readings.length > READINGS) this.#readings.shift();
  }

  #slowDown(running: Running, now: number): void {
    // Calls that were running when the limit was lowered say nothing about the new limit.
    if (running.sentAt < this.#shrunkAt) return;
    this.#shrunkAt = now;
    this.#learnt = Math.max(1, Math.min(this.#learnt, this.#running.size + 1) / 2);
    this.#pausedUntil = now + this.#pause * (0.5 + Math.random());
    this.#pause = Math.min(LONGEST_PAUSE_MS, this.#pause * 2);
  }

  #serve(): void {
    while (this.#lanes.size > 0) {
      // Read only once: if the pause ended between two reads, the waiting calls would never be woken.
      const wait = this.#pauseLeft();
      if (wait > 0) return this.#serveIn(wait);
      // When a running call ends, it serves the next one.
      if (this.#running.size >= this.limit()) return;
      const waiter = this.#next();
      // Served outside the check above, so that an aborted waiter takes no slot.
      if (waiter?.grant) waiter.grant(this.#start());
    }
  }

  /** Returns the first waiter of the first lane, and moves the lane to the end. */
  #next(): Waiter | undefined {
    const first = this.#lanes.entries().next();
    if (first.done) return undefined;
    const [key, lane] = first.value;
    const waiter = lane.waiters[lane.head++];
    this.#lanes.delete(key);
    if (lane.head < lane.waiters.length) this.#lanes.set(key, lane);
    return waiter;
  }

  #serveIn(ms: number): void {
    if (this.#timer !== null) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#serve();
    }, Math.ceil(ms));
  }
}
