/** How often a person can do something in a minute, counted in memory: a limit on load, not on guessing. */
import { createHash } from 'node:crypto';
import { AppError } from './errors.ts';

const MINUTE_MS = 60_000;
/** Maximum number of names counted; above it, all counts start again. */
const MOST_NAMES = 50_000;

export class Allowance {
  readonly #perMinute: number;
  readonly #now: () => number;
  readonly #taken = new Map<string, { since: number; count: number }>();

  constructor(perMinute: number, now: () => number) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  /** Uses one of this name's allowance. @throws AppError busy if none is left in this minute */
  take(name: string): void {
    // Callers choose the names, which may be long.
    const key = createHash('sha256').update(name).digest('base64');
    const now = this.#now();
    const known = this.#taken.get(key);
    if (!known || now - known.since >= MINUTE_MS) {
      if (this.#taken.size >= MOST_NAMES) this.#taken.clear();
      this.#taken.set(key, { since: now, count: 1 });
      return;
    }
    known.count++;
    if (known.count > this.#perMinute) throw new AppError('busy');
  }
}
