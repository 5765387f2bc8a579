/**
 * Host names under which the console answers, names of its cookies, and answers to bodies with many mistakes.
 */
import { once } from 'node:events';
import { request as ask } from 'node:http';
import { connect } from 'node:net';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { errorEnvelope } from '@lms-admin/contract/errors';
import { COOKIES } from '@lms-admin/contract/session';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

let test: TestServer;
let alma: Browser;

beforeAll(async () => {
  test = await startTestServer();
  alma = await test.signIn(PEOPLE.all);
});
afterAll(() => test.close());

/** Sends a request with any host name, which `fetch` does not allow. */
function under(host: string, path: string): Promise<number> {
  const url = new URL(path, test.url);
  return new Promise((answered, failed) => {
    const asked = ask(url, { headers: { host } }, (response) => {
      response.resume();
      answered(response.statusCode ?? 0);
    });
    asked.on('error', failed).end();
  });
}

describe('host names', () => {
  it('OP-06 a page that points its own host name at this server gets no answer', async () => {
    const { port } = new URL(test.url);
    for (const path of ['/', ENDPOINTS.settings, ENDPOINTS.jobs]) {
      expect(await under(`rebound.example:${port}`, path)).toBe(403);
      expect(await under('%', path)).toBeGreaterThanOrEqual(400);
    }
    for (const host of ['localhost', `localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`])
      expect(await under(host, ENDPOINTS.settings)).toBe(200);
  });

  it('OP-06 a request gets no answer if it has no host name, two of them, or one that only a proxy could mean', async () => {
    const { port, hostname } = new URL(test.url);
    for (const host of [
      'Host:\r\n',
      'Host:  \r\n',
      '',
      'Host: localhost\r\nHost: evil.example\r\n',
      'Host: evil.example\r\nX-Forwarded-Host: localhost\r\n',
    ]) {
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      const version = host === '' ? '1.0' : '1.1';
      socket.write(`GET ${ENDPOINTS.settings} HTTP/${version}\r\n${host}Connection: close\r\n\r\n`);
      const [answer] = await once(socket, 'data');
      expect(String(answer)).toMatch(/^HTTP\/1\.1 40[03] /);
      socket.destroy();
    }
  });

  it('operators can use any host name', async () => {
    for (const path of [ENDPOINTS.health, ENDPOINTS.ready, ENDPOINTS.metrics])
      expect(await under('10.0.0.7:8080', path)).toBe(200);
  });
});

describe('cookies', () => {
  it('OP-04 over https, cookies that give access are valid only for this host', async () => {
    const secure = await startTestServer({ env: { LMS_ADMIN_URL: 'https://lms-admin.school.example' } });
    try {
      const response = await secure.server.app.inject({
        url: ENDPOINTS.login,
        headers: { host: 'localhost' },
      });
      const state = String(response.headers['set-cookie']);
      expect(state).toMatch(new RegExp(`^__Host-${COOKIES.state}=`));
      expect(state).toMatch(/; Path=\/(;|$)/);
      expect(state).toMatch(/; Secure/);
      expect(state).not.toMatch(/; Domain=/i);
    } finally {
      await secure.close();
    }
  });

  it('OP-09 a duplicate session cookie gives no access', async () => {
    const own = alma.cookies.get(COOKIES.session);
    const send = (cookie: string) => fetch(new URL(ENDPOINTS.jobs, test.url), { headers: { cookie } });
    expect((await send(`${COOKIES.session}=${own}`)).status).toBe(200);
    expect((await send(`${COOKIES.session}=tossed; ${COOKIES.session}=${own}`)).status).toBe(401);
    expect((await send(`${COOKIES.session}=${own}; ${COOKIES.session}=${own}`)).status).toBe(401);
  });
});

const start = (browser: Browser, body: string) =>
  browser.fetch('/api/jobs/start/course-plan', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });

