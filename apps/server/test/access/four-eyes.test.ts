/** `ACCESS_FOUR_EYES=true`: changes that affect the whole school or the administrator's own record need a second person. */

import type { AccessRequest } from '@lms-admin/contract/access';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makePlan } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { ANNA, historyOf, peopleOf, recordOf, save, TWO_ADMINS } from './administrators.ts';

let test: TestServer;
let alma: Browser;
let dev: Browser;
let ahead = 0;

beforeEach(async () => {
  ahead = 0;
  test = await startTestServer({
    access: TWO_ADMINS,
    env: { ACCESS_FOUR_EYES: 'true' },
    server: { now: () => Date.now() + ahead },
  });
  [alma, dev] = await Promise.all([test.signIn(PEOPLE.all), test.signIn(PEOPLE.helpDesk)]);
});
afterEach(() => test.close());

const requests = async (browser: Browser) =>
  (await (await browser.fetch(ENDPOINTS.accessRequests)).json()).data as AccessRequest[];
const decide = async (browser: Browser, id: string, approve: boolean) => {
  const path = ENDPOINTS.accessRequest.replace(':request', id);
  return (await browser.post(path, { approve })).status;
};
const everywhere = { login: ANNA, version: null, record: { perm: 'ALL', email: ANNA, sis_import: true } };
const limited = {
  ...everywhere,
  record: { perm: 'CUSTOM', email: ANNA, sub_accounts: '86', sis_import: true },
};
const has = async (login: string) => (await peopleOf(alma)).records.some((one) => one.login === login);

it('a permission for one programme is saved immediately', async () => {
  expect((await save(alma, [limited])).data.became).toBe('saved');
});

it('the root account counts as the whole school, not as a programme', async () => {
  const root = { ...limited, record: { ...limited.record, sub_accounts: '86,1' } };
  const refused = await save(alma, [root]);
  expect(refused).toMatchObject({ status: 409 });
  expect(await has(ANNA)).toBe(false);
});

it('a permission for the whole school waits: the person who requested it cannot approve it, but another administrator can', async () => {
  expect((await save(alma, [everywhere], 'audit')).data).toEqual({ became: 'requested', changed: 0 });
  expect(await has(ANNA)).toBe(false);
  const [request] = await requests(dev);
  expect(request).toMatchObject({ by: PEOPLE.all, why: 'audit', yours: false });
  const id = request?.id ?? '';
  expect(await decide(alma, id, true)).toBe(403);
  expect(await has(ANNA)).toBe(false);
  expect(await decide(dev, id, true)).toBe(200);
  expect(await has(ANNA)).toBe(true);
  expect((await historyOf(alma, ANNA)).lines).toMatchObject([
    { by: PEOPLE.all, approved_by: PEOPLE.helpDesk, kind: 'add', why: 'audit' },
  ]);
  expect(await decide(dev, id, true)).toBe(404);
});

it('a change to the administrator’s own record waits as well', async () => {
  const own = await recordOf(alma, PEOPLE.all);
  const more = { ...own, record: { ...own.record, sis_import: true } };
  expect((await save(alma, [more])).data.became).toBe('requested');
});

it('the administrator who decides sees which runs the change would have prevented', async () => {
  const browser = await test.signIn(PEOPLE.custom);
  const course = [...test.sandbox.world.courses.values()].find(({ account_id }) => account_id === 86);
  const emails = [PEOPLE.all];
  const plan = await makePlan(browser, { role_id: 3, status: 'active', courses: [course?.id ?? 0], emails });
  await browser.invoke('accounts/1/sis_imports', 'POST_SIS', { plan: plan.id });
  const bruno = await recordOf(alma, PEOPLE.custom);
  const record = { ...bruno.record, perm: 'ALL', course_level_admin: false };
  expect((await save(alma, [{ ...bruno, record }])).data.became).toBe('requested');
  const [request] = await requests(dev);
  expect(request?.review.changes[0]?.replay).toMatchObject({ runs: 1, refused_count: 1 });
});

it('a request can be withdrawn or rejected, and then changes nothing', async () => {
  for (const [who, left] of [
    [alma, 'own'],
    [dev, 'other'],
  ] as const) {
    await save(alma, [everywhere], left);
    const [request] = await requests(alma);
    expect(await decide(who, request?.id ?? '', false)).toBe(200);
    expect(await requests(dev)).toEqual([]);
    expect(await has(ANNA)).toBe(false);
  }
});

it('a request expires after 7 days', async () => {
  await save(alma, [everywhere]);
  const [request] = await requests(dev);
  ahead = 7 * 86_400_000;
  dev = await test.signIn(PEOPLE.helpDesk);
  expect(await requests(dev)).toEqual([]);
  expect(await decide(dev, request?.id ?? '', true)).toBe(404);
});

it('an approval does not overwrite a change made in the meantime', async () => {
  const bruno = await recordOf(alma, PEOPLE.custom);
  const wide = { ...bruno, record: { ...bruno.record, perm: 'ALL' } };
  await save(alma, [wide]);
  const narrow = { ...bruno, record: { ...bruno.record, sub_accounts: '86' } };
  expect((await save(dev, [narrow])).status).toBe(200);
  const [request] = await requests(dev);
  expect(request?.review.changes[0]?.problem).toContain('has changed this record');
  expect(await decide(dev, request?.id ?? '', true)).toBe(409);
  expect((await recordOf(alma, PEOPLE.custom)).record).toMatchObject({ perm: 'CUSTOM', sub_accounts: '86' });
});
