/** Starts the built sandbox and server as separate processes, on free ports and with their own data folder. */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { placeTemplateDatabase } from '../../apps/server/test/support/template-database.ts';
import { freePort } from '../../scripts/free-port.mjs';

const root = process.cwd();

/** Runs a built program until its ready line; rejects with its output if it stops before that. */
export async function launch(
  program: 'server' | 'sandbox',
  env: Record<string, string>,
  ready: RegExp,
): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(root, `dist/${program}/main.mjs`)], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'test', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Ends the process. An aborted worker does not run its own clean-up, so the processes it started would
  // continue without it.
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-8_000);
      if (ready.test(output)) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('exit', (code) => reject(new Error(`${program} stopped with ${code}:\n${output}`)));
  });
  return child;
}

export async function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

export interface Campus {
  /** The console's address. */
  url: string;
  serverPid: number;
  /** The address of the sandbox, which answers as the LMS. */
  lms: string;
  close(): Promise<void>;
}

/** Starts a server with an embedded database plus the sandbox, ready to use. */
export async function startCampus(env: Record<string, string> = {}): Promise<Campus> {
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const data = mkdtempSync(join(tmpdir(), 'lms-admin-'));
  const settings = {
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    SANDBOX_MODE: 'test',
    SANDBOX_IMPORT_PACE: 'instant',
    LMS_ADMIN_DATA: data,
    LOG_LEVEL: 'warn',
    // The directory's reports would interfere with the requests that the tests examine.
    DIRECTORY: 'off',
    IT_SUPPORT_EMAIL: 'it.support@northbridge.example',
    LMS_TECH_TEAM_EMAIL: 'lms.team@northbridge.example',
    GUIDE_URL: `http://localhost:${sandboxPort}/`,
    RECORDINGS_URL: `http://localhost:${sandboxPort}/recordings`,
    ...env,
  };
  const [sandbox] = await Promise.all([
    launch('sandbox', settings, /ready on \S+/i),
    placeTemplateDatabase(data),
  ]);
  const server = await launch('server', settings, /LMS Admin ready on \S+/);
  return {
    url: `http://localhost:${port}`,
    lms: `http://localhost:${sandboxPort}`,
    serverPid: server.pid ?? 0,
    async close() {
      await Promise.all([stop(server), stop(sandbox)]);
      rmSync(data, { recursive: true, force: true });
    },
  };
}
