/** Sign-in, session and sign-out over HTTP (area AUTH). */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { COOKIES } from '@lms-admin/contract/session';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

let clock = 0;
let test: TestServer;

beforeAll(async () => {
  test = await startTestServer({ server: { now: () => Date.now() + clock } });
});
afterAll(() => test.close());

describe('signing in', () => {
  it('AUTH-05, OP-05 the login endpoint sends the browser to the sign-in page of the LMS', async () => {
    const response = await test.browser().fetch(ENDPOINTS.login);
    expect(response.status).toBe(302);
    const target = new URL(response.headers.get('location') ?? '');
    expect(target.origin).toBe(test.config.lms.url);
    expect(target.pathname).toBe('/login/oauth2/auth');
    const query = Object.fromEntries(target.searchParams);
    expect(query).toMatchObject({
      client_id: '10',
      response_type: 'code',
      redirect_uri: `${test.url}/`,
      code_challenge_method: 'S256',
    });
    expect(query.state?.length).toBeGreaterThan(20);
    expect(query.code_challenge?.length).toBeGreaterThan(20);
  });

  it('AUTH-07, AUTH-09, AUTH-16, AUTH-17 a code becomes a session with the documented fields', async () => {
    const browser = test.browser();
    const { code, state } = await browser.authorize(PEOPLE.custom);
    const response = await browser.exchange(code, state);
    expect(response.status).toBe(200);
    const body = await response.json();
    expect(body.status).toBe(200);
    expect(typeof body.data.access_token).toBe('string');
    expect(Math.abs(body.data.time - Date.now())).toBeLessThan(60_000);
    expect(body.data.user).toEqual({ id: 102, name: 'Bruno Keller' });
    expect(body.data.userProfile.time_zone).toBe('Europe/Zurich');
    expect(typeof body.data.userProfile.avatar_url).toBe('string');
    expect(body.data.sub_account).toMatchObject({
      perm: 'CUSTOM',
      sub_accounts: '86,120',
      roles: '3,5',
      section_roles: '3',
      email: PEOPLE.custom,
      course_level_admin: true,
      sis_import: false,
      feature_permissions: { zoom_update_courses_delete: false },
    });
    expect(browser.profile()).toEqual(body.data);
    expect(decodeURIComponent(browser.cookies.get(COOKIES.welcome) ?? '')).toBe('false');
  });
});
