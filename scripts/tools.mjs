/** What the commands share: installing, building when stale, running children. Node's own modules only. */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Stops with one line on standard error. */
export function fail(message) {
  console.error(message);
  process.exit(1);
}

/** Runs a command to its end with the terminal's own output; resolves with the exit code. */
export function run(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options });
    child.on('error', () => resolve(127));
    child.on('exit', (code, signal) => resolve(signal ? 1 : (code ?? 1)));
  });
}

/** Path of a command that a dependency brings. */
export const bin = (name) => join(root, 'node_modules', '.bin', name);

/** Installs the locked dependencies when they are missing or older than the lock file. */
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

/** Newest change below a folder, in milliseconds since 1970. */
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

/** Builds console, server and sandbox when a source is newer than the last build. */
export async function ensureBuilt() {
  const built = statSync(BUILT, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = [
    'packages',
    'apps',
    'docs/guide',
    'scripts/build.mjs',
    'scripts/guide.mjs',
    'package-lock.json',
  ].map((path) => newest(join(root, path)));
  if (Math.max(...sources) <= built) return;
  console.error('Building …');
  const started = new Date();
  // In a process of its own: the bundler sets NODE_ENV for everything that runs after it.
  if ((await run(process.execPath, ['scripts/build.mjs'])) !== 0)
    fail('The build failed; see the lines above.');
  mkdirSync(dirname(BUILT), { recursive: true });
  writeFileSync(BUILT, started.toISOString());
}
