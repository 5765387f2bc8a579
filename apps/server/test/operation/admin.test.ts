/** Commands for jobs, sessions and keys while a server is running: they take effect there, and are in the audit log. */
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { job } from '@lms-admin/contract/jobs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/platform/open-database.ts';
import { type Deployment, openDeployment } from '../kill/deployment.ts';
import { Process } from '../kill/process.ts';
import { Browser } from '../support/browser.ts';
import { PEOPLE } from '../support/harness.ts';
import { endOf, HOSTS, publishing, startChange, until, ZoomCampus } from '../zoom/campus.ts';
import { lmsAdmin } from './command.ts';

/** Several programs are started in turn, and each loads a database. */
const PATIENT = { timeout: 400_000 };

let deployment: Deployment;
let campus: ZoomCampus;
let folder: string;
beforeAll(async () => {
  [deployment, folder] = await Promise.all([openDeployment(), mkdtemp(join(tmpdir(), 'lms-admin-admin-'))]);
  campus = new ZoomCampus(deployment.sandbox);
});
afterAll(async () => {
  await deployment?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

const run = (...args: string[]) => lmsAdmin(deployment.env, ...args);

test('jobs are listed, resumed immediately and cancelled', PATIENT, async () => {
  expect(await run('jobs')).toEqual({ code: 0, said: 'All work has ended.\n' });
  await campus.handle('zoom', 'PUT', { limits: { hostDay: 1 } });
  const course = campus.quietCourse().id;
  const events = (await campus.makeEvents(course, 2)).map(({ id }) => id);
  const response = await startChange(deployment.alma, publishing({ course, events, owner: HOSTS.hugo }));
  const { id } = job.parse(((await response.json()) as { data: unknown }).data);
  // The second meeting waits for the host's next day.
  await until(deployment.alma, id, ({ waiting }) => waiting !== null);
  const { said } = await run('jobs', 'list');
  expect(said).toMatch(new RegExp(`^${id}  .*  waiting  zoom-change  ${PEOPLE.all}  `));
  expect(JSON.parse((await run('jobs', 'list', '--json')).said)).toMatchObject([{ id, state: 'waiting' }]);

  expect(await run('jobs', 'retry', id)).toEqual({ code: 0, said: `Job ${id} starts now.\n` });
  expect(await run('jobs', 'cancel', id)).toMatchObject({
    code: 0,
    said: expect.stringContaining('will be cancelled at its next step'),
  });
  expect(await endOf(deployment.alma, id)).toMatchObject({ state: 'cancelled' });
  for (const [args, words] of [
    [['cancel', id], /can no longer be cancelled/],
    [['retry', id], /is not waiting for its next try/],
    [['cancel', '00000000-0000-4000-8000-000000000000'], /No job has the ID/],
    [['cancel', 'x'], /Add what to do/],
  ] as const) {
    const ended = await run('jobs', ...args);
    expect([args, ended.code, ended.said]).toEqual([args, 1, expect.stringMatching(words)]);
  }
  expect((await run('jobs', 'list', '--all')).said).toContain(id);
});

test('a request that is not possible says why and what to do, without a fault', async () => {
  expect(await run('directory', 'refresh')).toEqual({
    code: 1,
    said: expect.stringMatching(/^The directory is switched off\. .*DIRECTORY=on\.\n$/),
  });
});

test('sessions of one person, or of everyone, are ended', async () => {
  const bruno = new Browser(`http://localhost:${deployment.port}`);
  await bruno.signIn(PEOPLE.custom);
  const { said } = await run('sessions');
  expect(said).toContain(PEOPLE.custom);
  expect(said).toContain(PEOPLE.all);
  expect(await run('sessions', 'end', '--login', PEOPLE.custom)).toMatchObject({
    code: 0,
    said: expect.stringMatching(/^Ended 1 session\./),
  });
  // On PostgreSQL, the server caches what it has found for two seconds.
  await expect.poll(async () => (await bruno.fetch(ENDPOINTS.jobs)).status).toBe(401);
  expect((await deployment.alma.fetch(ENDPOINTS.jobs)).status).toBe(200);
  expect((await run('sessions', 'end')).said).toMatch(/Add whose sessions to end/);
  expect(await run('sessions', 'end', '--all')).toMatchObject({ code: 0 });
  await expect.poll(async () => (await deployment.alma.fetch(ENDPOINTS.jobs)).status).toBe(401);
  expect(await run('sessions')).toEqual({ code: 0, said: 'No one is signed in.\n' });
});

test('a new key is written to a file, and stored data is sealed with it', async () => {
  const file = join(folder, 'new.key');
  const made = await run('keys', 'new', file);
  const key = await readFile(file, 'utf8');
  expect(made).toMatchObject({ code: 0, said: expect.stringContaining(file) });
  expect(made.said).not.toContain(key);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await run('keys', 'new', file)).said).toMatch(/Name a new file/);
  expect((await run('keys', 'rotate')).said).toMatch(/LMS_ADMIN_KEY_OLD is not set/);

  const alma = new Browser(`http://localhost:${deployment.port}`);
  await alma.signIn(PEOPLE.all);
  const env = {
    ...deployment.env,
    LMS_ADMIN_KEY: key,
    LMS_ADMIN_KEY_OLD: deployment.env.LMS_ADMIN_KEY ?? '',
  };
  await deployment.servers[0]?.stop();
  expect(await lmsAdmin(env, 'keys', 'rotate')).toEqual({
    code: 0,
    said: 'Encrypted 1 sign-in with the new key.\n',
  });
  const server = new Process(deployment.main, {
    ...deployment.env,
    LMS_ADMIN_KEY: key,
    PORT: String(deployment.port),
  });
  await server.start();
  try {
    expect((await alma.fetch(ENDPOINTS.jobs)).status).toBe(200);
    const { said } = await lmsAdmin({ ...deployment.env, LMS_ADMIN_KEY: key }, 'doctor');
    expect(said).toContain('It can read the sign-in in the database.');
  } finally {
    await server.stop();
  }
});

