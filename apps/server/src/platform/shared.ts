/** One piece of work shared by all callers who wait for its result; it stops when the last of them leaves. */
export class Shared<T> {
  readonly #stop = new AbortController();
  readonly #work: Promise<T>;
  readonly #onEnd: (done: boolean) => void;
  #readers = 0;
  #ended = false;

  /**
   * Begins the work.
   * @param onEnd called once: when the work succeeds, fails, or loses its last waiter
   */
  constructor(begin: (signal: AbortSignal) => Promise<T>, onEnd: (done: boolean) => void) {
    this.#onEnd = onEnd;
    this.#work = begin(this.#stop.signal);
    this.#work.then(
      () => this.#end(true),
      () => this.#end(false),
    );
  }

  /** Waits for the result. @throws like the work, or the reason of the signal, which ends only this wait */
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

/** Waits for the promise until the signal aborts. */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
