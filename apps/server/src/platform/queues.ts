/** Work that must not overlap with its like, one after the other, within this process. */

/** A queue for each key. */
export class Queues<K> {
  readonly #last = new Map<K, Promise<unknown>>();

  /** Does the work when all that came before it with this key has ended. @throws the signal's reason, without doing it */
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
