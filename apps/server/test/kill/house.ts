/** A sandbox and a back end in a process of its own that is killed and started again, and the moments for doing so. */
import { type Sandbox, startSandbox } from '@lms-admin/sandbox/server';
import { Campus } from '../enrollments/campus.ts';
import { Browser } from '../support/browser.ts';
import { PEOPLE } from '../support/harness.ts';
import { bundleServer, freePort, makePlace, Process } from './process.ts';

export interface House {
  sandbox: Sandbox;
  campus: Campus;
  /** Settings of the server, for starting another one beside it. */
  env: Record<string, string>;
  /** Path of the built server. */
  main: string;
  /** The server's data folder. */
  folder: string;
  server: Process;
  /** Signed in, perm ALL. */
  alma: Browser;
  /** Kills the server and starts it again. */
  restart(): Promise<void>;
  /** Imports that the LMS has answered with 200. */
  posts(): Promise<unknown[]>;
  /** Waits until the LMS has seen a request. */
  seen: (filter: (one: { method: string; path: string }) => boolean) => Promise<void>;
  close(): Promise<void>;
}

export const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export async function openHouse(): Promise<House> {
  const sandbox = await startSandbox({ port: 0, mode: 'test', importPace: 40, throttle: false });
  const campus = new Campus(sandbox);
  const [bundle, place] = await Promise.all([bundleServer(), makePlace()]);
  const port = await freePort();
  const env = {
    ...place.env,
    PORT: String(port),
    LMS_URL: sandbox.url.replace('127.0.0.1', 'localhost'),
    LMS_CLIENT_ID: '10',
    LMS_CLIENT_SECRET: 'sandbox-client-secret',
    LMS_SERVICE_TOKEN: 'sandbox-admin-token',
    LMS_ADMIN_ACCESS: 'config/access.json',
    SCHOOL_EMAIL_DOMAIN: 'northbridge.example',
    LMS_ADMIN_KEY: '00'.repeat(32),
    JOB_LEASE_MS: '800',
    IMPORT_POLL_MS: '100',
    IMPORT_GRACE_MS: '1000',
  };
  const server = new Process(bundle.main, env);
  await server.start();
  const alma = new Browser(`http://localhost:${port}`);
  await alma.signIn(PEOPLE.all);
  return {
    sandbox,
    campus,
    env,
    main: bundle.main,
    folder: place.folder,
    server,
    alma,
    async restart() {
      await server.kill();
      await server.start();
    },
    posts: () =>
      campus.requests(
        (one) => one.method === 'POST' && /\/sis_imports\b/.test(one.path) && one.status === 200,
      ),
    seen: (filter) => campus.seen(filter),
    async close() {
      await server.kill();
      await sandbox.close();
      await place.remove();
      bundle.remove();
    },
  };
}

export const SEND = { match: '/api/v1/accounts/1/sis_imports', method: 'POST' };

/** Where the pipeline is stopped: the fault that holds it there, and how that is seen. */
export const STEPS: [string, Record<string, unknown>, (house: House) => Promise<unknown>][] = [
  [
    'before it was sent',
    { ...SEND, kind: 'throttle' },
    ({ seen }) => seen(({ method, path }) => method === 'POST' && /\/sis_imports\b/.test(path)),
  ],
  [
    'while sending: the LMS has not got it',
    { ...SEND, kind: 'drop', when: 'before', count: 1 },
    ({ seen }) => seen(({ path }) => path.includes('created_since')),
  ],
  [
    'while sending: the LMS has got it',
    { ...SEND, kind: 'drop', when: 'after', count: 1 },
    ({ seen }) => seen(({ path }) => path.includes('created_since')),
  ],
];
