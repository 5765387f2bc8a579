/**
 * Creating people from rows: valid rows are created as documented, and nothing else is sent (requirements CU,
 * OP-55 to OP-59).
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { USER_HEADER, usersCsv } from '@lms-admin/domain/new-users';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Campus, submit, submitted, watch } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

const SCHOOL = 'northbridge.example';
/** A person who can only create users, and one who can only enrol. */
const ADMINS = [
  { login: PEOPLE.all, perm: 'ALL', create_users: true, course_level_admin: true },
  { login: PEOPLE.helpDesk, perm: 'CUSTOM', sub_accounts: '86', create_users: true },
  { login: PEOPLE.custom, perm: 'ALL', course_level_admin: true, section_enrollment: true, sis_import: true },
].map((admin) => ({ ...admin, email: admin.login }));

let ts: TestServer;
let campus: Campus;
let dev: Browser;

beforeAll(async () => {
  ts = await startTestServer({
    access: { admins: ADMINS },
    env: { LMS_TIMEOUT_MS: '2000', SCHOOL_EMAIL_DOMAIN: SCHOOL },
  });
  campus = new Campus(ts.sandbox);
  dev = await ts.signIn(PEOPLE.helpDesk);
});
afterAll(() => ts?.close());
beforeEach(async () => {
  await campus.clearFaults();
  await campus.forgetRequests();
});

const posts = () => campus.requests((one) => one.method === 'POST' && one.path.includes('/sis_imports'));
let last = 880_000;
/** Describes a person who does not exist yet. */
function stranger(some: Partial<Record<'psID' | 'email' | 'firstName' | 'lastName', string>> = {}) {
  const psID = String(last++);
  return { psID, email: `new.${psID}@${SCHOOL}`, firstName: 'nora', lastName: 'vance', ...some };
}
/** Returns cells by column, so that a test can change any of them. */
function cells(some: Partial<Record<(typeof USER_HEADER)[number], string>> = {}): string[] {
  const { psID, email } = stranger();
  const row = {
    user_id: some.user_id ?? psID,
    integration_id: some.user_id ?? psID,
    login_id: some.login_id ?? email,
    first_name: 'Nora',
    last_name: 'VANCE',
    sortable_name: 'VANCE, Nora',
    short_name: 'Nora VANCE',
    email: some.login_id ?? email,
    status: 'active',
    ...some,
  };
  return USER_HEADER.map((column) => row[column]);
}
const inLms = async (psID: string) => {
  const answer = await campus.api(`users/sis_user_id:${psID}`);
  return answer.status === 404 ? null : answer.json();
};
async function refused(csv: unknown, status = 400, browser = dev) {
  const response = await submit(browser, csv);
  const { error } = await response.json();
  expect({ status: response.status, sent: await posts() }).toEqual({ status, sent: [] });
  return error as {
    code: string;
    message: string;
    next: string;
    details: { row: number; field: string | null; message: string }[];
  };
}
const places = (error: Awaited<ReturnType<typeof refused>>) =>
  error.details.map(({ row, field }) => [row, field]);

