/** Queues for work that must not overlap within this process. */

/** A queue for each key. */
export class Queues<K> {
  readonly #last = new Map<K, Promise<unknown>>();

  /** Runs the work after all earlier work with this key has ended. @throws the signal's reason, without running it */
  async run<T>(key: K, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const mine = (async () => {
      await before?.catch(() => undefined);
      signal.throwIfAborted();
      return work();
    })();
    this.#last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    }
  }
}
