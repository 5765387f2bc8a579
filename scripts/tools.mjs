/** Shared parts of the commands: installing, building if stale, running child processes. Uses only Node's own modules. */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Stops with one line on standard error. */
export function fail(message) {
  console.error(message);
  process.exit(1);
}

/** Runs a command to its end with the terminal's own output. Resolves with the exit code. */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
    child.on('error', () => resolve(127));
    child.on('exit', (code, signal) => resolve(signal ? 1 : (code ?? 1)));
  });
}

/** Returns the path of a command from a dependency. */
export const bin = (name) => join(root, 'node_modules', '.bin', name);

/** Installs the locked dependencies if they are missing or older than the lock file. */
export function ensureInstalled() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    fail(`LMS Admin needs Node 20.19 or newer; this is ${process.version}.`);
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const stamp = join(root, 'node_modules', '.lms-admin-lock');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  console.error('Installing dependencies …');
  const npm = process.env.npm_execpath;
  const [command, args] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const done = spawnSync(command, [...args, 'ci', '--no-fund', '--no-audit', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_ENV: '' },
  });
  if (done.status !== 0)
    fail('The dependencies could not be installed; see the lines above, then try again.');
  writeFileSync(stamp, lock);
}

/** Returns the newest change below a folder, in milliseconds since 1970. */
function newest(path) {
  const info = statSync(path, { throwIfNoEntry: false });
  if (!info) return 0;
  if (!info.isDirectory()) return info.mtimeMs;
  let latest = 0;
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.name === 'node_modules' || entry.name === 'dist' || entry.name === 'test') continue;
    latest = Math.max(latest, newest(join(path, entry.name)));
  }
  return latest;
}

const BUILT = join(root, 'dist', '.built');

/** Returns whether a source is newer than the last build. */
export function isStale() {
  const built = statSync(BUILT, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = [
    'packages',
    'apps',
    'docs/guide',
    'scripts/build.mjs',
    'scripts/guide.mjs',
    'scripts/guide-pages.mjs',
    'scripts/packages.mjs',
    'package-lock.json',
  ].map((path) => newest(join(root, path)));
  return Math.max(...sources) > built;
}

/**
 * Prepares only a fresh clone, in which nothing is installed yet. A production start does not change an
 * installation: an operator has installed it, perhaps without the build tools, and perhaps without access to
 * a registry.
 */
export async function ensureReadyForProduction() {
  const isBuilt = existsSync(join(root, 'dist/server/main.mjs'));
  if (isBuilt && existsSync(BUILT) && isStale())
    fail('LMS Admin was changed after it was built. Run "npm ci" and "npm run build", then start it again.');
  if (isBuilt) return;
  if (existsSync(join(root, 'node_modules')) && !existsSync(bin('vite')))
    fail(
      'LMS Admin is not built, and the packages needed to build it are not installed. Run "npm ci" and "npm run build" (not with --omit=dev), then start it again.',
    );
  if (!existsSync(join(root, 'node_modules'))) ensureInstalled();
  await ensureBuilt();
}

/** Builds console, server and sandbox if a source is newer than the last build. */
export async function ensureBuilt() {
  if (!isStale()) return;
  console.error('Building …');
  // In a separate process, because the bundler sets NODE_ENV for everything that runs after it.
  if ((await run(process.execPath, ['scripts/build.mjs', '--if-stale'])) !== 0)
    fail('The build failed; see the lines above.');
}

/**
 * Records that everything was built from the sources as they were at the given time. Later changes may be missing
 * from the build.
 */
export function recordBuild(started) {
  mkdirSync(dirname(BUILT), { recursive: true });
  writeFileSync(BUILT, started.toISOString());
  utimesSync(BUILT, started, started);
}
