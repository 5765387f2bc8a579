/** A reusable thread: starting one and warming up its code costs more than most of its work. */
import { Worker } from 'node:worker_threads';
import { Queues } from './queues.ts';

export interface ThreadLimits {
  /** Limit of the thread's heap. */
  memoryMb: number;
  /** Longest time for one piece of work, including the thread's start. */
  giveUpAfterMs: number;
  /** How long an idle thread is kept. */
  idleMs: number;
}

/** The thread has ended without an answer: too little memory or time, or a failure of its own. */
export class ThreadEnded extends Error {
  override name = 'ThreadEnded';
}

/**
 * One thread that does one piece of work after another. Work that exceeds the limits ends the thread, and the next one gets a new thread.
 * The file answers each message of its parent with one message, and keeps no state.
 */
export class ReusableWorker<Work, Answer> {
  readonly #file: URL;
  readonly #limits: ThreadLimits;
  readonly #queue = new Queues<'work'>();
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | undefined;

  constructor(file: URL, limits: ThreadLimits) {
    this.#file = file;
    this.#limits = limits;
  }

  /** Runs the work after all earlier work. @throws ThreadEnded; the reason of the signal, which ends the work */
  run(work: Work, signal: AbortSignal): Promise<Answer> {
    return this.#queue.run('work', signal, () => this.#run(work, signal));
  }

  async #run(work: Work, signal: AbortSignal): Promise<Answer> {
    clearTimeout(this.#idle);
    const worker = this.#worker ?? this.#started();
    let over = () => {};
    try {
      return await new Promise<Answer>((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new ThreadEnded('too little time')),
          this.#limits.giveUpAfterMs,
        );
        const stop = () => reject(signal.reason);
        const failed = (error: unknown) => reject(new ThreadEnded('it failed', { cause: error }));
        over = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', stop);
          worker.removeListener('message', resolve);
          worker.removeListener('error', failed);
          worker.removeListener('exit', failed);
        };
        signal.addEventListener('abort', stop, { once: true });
        worker.once('message', resolve).once('error', failed).once('exit', failed);
        worker.postMessage(work, []);
      });
    } catch (error) {
      this.#end(worker);
      throw error;
    } finally {
      over();
      this.#idle = setTimeout(() => this.#end(worker), this.#limits.idleMs).unref();
    }
  }

  #started(): Worker {
    const worker = new Worker(this.#file, {
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.memoryMb },
      stdout: true,
      stderr: true,
    });
    // A library's messages about a broken file do not belong in the log.
    worker.stdout.resume();
    worker.stderr.resume();
    // The thread may also end between two pieces of work, when nothing waits for it.
    worker.on('error', () => this.#end(worker)).on('exit', () => this.#end(worker));
    worker.unref();
    this.#worker = worker;
    return worker;
  }

  #end(worker: Worker): void {
    if (this.#worker === worker) this.#worker = null;
    void worker.terminate();
  }
}
