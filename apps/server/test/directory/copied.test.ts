/**
 * Who counts as known from the local copy: only people who are certain, while the copy is recent and no one
 * may have changed them since.
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type PeopleRequest, peopleLine } from '@lms-admin/contract/people';
import { FLAGS } from '@lms-admin/domain/access';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { Campus, type Person, submitted, watch } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { chosenDatabase } from '../support/databases.ts';
import { PEOPLE } from '../support/harness.ts';
import { type DirectoryTest, reportOf, startDirectoryTest, zipped } from './support.ts';

const HOUR_MS = 3_600_000;
let ts: DirectoryTest;
let campus: Campus;
let alma: Browser;
let ann: Person;
let ben: Person;
const signal = new AbortController().signal;
const copied = () => ts.server.services.copied;
const token = () => ts.server.services.grants.rootToken(null);
const byEmail = async (...emails: string[]) =>
  [...((await copied().byEmail(token(), emails, signal))?.people.values() ?? [])].map(({ id }) => id);
const bySisId = async (...sisIds: string[]) =>
  [...((await copied().bySisId(token(), sisIds, signal))?.people.values() ?? [])].map(({ id }) => id);
/** Creates a new copy, and makes the server look up the LMS's imports again. */
async function refresh() {
  expect(await ts.refreshed(true)).toMatchObject({ outcome: 'done' });
}

beforeAll(async () => {
  const record = (login: string, ...flags: string[]) => ({
    login,
    email: login,
    perm: 'ALL',
    sub_accounts: '',
    roles: '3',
    section_roles: '3',
    ...Object.fromEntries(flags.map((flag) => [flag, true])),
  });
  ts = await startDirectoryTest(
    {},
    {
      env: { SCHOOL_EMAIL_DOMAIN: 'northbridge.example' },
      access: {
        admins: [
          record(PEOPLE.all, ...FLAGS),
          record(PEOPLE.custom, 'course_level_admin'),
          record(PEOPLE.records, 'section_enrollment'),
          record(PEOPLE.helpDesk, 'user_search', 'sis_import'),
        ],
      },
    },
  );
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
  [ann, ben] = campus.strangers(2, []) as [Person, Person];
});
afterAll(() => ts?.close());
beforeEach(() => {
  ts.clock.ahead = 0;
});

describe('a person counts', () => {
  const HEADER = 'canvas_user_id,user_id,login_id,full_name,sortable_name,email,status';
  const ROWS = [
    '1,SIS1,one@x.example,One,One,one@x.example,active',
    '2,SIS2,Two@X.example,Two,Two,two@x.example,active',
    // A different address, or no address: the LMS may not find a suspended login.
    '3,SIS3,three@x.example,Three,Three,other@x.example,active',
    '4,SIS4,four@x.example,Four,Four,,suspended',
    '5,,five@x.example,Five,Five,five@x.example,active',
    '6,SIS6,six@x.example,Six,Six,six@x.example,active',
    '6,,sixth@x.example,Six,Six,six@x.example,active',
    '7,SIS7,same@x.example,Seven,Seven,same@x.example,active',
    '8,SIS8,SAME@x.example,Eight,Eight,same@x.example,active',
    '9,SIS9,jürgen@x.example,Nine,Nine,jürgen@x.example,active',
  ];
  beforeAll(async () => {
    ts.front.files.push(await zipped({ ...reportOf([]), users: `${[HEADER, ...ROWS].join('\n')}\n` }));
    await refresh();
  });

  test.each<[string, number[]]>([
    ['one@x.example', [1]],
    ['ONE@x.example', [1]],
    ['two@x.example', [2]],
    ['three@x.example', []],
    ['four@x.example', []],
    ['five@x.example', []],
    ['six@x.example', []],
    ['sixth@x.example', []],
    ['same@x.example', []],
    ['jürgen@x.example', []],
    ['other@x.example', []],
    ['nobody@x.example', []],
  ])('OP-45 by address %s', async (email, found) => {
    expect(await byEmail(email)).toEqual(found);
  });

  test('by SIS ID, spelled exactly, with only one login', async () => {
    const found = await bySisId('SIS1', 'sis1', 'SIS3', 'SIS4', 'SIS6', 'SIS7', 'SIS9', 'SIS10');
    expect(found).toEqual([1, 3, 4, 7, 9]);
  });

  test('until the LMS contradicts it', async () => {
    await copied().forget([1]);
    expect(await byEmail('one@x.example', 'two@x.example')).toEqual([2]);
    expect(await bySisId('SIS1')).toEqual([]);
    await refresh();
  });
});