describe('creating', () => {
  test('CU-12, CU-13, CU-14, CU-15, CU-16, LMS-25, OP-43: people are created as in the form', async () => {
    const people = [
      stranger({ firstName: ' jean-PIERRE  luc', lastName: 'de la Cruz' }),
      stranger({ email: `Zoe.${last}@Northbridge.EXAMPLE`, firstName: 'zoe\u0308', lastName: 'Weiß' }),
    ];
    const first = await submitted(dev, { csv: usersCsv(people), key: 'two-people' });
    expect(first).toMatchObject({ tool: 'create-users', label: 'Create 2 users', rows: 2 });
    const done = await watch(dev, first.id);
    expect(done).toMatchObject({ workflow_state: 'imported', data: { counts: { users: 2 } }, note: null });
    expect(await inLms(people[0]?.psID ?? '')).toMatchObject({
      name: 'Jean-Pierre Luc DE LA CRUZ',
      sortable_name: 'DE LA CRUZ, Jean-Pierre Luc',
      short_name: 'Jean-Pierre Luc DE LA CRUZ',
      sis_user_id: people[0]?.psID,
      integration_id: people[0]?.psID,
      login_id: people[0]?.email,
    });
    expect(await inLms(people[1]?.psID ?? '')).toMatchObject({
      name: 'Zoë WEISS',
      login_id: people[1]?.email.toLowerCase(),
    });
    expect((await posts()).map((one) => one.path)).toEqual([
      '/api/v1/accounts/1/sis_imports?override_sis_stickiness=true',
    ]);
  });

  test('CU-14, LMS-25: rows can be an array with columns in any order; derived names in them are ignored', async () => {
    const row = cells({ first_name: 'ada', last_name: 'king', sortable_name: 'Evil', short_name: '' });
    const turned = [USER_HEADER.toReversed(), row.toReversed()];
    const done = await watch(dev, (await submitted(dev, turned)).id);
    expect(done).toMatchObject({ workflow_state: 'imported', label: 'Create 1 user' });
    expect(await inLms(row[0] ?? '')).toMatchObject({ name: 'Ada KING', sortable_name: 'KING, Ada' });
  });

  test('CU-09: the result says how many people the LMS created, even if another user has created some of them first', async () => {
    const [one, other] = [stranger(), stranger()];
    await campus.importOfOthers(
      `user_id,login_id,full_name,status\n${other.psID},theo.${other.email},Theo Real,active`,
    );
    // This person is created at the moment of sending.
    await campus.fault({ match: `*/users/sis_user_id:${other.psID}`, kind: 'status', status: 404 });
    const { data } = await watch(dev, (await submitted(dev, usersCsv([one, other]))).id);
    await campus.clearFaults();
    expect(data.counts).toMatchObject({ users: 2, new_logins: 1 });
    const asked = await dev.fetch(ENDPOINTS.peopleLookup, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ sis_ids: [one.psID, other.psID] }),
    });
    const made = (await asked.text())
      .split('\n')
      .filter((line) => line.includes('"found"'))
      .map((line) => (JSON.parse(line) as { person: { created_at: string } }).person.created_at);
    expect(made).toHaveLength(2);
    expect(made.every((at) => !Number.isNaN(Date.parse(at)))).toBe(true);
  });

  test('OP-42: a repeat with the same key gives the first import, even if the people now exist', async () => {
    const payload = { csv: usersCsv([stranger()]), key: 'the-same-key' };
    const all = await Promise.all([1, 2, 3].map(() => submitted(dev, payload)));
    expect(new Set(all.map((one) => one.id)).size).toBe(1);
    await watch(dev, all[0]?.id ?? '');
    expect((await submitted(dev, payload)).id).toBe(all[0]?.id);
    expect(await posts()).toHaveLength(1);
  });
});

describe('access', () => {
  test('PERM-01, LMS-25: people rows need create_users, and enrolment rows an enrolment tool', async () => {
    const bruno = await ts.signIn(PEOPLE.custom);
    expect((await refused(usersCsv([stranger()]), 403, bruno)).code).toBe('not-allowed');
    const place = campus.course(0);
    const enrol = `course_id,user_id,role_id,status\n${place.sis},5001001,3,active`;
    expect((await refused(enrol, 403)).code).toBe('not-allowed');
  });

  test('CU-19, OP-15: without a school domain the answer says what is missing', async () => {
    const other = await startTestServer({ access: { admins: ADMINS }, lms: ts.sandbox });
    try {
      const browser = await other.signIn(PEOPLE.helpDesk);
      expect(await refused(usersCsv([stranger()]), 409, browser)).toMatchObject({
        message: expect.stringMatching(/^Create Users is not set up, because/),
        next: expect.stringMatching(/SCHOOL_EMAIL_DOMAIN/),
      });
    } finally {
      await other.close();
    }
  });
});

