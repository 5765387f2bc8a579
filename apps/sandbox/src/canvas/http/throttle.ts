/** The leaky bucket of each client (reference §5), in real time. */

import type { ThrottleOptions } from '../../config.ts';

type Bucket = { level: number; at: number };

const MOST_BUCKETS = 10_000;

/** One bucket per client; the caller decides what a client is. */
export class Throttle {
  readonly #buckets = new Map<string, Bucket>();
  readonly #options: ThrottleOptions;
  /** Milliseconds, counted from any start. */
  readonly #clock: () => number;

  constructor(options: ThrottleOptions, clock: () => number = () => performance.now()) {
    this.#options = options;
    this.#clock = clock;
  }

  /**
   * Books the up-front cost of a request. Returns false if the bucket is full, in which case nothing is
   * booked.
   */
  reserve(client: string): boolean {
    const bucket = this.#leaked(client);
    // The request's own booking counts: with twelve in progress the bucket is at 600, and the next one is rejected.
    const level = Math.min(bucket.level + this.#options.upfront, this.#options.maximum);
    if (level >= this.#options.quota) return false;
    bucket.level = level;
    return true;
  }

  /** Replaces the up-front cost with the actual cost of the request. Returns the remaining quota. */
  settle(client: string, cost: number): number {
    const bucket = this.#leaked(client);
    bucket.level = Math.min(Math.max(bucket.level - this.#options.upfront, 0) + cost, this.#options.maximum);
    return this.#options.quota - bucket.level;
  }

  clear(): void {
    this.#buckets.clear();
  }

  #leaked(client: string): Bucket {
    const now = this.#clock();
    let bucket = this.#buckets.get(client);
    if (!bucket) {
      if (this.#buckets.size >= MOST_BUCKETS) this.#buckets.clear();
      bucket = { level: 0, at: now };
      this.#buckets.set(client, bucket);
    }
    bucket.level = Math.max(0, bucket.level - ((now - bucket.at) / 1000) * this.#options.leakPerSecond);
    bucket.at = now;
    return bucket;
  }
}
