/** A thread that is kept while it is of use: starting one, and its code getting quick, costs more than most work does. */
import { Worker } from 'node:worker_threads';
import { Queues } from './queues.ts';

export interface ThreadLimits {
  /** Of its heap. */
  memoryMb: number;
  /** Longest that one piece of work may take, its start included. */
  patienceMs: number;
  /** How long it stays when nothing is to be done. */
  idleMs: number;
}

/** The thread has ended without an answer: too little memory or time, or a failure of its own. */
export class ThreadEnded extends Error {
  override name = 'ThreadEnded';
}

/**
 * One thread, one piece of work after the other. Anyone who exceeds the limits ends it; the next gets a new one.
 * The file answers each message of its parent with one message, and keeps nothing of it.
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

  /** Has it done when what came before has ended. @throws ThreadEnded; the reason of the signal, which ends the work */
  run(work: Work, signal: AbortSignal): Promise<Answer> {
    return this.#queue.run('work', signal, () => this.#run(work, signal));
  }

  async #run(work: Work, signal: AbortSignal): Promise<Answer> {
    clearTimeout(this.#idle);
    const worker = this.#worker ?? this.#started();
    let over = () => {};
    try {
      return await new Promise<Answer>((resolve, reject) => {
        const timer = setTimeout(() => reject(new ThreadEnded('too little time')), this.#limits.patienceMs);
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
    // What a library finds to say of a broken file is nothing for our log.
    worker.stdout.resume();
    worker.stderr.resume();
    // Also between two pieces of work it may end: no one waits for it then.
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
