/**
 * Canvas's leaky bucket seen from our side (reference §5): each request in flight costs 50 of a quota of 600 up front,
 * the bucket leaks 10 a second, and every answer says what remains. One bucket an access token decides how many calls
 * may run at once, and which waiting one is next.
 */

/** What Canvas takes from the quota for each request in flight. */
const UPFRONT_COST = 50;
/** Answers whose reading of the quota still counts: about one round of calls in flight. */
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
   * Gives the place back.
   * @param outcome `X-Rate-Limit-Remaining` of the answer, null without one; how long it asks to wait (milliseconds)
   */
  release(outcome: Outcome): void;
  /** For a call that was given up: Canvas goes on working on it, so the place stays taken for a usual round trip. */
  abandon(): void;
}

interface Running {
  sentAt: number;
}

interface Waiter {
  grant: ((slot: Slot) => void) | null;
}

/** Waiting calls of one piece of work; `head` is the next one, so that long queues are not moved about. */
interface Lane {
  waiters: Waiter[];
  head: number;
}

export class Bucket {
  readonly #most: number;
  readonly #running = new Set<Running>();
  /** In the order in which they are served next. */
  readonly #lanes = new Map<object, Lane>();
  /** Estimates of the whole quota free for us, newest last. */
  #readings: { at: number; free: number }[] = [];
  /** Calls at once as learnt from throttling: halved by it, grown back by answers. */
  #learnt: number;
  #pausedUntil = 0;
  #pause = FIRST_PAUSE_MS;
  #shrunkAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;
  /** Smoothed, in milliseconds. */
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

  /** Calls that may run at once now. */
  limit(): number {
    const since = performance.now() - READING_LIFE_MS;
    let free = Number.NEGATIVE_INFINITY;
    for (const reading of this.#readings) if (reading.at >= since) free = Math.max(free, reading.free);
    const allowed = free === Number.NEGATIVE_INFINITY ? this.#most : Math.floor((free - 1) / UPFRONT_COST);
    return Math.max(1, Math.min(this.#most, Math.floor(this.#learnt), allowed));
  }

  /**
   * Waits for a place. Lanes take turns, so that a thousand look-ups do not keep one poll waiting.
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
    return performance.now() >= this.#pausedUntil && this.#running.size < this.limit();
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

  /** What would be free if none of our other calls ran: each of those that Canvas can have seen holds 50. */
  #read(running: Running, remaining: number, now: number): void {
    // A call sent less than half a round trip ago cannot have been there when this answer was written.
    const seenBefore = now - (now - running.sentAt) / 2;
    let others = 0;
    for (const other of this.#running) if (other.sentAt <= seenBefore) others++;
    this.#readings.push({ at: now, free: remaining + others * UPFRONT_COST });
    if (this.#readings.length > READINGS) this.#readings.shift();
  }

  #slowDown(running: Running, now: number): void {
    // Calls that were under way when we slowed down tell nothing new.
    if (running.sentAt < this.#shrunkAt) return;
    this.#shrunkAt = now;
    this.#learnt = Math.max(1, Math.min(this.#learnt, this.#running.size + 1) / 2);
    this.#pausedUntil = now + this.#pause * (0.5 + Math.random());
    this.#pause = Math.min(LONGEST_PAUSE_MS, this.#pause * 2);
  }

  #serve(): void {
    while (this.#lanes.size > 0) {
      if (!this.#mayStart()) break;
      const waiter = this.#next();
      // Served outside the check above: an aborted waiter takes no place.
      if (waiter?.grant) waiter.grant(this.#start());
    }
    this.#wakeLater();
  }

  /** The first waiter of the first lane, which then goes to the end of the line. */
  #next(): Waiter | undefined {
    const first = this.#lanes.entries().next();
    if (first.done) return undefined;
    const [key, lane] = first.value;
    const waiter = lane.waiters[lane.head++];
    this.#lanes.delete(key);
    if (lane.head < lane.waiters.length) this.#lanes.set(key, lane);
    return waiter;
  }

  #wakeLater(): void {
    const wait = this.#pausedUntil - performance.now();
    if (this.#timer !== null || wait <= 0 || this.#lanes.size === 0) return;
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#serve();
    }, Math.ceil(wait));
  }
}
