/** A sandbox and server processes that are killed and started again. */

import { type Sandbox, type SandboxOptions, startSandbox } from '@lms-admin/sandbox/server';
import { freePort } from '../../../../scripts/free-port.mjs';
import { Campus } from '../enrollments/campus.ts';
import { Browser } from '../support/browser.ts';
import { chosenDatabase } from '../support/databases.ts';
import { PEOPLE } from '../support/harness.ts';
import { qualtricsEnv } from '../support/qualtrics-env.ts';
import { zoomEnv } from '../support/zoom-env.ts';
import { bundleServer, makePlace, Process } from './process.ts';

export interface Deployment {
  sandbox: Sandbox;
  campus: Campus;
  /** How far the clock of the LMS is ahead of the servers', in milliseconds. */
  clock: { minutes: number };
  /** The servers' data folder. */
  folder: string;
  /** The bundled server, and its settings except for the port. */
  main: string;
  env: Readonly<Record<string, string>>;
  /** Servers on one database and folder. The first one gets the requests. */
  servers: readonly Process[];
  /** A signed-in browser, perm ALL. */
  alma: Browser;
  /** The servers' addresses. */
  homes: string[];
  /** The last server's port. */
  port: number;
  /**
   * Kills the servers and starts them again. If there are several, each takes over from the previous one
   * before it is killed too. @param meanwhile runs while no server is up
   */
  restart(meanwhile?: () => Promise<unknown>): Promise<void>;
  /** Closes the practice LMS, and opens it again on its data (`campus.data`) with other options. */
  reopenCampus(more: Partial<SandboxOptions>): Promise<void>;
  close(): Promise<void>;
}

/** Length of a job's lease in milliseconds: enough for a busy machine to renew it. */
const LEASE_MS = 800;

/** Whether each kind of work is killed in every way, as part of `npm run test:all`. */
export const EVERY_KILL = process.env.KILLS === 'all';

/**
 * Number of servers in the tests that kill a tool's work. How several servers share work depends only on
 * jobs, and is tested in `kill.test.ts` and `items.test.ts`.
 */
export const SERVERS = EVERY_KILL && chosenDatabase() === 'postgres' ? [1, 2] : [1];

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param more the servers' settings @param campus the practice LMS's options */
export async function openDeployment(
  servers = 1,
  more: Record<string, string> = {},
  campus: Partial<SandboxOptions> = {},
): Promise<Deployment> {
  const clock = { minutes: 0 };
  const now = () => new Date(Date.now() + clock.minutes * 60_000);
  const options = { mode: 'test', importPace: 120, throttle: false, now, ...campus } as const;
  let current = await startSandbox({ port: 0, ...options });
  const sandbox: Sandbox = {
    url: current.url,
    port: current.port,
    get world() {
      return current.world;
    },
    reset: () => current.reset(),
    close: () => current.close(),
  };
  const [main, place] = await Promise.all([bundleServer(), makePlace()]);
  const ports: number[] = [];
  while (ports.length < servers) ports.push(await freePort());
  const home = `http://localhost:${ports[0]}`;
  const env = {
    ...place.env,
    LMS_ADMIN_URL: home,
    LMS_URL: sandbox.url.replace('127.0.0.1', 'localhost'),
    LMS_CLIENT_ID: '10',
    LMS_CLIENT_SECRET: 'sandbox-client-secret',
    LMS_SERVICE_TOKEN: 'sandbox-admin-token',
    ...zoomEnv(sandbox.url),
    ...qualtricsEnv(sandbox.url),
    LMS_ADMIN_ACCESS: 'config/access.json',
    DIRECTORY: 'off',
    SCHOOL_EMAIL_DOMAIN: 'northbridge.example',
    LMS_ADMIN_KEY: '00'.repeat(32),
    JOB_LEASE_MS: String(LEASE_MS),
    IMPORT_POLL_MS: '100',
    // Longer than a request may hang in these tests.
    IMPORT_GRACE_MS: '2000',
    ...more,
  };
  const processes = ports.map((port) => new Process(main, { ...env, PORT: String(port) }));
  for (const one of processes) await one.start();
  const alma = new Browser(home);
  await alma.signIn(PEOPLE.all);
  return {
    sandbox,
    campus: new Campus(sandbox),
    clock,
    folder: place.folder,
    main,
    env,
    servers: processes,
    homes: ports.map((port) => `http://localhost:${port}`),
    alma,
    port: ports.at(-1) ?? 0,
    async restart(meanwhile) {
      for (const [at, one] of processes.entries()) {
        await one.kill();
        if (at < processes.length - 1) await pause(LEASE_MS + 400);
      }
      await meanwhile?.();
      await Promise.all(processes.map((one) => one.start()));
    },
    async reopenCampus(more) {
      await current.close();
      current = await startSandbox({ port: sandbox.port, ...options, ...more });
    },
    async close() {
      for (const one of processes) await one.kill();
      await sandbox.close();
      await place.remove();
    },
  };
}
