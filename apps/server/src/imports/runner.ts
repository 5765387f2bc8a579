/**
 * Drives every import to its end in the background. The queue says which import needs somebody, the lease in its record
 * who that is; what the record says is all that a restarted process needs to go on.
 */
import { randomUUID } from 'node:crypto';
import type { Jobs } from '../platform/jobs.ts';
import { follow } from './follow.ts';
import { claim, giveBack, giveBackAll, LeaseLost, renew, save, waiting } from './lease.ts';
import { createLmsImports } from './lms-imports.ts';
import type { ImportRow } from './record.ts';
import { find, send } from './send.ts';
import type { ImportServices, Work } from './work.ts';

/** Name of the queue; its jobs hold the id of an import. */
const QUEUE = 'import';
/** How long a stop waits for a sending that is under way, in milliseconds. */
const STOP_MS = 5_000;

export interface ImportRunner {
  /** Takes up every import that is not final, and from now on those that are announced. */
  start(): Promise<void>;
  /** Has somebody work on an import, soon. */
  announce(importId: string): Promise<void>;
  /** Ends the work of this process; the imports are free for the next one. */
  stop(): Promise<void>;
}

export function createImportRunner(services: ImportServices, jobs: Jobs): ImportRunner {
  const { log } = services;
  const { db, kind } = services.db;
  const { leaseMs } = services.config.imports;
  const owner = randomUUID();
  const lms = createLmsImports(services.canvas);
  const stopping = new AbortController();
  const running = new Map<string, Promise<void>>();
  let sweeper: NodeJS.Timeout | undefined;

  /** Takes an import if it is free and works on it in the background. */
  async function take(id: string): Promise<void> {
    if (running.has(id) || stopping.signal.aborted) return;
    const row = await claim(db, id, owner, leaseMs);
    if (!row || running.has(id)) return;
    const work = drive(row).finally(() => running.delete(id));
    running.set(id, work);
  }

  async function drive(first: ImportRow): Promise<void> {
    const lost = new AbortController();
    let row = first;
    let leasedUntil = Date.now() + leaseMs;
    const renewal = setInterval(() => {
      const asked = Date.now();
      renew(db, row.id, owner, leaseMs).then(
        () => {
          leasedUntil = asked + leaseMs;
        },
        (error: unknown) => {
          // A database that does not answer is no lost lease; the lease's own end is.
          if (error instanceof LeaseLost || Date.now() > leasedUntil) lost.abort(new LeaseLost());
        },
      );
    }, leaseMs / 3);
    const work: Work = {
      services,
      lms,
      signal: AbortSignal.any([stopping.signal, lost.signal]),
      get row() {
        return row;
      },
      token: () => services.grants.rootToken(row.grantId),
      async save(patch) {
        row = await save(db, row.id, owner, patch);
      },
      leaseLeft: () => leasedUntil - Date.now(),
    };
    try {
      // A record found in step 'submitting' was left there by a process that died: its fate is unknown.
      while (row.step !== 'final') {
        if (row.step === 'recorded') await send(work);
        else if (row.step === 'submitting') await find(work);
        else await follow(work);
      }
    } catch (error) {
      if (!work.signal.aborted && !(error instanceof LeaseLost)) {
        log.error({ err: error, import: row.id, step: row.step }, 'import interrupted; taken up again later');
        // Its lease runs out by itself, which is the pause before the next try.
        return;
      }
      await giveBack(db, row.id, owner).catch(() => {});
    } finally {
      clearInterval(renewal);
    }
  }

  async function sweep(): Promise<void> {
    for (const id of await waiting(db)) await jobs.send(QUEUE, { id });
  }

  return {
    async start() {
      if (kind === 'pglite') await giveBackAll(db);
      await jobs.work<{ id: string }>(QUEUE, ({ id }) => take(id));
      for (const id of await waiting(db)) await take(id);
      sweeper = setInterval(() => {
        sweep().catch((error: unknown) => log.error({ err: error }, 'looking for waiting imports'));
      }, leaseMs);
    },
    announce: (id) => jobs.send(QUEUE, { id }),
    async stop() {
      clearInterval(sweeper);
      stopping.abort(new DOMException('the server stops', 'AbortError'));
      const deadline = new Promise<void>((resolve) => {
        setTimeout(resolve, STOP_MS).unref();
      });
      await Promise.race([Promise.all(running.values()), deadline]);
    },
  };
}
