/** Properties of all answers (headers, envelope, request ID), and answers outside the API. */
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { errorEnvelope } from '@lms-admin/contract/errors';
import { COOKIES } from '@lms-admin/contract/session';
import { publicSettings } from '@lms-admin/contract/settings';
import { desc } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../src/platform/log.ts';
import { audit } from '../../src/platform/schema.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

let test: TestServer;
let all: Browser;
const logged: string[] = [];
const SCRIPT = `/* ${'x'.repeat(20_000)} */`;
/** The content of the compressed copy. It differs from the script, so that tests see which one was sent. */
const PACKED = '/* packed */';
const PAGE = '<!doctype html><title>LMS Admin</title>';

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lms-admin-console-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), PAGE);
  await writeFile(join(folder, 'assets', 'main-0a1b2c3d.js'), SCRIPT);
  await writeFile(join(folder, 'assets', 'packed-0a1b2c3d.js'), SCRIPT);
  await writeFile(join(folder, 'assets', 'packed-0a1b2c3d.js.br'), brotliCompressSync(PACKED));
  test = await startTestServer({
    env: { IT_SUPPORT_EMAIL: 'it@school.example' },
    server: {
      console: folder,
      loginLimits: { address: 5 },
      log: createLog('info', { write: (line: string) => void logged.push(line) }),
    },
  });
  all = await test.signIn(PEOPLE.all);
});
afterAll(() => test.close());

describe('the API', () => {
  it('OP-97 every failure is one envelope with a request id, and no internals', async () => {
    const got = [
      await all.fetch('/api/nothing/here'),
      await all.post('/api/nothing/here', {}),
      await all.post(ENDPOINTS.invoke, { type: 'GET' }),
      await all.post(ENDPOINTS.invoke, 'x'),
      await all.fetch(ENDPOINTS.invoke, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"url":',
      }),
      await test.browser().invoke('accounts/1/terms'),
      await all.fetch('/assets/none.js'),
    ];
    expect(got.map((one) => one.status)).toEqual([404, 404, 400, 400, 400, 401, 404]);
    for (const response of got) {
      const body = errorEnvelope.parse(await response.json());
      expect(body.status).toBe(response.status);
      expect(body.error.requestId).toBe(response.headers.get('x-request-id'));
      expect(JSON.stringify(body)).not.toMatch(/at \w+ \(|node_modules|\.ts:|FST_|SELECT/);
    }
  });

  it('a body that is too large is a 413', async () => {
    const response = await all.post(ENDPOINTS.logStatus, { status: 'x'.repeat(1_100_000) });
    expect(response.status).toBe(413);
    expect((await response.json()).error.code).toBe('too-large');
  });

  it('OP-09 every path below /api needs a session, however it is written', async () => {
    const paths = ['/api/imports', '/%61pi/imports', '/api/enrollments/plans/x', '/api/unknown'];
    for (const path of paths) {
      expect({ path, status: (await test.browser().fetch(path)).status }).toEqual({ path, status: 401 });
    }
  });

  it('OP-15 the settings are readable without a session, and contain nothing secret', async () => {
    const response = await test.browser().fetch(ENDPOINTS.settings);
    const { data } = await response.json();
    expect(publicSettings.parse(data)).toEqual(data);
    expect(data).toMatchObject({ it_support_email: 'it@school.example', guide_url: null, max_rows: 500_000 });
  });

  it('LMS-24, PERM-16, PERM-17, OP-41, OP-99 log-status: the email is that of the session, line breaks are removed, and long text is cut off', async () => {
    const response = await all.post(ENDPOINTS.logStatus, {
      email: 'forged@evil.example',
      status: `17 imported\nforged line\u2028${'x'.repeat(5_000)}`,
    });
    expect(await response.json()).toEqual({ status: 200, data: {}, pagination: { nextPage: null } });
    const [line] = await test.server.services.db.db.select().from(audit).orderBy(desc(audit.id)).limit(1);
    const detail = line?.detail as { email: string; status: string };
    expect(detail.email).toBe(PEOPLE.all);
    expect(detail.status).toMatch(/^17 imported forged line x+/);
    expect(detail.status.length).toBeLessThanOrEqual(1_000);
    expect((await all.post(ENDPOINTS.logStatus, { status: 17 })).status).toBe(200);
  });

  it('sign-in is limited by address', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 6; count++)
      statuses.push((await test.browser().fetch(ENDPOINTS.login)).status);
    expect(statuses.at(-1)).toBe(429);
    const response = await test.browser().fetch(ENDPOINTS.login);
    expect(errorEnvelope.parse(await response.json()).error.code).toBe('busy');
    expect((await all.invoke('accounts/1/terms?per_page=100')).status).toBe(200);
  });

  it('the log contains no cookie, token or code', () => {
    const text = logged.join('');
    expect(text).toContain('LMS call');
    expect(text).not.toContain(all.cookies.get(COOKIES.session));
    expect(text).not.toMatch(/sandbox-(admin-token|client-secret)|1~[A-Za-z0-9]{20}|[0-9a-f]{128}/);
  });
});

