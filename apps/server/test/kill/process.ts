/** The server as a separate process, for tests that kill it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, parse, resolve } from 'node:path';
import { bundleServer as bundleTo } from '../../../../scripts/build.mjs';
import { chosenDatabase, freshDatabase } from '../support/databases.ts';
import { placeTemplateDatabase } from '../support/template-database.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
/**
 * The longest start in milliseconds: on a machine with thirty times the normal load, a first start takes over
 * a minute.
 */
const START_MS = 110_000;

const CACHE = join(ROOT, 'node_modules', '.cache');
const PREFIX = 'lms-admin-kill-';
const bundles = new Map<string, Promise<string>>();

/**
 * Bundles the server as the build does, once in each test process.
 * @returns the path of the program
 */
export function bundleServer(entry = 'apps/server/src/main.ts'): Promise<string> {
  const bundled = bundles.get(entry) ?? bundle(entry);
  bundles.set(entry, bundled);
  return bundled;
}

/** Removes programs left behind by test processes that were killed. */
function removeLeft(): void {
  if (!existsSync(CACHE)) return;
  for (const name of readdirSync(CACHE)) {
    const [, owner] = name.startsWith(PREFIX) ? (/(\d+)-/.exec(name) ?? []) : [];
    if (owner !== undefined && !isAlive(Number(owner)))
      rmSync(join(CACHE, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Bundles a program into a folder inside the repository, so that its packages are found. */
async function bundle(entry: string): Promise<string> {
  removeLeft();
  const folder = join(CACHE, `${PREFIX}${process.pid}-${randomBytes(3).toString('hex')}`);
  await bundleTo(folder, [entry]);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return join(folder, `${parse(entry).name}.mjs`);
}

/**
 * Creates a database and a data folder that outlive the processes using them.
 * @param made whether the database has already been migrated; otherwise the first start migrates it
 */
export async function makePlace({ made = true } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'lms-admin-kill-'));
  const own = chosenDatabase() === 'postgres' ? await freshDatabase({ migrated: made }) : null;
  if (!own && made) await placeTemplateDatabase(folder);
  return {
    folder,
    env: { LMS_ADMIN_DATA: folder, ...(own ? { DATABASE_URL: own.url } : {}) } as Record<string, string>,
    async remove() {
      await own?.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** One process after another, with the same data and port. */
export class Process {
  readonly #main: string;
  readonly #env: Record<string, string>;
  #child: ChildProcess | null = null;
  #said = '';

  constructor(main: string, env: Record<string, string>) {
    this.#main = main;
    this.#env = env;
  }

  /** Returns the output since the latest start. */
  get said(): string {
    return this.#said;
  }

  /** Starts the process and resolves once it is ready. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [this.#main], {
      cwd: ROOT,
      env: { PATH: process.env.PATH ?? '', LOG_LEVEL: 'error', ...this.#env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    this.#said = '';
    await new Promise<void>((ready, failed) => {
      const timer = setTimeout(() => failed(new Error(`no start: ${this.#said}`)), START_MS);
      const hear = (chunk: Buffer) => {
        this.#said += String(chunk);
        if (!this.#said.includes('ready on')) return;
        clearTimeout(timer);
        ready();
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
      child.once('exit', (code) => {
        clearTimeout(timer);
        failed(new Error(`ended with ${code}: ${this.#said}`));
      });
    });
  }

  /** Kills the process. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  /** Stops the process normally. */
  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((done) => child.once('exit', done));
    child.kill(signal);
    await gone;
  }
}