test(
  'a person’s data is exported to a file, and erased, unless erasing would have no lasting effect',
  PATIENT,
  async () => {
    const file = join(folder, 'person.json');
    const who = ['zoe.lukasz@x.example', 'Zoë O’Neill–Łukasz'];
    expect(await run('person', 'export', file, ...who)).toMatchObject({ code: 0 });
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ person: who, named_in: [] });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    for (const [args, words] of [
      [['export', file, ...who], /already exists/],
      [['erase', ...who], /cannot undo this.*--yes/s],
      [['erase', '--yes', PEOPLE.custom], /the access record of this person would let them sign in/],
      [['erase', '--yes', 'x'], /Add what to do and for whom/],
    ] as const) {
      const ended = await run('person', ...args);
      expect([args, ended.code, ended.said]).toEqual([args, 1, expect.stringMatching(words)]);
    }
    expect(await run('person', 'erase', '--yes', ...who)).toMatchObject({
      code: 0,
      said: expect.stringMatching(/of 0 jobs removed/),
    });
  },
);

test('the audit log records what commands did, with the operator’s name', async () => {
  const { DATABASE_URL: databaseUrl = null, LMS_ADMIN_DATA: dataDir = null } = deployment.env;
  const database = await openDatabase({ databaseUrl, dataDir, schema: 'current' });
  try {
    const { rows } = await database.exec('SELECT DISTINCT event FROM audit WHERE login = $1', [
      `${userInfo().username} (command)`,
    ]);
    expect(new Set(rows.map(({ event }) => event))).toEqual(
      new Set([
        'job-woken',
        'job-cancel-asked',
        'directory-refresh-asked',
        'sessions-ended',
        'keys-resealed',
        'person-exported',
        'person-erased',
      ]),
    );
  } finally {
    await database.close();
  }
});
