/**
 * The directory is read from an LMS report: completely or not at all, one refresh at a time, whatever the LMS
 * does in the meantime.
 */

import { directoryRefreshed, directoryStatus } from '@lms-admin/contract/directory';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { asc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Directory } from '../../src/directory/directory.ts';
import { erasePerson } from '../../src/operation/personal/erase.ts';
import {
  audit,
  directoryAccounts,
  directoryCourses,
  directoryLogins,
  directoryLoginsNew,
  directoryRuns,
  directorySections,
  directoryTerms,
  directoryUsers,
  directoryUsersNew,
  jobs,
} from '../../src/platform/schema.ts';
import { PEOPLE } from '../support/harness.ts';
import { type DirectoryTest, reportOf, startDirectoryTest, zipped } from './support.ts';

const HOUR_MS = 3_600_000;
let ts: DirectoryTest;
const db = () => ts.server.services.db.db;
const world = () => ts.sandbox.world;
const fault = (one: object) => ts.handle('faults', { body: one });
/** Returns the reports requested from the sandbox. */
const reports = () => [...world().reports.values()];
const people = async () =>
  (await db().select().from(directoryUsers).orderBy(asc(directoryUsers.id))).map(({ id }) => id);
const left = async () => (await db().$count(directoryUsersNew)) + (await db().$count(directoryLoginsNew));
const numbers = (many: number) => Array.from({ length: many }, (_, at) => at + 1);

beforeAll(async () => {
  ts = await startDirectoryTest();
});
afterAll(() => ts?.close());
beforeEach(async () => {
  ts.front.files.length = 0;
  await fetch(`${ts.sandbox.url}/sandbox/faults`, { method: 'DELETE' });
});

describe('the copied data', () => {
  test("matches the sandbox, and has only each person's name, address and logins", async () => {
    expect(await ts.status()).toMatchObject({ state: 'empty', as_of: null, counts: null, runs: [] });
    const before = Date.now();
    expect(await ts.refreshed()).toMatchObject({ outcome: 'done', message: '' });
    const alive = <T extends { workflow_state: string }>(all: Iterable<T>) =>
      [...all].filter((one) => one.workflow_state !== 'deleted');
    const logins = alive(world().pseudonyms.values());
    expect(await people()).toEqual([...new Set(logins.map((one) => one.user_id))].toSorted((a, b) => a - b));
    expect(await db().$count(directoryLogins)).toBe(logins.length);
    const [alma] = await db().select().from(directoryLogins).where(eq(directoryLogins.login, PEOPLE.all));
    const [user] = await db()
      .select()
      .from(directoryUsers)
      .where(eq(directoryUsers.id, alma?.userId ?? 0));
    expect({ ...alma, ...user }).toEqual({
      userId: user?.id,
      login: PEOPLE.all,
      sisId: world().loginsOf(user?.id ?? 0)[0]?.sis_user_id,
      id: user?.id,
      name: 'Alma Reyes',
      sortableName: 'Reyes, Alma',
      email: PEOPLE.all,
    });
    const courses = [...world().courses.values()].filter(
      (one) => one.workflow_state !== 'deleted' && one.workflow_state !== 'completed',
    );
    expect(await db().$count(directoryCourses)).toBe(courses.length);
    const [course] = courses;
    const [copied] = await db()
      .select()
      .from(directoryCourses)
      .where(eq(directoryCourses.id, course?.id ?? 0));
    expect(copied).toEqual({
      id: course?.id,
      sisId: course?.sis_source_id,
      code: course?.course_code,
      name: course?.name,
      accountId: course?.account_id,
      termId: course?.enrollment_term_id,
    });
    expect(await db().$count(directorySections)).toBeGreaterThan(courses.length);
    expect(await db().$count(directoryAccounts)).toBeGreaterThan(5);
    expect(await db().$count(directoryTerms)).toBe(alive(world().terms.values()).length);
    const status = await ts.status();
    expect(status).toMatchObject({
      state: 'ready',
      running: null,
      counts: { users: (await people()).length },
    });
    // The time when the LMS started the report, not when the report was read.
    expect(status.as_of).toBe(Date.parse(reports().at(-1)?.started_at ?? ''));
    expect(status.as_of).toBeGreaterThanOrEqual(Math.floor(before / 1_000) * 1_000);
    expect(await left()).toBe(0);
  });

  test('people missing from the report are removed without a trace when the copy is replaced', async () => {
    const login = [...world().pseudonyms.values()].findLast(
      (one) => one.workflow_state === 'active' && world().loginsOf(one.user_id).length === 1,
    );
    if (!login) throw new Error('nobody');
    world().pseudonyms.change(login, { workflow_state: 'deleted' });
    expect(await ts.refreshed()).toMatchObject({ outcome: 'done' });
    expect(await people()).not.toContain(login.user_id);
    expect(
      await db().select().from(directoryLogins).where(eq(directoryLogins.userId, login.user_id)),
    ).toEqual([]);
    expect(await left()).toBe(0);
    world().pseudonyms.change(login, { workflow_state: 'active' });
  });

  test('a name with quotes, commas and accented letters is copied unchanged; several logins are one person', async () => {
    const users = `${reportOf(numbers(500)).users}1,,second@x.example,"Ana ""1"" Łuk","Łuk, Ana 1",p1@x.example,suspended\n`;
    ts.front.files.push(await zipped({ ...reportOf([]), users }));
    expect(await ts.refreshed(true)).toMatchObject({ outcome: 'done', rows: 500 + 501 + 4 });
    const [one] = await db().select().from(directoryUsers).where(eq(directoryUsers.id, 1));
    expect(one).toMatchObject({ name: 'Ana "1" Łuk', sortableName: 'Łuk, Ana 1' });
    const logins = await db().select().from(directoryLogins).where(eq(directoryLogins.userId, 1));
    expect(logins.map(({ login, sisId }) => [login, sisId])).toEqual([
      ['p1@x.example', 'S1'],
      ['second@x.example', null],
    ]);
  });
});

