/**
 * `lms-admin doctor`: with a running server every check passes, each problem has its line, and no secret is
 * shown.
 */
import { chmod, chown, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer as createPlainServer } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Sandbox, startSandbox } from '@lms-admin/sandbox/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_ADDRESS } from '../../src/platform/health.ts';
import { SETTING_NAMES } from '../../src/platform/settings.ts';
import { type Deployment, openDeployment } from '../kill/deployment.ts';
import { chosenDatabase, freshDatabase, onServer } from '../support/databases.ts';
import { qualtricsEnv } from '../support/qualtrics-env.ts';
import { zoomEnv } from '../support/zoom-env.ts';
import { lmsAdmin } from './command.ts';
import { openKept } from './kept-release.ts';

interface Finding {
  check: string;
  state: string;
  message: string;
  next: string;
}

async function doctor(env: Record<string, string>): Promise<{ code: number | null; findings: Finding[] }> {
  const { code, said } = await lmsAdmin(env, 'doctor', '--json');
  return { code, findings: (JSON.parse(said) as { findings: Finding[] }).findings };
}
const of = (findings: readonly Finding[], check: string) =>
  findings
    .filter((one) => one.check === check)
    .map(({ state, message, next }) => `${state}: ${message} ${next}`.trim());

describe('with a running server', () => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await openDeployment();
  });
  afterAll(() => deployment?.close());

  test('every check passes, with one line for each', async () => {
    const { code, said } = await lmsAdmin({ ...deployment.env, PORT: String(deployment.port) }, 'doctor');
    expect(said).not.toMatch(/FAIL/);
    for (const words of [
      /ok {4}node: Node v/,
      /ok {4}folder: LMS_ADMIN_DATA/,
      /ok {4}database: The .*database .*answers and has the tables of this version/,
      /ok {4}key: It can read the sign-in in the database/,
      /ok {4}lms: http:\/\/localhost:\d+ answers/,
      /ok {4}sign-in: The LMS accepts the developer key/,
      /ok {4}sign-in: Sign-in returns to http:\/\/localhost/,
      /ok {4}service token: It can read what LMS Admin needs/,
      /ok {4}service token: It does not expire/,
      /ok {4}Zoom: Zoom answers/,
      /ok {4}Qualtrics: Qualtrics answers/,
      /- {4} timetable: /,
      /ok {4}public address: LMS Admin answers at http:\/\/localhost:\d+ and is ready/,
    ]) {
      expect(said).toMatch(words);
    }
    expect(code).toBe(0);
  });

  test('another key, a rejected developer key and an address that sign-in cannot return to are reported', async () => {
    const { code, findings } = await doctor({
      ...deployment.env,
      LMS_ADMIN_KEY: '22'.repeat(32),
      LMS_ADMIN_URL: 'https://elsewhere.example',
    });
    expect(of(findings, 'key')).toEqual([
      expect.stringMatching(/^ok: The key in LMS_ADMIN_KEY/),
      expect.stringMatching(
        /^warn: 1 sign-in in the database was encrypted with another key.*LMS_ADMIN_KEY_OLD/,
      ),
    ]);
    expect(of(findings, 'sign-in')[1]).toMatch(
      /^fail: .*return to https:\/\/elsewhere\.example\/\. Add this address/,
    );
    expect(of(findings, 'public address')).toEqual([
      expect.stringMatching(/^fail: https:\/\/elsewhere\.example does not answer/),
    ]);
    expect(code).toBe(1);
    const refused = await doctor({ ...deployment.env, LMS_CLIENT_SECRET: 'quite-another-secret' });
    expect(of(refused.findings, 'sign-in')).toEqual([
      expect.stringMatching(/^fail: The LMS rejects the developer key\. Compare LMS_CLIENT_ID/),
    ]);
  });
});

