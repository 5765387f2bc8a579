/**
 * Answers when the LMS fails, and calls that stop when the browser disconnects (OP-09, OP-48, OP-97, OP-100).
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { COOKIES } from '@lms-admin/contract/session';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { grants, imports } from '../../src/platform/schema.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { hold } from '../support/held.ts';

const COURSES = 'accounts/86/courses?per_page=100';
let test: TestServer;
let browser: Browser;

beforeAll(async () => {
  // Without a service token every call uses the admin's own token.
  test = await startTestServer({ serviceToken: false, env: { LMS_TIMEOUT_MS: '400' } });
  browser = await test.signIn(PEOPLE.all);
});
afterEach(() => test.handle('faults', { method: 'DELETE' }));
afterAll(() => test.close());

const fault = (body: Record<string, unknown>) =>
  test.handle('faults', { body: { match: '/api/v1/accounts/86/courses', ...body } });

describe('a single call', () => {
  it.each([
    ['a persistent 5xx', { kind: 'status', status: 503 }, 502, 'lms-down'],
    ['silence', { kind: 'timeout', ms: 2_000 }, 502, 'lms-down'],
    ['dropped connections', { kind: 'drop', when: 'before' }, 502, 'lms-down'],
    ['a missing permission in the LMS', { kind: 'status', status: 403 }, 502, 'lms-refused'],
  ])('OP-09 %s is named, and is not a 401', async (_name, body, status, code) => {
    await fault(body);
    const response = await browser.invoke(COURSES);
    expect({ status: response.status, code: (await response.json()).error.code }).toEqual({ status, code });
  });

  it.each([
    ['a 5xx', { kind: 'status', status: 502, count: 1 }],
    ['a dropped connection', { kind: 'drop', when: 'body', count: 1 }],
    ['throttling', { kind: 'throttle', count: 2 }],
  ])('OP-100 a short %s causes no error', async (_name, body) => {
    await fault(body);
    expect((await browser.invoke(COURSES)).status).toBe(200);
  });
});

describe('a list in pages', () => {
  const pages = (signal?: AbortSignal) =>
    browser.post(
      ENDPOINTS.invokePages,
      { url: COURSES.replace('per_page=100', 'include[]=term'), type: 'GET' },
      signal ? { signal } : {},
    );

  it('a failure of the first page is an ordinary error', async () => {
    await fault({ kind: 'status', status: 500 });
    const response = await pages();
    expect({ status: response.status, code: (await response.json()).error.code }).toEqual({
      status: 502,
      code: 'lms-down',
    });
  });

  it('a later failure is the last line', async () => {
    await fault({ kind: 'latency', ms: 50 });
    const response = await pages();
    expect(response.status).toBe(200);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const first = await reader?.read();
    expect(first?.value).toMatch(/^\{"page":1,/);
    await fault({ kind: 'status', status: 500 });
    let text = '';
    for (let one = await reader?.read(); one && !one.done; one = await reader?.read()) text += one.value;
    const last = JSON.parse(text.trim().split('\n').at(-1) ?? '');
    expect(last.done === true || last.error.code === 'lms-down').toBe(true);
  });

  it('no more calls are made after the browser has disconnected', async () => {
    const held = await hold(test.sandbox, { match: '/api/v1/accounts/86/courses' });
    const gone = new AbortController();
    const answer = pages(gone.signal).catch(() => null);
    await held.reached();
    gone.abort();
    await answer;
    await expect.poll(() => test.server.services.canvas.stats().inFlight).toBe(0);
    await held.letGo();
    // Calls take turns: if any pages were left, they would arrive before this call ends.
    expect((await browser.invoke(COURSES)).status).toBe(200);
    const { requests } = (await test.handle('requests')) as { requests: { path: string }[] };
    const from = requests.findLastIndex(
      ({ path }) => path.includes('include[]=term') && !/[?&]page=/.test(path),
    );
    expect(requests.slice(from).filter(({ path }) => /[?&]page=[2-9]/.test(path))).toEqual([]);
  });

  it('a call that does not return a list is rejected', async () => {
    const response = await browser.post(ENDPOINTS.invokePages, { url: 'courses/1000', type: 'GET' });
    expect([400, 404]).toContain(response.status);
    const foreign = await browser.post(ENDPOINTS.invokePages, { url: 'users/self', type: 'GET' });
    expect(foreign.status).toBe(403);
  });
});

describe('OP-11 sign-out while an import is followed with the admin’s own token', () => {
  it('ends the session immediately, and the token once the import has ended', async () => {
    const { db } = test.server.services.db;
    const leaving = await test.signIn(PEOPLE.all);
    const admin = await test.server.services.sessions.find(leaving.cookies.get(COOKIES.session));
    const grantId = admin?.grantId ?? '';
    await test.handle('faults', { body: { kind: 'import-hang', count: 1 } });
    const { data } = await (await leaving.invoke(COURSES)).json();
    const sis = data.find(
      (one: { sis_course_id: string | null }) => one.sis_course_id !== null,
    ).sis_course_id;
    const rows = [
      ['course_id', 'user_id', 'role_id', 'status'],
      [sis, '5001001', '3', 'active'],
    ];
    const submitted = await (await leaving.invoke('accounts/1/sis_imports', 'POST_SIS', rows)).json();
    const [session] = [leaving.cookies.get(COOKIES.session)];
    expect((await leaving.invoke('login/oauth2/token', 'DELETE')).status).toBe(200);
    expect(await test.server.services.sessions.find(session)).toBeNull();
    const [kept] = await db.select().from(grants).where(eq(grants.id, grantId));
    expect(kept?.releasedAt).not.toBeNull();

    // Reads the import's number in the LMS, where the import ends; the job that follows it then revokes the token.
    const canvasId = async () =>
      (await db.select().from(imports).where(eq(imports.id, submitted.data.id)))[0]?.canvasId ?? null;
    await expect.poll(canvasId).not.toBeNull();
    const aborted = await fetch(
      `${test.config.lms.url}/api/v1/accounts/1/sis_imports/${await canvasId()}/abort`,
      { method: 'PUT', headers: { authorization: 'Bearer sandbox-admin-token' } },
    );
    expect(aborted.status).toBe(200);
    await expect.poll(() => db.select().from(grants).where(eq(grants.id, grantId))).toEqual([]);
  });
});