describe('rejected rows', () => {
  test.each([
    ['CU-17: letters in the id', { user_id: '12a' }, 'user_id', 'Peoplesoft ID must be digits.'],
    [
      'CU-17: an id that a spreadsheet has shortened',
      { user_id: '7,1015E+06' },
      'user_id',
      'Peoplesoft ID must be digits. This is a number in scientific notation, which spreadsheets use to shorten long IDs: copy the column again, formatted as text.',
    ],
    [
      'CU-23: an error value',
      { last_name: '#N/A' },
      'last_name',
      'Special charactors and numbers not allowed. This is an error value of a spreadsheet: copy the column again, formatted as text.',
    ],
    [
      'CU-20: a space in the login',
      { login_id: `mary ann@${SCHOOL}` },
      'login_id',
      `Email is not valid. Please enter ${SCHOOL} email address. It contains a space. Remove it.`,
    ],
    ['CU-17: no id', { user_id: ' ' }, 'user_id', 'PeopleSoft ID is missing.'],
    [
      'CU-19: another domain',
      { login_id: 'a@b.example' },
      'login_id',
      `Email is not valid. Please enter ${SCHOOL} email address.`,
    ],
    [
      'OP-57: a sub-domain',
      { login_id: `a@x.${SCHOOL}` },
      'login_id',
      `Email is not valid. Please enter ${SCHOOL} email address.`,
    ],
    [
      'CU-20: a plus sign',
      { login_id: `a+b@${SCHOOL}` },
      'login_id',
      `Email is not valid. Please enter ${SCHOOL} email address.`,
    ],
    [
      'CU-23, OP-56: an apostrophe',
      { last_name: "O'Brien" },
      'last_name',
      'Special charactors and numbers not allowed.',
    ],
    [
      'CU-23: digits in a name',
      { first_name: 'R2' },
      'first_name',
      'Special charactors and numbers not allowed.',
    ],
    ['CU-24: no first name', { first_name: '' }, 'first_name', 'First Name is missing.'],
    ['CU-13: another integration id', { integration_id: '1' }, 'integration_id', expect.any(String)],
    ['CU-13: another email', { email: `other@${SCHOOL}` }, 'email', expect.any(String)],
    ['CU-16: another status', { status: 'deleted' }, 'status', expect.any(String)],
  ])('%s', async (_name, some, field, message) => {
    const error = await refused([[...USER_HEADER], cells(), cells(some)]);
    expect(error.details).toEqual([{ row: 3, field, message }]);
    expect(await campus.requests(() => true)).toEqual([]);
  });

  test('CU-22, OP-55: an existing PeopleSoft id is rejected, so that no one is overwritten', async () => {
    const [person] = campus.strangers(1, []);
    const before = await inLms(person?.sis ?? '');
    const error = await refused(usersCsv([stranger(), stranger({ psID: person?.sis ?? '' })]));
    expect(error.details).toEqual([
      { row: 3, field: 'user_id', message: `The User Already exists in LMS. ${person?.sis}` },
    ]);
    expect(await inLms(person?.sis ?? '')).toEqual(before);
  });

  test('CU-22, CU-16: an id that is a person’s integration ID is rejected before anything is sent, because the LMS would reject it', async () => {
    const [person] = campus.strangers(1, []);
    const { pseudonyms } = ts.sandbox.world;
    const login = pseudonyms.by.sis.get(person?.sis ?? '');
    const taken = stranger();
    if (!login) throw new Error('nobody');
    const before = login.integration_id;
    pseudonyms.change(login, { integration_id: taken.psID });
    const error = await refused(usersCsv([stranger(), taken]));
    expect(error.details).toEqual([
      { row: 3, field: 'user_id', message: `The User Already exists in LMS. ${taken.psID}` },
    ]);
    pseudonyms.change(login, { integration_id: before });
  });

  test('CU-22, OP-57: an existing login is rejected, ignoring case, whatever its position in the search results', async () => {
    const [person] = campus.strangers(1, []);
    const email = person?.email ?? '';
    // A person who is listed first and whose login contains theirs.
    await watch(
      dev,
      (
        await submitted(
          dev,
          usersCsv([stranger({ email: `aa-${email}`, firstName: 'Aaa', lastName: 'Aaa' })]),
        )
      ).id,
    );
    await campus.forgetRequests();
    const error = await refused(usersCsv([stranger({ email: email.toUpperCase() })]));
    expect(error.details).toEqual([
      { row: 2, field: 'login_id', message: `The User Already exists in LMS. ${person?.sis}` },
    ]);
  });

  test('CU-22, OP-55: the login of a person without an SIS ID is rejected too: the LMS would take over that person', async () => {
    const login = [...ts.sandbox.world.pseudonyms.values()].find(
      (one) =>
        one.sis_user_id === null &&
        one.workflow_state === 'active' &&
        new RegExp(`^[\\w.-]+@${SCHOOL}$`, 'i').test(one.unique_id),
    );
    expect(login).toBeDefined();
    const error = await refused(usersCsv([stranger({ email: login?.unique_id ?? '' })]));
    expect(error.details).toEqual([
      { row: 2, field: 'login_id', message: 'The User Already exists in LMS.' },
    ]);
  });

  test.each([
    ['a second login of another person', 'active', false],
    ['a suspended login', 'suspended', true],
  ] as const)(
    'CU-22, OP-57: %s is rejected too: the LMS would take over that person',
    async (_name, state, alone) => {
      const { world } = ts.sandbox;
      const [model] = world.pseudonyms.values();
      const [person] = campus.strangers(1, []);
      if (!model || !person) throw new Error('the campus has no such people');
      const { id: _id, created_at: _created, updated_at: _updated, ...like } = model;
      const { email } = stranger();
      world.pseudonyms.add({
        ...like,
        user_id: alone ? world.users.add({ ...world.users.must(person.id) }).id : person.id,
        unique_id: email,
        sis_user_id: null,
        integration_id: null,
        workflow_state: state,
      });
      const error = await refused(usersCsv([stranger({ email: email.toUpperCase() })]));
      expect(places(error)).toEqual([[2, 'login_id']]);
    },
  );

  test('OP-58: the later of two rows with the same id or email is named, together with the other row', async () => {
    const one = stranger();
    const error = await refused(
      usersCsv([one, stranger({ psID: one.psID }), stranger({ email: ` ${one.email.toUpperCase()}` })]),
    );
    expect(error.details).toEqual([
      { row: 3, field: 'user_id', message: 'Row 2 has the same PeopleSoft ID.' },
      { row: 4, field: 'login_id', message: 'Row 2 has the same Email.' },
    ]);
  });

  test('all problems are shown together, at most a hundred', async () => {
    const bad = Array.from({ length: 150 }, () => cells({ user_id: 'x', status: 'gone' }));
    expect((await refused([[...USER_HEADER], ...bad])).details).toHaveLength(100);
    const mixed = await refused([
      [...USER_HEADER],
      cells({ last_name: '' }),
      cells().slice(1),
      cells({ user_id: 'x' }),
    ]);
    expect(places(mixed)).toEqual([
      [2, 'last_name'],
      [3, null],
      [4, 'user_id'],
    ]);
  });

  test('more than a thousand people are rejected', async () => {
    const rows = Array.from({ length: 1_001 }, () => stranger());
    expect((await refused(usersCsv(rows), 413)).code).toBe('too-many-rows');
    expect((await refused([[...USER_HEADER], ...rows.map(() => cells())], 413)).code).toBe('too-many-rows');
  });

  test.each([
    ['one column too few', USER_HEADER.slice(0, 8).join(',')],
    ['a password', `${USER_HEADER.join(',')},password`],
    ['a column that appears twice', `${USER_HEADER.slice(0, 8).join(',')},user_id`],
    ['no rows', USER_HEADER.join(',')],
    ['broken quotes', `${USER_HEADER.join(',')}\n"1,1`],
  ])('CU-12: %s is rejected', async (_name, csv) => {
    expect((await refused(csv)).details[0]).toMatchObject({ row: expect.any(Number) });
  });
});

