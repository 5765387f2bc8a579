/** A whole server for a test: a sandbox as its LMS, a separate database, and browsers that sign in over HTTP. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sandbox, type SandboxOptions, startSandbox } from '@lms-admin/sandbox/server';
import { buildServer, type Server, type ServerOptions } from '../../src/app.ts';
import { type Config, loadConfig } from '../../src/platform/config.ts';
import { Browser } from './browser.ts';
import { chosenDatabase, freshDatabase, type TestDatabase } from './databases.ts';
import { qualtricsEnv } from './qualtrics-env.ts';
import { templateDatabase } from './template-database.ts';
import { zoomEnv } from './zoom-env.ts';

/** Logins of the practice LMS's administrators (config/access.json). */
export const PEOPLE = {
  /** All tools, perm ALL. */
  all: 'alma.reyes@northbridge.example',
  /** Course tools, perm CUSTOM: programmes 86 and 120, roles 3 and 5. */
  custom: 'bruno.keller@northbridge.example',
  /** SIS import only. */
  records: 'carla.singh@northbridge.example',
  /** User search only. */
  helpDesk: 'dev.oduya@northbridge.example',
  /** A record without any flag. */
  noTool: 'greta.lind@northbridge.example',
  /** A person in the LMS without a record. */
  unknown: 'hugo.tan@northbridge.example',
} as const;

export interface TestServerOptions {
  database?: TestDatabase;
  sandbox?: Partial<SandboxOptions>;
  /** Settings that differ from the defaults. */
  env?: Record<string, string>;
  /** Uses a service token for calls on account 1, as in practice mode. On by default. */
  serviceToken?: boolean;
  /** The content of the access file; by default the practice LMS's own. */
  access?: unknown;
  server?: ServerOptions;
  /** A sandbox that belongs to the caller, which `close` leaves running. */
  lms?: Sandbox;
}

export interface TestServer {
  url: string;
  sandbox: Sandbox;
  server: Server;
  config: Config;
  /** A browser that is not signed in. */
  browser(): Browser;
  /** A browser signed in as this person. */
  signIn(login: string): Promise<Browser>;
  /** Calls the sandbox's control routes, such as `faults`. */
  handle(path: string, init?: { method?: string; body?: unknown }): Promise<unknown>;
  close(): Promise<void>;
}

/** Starts everything. `close` ends it and removes all written files. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const sandbox =
    options.lms ?? (await startSandbox({ port: 0, mode: 'test', importPace: 'instant', ...options.sandbox }));
  const database = options.database ?? chosenDatabase();
  const own = database === 'postgres' ? await freshDatabase({ migrated: true }) : null;
  const folder = await mkdtemp(join(tmpdir(), 'lms-admin-'));
  const accessFile = options.access === undefined ? 'config/access.json' : join(folder, 'access.json');
  if (options.access !== undefined) await writeFile(accessFile, JSON.stringify(options.access));
  const config = loadConfig({
    PORT: '0',
    LMS_URL: sandbox.url.replace('127.0.0.1', 'localhost'),
    LMS_CLIENT_ID: '10',
    LMS_CLIENT_SECRET: 'sandbox-client-secret',
    ...(options.serviceToken === false ? {} : { LMS_SERVICE_TOKEN: 'sandbox-admin-token' }),
    ...zoomEnv(sandbox.url),
    ...qualtricsEnv(sandbox.url),
    LMS_ADMIN_ACCESS: accessFile,
    LMS_ADMIN_KEY: randomBytes(32).toString('hex'),
    LMS_ADMIN_DATA: folder,
    LOG_LEVEL: 'silent',
    // Prevents directory reports in tests of something else.
    DIRECTORY: 'off',
    JOB_LEASE_MS: '1000',
    IMPORT_POLL_MS: '50',
    IMPORT_GRACE_MS: '200',
    ...(own ? { DATABASE_URL: own.url } : {}),
    ...options.env,
  });
  const server = await buildServer(config, {
    ...(database === 'pglite' ? { databaseInMemory: await templateDatabase() } : {}),
    loginLimits: { address: 10_000, browser: 10_000, person: 10_000 },
    console: null,
    ...options.server,
  });
  await server.listen();
  const browser = () => new Browser(server.url);
  return {
    url: server.url,
    sandbox,
    server,
    config,
    browser,
    async signIn(login) {
      const one = browser();
      await one.signIn(login);
      return one;
    },
    async handle(path, init = {}) {
      const response = await fetch(`${sandbox.url}/sandbox/${path}`, {
        method: init.method ?? (init.body === undefined ? 'GET' : 'POST'),
        ...(init.body === undefined
          ? {}
          : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(init.body) }),
      });
      return response.json();
    },
    async close() {
      await server.close();
      if (!options.lms) await sandbox.close();
      await own?.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
