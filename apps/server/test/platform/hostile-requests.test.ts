/**
 * Requests that the console never makes: strange addresses, strange characters, readers that leave. Each gets
 * an answer, and none is lost.
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { errorEnvelope } from '@lms-admin/contract/errors';
import { desc, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../src/platform/log.ts';
import { audit } from '../../src/platform/schema.ts';
import { askPlan, Campus } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

/** Half of a surrogate pair, which JSON can contain but a database cannot store. */
const HALF = '\ud800';

let test: TestServer;
let campus: Campus;
let custom: Browser;
const logged: string[] = [];

beforeAll(async () => {
  test = await startTestServer({
    sandbox: { throttle: false },
    server: { log: createLog('info', { write: (line: string) => void logged.push(line) }) },
  });
  campus = new Campus(test.sandbox);
  custom = await test.signIn(PEOPLE.custom);
});
afterAll(() => test.close());

const errors = () => logged.filter((line) => line.includes('"level":50'));

describe('the path to return to', () => {
  it.each(['/..//evil.example', '/.//evil.example/x', '/users/..//evil.example', '/%2e%2e//evil.example'])(
    'OP-07 %s does not lead to another host',
    async (path) => {
      const browser = test.browser();
      const { code, state } = await browser.authorize(PEOPLE.all, path);
      expect(await (await browser.exchange(code, state)).json()).toMatchObject({ returnTo: '/' });
    },
  );

  it('OP-07 a path of the console stays unchanged', async () => {
    const browser = test.browser();
    const { code, state } = await browser.authorize(PEOPLE.all, '/users/../course-level-admin?a=//b#c');
    expect(await (await browser.exchange(code, state)).json()).toMatchObject({
      returnTo: '/course-level-admin?a=//b#c',
    });
  });
});

describe('characters that cannot be stored', () => {
  it('OP-02 a rejected call is in the audit log, whatever characters it contains', async () => {
    for (const [url, type] of [
      [`accounts/1/${HALF}`, 'GET'],
      ['accounts/1/terms', HALF],
      [`${'x'.repeat(299)}😀`, 'GET'],
    ] as const) {
      const response = await custom.invoke(url, type);
      expect(response.status).toBe(403);
      const [line] = await test.server.services.db.db.select().from(audit).orderBy(desc(audit.id)).limit(1);
      expect(line).toMatchObject({ login: PEOPLE.custom, event: 'LMS call refused' });
      expect(line?.requestId).toBe(response.headers.get('x-request-id'));
    }
  });

  it('LMS-24, OP-41 log-status accepts such characters', async () => {
    expect((await custom.post(ENDPOINTS.logStatus, { status: `${HALF} done \u0000` })).status).toBe(200);
  });

  it('OP-45 an address with such characters is not found, and other addresses are not affected', async () => {
    const [person] = campus.strangers(1, [campus.course().id]);
    const { plan } = await askPlan(custom, {
      role_id: 3,
      status: 'active',
      courses: [campus.course().id],
      emails: [`${HALF}@x.example`, person?.email ?? ''],
    });
    expect(plan?.people).toMatchObject({ asked: 2, found: 1, failed: [] });
  });
});

describe('calls', () => {
  it('LMS-10, OP-45 people can be searched for by address, but never listed', async () => {
    await campus.forgetRequests();
    for (const url of ['accounts/1/users', 'accounts/1/users?per_page=100', 'accounts/1/users?page=2']) {
      expect((await custom.invoke(url)).status).toBe(403);
      expect((await custom.post(ENDPOINTS.invokePages, { url, type: 'GET' })).status).toBe(403);
    }
    expect(await campus.requests(({ path }) => path.includes('/users'))).toEqual([]);
  });
});

describe('addresses', () => {
  it.each([
    ['//', 404],
    ['///', 404],
    ['/%zz', 400],
    ['/api/%zz', 400],
  ])('OP-97 %s gets an answer in the envelope and is not an internal error', async (path, status) => {
    const before = errors().length;
    const response = await fetch(`${test.url}${path}`);
    const body = errorEnvelope.parse(await response.json());
    expect([response.status, body.status]).toEqual([status, status]);
    expect(body.error.requestId).toBe(response.headers.get('x-request-id'));
    expect(JSON.stringify(body)).not.toContain('FST_');
    expect(errors()).toHaveLength(before);
  });

  it('a request that never completes is dropped', () => {
    expect(test.server.app.server.requestTimeout).toBeGreaterThan(0);
  });
});

describe('the log', () => {
  it('a reader who leaves is not a failure', async () => {
    const before = errors().length;
    await campus.fault({ match: '/api/v1/users/*', kind: 'latency', ms: 500 });
    const leave = new AbortController();
    const asked = custom.post(
      ENDPOINTS.peopleLookup,
      { sis_ids: Array.from({ length: 50 }, (_, index) => `nobody${index}`) },
      { signal: leave.signal },
    );
    await (await asked).body?.getReader().read();
    leave.abort();
    await new Promise((resolve) => setTimeout(resolve, 300));
    await campus.clearFaults();
    expect(errors()).toHaveLength(before);
  });

  it('a failed query is logged without its values, because they contain names, CSV and sealed tokens', async () => {
    const { db } = test.server.services.db;
    const failure: unknown = await db
      .execute(sql`SELECT ${'secret-value'}::integer`)
      .catch((error: unknown) => error);
    const lines: string[] = [];
    createLog('info', { write: (line: string) => void lines.push(line) }).error({ err: failure }, 'x');
    expect(lines.join('')).toContain('Failed query: SELECT');
    expect(JSON.parse(lines[0] ?? '').err.message).not.toContain('secret-value');
    expect(JSON.parse(lines[0] ?? '').err.stack).not.toContain('secret-value');
  });
});