describe('a report that cannot be right does not replace the copy', () => {
  beforeAll(async () => {
    ts.front.files.push(await zipped(reportOf(numbers(100))));
    expect(await ts.refreshed(true)).toMatchObject({ outcome: 'done' });
  });
  const whole = reportOf(numbers(100));

  test('a report that is more than a tenth smaller, unless an operator confirms it', async () => {
    ts.front.files.push(await zipped(reportOf(numbers(89))));
    const refused = await ts.refreshed();
    expect(refused).toMatchObject({ outcome: 'failed' });
    expect(refused.message).toContain('89 users instead of 100');
    expect(refused.next).toContain('lms-admin directory refresh --accept-smaller');
    expect(await people()).toHaveLength(100);
    expect(await left()).toBe(0);
    ts.front.files.push(await zipped(reportOf(numbers(90))));
    expect(await ts.refreshed()).toMatchObject({ outcome: 'done' });
    ts.front.files.push(await zipped(reportOf(numbers(10))));
    expect(await ts.refreshed(true)).toMatchObject({ outcome: 'done' });
    expect(await people()).toHaveLength(10);
    ts.front.files.push(await zipped(whole));
    expect(await ts.refreshed()).toMatchObject({ outcome: 'done' });
  });

  test.each<[string, Record<string, string>, string]>([
    ['without people', reportOf([]), 'contains no people'],
    [
      'a truncated last line',
      { ...whole, users: whole.users?.slice(0, -1) ?? '' },
      'its last line is incomplete',
    ],
    [
      'a line with too few cells',
      { ...whole, sections: `${whole.sections}911,X9\n` },
      'a line of sections.csv is incomplete',
    ],
    [
      'a quote that never ends',
      { ...whole, courses: `${whole.courses}"901,\n` },
      'a line of courses.csv cannot be read',
    ],
    [
      'a missing column',
      { ...whole, terms: 'canvas_term_id,name\n1,Default\n' },
      'terms.csv has no column term_id',
    ],
    [
      'a missing number',
      { ...whole, courses: `${whole.courses},C1,A,B,86,1\n` },
      'a line of courses.csv cannot be read',
    ],
    ['an empty file', { ...whole, accounts: '' }, 'its last line is incomplete'],
  ])('%s', async (_name, files, words) => {
    const zip = await zipped(files);
    ts.front.files.push(...numbers(5).map(() => zip));
    const failed = await ts.refreshed();
    expect(failed).toMatchObject({ outcome: 'failed' });
    expect(failed.message).toContain(words);
    expect(await people()).toHaveLength(100);
    expect(await left()).toBe(0);
  });

  test('a missing or truncated file is fetched again until it is complete', async () => {
    const { sections: _, ...without } = whole;
    const zip = await zipped(whole);
    const before = ts.front.fetched;
    ts.front.files.push(await zipped(without), zip.subarray(0, zip.length / 2), Buffer.from('<html>'), zip);
    expect(await ts.refreshed()).toMatchObject({ outcome: 'done' });
    expect(ts.front.fetched - before).toBe(4);
    expect(await people()).toHaveLength(100);
  });
});

