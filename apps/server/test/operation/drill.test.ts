/**
 * The drill: a backup while the server works, an hour with more work, the loss of everything, and the
 * restore. Nothing is sent before the release, nothing is sent twice, nothing in the backup is missing, and
 * when the server starts it says what the LMS received after the backup.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { JobDetail } from '@lms-admin/contract/jobs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { HELD } from '../../src/jobs/hold.ts';
import { backupTables } from '../../src/operation/backup/tables.ts';
import { openDatabase } from '../../src/platform/open-database.ts';
import { makePlan, submitted, watch } from '../enrollments/campus.ts';
import { picture, uploaded } from '../images/support.ts';
import { type Deployment, openDeployment } from '../kill/deployment.ts';
import { makePlace, Process } from '../kill/process.ts';
import { Browser } from '../support/browser.ts';
import { PEOPLE } from '../support/harness.ts';
import { lmsAdmin } from './command.ts';

/** Several programs are started in turn, and each loads a database. */
const PATIENT = { timeout: 400_000 };

let deployment: Deployment;
let place: Awaited<ReturnType<typeof makePlace>>;
let folder: string;
let restored: Process;

beforeAll(async () => {
  [deployment, place, folder] = await Promise.all([
    openDeployment(),
    makePlace({ made: false }),
    mkdtemp(join(tmpdir(), 'lms-admin-backup-')),
  ]);
});
afterAll(async () => {
  await restored?.kill();
  await deployment?.close();
  await place?.remove();
  if (folder) await rm(folder, { recursive: true, force: true });
});

let used = 0;
async function submit(browser: Browser): Promise<string> {
  const course = deployment.campus.course(used++);
  const emails = deployment.campus.strangers(2, [course.id]).map(({ email }) => email);
  const plan = await makePlan(browser, { role_id: 3, status: 'active', courses: [course.id], emails });
  return (await submitted(browser, { plan: plan.id })).id;
}
const sendings = async () =>
  (await deployment.campus.requests((one) => one.method === 'POST' && one.path.includes('/sis_imports')))
    .length;

const revocations = async () =>
  (
    await deployment.campus.requests(
      (one) => one.method === 'DELETE' && one.path.startsWith('/login/oauth2/token'),
    )
  ).length;
async function detailOf(browser: Browser, id: string): Promise<JobDetail> {
  const { data } = await (await browser.fetch(`${ENDPOINTS.jobs}/${id}`)).json();
  return data;
}
const waitingOf = async (browser: Browser, id: string) => (await detailOf(browser, id)).waiting;

