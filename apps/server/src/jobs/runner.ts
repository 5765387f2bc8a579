/**
 * Drives every job to its end in the background. The record says which job wants someone, and its lease who that is; it is
 * all that a restarted process, or another one, needs to go on.
 */
import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import type { JobKind } from './kind.ts';
import { giveBackAll, type WaitingJob, waiting } from './lease.ts';
import { type Turn, type TurnParts, takeTurn } from './turn.ts';

export interface JobRunner {
  /** Takes up every job that has not ended, and from now on those that are announced or become due. */
  start(): Promise<void>;
  /** Has someone work on a job, at once where this process may. */
  announce(job: WaitingJob): void;
  /** Tells this process that the end of a job was asked for; others see it at their next renewal. */
  cancel(id: string): void;
  /** Ends the work of this process; the jobs are free for the next one. */
  stop(): Promise<void>;
}

/** Milliseconds between two polls for jobs that no one works on; jobs of this process are announced and need none. */
const POLL_MS = 2_000;
/** How long a stop waits for steps that are under way, in milliseconds. */
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
    // Every running job listens to it.
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
      .catch((error: unknown) =>
        this.#parts.log.error({ err: error, job: id }, 'a job could not be taken up'),
      )
      .finally(() => {
        this.#running.delete(id);
        // What waited for a place is polled for at once.
        void this.#poll();
      });
  }

  cancel(id: string): void {
    this.#running.get(id)?.turn.cancel();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping.abort(new DOMException('the server stops', 'AbortError'));
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
    // Else the many of one person would be all that is found.
    const full = [...this.#running.values()].filter(({ kind: id, login }) => {
      const kind = this.#kindOf.get(id);
      return kind && !this.#hasRoomFor(login, kind);
    });
    for (const job of await waiting(this.#parts.db.db, withRoom, full)) this.announce(job);
  }
}
