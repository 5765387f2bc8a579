/** The machine: Node, memory, disk, and permissions of the data folder. */
import { access, constants, readdir, stat, statfs } from 'node:fs/promises';
import { totalmem, userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { hasRoom } from '../../platform/health.ts';
import { RELEASE } from '../../platform/release.ts';
import { type Finding, fail, ok, skip, warn } from './check.ts';

const LEAST_NODE = [20, 19] as const;
const MB = 1_000_000;
/** Below `least` LMS Admin will soon fail; below `good` memory or disk may run out on a busy day. */
const MEMORY = { least: 400 * MB, good: 900 * MB };
const DISK = { least: 100 * MB, good: 2_000 * MB };

const inMb = (bytes: number) => `${Math.floor(bytes / MB).toLocaleString('en-GB')} MB`;

export async function machineFindings(dataFolder: string): Promise<Finding[]> {
  const space = await disk(dataFolder);
  return [release(), node(), memory(), space, await folder(dataFolder, space.state === 'fail')];
}

/** Reports the release that runs the checks. */
function release(): Finding {
  return ok('release', `LMS Admin ${RELEASE}.`);
}

function node(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [least, part] = LEAST_NODE;
  return major > least || (major === least && minor >= part)
    ? ok('node', `Node ${process.version}.`)
    : fail('node', `Node ${process.version} is too old.`, `Install Node ${least}.${part} or newer.`);
}

/** Checks the memory; a container may have less of it than its machine. */
function memory(): Finding {
  const limit = process.constrainedMemory();
  const bytes = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  const next = `Give LMS Admin ${inMb(MEMORY.good)} or more.`;
  if (bytes < MEMORY.least) return fail('memory', `${inMb(bytes)} of memory is too little.`, next);
  if (bytes < MEMORY.good) return warn('memory', `${inMb(bytes)} of memory is low.`, next);
  return ok('memory', `${inMb(bytes)} of memory.`);
}

async function disk(dataFolder: string): Promise<Finding> {
  const path = await nearest(resolve(dataFolder));
  const { bavail, bsize } = await statfs(path);
  const bytes = bavail * bsize;
  const next = `Free some space on the disk of ${path}.`;
  if (bytes < DISK.least) return fail('disk', `${inMb(bytes)} free, which is too little.`, next);
  if (bytes < DISK.good) return warn('disk', `${inMb(bytes)} free, which is low.`, next);
  return ok('disk', `${inMb(bytes)} free.`);
}

/** @param isFull whether the disk is full: then permissions are not the cause */
async function folder(dataFolder: string, isFull: boolean): Promise<Finding> {
  const path = resolve(dataFolder);
  if (!(await hasRoom(path))) {
    if (isFull)
      return skip('folder', `LMS_ADMIN_DATA (${path}) cannot be written to.`, 'Free some space first.');
    return fail(
      'folder',
      `LMS_ADMIN_DATA (${path}) cannot be written to.`,
      `Give the user ${userInfo().username} permission to write there, or name another folder.`,
    );
  }
  const { mode, uid } = await stat(path);
  const closed = await closedEntries(path, uid);
  if (closed.length > 0) {
    return fail(
      'folder',
      `In LMS_ADMIN_DATA (${path}), these belong to another user: ${closed.join(', ')}.`,
      `Stop the server and run "chown -R ${process.getuid?.() === 0 ? uid : userInfo().username} ${path}".`,
    );
  }
  return (mode & 0o007) === 0
    ? ok('folder', `LMS_ADMIN_DATA (${path}) can be written to, and other users cannot read it.`)
    : warn(
        'folder',
        `Every user of this machine can read LMS_ADMIN_DATA (${path}).`,
        `Run "chmod o= ${path}".`,
      );
}

/** Finds files left behind by a start or command of another user, such as root: the server cannot write to them. */
async function closedEntries(path: string, owner: number): Promise<string[]> {
  const { R_OK, W_OK, X_OK } = constants;
  const closed: string[] = [];
  for (const entry of await readdir(path, { withFileTypes: true })) {
    // The root of a disk has this folder, and nothing is written there.
    if (entry.name === 'lost+found') continue;
    const at = join(path, entry.name);
    const found = await stat(at).catch(() => null);
    const usable = await access(at, R_OK | W_OK | (entry.isDirectory() ? X_OK : 0)).then(
      () => true,
      // A running server creates and removes files during the check.
      (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
    );
    const foreign = process.getuid?.() === 0 && found !== null && found.uid !== owner;
    if (!usable || foreign) closed.push(entry.name);
  }
  return closed;
}

/** Returns the folder itself, or its nearest existing parent. */
async function nearest(path: string): Promise<string> {
  const there = await stat(path).catch(() => null);
  return there || dirname(path) === path ? path : nearest(dirname(path));
}
