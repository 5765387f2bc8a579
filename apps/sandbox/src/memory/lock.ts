/** The lock on the folder of a campus: two processes on one folder would write over each other. */

import { readFileSync, writeFileSync } from 'node:fs';
import { rmdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import lockfile from 'proper-lockfile';

/** A lock that no one has touched for so long is given up, anyone who holds it (milliseconds). */
const STALE_MS = 30_000;
const UPDATE_MS = 1_000;

/** Folders of this process. */
const taken = new Set<string>();

/** Thrown when another process works on the folder. The message is for the person who starts the campus. */
export class FolderInUse extends Error {}

/**
 * Takes the folder for this process alone. The lock of a process that is gone is taken over at once.
 * @param lost called when another process has taken the folder, which happens to one that stood still for long
 * @returns gives the folder free again
 * @throws FolderInUse
 */
export async function lockFolder(folder: string, lost: () => void): Promise<() => Promise<void>> {
  const owner = join(folder, 'owner.json');
  const take = (): Promise<() => Promise<void>> =>
    lockfile.lock(join(folder, 'campus'), {
      realpath: false,
      stale: STALE_MS,
      update: UPDATE_MS,
      // Late, as after a night with the lid closed: the lock is this process's still unless someone has taken it.
      onCompromised: () => {
        take().then(
          (again) => {
            release = again;
          },
          () => lost(),
        );
      },
    });
  // Anyone who wants the lock passes this gate first, so that no two processes judge one left-behind lock at once.
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
  // A restarted container may give the same number again.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
