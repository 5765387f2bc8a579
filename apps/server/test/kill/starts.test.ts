/**
 * The server is stopped or killed and started again on the same data, while the practice LMS has been replaced (started without
 * its data, or reset) and counts its imports from 1 again.
 */

import { type Sandbox, startSandbox } from '@lms-admin/sandbox/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../../../../scripts/free-port.mjs';
import { Campus, makePlan, statusOf, submit, submitted, watch } from '../enrollments/campus.ts';
import { Browser } from '../support/browser.ts';
import { PEOPLE } from '../support/harness.ts';
import { bundleServer, makePlace, Process } from './process.ts';

const SEND = { match: '/api/v1/accounts/1/sis_imports', method: 'POST' };

let main: string;
let place: Awaited<ReturnType<typeof makePlace>>;
let lmsPort: number;
let port: number;
let sandbox: Sandbox;
let campus: Campus;
let server: Process;

async function openCampus(): Promise<void> {
  sandbox = await startSandbox({ port: lmsPort, mode: 'test', importPace: 'instant', throttle: false });
  campus = new Campus(sandbox);
}

function serverWith(env: Record<string, string> = {}): Process {
  return new Process(main, {
    ...place.env,
    PORT: String(port),
    LMS_URL: `http://localhost:${lmsPort}`,
    LMS_CLIENT_ID: '10',
    LMS_CLIENT_SECRET: 'sandbox-client-secret',
    LMS_SERVICE_TOKEN: 'sandbox-admin-token',
    LMS_ADMIN_ACCESS: 'config/access.json',
    LMS_ADMIN_KEY: '00'.repeat(32),
    JOB_LEASE_MS: '800',
    IMPORT_POLL_MS: '50',
    IMPORT_GRACE_MS: '500',
    IMPORT_PATIENCE_MS: '1000',
    ...env,
  });
}

beforeAll(async () => {
  [main, place, lmsPort, port] = await Promise.all([
    bundleServer(),
    // The very first start is one of these starts.
    makePlace({ made: false }),
    freePort(),
    freePort(),
  ]);
  await openCampus();
  server = serverWith();
  await server.start();
});
afterAll(async () => {
  await server.kill();
  await sandbox.close();
  await place.remove();
});

async function signIn(): Promise<Browser> {
  const browser = new Browser(`http://localhost:${port}`);
  await browser.signIn(PEOPLE.all);
  return browser;
}

let used = 0;
async function plan(browser: Browser) {
  const course = campus.course(used++);
  const emails = campus.strangers(3, [course.id]).map(({ email }) => email);
  return makePlan(browser, { role_id: 3, status: 'active', courses: [course.id], emails });
}

const importOnce = async (browser: Browser) =>
  watch(browser, (await submitted(browser, { plan: (await plan(browser)).id })).id);

/** Ways to stop the server and to replace the sandbox, each combination followed by another. */
const NIGHTS: [() => Promise<unknown>, () => Promise<unknown>][] = [
  [() => server.stop(), openAnother],
  [() => server.kill(), openAnother],
  [() => server.stop(), async () => sandbox.reset()],
  [() => server.kill(), async () => sandbox.reset()],
  [() => server.kill(), openAnother],
];

test('IMP-01 if the server is stopped or killed and started again, with the sandbox replaced or reset each time, each import is done and keeps its own number', {
  timeout: 400_000,
}, async () => {
  const before: string[] = [];
  for (const [end, renew] of NIGHTS) {
    const alma = await signIn();
    const done = await importOnce(alma);
    expect(done).toMatchObject({ workflow_state: 'imported', canvas_id: 1, note: null });
    expect(await campus.importsNamed(done.id)).toHaveLength(1);
    // An import of an earlier sandbox is not attributed to the current one, and says so.
    for (const id of before) {
      const old = await statusOf(alma, id);
      expect(old).toMatchObject({ canvas_id: 1, final: true, workflow_state: 'imported' });
      expect(old.note).toMatch(/another LMS, or in the practice LMS before it was reset/);
    }
    expect((await statusOf(alma, '1')).id).toBe(done.id);
    before.push(done.id);
    await end();
    await renew();
    await server.start();
  }
});

async function openAnother(): Promise<void> {
  await sandbox.close();
  await openCampus();
}

test('the same sandbox is recognised, and no other one is mentioned', async () => {
  const alma = await signIn();
  const done = await importOnce(alma);
  await server.kill();
  await server.start();
  expect(await statusOf(await signIn(), done.id)).toEqual(done);
});

test('a plan for an earlier sandbox is rejected with an explanation', async () => {
  const alma = await signIn();
  const { id } = await plan(alma);
  sandbox.reset();
  const again = await signIn();
  await importOnce(again);
  const response = await submit(again, { plan: id });
  expect(response.status).toBe(409);
  expect((await response.json()).error.message).toMatch(/before it was reset/);
});

test('an import that has not been sent yet is not sent to another sandbox', async () => {
  const alma = await signIn();
  const { id: planId } = await plan(alma);
  await campus.fault({ ...SEND, kind: 'throttle' });
  const { id } = await submitted(alma, { plan: planId });
  await campus.seen((one) => one.method === 'POST' && /\/sis_imports\b/.test(one.path));
  await server.kill();
  sandbox.reset();
  await server.start();
  const ended = await watch(await signIn(), id);
  expect(ended.workflow_state).toBe('failed');
  expect(ended.processing_errors[0]?.[1]).toMatch(/practice LMS before it was reset\. Nothing was sent/);
  expect(await campus.importsNamed('')).toEqual([]);
});

test('an import that was being followed ends with an explanation when its sandbox is reset', async () => {
  const slow = await signIn();
  const { id: planId } = await plan(slow);
  await campus.fault({ match: '/api/v1/accounts/1/sis_imports/*', kind: 'latency', ms: 1_500 });
  const { id } = await submitted(slow, { plan: planId });
  await watch(slow, id, (one) => one.canvas_id !== null);
  await server.kill();
  sandbox.reset();
  await server.start();
  const ended = await watch(await signIn(), id);
  expect(ended.workflow_state).toBe('failed');
  expect(ended.processing_errors[0]?.[1]).toMatch(/practice LMS was reset/);
});

test('with another LMS_ADMIN_KEY, work started with the former key waits for a sign-in, and is then sent once', async () => {
  await server.stop();
  const own = { LMS_SERVICE_TOKEN: '' };
  server = serverWith(own);
  await server.start();
  const alma = await signIn();
  const { id: planId } = await plan(alma);
  await campus.fault({ ...SEND, kind: 'throttle' });
  const { id } = await submitted(alma, { plan: planId });
  await campus.seen((one) => one.method === 'POST' && /\/sis_imports\b/.test(one.path));
  await server.kill();
  await campus.clearFaults();
  server = serverWith({ ...own, LMS_ADMIN_KEY: '11'.repeat(32) });
  await server.start();
  const ended = await watch(await signIn(), id);
  expect(ended).toMatchObject({ workflow_state: 'imported', verdict: 'done' });
  expect(await campus.importsNamed(id)).toHaveLength(1);
});
