/** One piece of work for all who wait for the same thing; it ends when the last of them has gone. */
export class Shared<T> {
  readonly #stop = new AbortController();
  readonly #work: Promise<T>;
  readonly #onEnd: (done: boolean) => void;
  #readers = 0;
  #ended = false;

  /**
   * Begins the work.
   * @param onEnd called once: when the work is done, has failed, or has no one left who waits for it
   */
  constructor(begin: (signal: AbortSignal) => Promise<T>, onEnd: (done: boolean) => void) {
    this.#onEnd = onEnd;
    this.#work = begin(this.#stop.signal);
    this.#work.then(
      () => this.#end(true),
      () => this.#end(false),
    );
  }

  /** Its result. @throws what the work throws, or the reason of the signal, which ends the waiting of this reader alone */
  async read(signal?: AbortSignal): Promise<T> {
    this.#readers++;
    try {
      return await untilAborted(this.#work, signal);
    } finally {
      if (--this.#readers === 0 && !this.#ended) {
        this.#end(false);
        this.#stop.abort(signal?.reason);
      }
    }
  }

  #end(done: boolean): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#onEnd(done);
  }
}

/** The promise, unless the signal is faster. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
