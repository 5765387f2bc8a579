/** The machine: Node, memory, disk, and the rights to the data folder. */
import { stat, statfs } from 'node:fs/promises';
import { totalmem, userInfo } from 'node:os';
import { dirname, resolve } from 'node:path';
import { hasRoom } from '../../platform/health.ts';
import { RELEASE } from '../../platform/release.ts';
import { type Finding, fail, ok, warn } from './check.ts';

const LEAST_NODE = [20, 19] as const;
const MB = 1_000_000;
/** Below the first nothing works for long; below the second little is left for a busy day. */
const MEMORY = { least: 400 * MB, good: 900 * MB };
const DISK = { least: 100 * MB, good: 2_000 * MB };

const inMb = (bytes: number) => `${Math.floor(bytes / MB).toLocaleString('en-GB')} MB`;

export async function machineFindings(dataFolder: string): Promise<Finding[]> {
  return [release(), node(), memory(), await disk(dataFolder), await folder(dataFolder)];
}

/** Which release looks. */
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

/** A container may have less than its machine. */
function memory(): Finding {
  const limit = process.constrainedMemory();
  const bytes = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  const next = `Give it ${inMb(MEMORY.good)} or more.`;
  if (bytes < MEMORY.least) return fail('memory', `${inMb(bytes)} of memory are too little.`, next);
  if (bytes < MEMORY.good) return warn('memory', `${inMb(bytes)} of memory are little.`, next);
  return ok('memory', `${inMb(bytes)} of memory.`);
}

async function disk(dataFolder: string): Promise<Finding> {
  const path = await nearest(resolve(dataFolder));
  const { bavail, bsize } = await statfs(path);
  const bytes = bavail * bsize;
  const next = `Make room on the disk of ${path}.`;
  if (bytes < DISK.least) return fail('disk', `${inMb(bytes)} are free, which is too little.`, next);
  if (bytes < DISK.good) return warn('disk', `${inMb(bytes)} are free, which is little.`, next);
  return ok('disk', `${inMb(bytes)} are free.`);
}

async function folder(dataFolder: string): Promise<Finding> {
  const path = resolve(dataFolder);
  if (!(await hasRoom(path))) {
    return fail(
      'folder',
      `LMS_ADMIN_DATA (${path}) cannot be written to.`,
      `Give the user ${userInfo().username} the right to it, or name another folder.`,
    );
  }
  const { mode } = await stat(path);
  return (mode & 0o007) === 0
    ? ok('folder', `LMS_ADMIN_DATA (${path}) can be written to, and others cannot look into it.`)
    : warn(
        'folder',
        `Every user of this machine can look into LMS_ADMIN_DATA (${path}).`,
        `Run "chmod o= ${path}".`,
      );
}

/** The folder itself, or the one in which it would be made. */
async function nearest(path: string): Promise<string> {
  const there = await stat(path).catch(() => null);
  return there || dirname(path) === path ? path : nearest(dirname(path));
}