describe('failures and delays of the LMS', () => {
  const REPORTS = '/api/v1/accounts/1/reports/provisioning_csv';

  test("if the file's address has expired, a new one is requested from the report", async () => {
    await fault({ match: '/files/*', kind: 'status', status: 403, count: 2 });
    expect(await ts.refreshed(true)).toMatchObject({ outcome: 'done' });
  });

  test('LMS Admin waits for an LMS that does not answer, even if the LMS started the report and its answer was lost', async () => {
    const before = reports().length;
    await fault({ match: REPORTS, method: 'POST', kind: 'drop', when: 'after', count: 1 });
    await fault({ match: `${REPORTS}/*`, kind: 'status', status: 503, count: 1 });
    await fault({ match: '/files/*', kind: 'drop', count: 1 });
    expect(await ts.refreshed(true)).toMatchObject({ outcome: 'done' });
    expect(reports().length - before).toBeLessThanOrEqual(2);
  });

  test('the error names the missing permission to create reports', async () => {
    await fault({ match: REPORTS, method: 'POST', kind: 'status', status: 403, count: 1 });
    const failed = await ts.refreshed();
    expect(failed).toMatchObject({
      outcome: 'failed',
      message: 'The service user does not have permission to create reports in the LMS.',
    });
    expect(failed.next).toContain('on the root account');
  });
});

describe('erasure', () => {
  test('a person is removed from the copy with all logins; others stay', async () => {
    ts.front.files.push(await zipped(reportOf(numbers(100))));
    expect(await ts.refreshed(true)).toMatchObject({ outcome: 'done' });
    const { files, db: database } = ts.server.services;
    const erased = await erasePerson({ database, files, kinds: [] }, ['p7@x.example']);
    expect(erased).toMatchObject({ copied: 2, kept: {} });
    expect(await people()).toEqual(numbers(100).filter((id) => id !== 7));
    expect(await db().$count(directoryLogins, eq(directoryLogins.userId, 7))).toBe(0);
  });

  test('when the directory is switched off, its copy is deleted at the next start', async () => {
    const { services } = ts.server;
    const { dataFolder } = services.config;
    const off = new Directory({
      ...services,
      config: { dataFolder, directory: { on: false, time: '02:00' } },
    });
    expect(await off.status()).toMatchObject({ state: 'off', next_at: null });
    await expect(off.refresh(services.jobs)).rejects.toThrow('switched off');
    await off.tidy();
    expect(await people()).toEqual([]);
    expect(await db().$count(directoryLogins)).toBe(0);
    expect(await ts.status()).toMatchObject({ state: 'empty', as_of: null, runs: [] });
  });
});

describe('over HTTP', () => {
  test('OP-104 an administrator with access to the page sees the last refresh and can start one; others can do neither', async () => {
    const alma = await ts.signIn(PEOPLE.all);
    const carla = await ts.signIn(PEOPLE.records);
    expect((await carla.fetch(ENDPOINTS.systemDirectory)).status).toBe(403);
    expect((await carla.post(ENDPOINTS.systemDirectoryRefresh, undefined)).status).toBe(403);
    const begun = await alma.fetch(ENDPOINTS.systemDirectoryRefresh, { method: 'POST' });
    const answer = (await begun.json()) as { data: unknown };
    expect(answer).toMatchObject({ data: { status: 'started' } });
    const { job } = directoryRefreshed.parse(answer.data);
    await ts.ended();
    const told = (await (await alma.fetch(ENDPOINTS.systemDirectory)).json()) as { data: unknown };
    expect(directoryStatus.parse(told.data)).toEqual(await ts.status());
    const lines = await db().select().from(audit).where(eq(audit.event, 'directory-refresh-asked'));
    expect(lines.map(({ login }) => login)).toContain(PEOPLE.all);
    // The job belongs to no one, so Activity does not list it once it is done.
    const listed = await alma.fetch(`${ENDPOINTS.jobs}?all=true`);
    expect(await listed.text()).not.toContain(job);
    const [row] = await db().select().from(jobs).where(eq(jobs.id, job));
    expect(row).toMatchObject({ login: 'lms-admin', outcome: 'done' });
  });
});

describe('the daily refresh', () => {
  const due = () => ts.server.services.directory.refreshWhenDue(ts.server.services.jobs);
  const runs = () => db().$count(directoryRuns);

  test('runs once a day, at its time in the school’s zone; if several servers notice that it is due, only one starts it', async () => {
    await ts.refreshed(true);
    const before = await runs();
    await due();
    expect(await runs()).toBe(before);
    const { next_at: nextAt } = await ts.status();
    ts.clock.ahead = (nextAt ?? 0) - Date.now() - HOUR_MS / 2;
    await due();
    expect(await runs()).toBe(before);
    ts.clock.ahead += HOUR_MS;
    await Promise.all([due(), due(), due(), due()]);
    await ts.ended();
    await due();
    expect(await runs()).toBe(before + 1);
    ts.clock.ahead += 24 * HOUR_MS;
    await due();
    await ts.ended();
    expect(await runs()).toBe(before + 2);
    ts.clock.ahead = 0;
  });
});
