/**
 * Drives every job to its end in the background. The record says which job wants somebody, and its lease who that is; it is
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
  /** Has somebody work on a job, at once where this process may. */
  announce(job: WaitingJob): void;
  /** Tells this process that the end of a job was asked for; others see it at their next renewal. */
  cancel(id: string): void;
  /** Ends the work of this process; the jobs are free for the next one. */
  stop(): Promise<void>;
}

/** Milliseconds between two polls for jobs that nobody works on; jobs of this process are announced and need none. */
const POLL_MS = 2_000;
/** How long a stop waits for steps that are under way, in milliseconds. */
const STOP_MS = 5_000;

export function createJobRunner(parts: TurnParts, kinds: readonly JobKind[]): JobRunner {
  const { log, timings } = parts;
  const { db, kind: database } = parts.db;
  const owner = randomUUID();
  const kindOf = new Map(kinds.map((kind) => [kind.id, kind]));
  const stopping = new AbortController();
  // Every running job listens to it.
  setMaxListeners(0, stopping.signal);
  const running = new Map<string, { kind: string; login: string; turn: Turn }>();
  let started = false;
  let timer: NodeJS.Timeout | undefined;
  let polling: Promise<void> | null = null;

  function hasRoom(kind: JobKind): boolean {
    let count = 0;
    for (const one of running.values()) if (one.kind === kind.id) count++;
    return count < kind.atOnce;
  }

  function hasRoomFor(login: string, kind: JobKind): boolean {
    if (kind.atOnceEach === undefined) return true;
    let count = 0;
    for (const one of running.values()) if (one.kind === kind.id && one.login === login) count++;
    return count < kind.atOnceEach;
  }

  function take({ id, kind: kindId, login }: WaitingJob): void {
    const kind = kindOf.get(kindId);
    if (!kind || !started || stopping.signal.aborted || running.has(id)) return;
    if (!hasRoom(kind) || !hasRoomFor(login, kind)) return;
    const turn = takeTurn({ ...parts, owner, stop: stopping.signal }, kind, id);
    running.set(id, { kind: kind.id, login, turn });
    turn.ended
      .catch((error: unknown) => log.error({ err: error, job: id }, 'a job could not be taken up'))
      .finally(() => {
        running.delete(id);
        // What waited for a place is polled for at once.
        void poll();
      });
  }

  function poll(): Promise<void> {
    polling ??= pollOnce()
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) log.error({ err: error }, 'polling for waiting jobs');
      })
      .finally(() => {
        polling = null;
      });
    return polling;
  }

  async function pollOnce(): Promise<void> {
    if (stopping.signal.aborted) return;
    const withRoom = kinds.filter(hasRoom).map(({ id }) => id);
    // Else the many of one person would be all that is found.
    const full = [...running.values()].filter(({ kind: id, login }) => {
      const kind = kindOf.get(id);
      return kind && !hasRoomFor(login, kind);
    });
    for (const job of await waiting(db, withRoom, full)) take(job);
  }

  return {
    async start() {
      if (database === 'pglite') await giveBackAll(db);
      started = true;
      await poll();
      timer = setInterval(() => void poll(), Math.min(POLL_MS, timings.leaseMs));
    },
    announce: take,
    cancel: (id) => running.get(id)?.turn.cancel(),
    async stop() {
      clearInterval(timer);
      stopping.abort(new DOMException('the server stops', 'AbortError'));
      let deadline: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        deadline = setTimeout(resolve, STOP_MS);
      });
      const turns = [...running.values()].map(({ turn }) => turn.ended.catch(() => {}));
      await Promise.race([Promise.all([...turns, polling]), late]);
      clearTimeout(deadline);
    },
  };
}
