/** The system page over HTTP: its content, who can open it, what is recorded, and what is kept out of the support text. */
import { readFileSync } from 'node:fs';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import {
  SYSTEM_CHECKS,
  systemErrors,
  systemFindings,
  systemKept,
  systemOutside,
  systemOverview,
  systemStorage,
  systemSupport,
  systemWork,
} from '@lms-admin/contract/system';
import { desc, eq, min } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { z } from 'zod';
import { HELD } from '../../src/jobs/hold.ts';
import { createLog } from '../../src/platform/log.ts';
import { audit, installation, jobs } from '../../src/platform/schema.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

const DAY_MS = 86_400_000;
const TOKEN = 'a-metrics-token-of-the-test';

let ts: TestServer;
let alma: Browser;
const quiet = { write: () => {} };
const log = createLog('warn', quiet);

beforeAll(async () => {
  ts = await startTestServer({
    sandbox: { throttle: false, adminTokenExpires: new Date(Date.now() + 29.5 * DAY_MS) },
    env: { METRICS_TOKEN: TOKEN, RETENTION_WORK_DAYS: '40', RETENTION_AUDIT_DAYS: '400' },
    server: { log },
  });
  alma = await ts.signIn(PEOPLE.all);
});
afterAll(() => ts?.close());

const db = () => ts.server.services.db.db;

async function read<S extends z.ZodType>(path: string, schema: S, headers = {}): Promise<z.output<S>> {
  const response = await alma.fetch(path, { headers });
  const body = (await response.json()) as { data: unknown };
  expect({ path, status: response.status, body }).toMatchObject({ status: 200 });
  return schema.parse(body.data);
}
const check = (name: string, headers = {}) =>
  read(ENDPOINTS.systemCheck.replace(':check', name), systemFindings, headers);
const lines = (event: string) =>
  db().select().from(audit).where(eq(audit.event, event)).orderBy(desc(audit.id));

async function addJob(fields: Partial<typeof jobs.$inferInsert>): Promise<string> {
  const id = crypto.randomUUID();
  await db()
    .insert(jobs)
    .values({
      id,
      kind: 'student-export',
      tool: 'student-export',
      login: PEOPLE.custom,
      name: 'Bruno Keller',
      label: 'Export of Bruno Keller',
      key: id,
      state: 'waiting',
      // The job is not resumed in the middle of the test.
      waitUntil: new Date(Date.now() + DAY_MS),
      ...fields,
    });
  return id;
}

describe('access to the page', () => {
  test('perm ALL alone does not open the page: existing records gain nothing', async () => {
    const dev = await ts.signIn(PEOPLE.helpDesk);
    for (const path of [ENDPOINTS.system, ENDPOINTS.systemSupport])
      expect((await dev.fetch(path)).status).toBe(403);
    expect((await dev.post(ENDPOINTS.systemRelease, undefined)).status).toBe(403);
    expect((await ts.browser().fetch(ENDPOINTS.system)).status).toBe(401);
  });

  test('each opening is recorded, and so is reading a single part', async () => {
    expect(await lines('system-page-opened')).toEqual([]);
    await read(ENDPOINTS.systemErrors, systemErrors);
    await read(ENDPOINTS.systemErrors, systemErrors);
    expect(await lines('system-page-opened')).toHaveLength(1);
    const response = await alma.fetch(ENDPOINTS.system);
    const [line, ...others] = await lines('system-page-opened');
    expect(others).toHaveLength(1);
    expect(line).toMatchObject({
      login: PEOPLE.all,
      tool: 'operation',
      requestId: response.headers.get('x-request-id'),
    });
  });
});