describe('an LMS that fails', () => {
  const LOOKUPS = { match: '/api/v1/*users*', method: 'GET' };

  test.each([
    ['does not answer', { kind: 'status', status: 503 }],
    ['drops the connection', { kind: 'drop', when: 'before' }],
    ['is silent', { kind: 'timeout', ms: 20_000 }],
    ['refuses', { kind: 'status', status: 403 }],
  ])('OP-55, OP-58: if the LMS %s at the lookup, nothing is sent', async (_name, fault) => {
    await campus.fault({ ...LOOKUPS, ...fault });
    const error = await refused(usersCsv([stranger()]), 502);
    expect(error).toMatchObject({
      code: 'lms-down',
      message: expect.stringMatching(/Nothing has been sent/),
    });
    expect(places(error)).toEqual([
      [2, 'user_id'],
      [2, 'login_id'],
    ]);
  });

  test('OP-55: existing people are named even if others could not be looked up', async () => {
    const [person] = campus.strangers(1, []);
    await campus.fault({ match: '/api/v1/accounts/1/users', kind: 'status', status: 500 });
    const error = await refused(usersCsv([stranger({ psID: person?.sis ?? '' })]));
    expect(places(error)).toEqual([
      [2, 'user_id'],
      [2, 'login_id'],
    ]);
  });

  test('brief throttling causes no error', async () => {
    await campus.fault({ ...LOOKUPS, kind: 'throttle', count: 2 });
    expect(await watch(dev, (await submitted(dev, usersCsv([stranger()]))).id)).toMatchObject({
      workflow_state: 'imported',
    });
  });
});

