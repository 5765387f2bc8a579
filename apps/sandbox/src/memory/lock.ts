/** The lock on a sandbox's folder: two processes using one folder would overwrite each other's data. */

import { readFileSync, writeFileSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import lockfile from 'proper-lockfile';

/** A lock that no process has touched for this long counts as abandoned (milliseconds). */
const STALE_MS = 30_000;
const UPDATE_MS = 1_000;

/** Folders that this process has locked. */
const taken = new Set<string>();

/** Another process is using the folder. The message is for the operator who starts the sandbox. */
export class FolderInUse extends Error {}

/**
 * Locks the folder for this process. Takes over a dead process's lock immediately.
 * @param lost called when another process has taken the folder, which can happen after this one was suspended for a
 * long time
 * @returns a function that releases the folder
 * @throws FolderInUse
 */
export async function lockFolder(folder: string, lost: () => void): Promise<() => Promise<void>> {
  const owner = join(folder, 'owner.json');
  const take = (): Promise<() => Promise<void>> =>
    lockfile.lock(join(folder, 'campus'), {
      realpath: false,
      stale: STALE_MS,
      update: UPDATE_MS,
      // Handles a lost lock. It can be called late, for example after standby: this process still has the
      // lock unless another one has taken it.
      onCompromised: () => {
        take().then(
          (renewed) => {
            release = renewed;
          },
          () => lost(),
        );
      },
    });
  // Processes that want the lock pass this gate first, so that no two examine an abandoned lock at the same time.
  const openGate = await lockfile.lock(join(folder, 'gate'), {
    realpath: false,
    stale: 5_000,
    retries: { retries: 100, minTimeout: 100, maxTimeout: 100, factor: 1 },
  });
  let release: () => Promise<void>;
  try {
    release = await take().catch(async (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ELOCKED') throw error;
      const holder = readOwner(owner);
      if (holder === null || holder.host !== hostname() || taken.has(folder) || isAlive(holder.pid)) {
        const who = holder ? `process ${holder.pid} on ${holder.host}` : 'another process';
        throw new FolderInUse(
          `the folder ${folder} is in use by ${who}. Stop it first. To run a second campus beside it, set LMS_ADMIN_DATA (or SANDBOX_DATA) to another folder, and PORT and SANDBOX_PORT to free ports.`,
        );
      }
      await rmdir(join(folder, 'campus.lock')).catch(() => {});
      return take();
    });
    writeFileSync(owner, JSON.stringify({ pid: process.pid, host: hostname() }), { mode: 0o600 });
  } finally {
    await openGate().catch(() => {});
  }
  taken.add(folder);
  return async () => {
    taken.delete(folder);
    await release();
  };
}

function readOwner(path: string): { pid: number; host: string } | null {
  try {
    const owner = JSON.parse(readFileSync(path, 'utf8')) as { pid?: unknown; host?: unknown } | null;
    return typeof owner?.pid === 'number' && typeof owner.host === 'string'
      ? { pid: owner.pid, host: owner.host }
      : null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  // A restarted container may have the same process ID again.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