describe('before the first start', () => {
  let sandbox: Sandbox;
  let folder: string;
  let env: Record<string, string>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lms-admin-doctor-'));
    const adminTokenExpires = new Date(Date.now() + 10.5 * 86_400_000);
    sandbox = await startSandbox({ port: 0, mode: 'test', throttle: false, adminTokenExpires });
    env = {
      LMS_URL: sandbox.url.replace('127.0.0.1', 'localhost'),
      LMS_CLIENT_ID: '10',
      LMS_CLIENT_SECRET: 'sandbox-client-secret',
      LMS_SERVICE_TOKEN: 'sandbox-admin-token',
      LMS_ADMIN_ACCESS: 'config/access.json',
      LMS_ADMIN_KEY: '00'.repeat(32),
      LMS_ADMIN_DATA: folder,
      PORT: '1',
      ...zoomEnv(sandbox.url),
    };
  });
  afterAll(async () => {
    await sandbox?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('something that does not exist yet is not a failure; a warning precedes the expiry of the service token', async () => {
    const { code, findings } = await doctor(env);
    expect(of(findings, 'database')).toEqual(['skip: No database yet: the first start creates it.']);
    expect(of(findings, 'service token')[1]).toMatch(
      /^warn: It expires on .*, in 10 days\. Create a new token/,
    );
    expect(of(findings, 'public address')).toEqual([
      expect.stringMatching(/^warn: .*does not answer.*Start LMS Admin/),
    ]);
    expect(findings.filter(({ state }) => state === 'fail')).toEqual([]);
    expect(code).toBe(0);
  });

  test('if a folder inside the data folder belongs to another user, it is named together with the command that helps', async () => {
    const data = join(folder, 'left');
    const uploads = join(data, 'uploads');
    await mkdir(uploads, { recursive: true });
    // Using a disk's root folder is not a mistake.
    await mkdir(join(data, 'lost+found'), { mode: 0 });
    await chmod(data, 0o700);
    const before = of((await doctor({ ...env, LMS_ADMIN_DATA: data })).findings, 'folder');
    expect(before).toEqual([expect.stringMatching(/^ok: /)]);
    // Only root can change a folder's owner. For other users, a folder without permissions has the same
    // effect.
    if (process.getuid?.() === 0) {
      await chown(join(data, 'lost+found'), 65_534, 65_534);
      expect(of((await doctor({ ...env, LMS_ADMIN_DATA: data })).findings, 'folder')).toEqual(before);
      await chown(uploads, 65_534, 65_534);
    } else await chmod(uploads, 0);
    const { code, findings } = await doctor({ ...env, LMS_ADMIN_DATA: data });
    await chmod(uploads, 0o700);
    expect(of(findings, 'folder')).toEqual([
      expect.stringMatching(/^fail: .*belong to another user: uploads\. .*"chown -R \S+ .*left"\.$/),
    ]);
    expect(code).toBe(1);
  });

  test('a public address whose certificate this machine does not trust is a failure', async () => {
    const pem = await readFile(new URL('certificate.pem', import.meta.url));
    const proxy = createServer({ key: pem, cert: pem }, (_, response) => response.end());
    await new Promise<void>((resolve) => proxy.listen(0, resolve));
    const origin = `https://localhost:${(proxy.address() as AddressInfo).port}`;
    const { findings } = await doctor({ ...env, LMS_ADMIN_URL: origin });
    proxy.close();
    expect(of(findings, 'public address')).toEqual([
      expect.stringMatching(
        /^fail: The certificate of \S+ is not trusted by this machine\. .*NODE_EXTRA_CA_CERTS/,
      ),
    ]);
  });

  test('a proxy is reported if it rejects large uploads, or passes on neither the name nor the address of the browser', async () => {
    const certificate = new URL('certificate.pem', import.meta.url);
    const pem = await readFile(certificate);
    let upload: { status: number; body: string; notes: string[]; metrics: number };
    const proxy = createServer({ key: pem, cert: pem }, (request, response) => {
      if (request.url === '/readyz') {
        response.end(JSON.stringify({ status: 'ready', problems: [], notes: upload.notes }));
      } else if (request.method === 'POST') response.writeHead(upload.status).end(upload.body);
      else response.writeHead(upload.metrics).end();
    });
    await new Promise<void>((resolve) => proxy.listen(0, resolve));
    const origin = `https://localhost:${(proxy.address() as AddressInfo).port}`;
    const error = (code: string) => JSON.stringify({ status: 403, error: { code } });
    const saying = async (next: Partial<typeof upload>) => {
      upload = { status: 401, body: error('signed-out'), notes: [], metrics: 404, ...next };
      const { findings } = await doctor({
        ...env,
        LMS_ADMIN_URL: origin,
        NODE_EXTRA_CA_CERTS: fileURLToPath(certificate),
      });
      return of(findings, 'public address').slice(1);
    };
    expect(await saying({})).toEqual([]);
    expect(await saying({ status: 413, body: '<h1>413</h1>' })).toEqual([
      expect.stringMatching(/^fail: The proxy rejects large uploads .*client_max_body_size 110m/),
    ]);
    const open = { status: 403, body: error('foreign-origin'), notes: [NO_ADDRESS], metrics: 200 };
    expect(await saying(open)).toEqual([
      expect.stringMatching(/^warn: The proxy does not pass on the address .*X-Forwarded-For/),
      expect.stringMatching(/^warn: Therefore anyone can read the metrics/),
      expect.stringMatching(/^fail: LMS Admin rejects what people submit .*Host header unchanged/),
    ]);
    proxy.close();
  });

  test('a proxy that gets no answer, because no server has been started yet, is only a warning', async () => {
    const proxy = createPlainServer((_, response) => response.writeHead(502).end('Bad Gateway'));
    await new Promise<void>((resolve) => proxy.listen(0, resolve));
    const origin = `http://localhost:${(proxy.address() as AddressInfo).port}`;
    const { findings } = await doctor({ ...env, LMS_ADMIN_URL: origin });
    proxy.close();
    expect(of(findings, 'public address')).toEqual([
      expect.stringMatching(/^warn: The proxy on \S+ gets no answer .*\(status 502\)\. .*Start LMS Admin/),
    ]);
  });

  test('invalid addresses and networks are named before the start', async () => {
    for (const wrong of ['300.1.1.1', '10.0.0.0/33', '10.0.0.1,', 'proxy.example.edu']) {
      const { findings } = await doctor({ ...env, TRUSTED_PROXIES: wrong });
      expect(of(findings, 'settings')).toEqual([
        expect.stringMatching(
          /^fail: TRUSTED_PROXIES should be a comma-separated list of addresses or networks/,
        ),
      ]);
    }
  });

  test('in practice mode a sandbox that is not started is not a failure', async () => {
    const { code, findings } = await doctor({
      LMS_ADMIN_DATA: join(folder, 'practice'),
      SANDBOX_PORT: '1',
      PORT: '2',
    });
    expect(of(findings, 'lms')).toEqual([
      expect.stringMatching(/^skip: The practice LMS is not running\. "npm start"/),
    ]);
    expect(of(findings, 'key')).toEqual([expect.stringMatching(/^skip: No key yet/)]);
    expect([code, findings.filter(({ state }) => state === 'fail')]).toEqual([0, []]);
  });

  test('scopes missing from the Zoom app, an LMS that cannot be reached and a database that does not answer are failures', async () => {
    const { code, findings } = await doctor({
      ...env,
      ZOOM_CLIENT_ID: 'sandbox-zoom-reader',
      ZOOM_CLIENT_SECRET: 'sandbox-zoom-reader-secret',
      LMS_URL: 'http://localhost:1',
      DATABASE_URL: 'postgres://unknown:a-password@127.0.0.1:1/none',
    });
    expect(of(findings, 'Zoom')).toEqual([
      expect.stringMatching(/^fail: .*add these to the app in Zoom: .*meeting:write/),
    ]);
    expect(of(findings, 'lms')).toEqual([expect.stringMatching(/^fail: The LMS does not answer/)]);
    expect(of(findings, 'database')).toEqual([
      expect.stringMatching(/^fail: .*PostgreSQL does not answer\. Check DATABASE_URL/),
    ]);
    expect(JSON.stringify(findings)).not.toContain('a-password');
    expect(code).toBe(1);
  });

  test('a rejected token or app, and names that do not exist, are traced to their settings', async () => {
    const wrong = { ...env, ...qualtricsEnv(sandbox.url) };
    const refused = await doctor({
      ...wrong,
      LMS_SERVICE_TOKEN: 'a-token-of-before',
      ZOOM_CLIENT_SECRET: 'another-secret',
      QUALTRICS_TOKEN: 'another-token',
    });
    expect(of(refused.findings, 'lms')).toEqual([expect.stringMatching(/^ok: /)]);
    expect(of(refused.findings, 'service token')).toEqual([
      expect.stringMatching(/^fail: The LMS does not accept LMS_SERVICE_TOKEN\. Create a new token/),
    ]);
    expect(of(refused.findings, 'Zoom')).toEqual([
      expect.stringMatching(/^fail: Zoom rejects the app\. .*ZOOM_CLIENT_SECRET/),
    ]);
    expect(of(refused.findings, 'Qualtrics')).toEqual([expect.stringMatching(/^fail: .*QUALTRICS_TOKEN/)]);
    const unknown = await doctor({
      ...wrong,
      ZOOM_DEFAULT_OWNER: 'no.one@northbridge.example',
      BTA_SURVEY_ID: 'SV_none',
    });
    expect(of(unknown.findings, 'Zoom')).toEqual([expect.stringMatching(/^fail: .*ZOOM_DEFAULT_OWNER/)]);
    expect(of(unknown.findings, 'Qualtrics')).toEqual([expect.stringMatching(/^fail: .*BTA_SURVEY_ID/)]);
  });

  test('for a database of an earlier release, the key is checked before the start that updates the database', async () => {
    const kept = await openKept('5cdcc09', 'http://localhost');
    try {
      const look = async (key: string) =>
        (await doctor({ ...env, ...kept.env, LMS_ADMIN_KEY: key.repeat(32) })).findings;
      const right = await look('00');
      expect(of(right, 'database')).toEqual([expect.stringMatching(/^warn: .*by an earlier version\./)]);
      expect(of(right, 'clock')).toContainEqual(expect.stringMatching(/^ok: .*of the database/));
      expect(of(right, 'key')[1]).toMatch(/^ok: It can read all 2 sign-ins/);
      expect(of(await look('22'), 'key')[1]).toMatch(/^warn: 2 sign-ins .*LMS_ADMIN_KEY_OLD/);
    } finally {
      await kept.close();
    }
  });

  test.runIf(chosenDatabase() === 'postgres')(
    'a user of PostgreSQL who cannot create tables, or does not own them, is reported',
    async () => {
      const role = `lms_admin_reader_${process.pid}`;
      const { url, drop } = await freshDatabase();
      const migrated = await freshDatabase({ migrated: true });
      await onServer(`CREATE ROLE ${role} LOGIN PASSWORD 'a-password'`);
      try {
        for (const [address, others] of [
          [url, ['skip: LMS Admin has not used this database yet: the first start creates its tables.']],
          [migrated.url, []],
        ] as const) {
          const reader = new URL(address);
          reader.username = role;
          reader.password = 'a-password';
          const { code, findings } = await doctor({ ...env, DATABASE_URL: reader.href });
          expect(of(findings, 'database')).toEqual([
            ...others,
            expect.stringMatching(/^fail: .*does not let the user in DATABASE_URL create .*owner/),
          ]);
          expect(code).toBe(1);
        }
      } finally {
        await Promise.all([drop(), migrated.drop()]);
        await onServer(`DROP ROLE ${role}`);
      }
    },
  );

  test('all wrong settings are reported together, including unknown ones', async () => {
    const { code, findings } = await doctor({
      ...env,
      PORT: 'many',
      LMS_TIMEOUT_MS: 'long',
      ZOOM_HOSTS: 'x',
      LMS_CLIENT_SECRET: '',
    });
    const said = of(findings, 'settings').join('\n');
    for (const words of [
      /fail: PORT should be/,
      /fail: LMS_TIMEOUT_MS should be/,
      /fail: LMS_CLIENT_SECRET is missing/,
      /warn: ZOOM_HOSTS is not a setting/,
    ]) {
      expect(said).toMatch(words);
    }
    expect(of(findings, 'rest')).toHaveLength(1);
    expect(code).toBe(1);
  });

  test('--config shows every setting and where it comes from, but no secret', async () => {
    const { code, said } = await lmsAdmin(
      { ...env, DATABASE_URL: 'postgres://user:hidden-word@host/name' },
      'doctor',
      '--config',
    );
    expect(said).toContain('LMS_TIMEOUT_MS=30000  (default)');
    expect(said).toContain(`LMS_URL=${env.LMS_URL}  (environment)`);
    expect(said).toContain('LMS_SERVICE_TOKEN=(secret)  (environment)');
    expect(said).toContain('DATABASE_URL=postgres://user:secret@host/name  (environment)');
    for (const secret of [
      'hidden-word',
      'sandbox-client-secret',
      'sandbox-admin-token',
      '00000000',
      'sandbox-zoom-secret',
    ]) {
      expect(said).not.toContain(secret);
    }
    expect(said.trim().split('\n')).toHaveLength(SETTING_NAMES.length);
    expect(code).toBe(0);
  });
});
