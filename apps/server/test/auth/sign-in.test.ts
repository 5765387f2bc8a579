/** Sign-in, session and sign-out over HTTP (requirements AUTH). */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { COOKIES } from '@lms-admin/contract/session';
import { desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { audit, grants, sessions } from '../../src/platform/schema.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

/** How far the clocks of the server and the LMS are ahead, in milliseconds. */
let clock = 0;
let lmsClock = 0;
let test: TestServer;

beforeAll(async () => {
  test = await startTestServer({
    server: { now: () => Date.now() + clock },
    sandbox: { now: () => new Date(Date.now() + lmsClock) },
  });
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

  it('AUTH-09 the audit log says who signed in and out, from where and in which request', async () => {
    const browser = test.browser();
    const { code, state } = await browser.authorize(PEOPLE.custom);
    const signedIn = await browser.exchange(code, state);
    const signedOut = await browser.invoke('login/oauth2/token', 'DELETE');
    expect([signedIn.status, signedOut.status]).toEqual([200, 200]);
    const { db } = test.server.services.db;
    const lines = await db.select().from(audit).orderBy(desc(audit.id)).limit(2);
    const of = (event: string, response: { headers: Headers }) => ({
      login: PEOPLE.custom,
      tool: 'auth',
      event,
      detail: { address: expect.stringMatching(/^(127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)$/) },
      requestId: response.headers.get('x-request-id'),
    });
    expect(lines).toEqual([
      expect.objectContaining(of('signed out', signedOut)),
      expect.objectContaining(of('signed in', signedIn)),
    ]);
  });

  it('AUTH-08, OP-01 a secret or address sent by the browser is ignored, and neither is sent to the browser', async () => {
    const browser = test.browser();
    const { code, state } = await browser.authorize(PEOPLE.all);
    const response = await browser.post(ENDPOINTS.token, {
      grant_type: 'authorization_code',
      client_id: '999',
      client_secret: 'wrong',
      redirect_uri: 'https://evil.example/',
      code,
      state,
    });
    expect(response.status).toBe(200);
    const text = await response.text();
    for (const secret of ['sandbox-client-secret', 'sandbox-admin-token']) expect(text).not.toContain(secret);
  });

  it('AUTH-15, OP-04 the session cookie is HttpOnly, the profile is readable, and neither contains an LMS token', async () => {
    const browser = test.browser();
    const { code, state } = await browser.authorize(PEOPLE.all);
    const response = await browser.exchange(code, state);
    const cookies = response.headers.getSetCookie();
    const cookie = (name: string) => cookies.find((one) => one.startsWith(`${name}=`)) ?? '';
    expect(cookie(COOKIES.session)).toMatch(/HttpOnly/i);
    expect(cookie(COOKIES.session)).toMatch(/SameSite=Strict/i);
    expect(cookie(COOKIES.session)).toMatch(/Max-Age=3600/i);
    expect(cookie(COOKIES.profile)).not.toMatch(/HttpOnly/i);
    expect(cookie(COOKIES.profile).length).toBeLessThan(3_800);
    const stored = await test.server.services.db.db.select().from(grants);
    for (const { accessTokenEnc, refreshTokenEnc } of stored) {
      expect(accessTokenEnc).toMatch(/^v1\./);
      expect(refreshTokenEnc).toMatch(/^v1\./);
    }
    const sessionRows = JSON.stringify(await test.server.services.db.db.select().from(sessions));
    expect(sessionRows).not.toContain(browser.cookies.get(COOKIES.session));
    const handle = browser.profile().access_token;
    const stranger = test.browser();
    stranger.cookies.set(COOKIES.session, handle);
    expect((await stranger.invoke('accounts/1/terms')).status).toBe(401);
  });

  it('AUTH-13, AUTH-14, AUTH-18, OP-10 a person without a record gets a 401 and the error cookie, and no session', async () => {
    const browser = test.browser();
    const { code, state } = await browser.authorize(PEOPLE.unknown);
    const response = await browser.exchange(code, state);
    expect(response.status).toBe(401);
    expect((await response.json()).error).toMatchObject({
      code: 'unknown-user',
      message: 'User not found in LMS Admin',
      next: 'Please contact IT Support',
    });
    expect(JSON.parse(decodeURIComponent(browser.cookies.get(COOKIES.error) ?? ''))).toEqual({
      heading: 'User not found in LMS Admin',
      body: 'Please contact IT Support',
    });
    expect(browser.cookies.has(COOKIES.session)).toBe(false);
  });

  it.each([
    ['/course-level-admin', '/course-level-admin'],
    ['/section-level-admin/x?y=1#z', '/section-level-admin/x?y=1#z'],
    ['https://evil.example/', '/'],
    ['//evil.example/', '/'],
    ['/\\evil.example', '/'],
    ['/\t/evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['/api/auth/login', '/'],
    ['/x/../api/auth/login', '/'],
  ])('OP-07 a person who requested %s is sent to %s', async (asked, sent) => {
    const browser = test.browser();
    const { code, state } = await browser.authorize(PEOPLE.all, asked);
    expect((await (await browser.exchange(code, state)).json()).returnTo).toBe(sent);
  });
});

describe('OP-06 a sign-in belongs to the browser that started it', () => {
  const failed = async (response: Response) => {
    expect(response.status).toBe(400);
    expect((await response.json()).error.code).toBe('bad-request');
  };

  it('a code from another browser is rejected (login CSRF)', async () => {
    const { code, state } = await test.browser().authorize(PEOPLE.all);
    const victim = test.browser();
    await victim.fetch(ENDPOINTS.login);
    await failed(await victim.exchange(code, state));
    await failed(await test.browser().exchange(code, state));
    expect(victim.cookies.has(COOKIES.session)).toBe(false);
  });

  it('a code is rejected without state, with a changed state, and the second time', async () => {
    const browser = test.browser();
    const { code, state } = await browser.authorize(PEOPLE.all);
    await failed(await browser.post(ENDPOINTS.token, { grant_type: 'authorization_code', code }));
    await failed(await browser.exchange(code, `${state}x`));
    const cookie = browser.cookies.get(COOKIES.state) ?? '';
    expect((await browser.exchange(code, state)).status).toBe(200);
    browser.cookies.set(COOKIES.state, cookie);
    await failed(await browser.exchange(code, state));
  });

  it('a code is rejected after ten minutes', async () => {
    const browser = test.browser();
    const { code, state } = await browser.authorize(PEOPLE.all);
    clock = 601_000;
    await failed(await browser.exchange(code, state));
    clock = 0;
  });

  it('AUTH-12 a code that the LMS does not know is not a 401', async () => {
    const browser = test.browser();
    const { state } = await browser.authorize(PEOPLE.all);
    await failed(await browser.exchange('0'.repeat(128), state));
  });

  it('AUTH-12 an LMS that does not answer is not a 401', async () => {
    const browser = test.browser();
    const { code, state } = await browser.authorize(PEOPLE.all);
    await test.handle('faults', {
      body: { match: '/login/oauth2/token', kind: 'status', status: 503, count: 1 },
    });
    const response = await browser.exchange(code, state);
    expect(response.status).toBe(502);
    expect((await response.json()).error.code).toBe('lms-down');
  });

  it('requests from another site and requests that are not JSON are rejected', async () => {
    const browser = test.browser();
    const { code, state } = await browser.authorize(PEOPLE.all);
    const body = { grant_type: 'authorization_code', code, state };
    const foreign = await browser.post(ENDPOINTS.token, body, { origin: 'https://evil.example' });
    expect(foreign.status).toBe(403);
    for (const site of ['cross-site', 'same-site']) {
      const headers = { 'sec-fetch-site': site };
      expect((await browser.post(ENDPOINTS.token, body, { origin: null, headers })).status).toBe(403);
    }
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const response = await browser.post(ENDPOINTS.token, body, { headers: { 'content-type': type } });
      expect(response.status).toBe(400);
    }
  });
});

describe('the session', () => {
  const terms = (browser: Browser) => browser.invoke('accounts/1/terms?per_page=100');

  it('AUTH-19, OP-08 ends one hour after sign-in, whether it was used or not', async () => {
    const browser = await test.signIn(PEOPLE.all);
    clock = 3_590_000;
    expect((await terms(browser)).status).toBe(200);
    clock = 3_600_001;
    const response = await terms(browser);
    expect(response.status).toBe(401);
    expect((await response.json()).error).toMatchObject({ code: 'signed-out', next: 'Sign in again.' });
    await test.server.services.sessions.sweep();
    const left = await test.server.services.db.db.select().from(sessions);
    expect(left.filter((one) => one.expiresAt.getTime() <= Date.now() + clock)).toEqual([]);
    clock = 0;
  });

  it('AUTH-21, OP-09 a token that the LMS rejects and does not renew is a 401; a missing permission is not', async () => {
    const browser = await test.signIn(PEOPLE.all);
    const url = 'accounts/86/courses?per_page=100';
    await test.handle('faults', {
      body: { match: '/api/v1/accounts/86/courses', kind: 'revoke-token', count: 1 },
    });
    const revoked = await browser.invoke(url);
    expect(revoked.status).toBe(401);
    expect((await revoked.json()).error.code).toBe('signed-out');
  });

  it('OP-09 a token that has expired in the LMS is renewed silently', async () => {
    const browser = await test.signIn(PEOPLE.all);
    const session = await test.server.services.sessions.find(browser.cookies.get(COOKIES.session));
    const { db } = test.server.services.db;
    const stored = () =>
      db
        .select()
        .from(grants)
        .where(eq(grants.id, session?.grantId ?? ''));
    const [before] = await stored();
    lmsClock = 3_601_000;
    expect((await browser.invoke('accounts/86/courses?per_page=100')).status).toBe(200);
    lmsClock = 0;
    const [after] = await stored();
    expect(after?.accessTokenEnc).not.toBe(before?.accessTokenEnc);
  });

  it('AUTH-24, AUTH-25, OP-11 sign-out ends the session, revokes the token and clears the cookies', async () => {
    const browser = await test.signIn(PEOPLE.all);
    const kept = new Map(browser.cookies);
    await test.handle('requests', { method: 'DELETE' });
    const response = await browser.invoke('login/oauth2/token', 'DELETE');
    expect(response.status).toBe(200);
    for (const name of [COOKIES.session, COOKIES.profile, COOKIES.welcome]) {
      expect(browser.cookies.has(name)).toBe(false);
    }
    for (const [name, value] of kept) browser.cookies.set(name, value);
    expect((await terms(browser)).status).toBe(401);
    const log = JSON.stringify(await test.handle('requests'));
    expect(log).toContain('/login/oauth2/token');
  });

  it('AUTH-26, OP-11 sign-out ends the session even when the LMS fails', async () => {
    const browser = await test.signIn(PEOPLE.all);
    const kept = new Map(browser.cookies);
    await test.handle('faults', {
      body: { match: '/login/oauth2/token', method: 'DELETE', kind: 'status', count: 1 },
    });
    expect((await browser.invoke('login/oauth2/token', 'DELETE')).status).toBe(200);
    for (const [name, value] of kept) browser.cookies.set(name, value);
    expect((await terms(browser)).status).toBe(401);
    await test.server.services.sessions.sweep();
  });

  it('OP-04 a token that no session needs is revoked', async () => {
    const browser = await test.signIn(PEOPLE.all);
    const { sessions: store, grants: keeper, db } = test.server.services;
    const grantId = (await store.find(browser.cookies.get(COOKIES.session)))?.grantId ?? '';
    await db.db
      .update(grants)
      .set({ createdAt: new Date(Date.now() - 3_700_000) })
      .where(eq(grants.id, grantId));
    await keeper.sweep();
    expect(await db.db.select().from(grants).where(eq(grants.id, grantId))).toEqual([]);
    expect((await browser.invoke('accounts/86/courses?per_page=100')).status).toBe(401);
  });

  it('AUTH-10 no answer contains an LMS token or a secret', async () => {
    const browser = await test.signIn(PEOPLE.all);
    const answers = [
      await terms(browser),
      await browser.fetch(ENDPOINTS.settings),
      await browser.fetch('/metrics'),
    ];
    for (const response of answers) {
      const text = JSON.stringify([...response.headers]) + (await response.text());
      expect(text).not.toMatch(/sandbox-(admin-token|client-secret)|1~[A-Za-z0-9]{20}/);
    }
  });
});
