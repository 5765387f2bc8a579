/** `lms-admin` as a process, the way an operator runs it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bundleServer } from '../kill/process.ts';

/** The folder to which paths in the settings are relative. */
const ROOT = resolve(import.meta.dirname, '../../../..');

export interface Ended {
  code: number | null;
  said: string;
}

type Env = Readonly<Record<string, string>>;

async function begin(env: Env, args: readonly string[]) {
  const program = await bundleServer('apps/server/src/lms-admin.ts');
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/**
 * Runs the command until the condition holds, then kills it. @returns the signal that ended it; null if it
 * had already ended
 */
export async function lmsAdminUntil(
  env: Env,
  args: readonly string[],
  happened: () => boolean,
): Promise<string | null> {
  const child = await begin(env, args);
  const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
  while (!happened() && child.exitCode === null) await sleep(2);
  child.kill('SIGKILL');
  return (await ended)[1];
}

/** Runs the command to its end. */
export async function lmsAdmin(env: Env, ...args: string[]): Promise<Ended> {
  const child = await begin(env, args);
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += String(chunk)));
  child.stderr.on('data', (chunk: Buffer) => (said += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}
