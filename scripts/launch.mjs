/** Runs the built product: the server, and the practice LMS unless LMS_URL names a real Canvas. Uses only Node's own modules. */
import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const production = Boolean(process.env.LMS_URL?.trim());
const data = resolve(root, process.env.LMS_ADMIN_DATA || 'var');
const logs = join(data, 'logs');
try {
  mkdirSync(production ? data : logs, { recursive: true, mode: 0o700 });
} catch (error) {
  console.error(`LMS Admin cannot start: ${notWritten(error)}`);
  process.exit(1);
}
// Both processes use one token, so that LMS Admin can make changes in the practice LMS.
const env = { ...process.env, LMS_ADMIN_DATA: data };

/** Returns the reason for a failed write, as shown in the terminal. */
function notWritten(error) {
  if (error.code === 'ENOSPC') return `the disk of ${data} is full. Make room on it, and start again.`;
  return `${data} cannot be written to (${error.message}).`;
}

/** Functions to call after log files have been moved. */
const reopens = [];

/** Opens the log file of a practice-mode process. If the file cannot be written, the process continues. */
function openLog(name) {
  const path = join(logs, `${name}.log`);
  let told = false;
  let file;
  const open = () => {
    file?.end();
    file = createWriteStream(path, { flags: 'a', mode: 0o600 });
    file.on('error', (error) => {
      if (!told) console.error(`${path} cannot be written, so nothing is logged there (${error.message}).`);
      told = true;
    });
  };
  open();
  reopens.push(open);
  return { path, write: (chunk) => file.write(chunk) };
}

/** Writes the log to standard output in production, where the operator's own tools keep it. */
const toOutput = () => ({ path: null, write: (chunk) => process.stdout.write(chunk) });

const children = new Set();
let stopping = false;

/** Starts one process. Its output goes to a log file, its errors also to the terminal. Resolves when it is ready. */
function launch(name, ready) {
  return new Promise((resolveReady) => {
    const log = production ? toOutput() : openLog(name);
    const child = spawn(process.execPath, [join(root, `dist/${name}/main.mjs`)], {
      cwd: root,
      env,
      // The channel closes when this process ends for any reason; the child then stops too.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    children.add(child);
    let line = '';
    child.stdout.on('data', (chunk) => {
      log.write(chunk);
      line = (line + chunk).slice(-4_000);
      const found = ready.exec(line);
      if (found) resolveReady(found[0]);
    });
    child.stderr.on('data', (chunk) => {
      if (!production) log.write(chunk);
      process.stderr.write(chunk);
    });
    child.on('exit', (code, signal) => {
      children.delete(child);
      if (!stopping) {
        const where = log.path === null ? '' : `; its log is ${log.path}`;
        if (code !== 0) console.error(`The ${name} stopped (${signal ?? `code ${code}`})${where}`);
        stop(code === 0 ? 0 : 1);
      } else if (children.size === 0) process.exit(exitCode);
    });
  });
}

let exitCode = 0;
function stop(code) {
  if (stopping) return;
  stopping = true;
  exitCode = code;
  if (children.size === 0) process.exit(code);
  for (const child of children) child.kill('SIGTERM');
  setTimeout(() => {
    for (const child of children) child.kill('SIGKILL');
  }, 8_000).unref();
}
process.on('SIGINT', () => stop(0));
process.on('SIGTERM', () => stop(0));
// Closing a terminal ends the programs that were started in it. Without a terminal, the signal means that log files have
// been moved.
process.on('SIGHUP', () => {
  if (process.stdin.isTTY) stop(0);
  else for (const reopen of reopens) reopen();
});

const [ready] = await Promise.all([
  launch('server', /LMS Admin ready on [^\n]+(?=\n)/),
  ...(production ? [] : [launch('sandbox', /ready on \S+/i)]),
]);
// In production, the log already contains this line.
if (!production) console.log(ready);
