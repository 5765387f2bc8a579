/** A sandbox and back ends in processes of their own that are killed and started again. */

import { type Sandbox, startSandbox } from '@lms-admin/sandbox/server';
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
  /** How far the clock of the LMS is ahead of the servers'. */
  clock: { minutes: number };
  /** The servers' data folder. */
  folder: string;
  /** The bundled server, and its settings but for the port. */
  main: string;
  env: Readonly<Record<string, string>>;
  /** On one place; the first is the one that is asked. */
  servers: readonly Process[];
  /** Signed in, perm ALL. */
  alma: Browser;
  /** Port of the last server. */
  port: number;
  /**
   * Kills the servers and starts them again. Of several, each takes over what the former left before it is killed too.
   * @param meanwhile while none runs
   */
  restart(meanwhile?: () => Promise<unknown>): Promise<void>;
  close(): Promise<void>;
}

/** Of jobs, in milliseconds: long enough for a busy machine to renew it. */
const LEASE_MS = 800;

/** Whether each kind of work is killed in every way, as part of `npm run test:all`. */
export const EVERY_KILL = process.env.KILLS === 'all';

/**
 * Servers on one database with which the work of a tool is killed: what several of them share is the jobs' own, and killed in
 * `kill.test.ts` and `items.test.ts`.
 */
export const SERVERS = EVERY_KILL && chosenDatabase() === 'postgres' ? [1, 2] : [1];

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param more settings of the servers */
export async function openDeployment(servers = 1, more: Record<string, string> = {}): Promise<Deployment> {
  const clock = { minutes: 0 };
  const now = () => new Date(Date.now() + clock.minutes * 60_000);
  const sandbox = await startSandbox({ port: 0, mode: 'test', importPace: 120, throttle: false, now });
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
    // Longer than a sending may hang here.
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
    async close() {
      for (const one of processes) await one.kill();
      await sandbox.close();
      await place.remove();
    },
  };
}
