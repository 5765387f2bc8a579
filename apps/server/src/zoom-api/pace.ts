/**
 * Zoom's limits of a second seen from our side (reference §5): each label has so many calls a second for the whole account.
 * Zoom counts a call at some time between its sending and its answer, so its place is free again a second after the answer:
 * then no second of Zoom's, wherever it begins, has too many. Where others use the account too and a call is refused all
 * the same, we go slower for a while.
 */
import type { OutboundAnswer } from '../outbound/answer.ts';
import type { Gate, Place, PlaceEnd } from '../outbound/types.ts';

/** What Zoom counts a call as. */
export type Label = 'Light' | 'Medium';

/** Calls a second of a Pro plan, until an answer says what holds. */
const UNTIL_KNOWN: Readonly<Record<Label, number>> = { Light: 30, Medium: 20 };
/** Least part of the limit that is used after refusals. */
const LEAST_SHARE = 0.1;
/** Milliseconds of a second, by two clocks that do not run quite alike. */
const SECOND_MS = 1_005;
/** Milliseconds that a refused second is waited longer, by chance. */
const JITTER_MS = 250;
/** The share is back about so many seconds after a refusal. */
const BACK_S = 20;
/** Calls of a label that run at once. */
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
  /** When the answers of the last second came, the oldest first. */
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
      // Those that were under way meanwhile tell nothing new.
      this.#share = Math.max(LEAST_SHARE, this.#share * 0.7);
      this.#closedUntil = now + untilReset(answer) + Math.random() * JITTER_MS;
    } else if (!throttled) {
      this.#share = Math.min(1, this.#share + 1 / (BACK_S * this.#perSecond));
    }
    this.#serve();
  }

  #learn(answer: OutboundAnswer): void {
    // Answers to creations and updates may count down the host's day instead.
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

/** Milliseconds until the second that was refused is over. */
function untilReset(answer: OutboundAnswer | null): number {
  const said = Number(answer?.header('x-ratelimit-reset')) * 1_000 - Date.now();
  return said >= 0 && said <= 2 * SECOND_MS ? said : SECOND_MS;
}
