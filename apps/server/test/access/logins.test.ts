/** Records that name things unknown to the LMS are reported, and never count as the last administrator. */
import type { AccessLogins, AccessReview } from '@lms-admin/contract/access';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildServer } from '../../src/app.ts';
import { Browser } from '../support/browser.ts';
import { chosenDatabase } from '../support/databases.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { peopleOf, recordOf, reviewOf, save, TWO_ADMINS } from './administrators.ts';

const DAY = 86_400_000;
const LIMITS = { address: 10_000, browser: 10_000, person: 10_000 };
const TYPO = 'alma.rejes@northbridge.example';

let test: TestServer;
let alma: Browser;
let dev: Browser;
beforeAll(async () => {
  test = await startTestServer({ access: TWO_ADMINS });
  [alma, dev] = await Promise.all([test.signIn(PEOPLE.all), test.signIn(PEOPLE.helpDesk)]);
});
afterAll(() => test.close());

const added = (login: string, record: object) => ({
  login,
  version: null,
  record: { perm: 'CUSTOM', email: TYPO, ...record },
});
const notes = ({ changes }: AccessReview) => changes.flatMap((one) => one.notes);
const logins = async () => (await (await alma.fetch(ENDPOINTS.accessLogins)).json()).data as AccessLogins;

describe('entries unknown to the LMS', () => {
  it('the review and the list name a login that the LMS does not have, and no others', async () => {
    const record = { sub_accounts: '86', user_search: true };
    const review = await reviewOf(alma, [added(TYPO, record), added(PEOPLE.unknown, record)]);
    expect(notes(review)).toEqual([
      `The LMS does not have a person with the login ${TYPO}. Check how it is spelt: no one can use this record.`,
    ]);
    expect((await save(alma, [added(TYPO, record)])).status).toBe(200);
    expect(await logins()).toEqual({ missing: [TYPO], unread: 0 });
    const { records } = await peopleOf(alma);
    const seen = (login: string) => records.find((one) => one.login === login)?.signed_in_at;
    expect(seen(TYPO)).toBeNull();
    expect(Date.parse(seen(PEOPLE.all) ?? '')).toBeGreaterThan(Date.now() - DAY);
  });

  it('an unknown programme is rejected and its number named, an unknown role is named, and existing entries stay', async () => {
    const bruno = await recordOf(alma, PEOPLE.custom);
    const changedBy = (record: object) => ({ ...bruno, record: { ...bruno.record, ...record } });
    const refused = await save(alma, [changedBy({ sub_accounts: '86,120,99999' })]);
    expect([refused.status, refused.error.message]).toEqual([
      409,
      'The LMS does not have a programme with the number 99999. Remove it, or choose another one.',
    ]);
    expect(notes(await reviewOf(alma, [changedBy({ roles: '3,99999' })]))).toEqual([
      'The LMS does not list a role with the number 99999 for the whole school.',
    ]);
  });

  it('a login that looks like another one is rejected', async () => {
    const twin = PEOPLE.all.replace('@', '\u200B@');
    const refused = await save(alma, [added(twin, { sub_accounts: '86', user_search: true })]);
    expect([refused.status, refused.error.message]).toEqual([409, expect.stringContaining('is not visible')]);
  });

  it('a record without any permissions is named, and System is rejected for programmes', async () => {
    const { changes } = await reviewOf(alma, [
      added('a@northbridge.example', { sub_accounts: '86' }),
      added('b@northbridge.example', { course_level_admin: true }),
      added('c@northbridge.example', { sub_accounts: '86', system: true }),
    ]);
    const [none, nowhere, system] = changes;
    expect(none?.notes).toContain('This record has no tools. The person can sign in but cannot do anything.');
    expect(nowhere?.notes).toEqual(
      expect.arrayContaining([
        'This record has no programme. The person cannot change anything in courses.',
        'This record has no role for courses. The person cannot use Course Enrollment to enrol anyone.',
      ]),
    );
    expect(system?.problem).toContain('System is only for people with access to the whole school.');
  });
});

it('an access administrator whose login does not exist does not count as the last one', async () => {
  const admin = { perm: 'ALL', access_admin: true };
  const typo = await recordOf(alma, TYPO);
  const review = await reviewOf(alma, [{ ...typo, record: { ...typo.record, ...admin } }]);
  expect(notes(review)).toContain(
    `${TYPO} has never signed in to LMS Admin. Until they do, they do not count as an access administrator.`,
  );
  const his = await recordOf(alma, PEOPLE.helpDesk);
  const ending = { ...his, expires_at: new Date(Date.now() + 5 * DAY).toISOString() };
  const both = [{ ...typo, record: { ...typo.record, ...admin } }, ending];
  expect((await save(alma, both)).status).toBe(200);

  // Dev loses the permission. Without Alma, only a record that no one can use would be left.
  const hers = await recordOf(dev, PEOPLE.all);
  for (const disabled of [{ disabled: true }, { expires_at: new Date(Date.now() + DAY).toISOString() }])
    expect(await save(dev, [{ ...hers, ...disabled }])).toMatchObject({
      status: 409,
      error: { message: expect.stringContaining('leave no one who can change access') },
    });
});

it.runIf(chosenDatabase() === 'postgres')('a change on one server takes effect on every other', async () => {
  const second = await buildServer(test.config, { console: null, loginLimits: LIMITS });
  await second.listen();
  try {
    const bruno = new Browser(second.url);
    await bruno.signIn(PEOPLE.custom);
    const record = await recordOf(alma, PEOPLE.custom);
    const more = { ...record, record: { ...record.record, user_search: true } };
    expect((await save(alma, [more])).status).toBe(200);
    const asked = () => bruno.fetch(ENDPOINTS.accessFollow);
    await vi.waitFor(
      async () => {
        expect((await asked()).status).toBe(200);
        expect(bruno.profile().sub_account.user_search).toBe(true);
      },
      { timeout: 5_000 },
    );
    const now = await recordOf(alma, PEOPLE.custom);
    expect((await save(alma, [{ ...now, disabled: true }])).status).toBe(200);
    await vi.waitFor(async () => expect((await asked()).status).toBe(401), { timeout: 5_000 });
  } finally {
    await second.close();
  }
});
