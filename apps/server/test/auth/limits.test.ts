/** Limits on signing in: many people sharing one address, and one browser that never stops. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { COOKIES } from '@lms-admin/contract/session';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mapLimited } from '../../src/platform/limited.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';

const MANY = 70;
let logins: string[];
let test: TestServer;
/** The minute in which a request is counted. */
let clock = 0;

beforeAll(async () => {
  const { startSandbox } = await import('@lms-admin/sandbox/server');
  const lms = await startSandbox({ port: 0, mode: 'test', throttle: false });
  logins = [...lms.world.pseudonyms.values()]
    .filter((one) => one.workflow_state === 'active' && one.sis_user_id !== null)
    .slice(0, MANY)
    .map((one) => one.unique_id);
  const access = { admins: logins.map((login) => ({ login, email: login, perm: 'ALL', user_search: true })) };
  test = await startTestServer({
    lms,
    access,
    server: { loginLimits: { address: 600, browser: 30, person: 20, now: () => Date.now() + clock } },
  });
});
afterAll(async () => {
  await test.close();
  await test.sandbox.close();
});

describe('OP-09 limits on signing in', () => {
  it('seventy people behind the same proxy can sign in', async () => {
    expect(logins).toHaveLength(MANY);
    const names = await mapLimited(
      logins,
      6,
      async (login) => (await test.signIn(login)).profile().sub_account.email,
    );
    expect(names).toEqual(logins);
  });

  it('one browser is stopped without affecting others', async () => {
    const browser = test.browser();
    const statuses: number[] = [];
    for (let count = 0; count < 40; count++) {
      const cookie = browser.cookies.get(COOKIES.state);
      statuses.push((await browser.fetch(ENDPOINTS.login)).status);
      // Keeps its first cookie, as a browser trying to stay under the limit would.
      if (cookie !== undefined) browser.cookies.set(COOKIES.state, cookie);
    }
    expect(statuses.filter((status) => status === 302)).toHaveLength(31);
    expect(statuses.at(-1)).toBe(429);
    expect((await browser.exchange('x', 'y')).status).toBe(429);
    expect((await test.browser().fetch(ENDPOINTS.login)).status).toBe(302);
    clock += 60_000;
    expect((await browser.fetch(ENDPOINTS.login)).status).toBe(302);
  });

  it('one person is stopped in any number of browsers, without affecting others', async () => {
    const [one = '', other = ''] = logins;
    const statuses = await mapLimited(
      Array.from({ length: 22 }, () => one),
      4,
      async (login) => {
        const browser = test.browser();
        const { code, state } = await browser.authorize(login);
        return (await browser.exchange(code, state)).status;
      },
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    await test.signIn(other);
  });
});