describe('no one counts', () => {
  const known = () => byEmail(ann.email);
  /**
   * Refreshes until the person is known again. The report and the import before it can have the same time to
   * the second; then the copy does not count.
   */
  const knownAgain = () =>
    vi.waitFor(
      async () => {
        await refresh();
        expect(await known()).toEqual([ann.id]);
      },
      { timeout: 60_000, interval: 100 },
    );

  test('if the copy is older than 26 hours', async () => {
    ts.clock.ahead = 25 * HOUR_MS;
    expect(await known()).toEqual([ann.id]);
    ts.clock.ahead = 27 * HOUR_MS;
    expect(await known()).toEqual([]);
  });

  test('after a refresh that failed, until another succeeds', async () => {
    ts.front.files.push(await zipped(reportOf([1])));
    expect(await ts.refreshed()).toMatchObject({ outcome: 'failed' });
    expect(await known()).toEqual([]);
    await knownAgain();
  });

  test("after someone else's import that includes people; one with only enrolments changes no one", async () => {
    const course = campus.course();
    await campus.importOfOthers(`course_id,user_id,role_id,status\n${course.sis},${ann.sis},3,active\n`);
    await knownAgain();
    await campus.importOfOthers(`course_id,user_id,role_id,status\n${course.sis},${ben.sis},3,active\n`);
    expect(await known()).toEqual([ann.id]);
    ts.clock.ahead = 2 * 60_000;
    expect(await known()).toEqual([ann.id]);
    await campus.importOfOthers(
      `user_id,login_id,full_name,status\n${ben.sis},${ben.email},Ben,active\nNEW-1,new-1@northbridge.example,New,active\n`,
    );
    ts.clock.ahead = 4 * 60_000;
    expect(await known()).toEqual([]);
    ts.clock.ahead = 0;
    await knownAgain();
  });

  test('if the LMS does not answer about its imports', async () => {
    await campus.fault({ match: '/api/v1/accounts/1/sis_imports*', kind: 'status', status: 403 });
    ts.clock.ahead = 6 * 60_000;
    expect(await known()).toEqual([]);
    await campus.clearFaults();
    ts.clock.ahead = 8 * 60_000;
    expect(await known()).toEqual([ann.id]);
  });

  test('although an import that only created people does not matter: they are new, and it changes no one', async () => {
    const header =
      'user_id,integration_id,login_id,first_name,last_name,sortable_name,short_name,email,status'.split(',');
    const email = 'own-1@northbridge.example';
    const row = ['990001', '990001', email, 'Own', 'One', 'One, Own', 'Own One', email, 'active'];
    const created = await submitted(alma, [header, row]);
    expect((await watch(alma, created.id)).verdict).toBe('done');
    ts.clock.ahead = 10 * 60_000;
    expect(await known()).toEqual([ann.id]);
    expect(await byEmail(email)).toEqual([]);
    ts.clock.ahead = 0;
  });
});

