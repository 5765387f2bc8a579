/** The lock on the folder of the embedded database: two processes on one folder would silently lose rows. */
import { readFile, rmdir, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import lockfile from 'proper-lockfile';

/** Age at which an untouched lock counts as stale, whatever its holder (milliseconds). */
const STALE_MS = 30_000;
/** How often the holder touches its lock (milliseconds). */
const UPDATE_MS = 1_000;
/** After this time without a touch, the lock of a dead process can be taken over (milliseconds). */
const SILENT_MS = 2_500;

/** Thrown when another process uses the folder. The message is written for the person who starts the server. */
export class FolderInUse extends Error {
  override name = 'FolderInUse';
}

/** Releases the folder. */
export type Release = () => Promise<void>;

/**
 * Locks the folder for this process. A lock left behind by a killed process is taken over within about three seconds.
 * @param folder an existing folder; the lock is kept in it, next to the database
 * @throws FolderInUse if another process holds the lock
 */
export async function lockFolder(folder: string): Promise<Release> {
  // Only one process at a time passes this gate, so that no two take over the same stale lock.
  const openGate = await lockfile.lock(join(folder, 'gate'), {
    realpath: false,
    stale: 5_000,
    retries: { retries: 100, minTimeout: 100, maxTimeout: 100, factor: 1 },
  });
  try {
    const ownerPath = join(folder, 'db.owner');
    const take = () =>
      lockfile.lock(join(folder, 'db'), { realpath: false, stale: STALE_MS, update: UPDATE_MS });
    const release = await take().catch(async (error: unknown) => {
      if (!isHeld(error)) throw error;
      const lockPath = join(folder, 'db.lock');
      if (!(await isLeftBehind(lockPath, ownerPath))) throw await inUse(folder, ownerPath);
      await rmdir(lockPath).catch(() => {});
      return take();
    });
    await writeFile(ownerPath, JSON.stringify({ pid: process.pid, host: hostname() }), { mode: 0o600 });
    return release;
  } finally {
    await openGate().catch(() => {});
  }
}

/**
 * Returns whether the lock's process is dead: it ran on this machine, its process id is unused, and the lock is
 * untouched.
 */
async function isLeftBehind(lockPath: string, ownerPath: string): Promise<boolean> {
  const owner = await readOwner(ownerPath);
  if (owner === null || owner.host !== hostname() || isAlive(owner.pid)) return false;
  for (;;) {
    const touched = await stat(lockPath).then(
      (found) => found.mtimeMs,
      () => null,
    );
    if (touched === null) return true;
    const silent = Date.now() - touched;
    if (silent >= SILENT_MS) return true;
    // A holder in another container with the same host name would touch the lock within this time.
    await sleep(Math.max(50, SILENT_MS - silent));
    const touchedSince = await stat(lockPath).then(
      (found) => found.mtimeMs,
      () => null,
    );
    if (touchedSince !== null && touchedSince !== touched) return false;
  }
}

async function inUse(folder: string, ownerPath: string): Promise<FolderInUse> {
  const owner = await readOwner(ownerPath);
  const who = owner ? `process ${owner.pid} on ${owner.host}` : 'another process';
  return new FolderInUse(
    `The data folder ${folder} is in use by ${who}. Stop it, or set LMS_ADMIN_DATA to another folder. ` +
      'To run several servers together, set DATABASE_URL.',
  );
}

async function readOwner(path: string): Promise<{ pid: number; host: string } | null> {
  try {
    const owner: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (typeof owner !== 'object' || owner === null || !('pid' in owner) || !('host' in owner)) return null;
    return typeof owner.pid === 'number' && typeof owner.host === 'string'
      ? { pid: owner.pid, host: owner.host }
      : null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  // A restarted container may have the same process id again.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

function isHeld(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ELOCKED';
}