describe('the console', () => {
  it('every answer has the headers, whatever the address', async () => {
    for (const [path, status] of [
      ['/%', 400],
      ['/%zz', 400],
      ['/api/%', 400],
      ['//', 404],
      ['/%61pi/nothing', 401],
      ['/API/nothing', 401],
      ['/no/such/page', 200],
    ] as const) {
      const { headers, ...response } = await test.server.app.inject({
        url: path,
        headers: { host: 'localhost' },
      });
      expect([path, response.statusCode]).toEqual([path, status]);
      expect(headers['content-security-policy']).toContain("default-src 'self'");
      expect(headers['x-frame-options']).toBe('DENY');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers['cache-control']).toBe(status === 200 ? 'no-cache' : 'no-store');
    }
  });

  it('images can only come from named origins', async () => {
    const { headers } = await test.server.app.inject({ url: '/', headers: { host: 'localhost' } });
    const images = /img-src ([^;]*)/.exec(String(headers['content-security-policy']))?.[1]?.split(' ');
    expect(images).toEqual(["'self'", 'data:', test.config.lms.url]);
  });

  it('SHELL-19 its page is served at every path that is not a file, with a strict content security policy', async () => {
    for (const path of ['/', '/course-level-admin', '/no/such/page', '/?code=x&state=y']) {
      const response = await test.browser().fetch(path);
      expect({ path, status: response.status, text: await response.text() }).toEqual({
        path,
        status: 200,
        text: PAGE,
      });
      expect(response.headers.get('cache-control')).toBe('no-cache');
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    }
    expect((await all.post('/course-level-admin', {})).status).toBe(404);
  });

  it('browsers that accept compression get the compressed copy, others the file itself', async () => {
    const asked = (encoding: string) =>
      fetch(`${test.url}/assets/packed-0a1b2c3d.js`, { headers: { 'accept-encoding': encoding } });
    const packed = await asked('gzip, br');
    expect(packed.headers.get('content-encoding')).toBe('br');
    expect(packed.headers.get('content-type')).toContain('javascript');
    expect(packed.headers.get('vary')).toMatch(/accept-encoding/i);
    expect(await packed.text()).toBe(PACKED);
    const plain = await asked('identity');
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(await plain.text()).toBe(SCRIPT);
  });

  it('hashed files are cached for a year and sent compressed', async () => {
    const response = await fetch(`${test.url}/assets/main-0a1b2c3d.js`, {
      headers: { 'accept-encoding': 'gzip' },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect((await fetch(`${test.url}/assets/..%2f..%2fpackage.json`)).status).toBeGreaterThanOrEqual(400);
  });
});

describe('operators', () => {
  it('a server that cannot write, for example because the disk is full, is not ready and says so until there is room', async () => {
    const folder = test.config.dataFolder;
    const ready = async () => (await test.browser().fetch(ENDPOINTS.ready)).status;
    const problems = async () => (await (await fetch(`${test.url}${ENDPOINTS.ready}`)).json()).problems;
    expect(await ready()).toBe(200);
    await rename(folder, `${folder}.away`);
    await writeFile(folder, 'no folder');
    expect(await ready()).toBe(503);
    expect(await problems()).toEqual([
      expect.stringMatching(/^The folder LMS_ADMIN_DATA cannot be written to/),
    ]);
    expect((await test.browser().fetch(ENDPOINTS.health)).status).toBe(200);
    await rm(folder);
    await rename(`${folder}.away`, folder);
    expect(await ready()).toBe(200);
    expect((await readdir(folder)).filter((name) => name.startsWith('room'))).toEqual([]);
    // Uploads are kept in a separate folder, which another user may have left behind.
    await rm(join(folder, 'uploads'), { recursive: true });
    await writeFile(join(folder, 'uploads'), 'no folder');
    expect(await ready()).toBe(503);
    await rm(join(folder, 'uploads'));
    expect(await ready()).toBe(200);
  });

  it('the server reports that it is running and ready, and serves its metrics', async () => {
    expect(await (await fetch(`${test.url}${ENDPOINTS.health}`)).json()).toEqual({ status: 'ok' });
    expect(await (await fetch(`${test.url}${ENDPOINTS.ready}`)).json()).toEqual({
      status: 'ready',
      problems: [],
      notes: [],
      systems: [
        { system: 'LMS', state: 'up', message: 'The LMS answers.', next: null },
        {
          system: 'timetable',
          state: 'not-configured',
          message: 'No timetable is set up, so LMS Admin does not know the reservations.',
          next: 'Ask IT Support to set TIMETABLE_FEEDS.',
        },
        { system: 'Zoom', state: 'up', message: 'Zoom answers.', next: null },
        { system: 'Qualtrics', state: 'up', message: 'Qualtrics answers.', next: null },
        {
          system: 'image store',
          state: 'not-configured',
          message: 'No image store is set up: images are kept in the database.',
          next: null,
        },
      ],
    });
    const metrics = await (await fetch(`${test.url}${ENDPOINTS.metrics}`)).text();
    expect(metrics).toMatch(/lms_admin_outside_calls_total\{system="LMS",outcome="ok"\} [1-9]/);
    expect(metrics).toMatch(/lms_admin_outside_seconds_total\{system="LMS"\} \d/);
    expect(metrics).toMatch(/lms_admin_outside_in_flight\{system="LMS"\} 0/);
    expect(metrics).toMatch(/lms_admin_request_seconds_count\{.*route="\/api\/auth\/invoke"/);
    expect(metrics).not.toContain('northbridge');
  });

  it('only this machine can read the metrics, which are written once for all readers', async () => {
    const asked = await Promise.all(
      Array.from({ length: 50 }, async () => (await fetch(`${test.url}${ENDPOINTS.metrics}`)).text()),
    );
    expect(new Set(asked).size).toBe(1);
    // This machine is trusted to name the client, as a proxy does.
    const elsewhere = await fetch(`${test.url}${ENDPOINTS.metrics}`, {
      headers: { 'x-forwarded-for': '203.0.113.7' },
    });
    expect(elsewhere.status).toBe(403);
    expect((await elsewhere.json()).error.next).toContain('METRICS_FROM');
  });
});