describe('POST api/people/lookup with the copy', () => {
  async function lookUp(request: PeopleRequest, browser = alma) {
    const response = await browser.post(ENDPOINTS.peopleLookup, { ...request, copied: true });
    if (response.status !== 200) return response.status;
    return (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => peopleLine.parse(JSON.parse(line)))
      .flatMap((line) =>
        'asked' in line ? [[line.asked, line.person?.id ?? line.result, line.as_of !== undefined]] : [],
      );
  }

  test('OP-45 OP-50 returns the people who are known first, and then what the LMS says about everyone', async () => {
    await refresh();
    const lines = await lookUp({ emails: [ann.email, 'nobody@x.example'], sis_ids: [ben.sis] });
    expect(lines).toHaveLength(5);
    const [first, second, ...others] = Array.isArray(lines) ? lines : [];
    expect([first, second]).toEqual([
      [ben.sis, ben.id, true],
      [ann.email, ann.id, true],
    ]);
    expect(others).toEqual(
      expect.arrayContaining([
        [ann.email, ann.id, false],
        ['nobody@x.example', 'not-found', false],
        [ben.sis, ben.id, false],
      ]),
    );
  });

  test('a person whom the LMS shows differently is corrected, and then does not count as known', async () => {
    const [cleo] = campus.strangers(3, []).slice(2) as [Person];
    await refresh();
    campus.changeSisId(cleo, `${cleo.sis}-MOVED`);
    const lines = await lookUp({ sis_ids: [cleo.sis] });
    expect(lines).toEqual([
      [cleo.sis, cleo.id, true],
      [cleo.sis, 'not-found', false],
    ]);
    expect(await bySisId(cleo.sis)).toEqual([]);
    expect(await byEmail(cleo.email)).toEqual([]);
    campus.changeSisId(cleo, cleo.sis);
  });

  test('OP-45 a person whose address has stopped being a login does not count as known, although the LMS still has it', async () => {
    const [dan] = campus.strangers(4, []).slice(3) as [Person];
    await refresh();
    const { pseudonyms } = ts.sandbox.world;
    const [login] = pseudonyms.by.user.get(dan.id);
    if (!login) throw new Error('no login');
    pseudonyms.change(login, { unique_id: `was-${dan.email}` });
    expect(await byEmail(dan.email)).toEqual([dan.id]);
    await lookUp({ emails: [dan.email] });
    expect(await byEmail(dan.email)).toEqual([]);
    pseudonyms.change(login, { unique_id: dan.email });
  });

  test('OP-96 needs the same permissions as a lookup without the copy', async () => {
    const [course, section, search] = await Promise.all(
      [PEOPLE.custom, PEOPLE.records, PEOPLE.helpDesk].map((login) => ts.signIn(login)),
    );
    const ask = { emails: { emails: [ann.email] }, ids: { sis_ids: [ann.sis] } };
    expect(await lookUp(ask.emails, course)).toHaveLength(2);
    expect(await lookUp(ask.ids, course)).toBe(403);
    expect(await lookUp(ask.emails, section)).toBe(403);
    expect(await lookUp(ask.ids, section)).toHaveLength(2);
    expect(await lookUp(ask.emails, search)).toBe(403);
    expect(await lookUp(ask.ids, search)).toBe(403);
    expect((await ts.browser().post(ENDPOINTS.peopleLookup, { ...ask.ids, copied: true })).status).toBe(401);
  });
});

describe.runIf(chosenDatabase() === 'postgres')('replacing the copy', () => {
  beforeAll(refresh);
  const postgres = () => ts.server.services.db;
  const waiting = async () =>
    (
      await postgres().exec(
        'select count(*)::int as count from pg_locks where not granted and relation is not null and database = (select oid from pg_database where datname = current_database())',
      )
    ).rows[0]?.['count'];

  test.each<[string, string, string, () => Promise<unknown>]>([
    ['people by address', 'directory_users', 'directory_logins', () => byEmail(ann.email)],
    ['people by SIS ID', 'directory_users', 'directory_logins', () => bySisId(ann.sis)],
    [
      'courses',
      'directory_accounts',
      'directory_courses',
      async () => (await alma.post(ENDPOINTS.directoryCourses, { account: 86 })).text(),
    ],
  ])('while %s are read, neither waits for the other', async (_what, first, second, read) => {
    const before = await read();
    let reading: Promise<unknown> = Promise.resolve();
    await postgres().db.transaction(async (tx) => {
      await tx.execute(sql.raw(`lock table ${first}`));
      reading = read();
      reading.catch(() => undefined);
      await expect.poll(waiting).toBe(1);
      await tx.execute(sql.raw(`lock table ${second}`));
    });
    expect(await reading).toEqual(before);
  });
});