describe('arbitrary input', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.constantFrom(
      '__proto__',
      'constructor',
      '=1+1',
      '\u0000',
      '\ud800',
      '../..',
      '1e3',
      "'; drop table imports",
    ),
  );

  test('CU-12: any strings in the fields and any text as rows get a clear answer, and nothing is sent', async () => {
    const key = fc.constantFrom('user_id', 'login_id', 'first_name', 'last_name', 'status', 'integration_id');
    const csv = fc.oneof(
      anyText.map((text) => `${USER_HEADER.join(',')}\n${text}`),
      anyText.map((text) => `user_id,login_id${text}`),
      fc.array(anyText, { minLength: 9, maxLength: 9 }).map((row) => [[...USER_HEADER], row]),
      fc
        .record({ column: key, text: anyText })
        .map(({ column, text }) => [[...USER_HEADER], cells({ user_id: 'never', [column]: text })]),
    );
    await fc.assert(
      fc.asyncProperty(csv, async (some) => {
        const response = await submit(dev, { csv: some });
        const { error } = await response.json();
        expect([400, 403]).toContain(response.status);
        expect(error.message).not.toBe('');
      }),
      { numRuns: 150 },
    );
    expect(await posts()).toEqual([]);
  });
});

test('OP-35 OP-36 if an import crashes in the LMS, the people it created are looked up', async () => {
  const people = Array.from({ length: 6 }, () => stranger());
  await campus.fault({ match: '*', kind: 'import-crash', count: 1 });
  const { id } = await submitted(dev, usersCsv(people));
  const ended = await watch(dev, id);
  const there = await Promise.all(people.map(async ({ psID }) => (await inLms(psID)) !== null));
  const created = there.filter(Boolean).length;
  expect(created).toBeGreaterThan(0);
  expect(created).toBeLessThan(6);
  expect(ended).toMatchObject({ verdict: 'partly', applied: created, rows: 6 });
  const answer = await dev.fetch(ENDPOINTS.importRows.replace(':import', id));
  const { data } = (await answer.json()) as { data: { row: number; fates: string[] }[] };
  expect(data.map(({ row, fates }) => [row, fates[0]?.split(':')[0]])).toEqual(
    there.map((is, index) => [index + 2, is ? 'Applied' : 'Not applied']),
  );
});
