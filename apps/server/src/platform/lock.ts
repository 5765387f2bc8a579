/** The lock on the folder of the embedded database: two processes on one folder would silently lose rows. */
import { readFile, rmdir, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import lockfile from 'proper-lockfile';

/** A lock that no one has touched for so long is given up, anyone who holds it (milliseconds). */
const STALE_MS = 30_000;
/** The holder touches its lock this often. */
const UPDATE_MS = 1_000;
/** Without a touch for so long, the lock of a process that is gone may be taken over at once. */
const SILENT_MS = 2_500;

/** Thrown when another process works on the folder. The message is written for the person who starts the server. */
export class FolderInUse extends Error {
  override name = 'FolderInUse';
}

/** Gives the folder free again. */
export type Release = () => Promise<void>;

/**
 * Takes the folder for this process alone. A lock left behind by a process that was killed is taken over within about
 * three seconds; one that another process holds is refused.
 * @param folder an existing folder; the lock is kept inside it, beside the database
 * @throws FolderInUse
 */
export async function lockFolder(folder: string): Promise<Release> {
  // Anyone who wants the lock passes this gate first, so that no two processes judge one left-behind lock at once.
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

/** Whether the lock's process is gone: it ran on this machine, its number is free, and the lock is no longer touched. */
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
    // A holder in another container with the same host name would touch it again meanwhile.
    await sleep(Math.max(50, SILENT_MS - silent));
    const again = await stat(lockPath).then(
      (found) => found.mtimeMs,
      () => null,
    );
    if (again !== null && again !== touched) return false;
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
  // A restarted container may give the same number again.
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