describe('the content of the page', () => {
  test('has the version, and the request as it arrived through a proxy', async () => {
    const overview = await read(ENDPOINTS.system, systemOverview, {
      'x-forwarded-for': '203.0.113.7',
      'x-forwarded-proto': 'https',
    });
    expect(overview).toMatchObject({ node: process.version, mode: 'production' });
    expect(overview.seen).toMatchObject({
      origin: ts.url,
      host: new URL(ts.url).host,
      protocol: 'https',
      address: '203.0.113.7',
      headers: [
        { name: 'x-forwarded-for', value: '203.0.113.7' },
        { name: 'x-forwarded-proto', value: 'https' },
      ],
    });
    expect((await check('proxy', { 'x-forwarded-for': '203.0.113.7' })).findings[0]).toMatchObject({
      state: 'ok',
      message: expect.stringContaining('passes on the address'),
    });
  });

  test("has the doctor's checks, part by part, and announces the expiry of the service token 30 days before", async () => {
    const found = new Map<string, string[]>();
    for (const part of SYSTEM_CHECKS)
      for (const { check: name, state, message } of (await check(part)).findings)
        found.set(name, [...(found.get(name) ?? []), `${state}: ${message}`]);
    expect([...found.keys()]).toEqual(
      expect.arrayContaining([
        'node',
        'disk',
        'settings',
        'access',
        'key',
        'database',
        'clock',
        'lms',
        'sign-in',
      ]),
    );
    expect(found.get('database')?.[0]).toMatch(/^ok: .* answers and has the tables of this version/);
    expect(found.get('key')?.[1]).toMatch(/^ok: It can read (the|all) /);
    expect(found.get('service token')?.[1]).toMatch(/^warn: It expires on .*, in 29 days\./);
    expect(found.get('public address')?.[0]).toMatch(/^ok: .* and is ready/);
    expect([...found.values()].flat().filter((line) => line.startsWith('fail'))).toEqual([]);
    expect((await alma.fetch(ENDPOINTS.systemCheck.replace(':check', 'else'))).status).toBe(400);
  });

  test('says whose work is waiting, what is open and what has failed, and has the migrations', async () => {
    const until = new Date(Date.now() + DAY_MS);
    await addJob({ needsSignIn: true, waitUntil: until });
    const troubleSince = new Date();
    await addJob({ waitWhy: 'Zoom does not answer.', troubleSince });
    // Work that waits for other work is not a problem, and its reason names that work.
    await addJob({ waitWhy: 'Waiting for your import “Names”.' });
    const failed = await addJob({ state: 'failed', outcome: 'failed', endedAt: new Date(), waitUntil: null });
    await addJob({ state: 'failed', outcome: 'failed', refused: true, endedAt: new Date(), waitUntil: null });
    const work = await read(ENDPOINTS.systemWork, systemWork);
    expect(work.signIns).toEqual([
      expect.objectContaining({
        name: 'Bruno Keller',
        login: PEOPLE.custom,
        jobs: 1,
        until: until.getTime(),
      }),
    ]);
    expect(work.waits).toEqual([{ why: 'Zoom does not answer.', jobs: 1, since: troubleSince.getTime() }]);
    expect(work.open).toContainEqual(
      expect.objectContaining({ kind: 'student-export', state: 'waiting', jobs: 3 }),
    );
    expect(work.failed.map(({ id }) => id)).toEqual([failed]);
    expect(work.migrations.applied).toBe(work.migrations.known);
    expect(work.migrations.known).toBeGreaterThan(0);
  });

  test('has the calls to outside systems in the last few minutes, including throttled ones', async () => {
    const of = async () =>
      (await read(ENDPOINTS.systemOutside, systemOutside)).systems.find(({ system }) => system === 'LMS');
    const before = await of();
    await ts.handle('faults', {
      body: { match: '/api/v1/accounts/1/terms', kind: 'status', status: 429, count: 1 },
    });
    expect((await alma.invoke('accounts/1/terms?per_page=100')).status).toBe(200);
    const after = await of();
    expect(after?.throttled).toBe((before?.throttled ?? 0) + 1);
    expect(after?.calls).toBeGreaterThan(before?.calls ?? 0);
    expect(after?.slowest).toBeGreaterThanOrEqual(after?.median ?? 0);
  });

  test('ignores files that come and go in the data folder while the checks run', async () => {
    const paths = Array.from({ length: 40 }, (_, at) =>
      at % 2 === 0 ? ENDPOINTS.ready : ENDPOINTS.systemCheck.replace(':check', SYSTEM_CHECKS[0]),
    );
    const answers = await Promise.all(paths.map((path) => alma.fetch(path)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('has sizes, and the time when each kind of data is next deleted', async () => {
    const storage = await read(ENDPOINTS.systemStorage, systemStorage);
    expect(storage.database).toBeGreaterThan(100_000);
    expect(storage.tables.map(({ table }) => table)).toEqual(
      expect.arrayContaining(['jobs', 'audit', 'files']),
    );
    const { kinds } = await read(ENDPOINTS.systemKept, systemKept);
    const days = kinds.find(({ kind }) => kind === 'student-export')?.days ?? 0;
    const ended = new Date(Date.now() - DAY_MS / 2);
    await addJob({ state: 'done', outcome: 'done', endedAt: ended, waitUntil: null });
    const again = await read(ENDPOINTS.systemKept, systemKept);
    expect(again.kinds.find(({ kind }) => kind === 'student-export')).toMatchObject({
      forgotten: 'ended',
      next: ended.getTime() + days * DAY_MS,
    });
    const of = (name: string) => again.kinds.find(({ kind }) => kind === name);
    const [oldest] = await db()
      .select({ at: min(audit.at) })
      .from(audit);
    expect(of('audit')).toMatchObject({
      forgotten: 'age',
      days: 400,
      next: (oldest?.at?.getTime() ?? 0) + 400 * DAY_MS,
    });
    expect(of('import')?.days).toBe(40);
    expect(of('entries of Activity')).toMatchObject({ forgotten: 'never', next: null });
  });

  test('has failures in the log with LMS Admin’s own text, but without the text of the failure', async () => {
    log.error({ err: new TypeError('about alma.reyes@northbridge.example') }, 'something of ours failed');
    log.child({ reqId: 'request-1' }).warn('a warning');
    const { errors } = await read(ENDPOINTS.systemErrors, systemErrors);
    expect(errors.slice(0, 2)).toMatchObject([
      { level: 'warn', message: 'a warning', requestId: 'request-1', type: '' },
      { level: 'error', message: 'something of ours failed', type: 'TypeError' },
    ]);
  });
});

test('shows how much work is held, and releases it once, with the same log line that the command writes', async () => {
  await db()
    .update(installation)
    .set({ heldAt: new Date(), backupOf: new Date(0) });
  const id = await addJob({ waitWhy: HELD });
  expect((await read(ENDPOINTS.systemWork, systemWork)).held).toMatchObject({ backupOf: 0, jobs: 1 });
  const release = async () => {
    const response = await alma.fetch(ENDPOINTS.systemRelease, { method: 'POST' });
    return ((await response.json()) as { data: unknown }).data;
  };
  expect(await release()).toEqual({ released: true, jobs: 1 });
  expect(await release()).toEqual({ released: false, jobs: 0 });
  expect((await read(ENDPOINTS.systemWork, systemWork)).held).toBeNull();
  expect(await lines('restore-released')).toMatchObject([
    { login: PEOPLE.all, tool: 'operation', detail: { jobs: 1 } },
  ]);
  const [job] = await db().select().from(jobs).where(eq(jobs.id, id));
  // The job waited for a day. A server may have resumed it already, so it may now be waiting for something
  // else.
  expect(job?.waitUntil?.getTime() ?? 0).toBeLessThan(Date.now() + DAY_MS / 2);
});

test('has a support text with everything except names, logins, addresses and secrets', async () => {
  await addJob({ needsSignIn: true });
  const { text } = await read(ENDPOINTS.systemSupport, systemSupport, { 'x-forwarded-for': '203.0.113.7' });
  for (const words of [
    /^LMS Admin \d/,
    /Migrations: \d+ of \d+/,
    / {2}ok {4}node: Node v/,
    / {2}warn {2}service token: It expires on/,
    /waiting for a sign-in: [1-9]/,
    /LMS: \d+ calls, median \d+ ms/,
    /Proxy headers: x-forwarded-for/,
    /error: something of ours failed \(TypeError\)/,
  ])
    expect(text).toMatch(words);
  const { admins } = JSON.parse(readFileSync('config/access.json', 'utf8')) as {
    admins: { login: string; email: string }[];
  };
  const { config } = ts;
  const hidden = [
    ...admins.flatMap(({ login, email }) => [login, email, login.split('@')[0] ?? login]),
    'Bruno',
    'Keller',
    '@',
    '203.0.113.7',
    TOKEN,
    'sandbox-admin-token',
    'sandbox-client-secret',
    config.encryptionKey ?? '?',
    config.lms.url,
    ts.url,
    config.dataFolder,
    config.databaseUrl ?? '?',
    ...alma.cookies.values(),
  ];
  expect(hidden.filter((one) => one !== '' && text.includes(one))).toEqual([]);
});

describe('data that operators read without signing in', () => {
  const figures = (headers: Record<string, string>) => fetch(ts.url + ENDPOINTS.metrics, { headers });

  test('METRICS_TOKEN opens the metrics from anywhere; another token is rejected with an explanation, even locally', async () => {
    const far = { 'x-forwarded-for': '203.0.113.7' };
    expect((await figures(far)).status).toBe(403);
    expect((await figures({ ...far, authorization: `Bearer ${TOKEN}` })).status).toBe(200);
    for (const authorization of ['Bearer another-token-of-the-test', `Basic ${TOKEN}`, TOKEN]) {
      for (const headers of [{ ...far, authorization }, { authorization }]) {
        const response = await figures(headers);
        const { error } = (await response.json()) as { error: { message: string; next: string } };
        expect([response.status, error.message]).toEqual([
          401,
          'This token does not give access to the metrics.',
        ]);
        expect(error.next).toContain('METRICS_TOKEN');
      }
    }
  });

  test('the version is readable, and so are metrics for version, disk, clocks and the expiry of the service token', async () => {
    const version = ((await (await fetch(ts.url + ENDPOINTS.version)).json()) as { version: string }).version;
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    await check('lms');
    // The metrics are updated every few seconds.
    await vi.waitFor(async () => {
      const text = await (await figures({})).text();
      expect(text).toContain(`lms_admin_build_info{version="${version}",node="${process.version}"} 1`);
      expect(text).toMatch(/lms_admin_disk_free_bytes \d{6,}/);
      expect(text).toMatch(/lms_admin_clock_offset_seconds\{system="database"\} -?\d/);
      const [, end] = /^lms_admin_service_token_end_seconds (\S+)/m.exec(text) ?? [];
      expect(Math.abs(Number(end) * 1_000 - (Date.now() + 29.5 * DAY_MS))).toBeLessThan(600_000);
    });
  });
});

test('the alert rules and the dashboard only use metrics that exist', async () => {
  await alma.invoke('accounts/1/terms?per_page=100');
  const metrics = await (await fetch(ts.url + ENDPOINTS.metrics)).text();
  const known = new Set([...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  const asked = (file: string) => {
    const text = readFileSync(`docs/operating/${file}`, 'utf8');
    return new Set(
      [...text.matchAll(/\b(?:lms_admin|process|nodejs)_\w+/g)].map(([name]) =>
        name.replace(/_(bucket|count)$/, ''),
      ),
    );
  };
  for (const file of ['alerts.yml', 'grafana-dashboard.json', 'monitoring.md']) {
    const names = [...asked(file)].filter((name) => !name.endsWith('_'));
    expect(names.length).toBeGreaterThan(4);
    expect(
      names.filter((name) => !known.has(name)),
      file,
    ).toEqual([]);
  }
  const alerts = readFileSync('docs/operating/alerts.yml', 'utf8');
  expect(alerts.match(/- alert: /g)).toHaveLength(6);
  for (const [, values = ''] of alerts.matchAll(/outcome=~"([^"]+)"/g))
    for (const outcome of values.split('|')) expect(metrics).toContain(`outcome="${outcome}"`);
});