test(
  'after a backup during work, a loss and a restore, nothing is sent before the release, nothing is sent twice, and the server says at its start what the LMS has',
  PATIENT,
  async () => {
    const { alma, campus } = deployment;
    const done = await watch(alma, await submit(alma));
    const bytes = await picture('png', 7);
    const { fileName: link } = await uploaded(alma, 'kept.png', bytes);
    // The import is recorded but not sent, because the LMS does not list its imports.
    await campus.fault({
      match: '/api/v1/accounts/1/sis_imports*',
      method: 'GET',
      kind: 'status',
      status: 503,
    });
    const waiting = await submit(alma);
    await watch(alma, waiting, ({ note }) => note?.includes('does not answer at the moment') === true);

    const bruno = new Browser(alma.home);
    await bruno.signIn(PEOPLE.custom);
    const file = join(folder, 'backup.zip');
    const backup = await lmsAdmin(deployment.env, 'backup', file);
    expect(backup.said).toMatch(/read back and is complete[^]*does not contain: the key/);
    expect(backup.code).toBe(0);

    // The hour after the backup.
    await campus.clearFaults();
    const sent = await watch(alma, waiting);
    const later = await watch(alma, await submit(alma));
    await deployment.servers[0]?.kill();
    await campus.forgetRequests();

    const env = { ...deployment.env, ...place.env };
    const restore = await lmsAdmin(env, 'restore', file);
    expect(restore.said).toMatch(
      /Unfinished work in the backup: 1 import not sent yet\.[^]*looks for each of these imports in the LMS first/,
    );
    expect(restore.code).toBe(0);
    restored = new Process(deployment.main, { ...env, PORT: String(deployment.port), LOG_LEVEL: 'warn' });
    await restored.start();

    // Neither unfinished work nor new submissions are sent, and every page says so.
    const fresh = await submit(alma);
    for (const id of [waiting, fresh]) {
      await expect.poll(() => waitingOf(alma, id)).toEqual({ until: null, why: HELD });
    }
    expect(restored.said).toContain('waits until you run \\"lms-admin release\\"');
    const ready = await fetch(`http://localhost:${deployment.port}${ENDPOINTS.ready}`);
    expect([ready.status, (await ready.json()).notes]).toEqual([
      200,
      [expect.stringContaining('restored from a backup')],
    ]);
    expect((await lmsAdmin(env, 'jobs')).said).toContain(HELD);
    expect((await lmsAdmin(env, 'doctor')).said).toMatch(
      /look {2}database: This database was restored from a backup\./,
    );
    await expect.poll(() => restored.said).toContain(`: ${later.canvas_id}. Activity does not list them`);
    // The jobs still wait after another start, and after a request to resume them.
    await restored.stop();
    await restored.start();
    expect(await lmsAdmin(env, 'jobs', 'retry', waiting)).toMatchObject({
      code: 1,
      said: expect.stringMatching(/has been held since .* restored from a backup\.[^]*"lms-admin release"/),
    });
    // Actions that are not jobs do not happen either.
    const category = { name: 'Teams', sis_group_category_id: 'DRILL_TEAMS' };
    const made = await alma.invoke(
      `courses/${deployment.campus.course(0).id}/group_categories`,
      'POST',
      category,
    );
    expect([made.status, (await made.json()).error]).toEqual([
      409,
      expect.objectContaining({
        message: expect.stringContaining('is not allowed to change the LMS yet. Nothing was changed.'),
        next: expect.stringMatching(/release (the )?held work/i),
      }),
    ]);
    await restored.stop();
    expect(await lmsAdmin(env, 'move-images')).toMatchObject({
      code: 1,
      said: expect.stringMatching(/No image was moved\.[^]*"lms-admin release"/),
    });
    await restored.start();
    await expect.poll(() => waitingOf(alma, waiting)).toEqual({ until: null, why: HELD });
    const called = await submit(alma);
    await expect.poll(() => waitingOf(alma, called)).toEqual({ until: null, why: HELD });
    expect((await lmsAdmin(env, 'jobs', 'cancel', called)).code).toBe(0);
    await expect.poll(async () => (await detailOf(alma, called)).outcome).toBe('cancelled');
    // A token in the backup is not revoked: if this server is a copy, the original still uses the token.
    expect((await bruno.invoke('login/oauth2/token', 'DELETE')).status).toBe(200);
    expect(await sendings()).toBe(0);
    expect(await revocations()).toBe(0);

    expect((await lmsAdmin(env, 'release')).said).toBe('Released. 2 jobs will continue.\n');
    expect((await lmsAdmin(env, 'release')).said).toBe('Nothing is held.\n');
    await watch(alma, fresh);
    expect(await sendings()).toBe(1);
    const found = await watch(alma, waiting);
    expect([found.canvas_id, found.workflow_state]).toEqual([sent.canvas_id, 'imported']);
    expect(await sendings()).toBe(1);
    expect(await watch(alma, done.id)).toEqual(done);
    expect(Buffer.from(await (await fetch(link)).arrayBuffer()).equals(bytes)).toBe(true);
    const listed = await (await alma.fetch(ENDPOINTS.jobs)).json();
    expect(listed.data.map((one: { id: string }) => one.id)).not.toContain(later.id);

    // This is reported once. New work gets new numbers.
    await restored.stop();
    await restored.start();
    const again = new Browser(`http://localhost:${deployment.port}`);
    await again.signIn(PEOPLE.all);
    expect(await watch(again, await submit(again))).toMatchObject({ workflow_state: 'imported' });
    expect(restored.said).not.toContain('Activity does not list them');
    // The sign-out that began before the restore is completed.
    await expect.poll(revocations).toBe(1);
  },
);

test('a backup contains every table of the database', async () => {
  await restored.stop();
  const { DATABASE_URL: databaseUrl = null, LMS_ADMIN_DATA: dataDir = null } = place.env;
  const database = await openDatabase({ databaseUrl, dataDir, schema: 'current' });
  try {
    const { rows } = await database.exec(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
    );
    const names = rows.map(({ name }) => String(name));
    // The copy of the LMS is not backed up, but read from the LMS again.
    const copied = names.filter((name) => name.startsWith('directory_'));
    expect(copied).toHaveLength(13);
    expect(new Set([...copied, ...backupTables().map(({ name }) => name)])).toEqual(new Set(names));
  } finally {
    await database.close();
  }
});
