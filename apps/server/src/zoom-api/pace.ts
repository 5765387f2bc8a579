/**
 * Zoom's limits per second (reference §5): each label allows a number of calls a second for the whole account. Zoom
 * counts a call at some time between its sending and its answer, so its place is free again a second after the answer:
 * no second on Zoom's clock can then have too many calls. If other programs use the account too and a call is refused,
 * the pace drops for a while.
 */
import type { OutboundAnswer } from '../outbound/answer.ts';
import type { Gate, Place, PlaceEnd } from '../outbound/types.ts';

/** Zoom's rate class of a call. */
export type Label = 'Light' | 'Medium';

/** Calls per second in a Pro plan, used until an answer shows the actual limit. */
const UNTIL_KNOWN: Readonly<Record<Label, number>> = { Light: 30, Medium: 20 };
/** Smallest share of the limit that is used after refusals. */
const LEAST_SHARE = 0.1;
/** A second in milliseconds, with a margin for the difference between two clocks. */
const SECOND_MS = 1_005;
/** Longest random delay after a second in which Zoom refused calls, in milliseconds. */
const JITTER_MS = 250;
/** Seconds until the share has recovered from a refusal. */
const BACK_S = 20;
/** Concurrent calls of a label. */
const AT_ONCE = 24;

interface Waiter {
  enter: (() => void) | null;
}

/** The gate of one label. */
export class Pace implements Gate {
  readonly #label: Label;
  readonly #waiting: Waiter[] = [];
  #perSecond: number;
  #share = 1;
  #inside = 0;
  /** Times of the answers of the last second, oldest first. */
  readonly #answered: number[] = [];
  #closedUntil = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(label: Label) {
    this.#label = label;
    this.#perSecond = UNTIL_KNOWN[label];
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
          resolve({ leave: (end) => this.#leave(end) });
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(waiter);
      this.#serve();
    });
  }

  #leave({ answer, throttled }: PlaceEnd): void {
    const now = performance.now();
    this.#inside--;
    this.#answered.push(now);
    if (answer) this.#learn(answer);
    if (throttled && now >= this.#closedUntil) {
      // Other calls that were already under way provide no new information.
      this.#share = Math.max(LEAST_SHARE, this.#share * 0.7);
      this.#closedUntil = now + untilReset(answer) + Math.random() * JITTER_MS;
    } else if (!throttled) {
      this.#share = Math.min(1, this.#share + 1 / (BACK_S * this.#perSecond));
    }
    this.#serve();
  }

  #learn(answer: OutboundAnswer): void {
    // Answers to creations and updates may report the host's daily limit instead.
    if (answer.header('x-ratelimit-type') !== 'QPS') return;
    if (answer.header('x-ratelimit-category') !== this.#label) return;
    const limit = Number(answer.header('x-ratelimit-limit'));
    if (Number.isInteger(limit) && limit > 0) this.#perSecond = limit;
  }

  #serve(): void {
    const most = Math.max(1, Math.floor(this.#perSecond * this.#share));
    while (this.#waiting.length > 0 && this.#inside < Math.min(AT_ONCE, most)) {
      const now = performance.now();
      while (now - (this.#answered[0] ?? now) >= SECOND_MS) this.#answered.shift();
      const full = this.#inside + this.#answered.length >= most;
      const free = full
        ? (this.#answered[this.#answered.length + this.#inside - most] ?? now) + SECOND_MS
        : 0;
      const wait = Math.max(this.#closedUntil, free) - now;
      if (wait > 0) return this.#serveIn(wait);
      const enter = this.#waiting.shift()?.enter;
      if (!enter) continue;
      this.#inside++;
      enter();
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

/** Returns the milliseconds until the second in which Zoom refused a call is over. */
function untilReset(answer: OutboundAnswer | null): number {
  const waitMs = Number(answer?.header('x-ratelimit-reset')) * 1_000 - Date.now();
  return waitMs >= 0 && waitMs <= 2 * SECOND_MS ? waitMs : SECOND_MS;
}
