/**
 * Changing access over HTTP: changes are reviewed, saved and picked up by other servers, and never lock
 * everyone out.
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePlan } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { ANNA, historyOf, peopleOf, recordOf, reviewOf, save, TWO_ADMINS } from './administrators.ts';

let test: TestServer;
let alma: Browser;
let dev: Browser;
let ahead = 0;
const now = () => Date.now() + ahead;

beforeEach(async () => {
  ahead = 0;
  test = await startTestServer({ access: TWO_ADMINS, server: { now } });
  [alma, dev] = await Promise.all([test.signIn(PEOPLE.all), test.signIn(PEOPLE.helpDesk)]);
});
afterEach(() => test.close());

const without = (change: Awaited<ReturnType<typeof recordOf>>, record: object) => ({
  ...change,
  record: { ...change.record, ...record },
});

describe('a change', () => {
  it('is reviewed with what it adds and removes, saved as reviewed, and recorded in the history', async () => {
    const bruno = await recordOf(alma, PEOPLE.custom);
    const wanted = without(bruno, { sub_accounts: '86', zoom_creation: true });
    const expires_at = new Date(now() + 86_400_000).toISOString();
    const review = await reviewOf(alma, [{ ...wanted, expires_at }]);
    expect(review).toMatchObject({ problem: null, needs_second: false });
    expect(review.changes).toMatchObject([
      {
        login: PEOPLE.custom,
        kind: 'change',
        problem: null,
        gains: [{ kind: 'tool', flag: 'zoom_creation' }],
        loses: [{ kind: 'programme', id: 120 }],
      },
    ]);
    expect((await peopleOf(alma)).records.find(({ login }) => login === PEOPLE.custom)?.version).toBe(1);
    expect(await save(alma, [{ ...wanted, expires_at }], 'covers for Ana')).toMatchObject({
      status: 200,
      data: { became: 'saved', changed: 1 },
    });
    const browser = await test.signIn(PEOPLE.custom);
    expect(browser.profile().sub_account).toMatchObject({ zoom_creation: true, sub_accounts: '86' });
    const { lines } = await historyOf(dev, PEOPLE.custom);
    expect(lines[0]).toMatchObject({
      by: PEOPLE.all,
      kind: 'change',
      why: 'covers for Ana',
      before: { record: { sub_accounts: '86,120' }, expires_at: null },
      after: { record: { sub_accounts: '86' }, expires_at },
    });
    const csv = await (await dev.fetch(ENDPOINTS.accessHistoryCsv)).text();
    expect(csv.split('\r\n')[0]).toBe('at,by,approved_by,person,kind,why,before,after');
    expect(csv).toContain('covers for Ana');
  });

  it('adds several people, disables one without deleting their record, and enables them again', async () => {
    const record = { perm: 'CUSTOM', sub_accounts: '86', email: ANNA, user_search: true };
    const logins = [ANNA, 'ben@northbridge.example'];
    const added = logins.map((login) => ({ login, record, version: null }));
    expect((await save(alma, added)).data).toEqual({ became: 'saved', changed: 2 });
    const anna = await recordOf(alma, ANNA);
    await save(alma, [{ ...anna, disabled: true }]);
    const listed = (await peopleOf(alma)).records.find(({ login }) => login === ANNA);
    expect(listed).toMatchObject({ state: 'disabled', record: { user_search: true } });
    await save(alma, [{ ...(await recordOf(alma, ANNA)), disabled: false }]);
    expect((await historyOf(alma, ANNA)).lines.map(({ kind }) => kind)).toEqual(['enable', 'disable', 'add']);
  });

  it('is rejected if another person has changed the record in the meantime, and the newer record stays', async () => {
    const [hers, his] = await Promise.all([recordOf(alma, PEOPLE.custom), recordOf(dev, PEOPLE.custom)]);
    expect((await save(dev, [without(his, { user_search: true })])).status).toBe(200);
    const late = await save(alma, [without(hers, { create_users: true })]);
    expect(late.status).toBe(409);
    expect(late.error.message).toContain(`${PEOPLE.helpDesk} has changed this record`);
    const { record } = await recordOf(alma, PEOPLE.custom);
    expect(record).toMatchObject({ user_search: true, create_users: false });
    const twice = await save(alma, [{ login: PEOPLE.custom, version: null, record }]);
    expect(twice.error.message).toContain('already has a record');
  });

  it('is rejected if its end is in the past or it names a person twice, and the error names the person', async () => {
    const bruno = await recordOf(alma, PEOPLE.custom);
    const past = { ...bruno, expires_at: new Date(now() - 1_000).toISOString() };
    expect((await save(alma, [past])).error.details).toMatchObject([
      { field: PEOPLE.custom, message: 'The end date is in the past. Choose a later one.' },
    ]);
    expect((await save(alma, [bruno, bruno])).status).toBe(409);
  });

  it('says which runs of the last 90 days would not be allowed', async () => {
    const browser = await test.signIn(PEOPLE.custom);
    const courses = [...test.sandbox.world.courses.values()].filter((one) => one.sis_source_id !== null);
    const [kept, lost] = [86, 120].map((id) => courses.find(({ account_id }) => account_id === id));
    for (const course of [kept, lost]) {
      const emails = ['alma.reyes@northbridge.example'];
      const asked = { role_id: 3, status: 'active' as const, courses: [course?.id ?? 0], emails };
      const plan = await makePlan(browser, asked);
      const sent = await browser.invoke('accounts/1/sis_imports', 'POST_SIS', { plan: plan.id });
      expect(sent.status).toBe(200);
    }
    const bruno = await recordOf(alma, PEOPLE.custom);
    const of = async (record: object) => (await reviewOf(alma, [without(bruno, record)])).changes[0]?.replay;
    const place = await of({ sub_accounts: '86' });
    expect(place).toMatchObject({ runs: 2, checked: 2, refused_count: 1 });
    expect(place?.refused[0]?.why).toContain(`${lost?.name} belongs to`);
    expect(await of({ roles: '5' })).toMatchObject({ runs: 2, refused_count: 2 });
    expect(await of({ course_level_admin: false })).toMatchObject({ runs: 2, refused_count: 2 });
    expect(await of({ export_course_students: false })).toMatchObject({ runs: 2, refused_count: 0 });
    // Nothing is removed, so nothing is looked up.
    expect(await of({ user_search: true })).toBeNull();
  });
});

describe('no one can lock everyone out', () => {
  const DAY = 86_400_000;
  const ways: [string, object][] = [
    ['taking the tool away', { record: { access_admin: false } }],
    ['limiting to programmes', { record: { perm: 'CUSTOM', access_admin: false } }],
    ['disabling', { disabled: true }],
    ['giving an end', { expires_at: new Date(Date.now() + DAY).toISOString() }],
  ];
  const changed = async (browser: Browser, login: string, way: object) => {
    const one = await recordOf(browser, login);
    const { record, ...rest } = way as { record?: object };
    return { ...one, ...rest, record: { ...one.record, ...record } };
  };

  it.each(ways)(
    '%s: an administrator can do this to another one, but never to themselves or to the last one',
    async (_, way) => {
      expect((await save(alma, [await changed(alma, PEOPLE.all, way)])).error.message).toContain(
        'cannot remove your own right',
      );
      const both = [await changed(alma, PEOPLE.helpDesk, way), await changed(alma, PEOPLE.all, way)];
      expect((await save(alma, both)).status).toBe(409);
      expect((await save(alma, [await changed(alma, PEOPLE.helpDesk, way)])).status).toBe(200);
      ahead = 2 * DAY;
      alma = await test.signIn(PEOPLE.all);
      expect((await save(alma, [await changed(alma, PEOPLE.all, way)])).status).toBe(409);
      expect((await peopleOf(alma)).you).toBe(PEOPLE.all);
    },
  );

  it.each(ways)(
    '%s: when two administrators do this to each other at the same time, one is left',
    async (_, way) => {
      for (let round = 0; round < 5; round++) {
        const [first, second] = [
          await changed(alma, PEOPLE.helpDesk, way),
          await changed(dev, PEOPLE.all, way),
        ];
        const answers = await Promise.all([save(alma, [first]), save(dev, [second])]);
        expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual(
          'expires_at' in way
            ? [200, 409]
            : [200, expect.toSatisfy((s: number) => [401, 403, 409].includes(s))],
        );
        const winner = answers[0]?.status === 200 ? alma : dev;
        const loser = winner === alma ? PEOPLE.helpDesk : PEOPLE.all;
        const back = await recordOf(winner, loser);
        const whole = { ...back, disabled: false, expires_at: null };
        const record = { ...back.record, perm: 'ALL', access_admin: true };
        expect((await save(winner, [{ ...whole, record }])).status).toBe(200);
        [alma, dev] = await Promise.all([test.signIn(PEOPLE.all), test.signIn(PEOPLE.helpDesk)]);
      }
    },
  );

  it('a record limited to programmes cannot have the permission at all', async () => {
    const one = await changed(alma, PEOPLE.custom, { record: { access_admin: true } });
    expect((await save(alma, [one])).status).toBe(400);
  });

  it('a person who has just lost the permission cannot change anything', async () => {
    expect((await save(alma, [await changed(alma, PEOPLE.helpDesk, { disabled: true })])).status).toBe(200);
    expect((await dev.fetch(ENDPOINTS.accessPeople)).status).toBe(401);
  });
});

it('differences from the LMS administrators are only proposals and change nothing', async () => {
  const { world } = test.sandbox;
  const hugo = [...world.pseudonyms.values()].find(({ unique_id }) => unique_id === PEOPLE.unknown);
  const fields = { user_id: hugo?.user_id ?? 0, role_id: 1, sis_batch_id: null };
  world.accountUsers.add({ ...fields, account_id: 86, workflow_state: 'active' });
  // An account several levels down counts as well: GEMBA Core Asia is below GEMBA Core, which is below GEMBA.
  const deep = [...world.accounts.values()].find(({ name }) => name === 'GEMBA Core Asia');
  const bruno = [...world.pseudonyms.values()].find(({ unique_id }) => unique_id === PEOPLE.custom);
  for (const one of Array.from(world.accountUsers.by.user.get(bruno?.user_id ?? 0)))
    world.accountUsers.change(one, { account_id: deep?.id ?? 0 });
  const before = await peopleOf(alma);
  await save(alma, [
    { login: ANNA, version: null, record: { perm: 'CUSTOM', email: ANNA, sub_accounts: '86' } },
  ]);
  const { data } = await (await alma.fetch(ENDPOINTS.accessDrift)).json();
  expect(data).toMatchObject({ unread: [], not_compared: 0 });
  expect(data.lines).toEqual([
    { login: ANNA, name: ANNA, kind: 'no-lms-role', accounts: [] },
    {
      login: PEOPLE.unknown,
      name: expect.any(String),
      kind: 'no-access',
      accounts: [{ id: 86, name: world.accounts.must(86).name, role: 'AccountAdmin' }],
    },
  ]);
  expect((await peopleOf(alma)).records).toHaveLength(before.records.length + 1);
});
