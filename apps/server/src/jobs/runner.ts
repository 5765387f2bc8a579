/**
 * Runs every job to its end in the background. The record shows which jobs need work, and the lease shows which process
 * does it, so that a restarted or another process can continue.
 */
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { JobKind } from './kind.ts';
import { giveBackAll, type WaitingJob, waiting } from './lease.ts';
import { type Turn, type TurnParts, takeTurn } from './turn.ts';

export interface JobRunner {
  /** Starts work on all unfinished jobs, and later on jobs that are announced or become due. */
  start(): Promise<void>;
  /** Reports a job to work on; this process starts immediately if it can. */
  announce(job: WaitingJob): void;
  /** Tells this process that cancellation of a job was requested; others notice at their next renewal. */
  cancel(id: string): void;
  /** Stops the work of this process; its jobs are released for the next one. */
  stop(): Promise<void>;
}

/** Milliseconds between two polls for free jobs; jobs started in this process are announced and need no poll. */
const POLL_MS = 2_000;
/** How long a stop waits for current steps, in milliseconds. */
const STOP_MS = 5_000;

export function createJobRunner(parts: TurnParts, kinds: readonly JobKind[]): JobRunner {
  return new Runner(parts, kinds);
}

class Runner implements JobRunner {
  readonly #parts: TurnParts;
  readonly #kinds: readonly JobKind[];
  readonly #kindOf: ReadonlyMap<string, JobKind>;
  readonly #owner = randomUUID();
  readonly #stopping = new AbortController();
  readonly #running = new Map<string, { kind: string; login: string; turn: Turn }>();
  #started = false;
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> | null = null;

  constructor(parts: TurnParts, kinds: readonly JobKind[]) {
    this.#parts = parts;
    this.#kinds = kinds;
    this.#kindOf = new Map(kinds.map((kind) => [kind.id, kind]));
    // Every running job listens to this signal.
    setMaxListeners(0, this.#stopping.signal);
  }

  async start(): Promise<void> {
    const { db, timings } = this.#parts;
    if (db.kind === 'pglite') await giveBackAll(db.db);
    this.#started = true;
    await this.#poll();
    this.#timer = setInterval(() => void this.#poll(), Math.min(POLL_MS, timings.leaseMs));
  }

  announce({ id, kind: kindId, login }: WaitingJob): void {
    const kind = this.#kindOf.get(kindId);
    if (!kind || !this.#started || this.#stopping.signal.aborted || this.#running.has(id)) return;
    if (!this.#hasRoom(kind) || !this.#hasRoomFor(login, kind)) return;
    const turn = takeTurn({ ...this.#parts, owner: this.#owner, stop: this.#stopping.signal }, kind, id);
    this.#running.set(id, { kind: kind.id, login, turn });
    turn.ended
      .catch((error: unknown) => this.#parts.log.error({ err: error, job: id }, 'a job could not be started'))
      .finally(() => {
        this.#running.delete(id);
        // Another job may have been waiting for this slot.
        void this.#poll();
      });
  }

  cancel(id: string): void {
    this.#running.get(id)?.turn.cancel();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort(new DOMException('the server is stopping', 'AbortError'));
    let deadline: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      deadline = setTimeout(resolve, STOP_MS);
    });
    const turns = [...this.#running.values()].map(({ turn }) => turn.ended.catch(() => {}));
    await Promise.race([Promise.all([...turns, this.#polling]), late]);
    clearTimeout(deadline);
  }

  #hasRoom(kind: JobKind): boolean {
    let count = 0;
    for (const one of this.#running.values()) if (one.kind === kind.id) count++;
    return count < kind.atOnce;
  }

  #hasRoomFor(login: string, kind: JobKind): boolean {
    if (kind.atOnceEach === undefined) return true;
    let count = 0;
    for (const one of this.#running.values()) if (one.kind === kind.id && one.login === login) count++;
    return count < kind.atOnceEach;
  }

  #poll(): Promise<void> {
    this.#polling ??= this.#pollOnce()
      .catch((error: unknown) => {
        if (!this.#stopping.signal.aborted) this.#parts.log.error({ err: error }, 'polling for waiting jobs');
      })
      .finally(() => {
        this.#polling = null;
      });
    return this.#polling;
  }

  async #pollOnce(): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const withRoom = this.#kinds.filter((kind) => this.#hasRoom(kind)).map(({ id }) => id);
    // Without this list, many jobs of one person could hide all others from the query.
    const full = [...this.#running.values()].filter(({ kind: id, login }) => {
      const kind = this.#kindOf.get(id);
      return kind && !this.#hasRoomFor(login, kind);
    });
    for (const job of await waiting(this.#parts.db.db, withRoom, full)) this.announce(job);
  }
}
