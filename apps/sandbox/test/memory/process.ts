/**
 * The sandbox as a separate process, for tests that end it: one process after another, with the same folder
 * and port.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from '../../../../scripts/build.mjs';

/** Builds the sandbox into one file, and creates a folder for its state. */
export async function makePlace() {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-memory-'));
  const main = join(folder, 'main.mjs');
  await bundle(['apps/sandbox/src/main.ts'], folder);
  return {
    main,
    data: join(folder, 'data'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export class Process {
  readonly url: string;
  readonly #main: string;
  readonly #env: Record<string, string>;
  #child: ChildProcess | null = null;
  /** Output of the last process. */
  said = '';

  constructor(place: { main: string; data: string }, port: number, env: Record<string, string> = {}) {
    this.#main = place.main;
    this.#env = {
      SANDBOX_PORT: String(port),
      SANDBOX_DATA: place.data,
      SANDBOX_THROTTLE: 'off',
      SANDBOX_IMPORT_PACE: 'instant',
      ...env,
    };
    this.url = `http://127.0.0.1:${port}`;
  }

  /** Starts the process and resolves once it answers. @throws with its output if it ends before that */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [this.#main], {
      env: { PATH: process.env['PATH'] ?? '', ...this.#env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#child = child;
    this.said = '';
    await new Promise<void>((ready, failed) => {
      const hear = (chunk: Buffer) => {
        this.said += String(chunk);
        if (this.said.includes('ready on')) ready();
      };
      child.stdout?.on('data', hear);
      child.stderr?.on('data', hear);
      child.once('close', (code) => failed(new Error(`ended with ${code}: ${this.said}`)));
    });
  }

  /** Stops the process as a person would. */
  stop(): Promise<void> {
    return this.#end((child) => child.kill('SIGTERM'));
  }

  /** Kills the process without warning. */
  kill(): Promise<void> {
    return this.#end((child) => child.kill('SIGKILL'));
  }

  /** Makes the process notice that its parent has died. */
  orphan(): Promise<void> {
    return this.#end((child) => child.disconnect());
  }

  async #end(how: (child: ChildProcess) => unknown): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    how(child);
    await gone;
  }

  async json<T = Record<string, unknown>>(path: string, init: RequestInit = {}): Promise<T> {
    const headers = new Headers(init.headers);
    headers.set('authorization', 'Bearer sandbox-admin-token');
    const response = await fetch(this.url + path, { ...init, headers });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }

  send<T = Record<string, unknown>>(method: string, path: string, body: unknown): Promise<T> {
    return this.json<T>(path, {
      method,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });
  }

  /** Sends a CSV file and resolves with the answer itself. */
  upload<T = Record<string, unknown>>(csv: string, query = ''): Promise<T> {
    return this.json<T>(`/api/v1/accounts/1/sis_imports?extension=csv${query}`, {
      method: 'POST',
      body: csv,
      headers: { 'content-type': 'text/csv' },
    });
  }
}