describe('filters and keys of jobs', () => {
  it.each([
    'text=%00',
    'kind=%00',
    'tool=%00',
    'from=0000-01-01',
    'from=0000-01-01T00:00:00%2B14:00',
    'to=9999-12-31',
  ])('?%s is rejected, without an internal error', async (query) => {
    expect((await alma.fetch(`${ENDPOINTS.jobs}?${query}`)).status).toBe(400);
  });

  it.each(['\u0000'.repeat(8), '        ', '\ud800'.repeat(8), 'with\u0000one'])(
    'the key %j is rejected',
    async (key) => {
      expect((await start(alma, JSON.stringify({ key, input: {} }))).status).toBe(400);
    },
  );
});

describe('filters of jobs', () => {
  it.each(['from=0002-05-01', 'from=0202-05-01&to=2026-12-31', 'text=Zo%C3%AB'])(
    '?%s finds the matching jobs',
    async (query) => {
      expect((await alma.fetch(`${ENDPOINTS.jobs}?${query}`)).status).toBe(200);
    },
  );
});

describe('bodies', () => {
  it.each([
    ['deep', '['.repeat(5_000_000), /32 levels deep/],
    ['deeply nested', '{"a":'.repeat(2_000_000), /32 levels deep/],
    [
      'wide',
      `{${Array.from({ length: 400_000 }, (_, index) => `"k${index}":1`).join(',')}}`,
      /1,000 names in one object/,
    ],
    ['long', `[${'1,'.repeat(4_000_000)}1]`, /750,000 values/],
    ['full of property names', `[${'{"a":1,"b":2},'.repeat(60_000)}{}]`, /100,000 field names/],
  ])('a body that is %s is rejected before it is parsed', async (_, body, said) => {
    const response = await start(alma, body);
    expect(response.status).toBe(400);
    expect(errorEnvelope.parse(await response.json()).error.details?.[0]?.message).toMatch(said);
  });

  it('while a body is scanned, other requests are answered', async () => {
    // No limit is exceeded, so the whole body is scanned and parsed, and only then found not to fit.
    const slow = start(alma, JSON.stringify({ key: 'x'.repeat(12_000_000) }));
    let ended = false;
    void slow.then(() => {
      ended = true;
    });
    let served = 0;
    while (!ended) {
      expect((await fetch(new URL(ENDPOINTS.health, test.url))).status).toBe(200);
      served++;
    }
    expect((await slow).status).toBe(400);
    expect(served).toBeGreaterThan(2);
  });

  it('text inside quotes does not count; a property name that could change built-in objects is rejected', async () => {
    const text = '[{:,'.repeat(200_000);
    const response = await start(alma, JSON.stringify({ key: text }));
    expect(errorEnvelope.parse(await response.json()).error.details?.[0]?.field).toMatch(/key|input/);
    expect((await start(alma, '{"__proto__": {"admin": true}}')).status).toBe(400);
    expect((await start(alma, '')).status).toBe(400);
    expect((await start(alma, '{"key":')).status).toBe(400);
  });

  it('PERM-07 permissions are checked before the body', async () => {
    const dev = await test.signIn(PEOPLE.helpDesk);
    expect((await start(dev, '['.repeat(1_000_000))).status).toBe(403);
    expect((await start(test.browser(), '['.repeat(1_000_000))).status).toBe(401);
  });

  it('OP-97 the first twenty mistakes are named and the others counted', async () => {
    const response = await alma.post('/api/jobs/start/course-plan', {
      key: 'a key of this test',
      input: {
        role_id: 3,
        status: 'active',
        courses: Array.from({ length: 5_000 }, () => 'x'),
        emails: ['a@b.example'],
      },
    });
    expect(response.status).toBe(400);
    const { details = [] } = errorEnvelope.parse(await response.json()).error;
    expect(details).toHaveLength(21);
    expect(details.at(-1)?.message).toBe('4,980 more like these');
  });
});
