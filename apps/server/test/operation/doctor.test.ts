/** `lms-admin doctor`: all is well beside a server; each thing that is wrong has its line; nothing secret is shown. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '@lms-admin/sandbox/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SETTING_NAMES } from '../../src/platform/settings.ts';
import { type Deployment, openDeployment } from '../kill/deployment.ts';
import { zoomEnv } from '../support/zoom-env.ts';
import { lmsAdmin } from './command.ts';

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

describe('beside a server', () => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await openDeployment();
  });
  afterAll(() => deployment?.close());

  test('all is well, a line each', async () => {
    const { code, said } = await lmsAdmin({ ...deployment.env, PORT: String(deployment.port) }, 'doctor');
    expect(said).not.toMatch(/FAIL/);
    for (const words of [
      /ok {4}node: Node v/,
      /ok {4}folder: LMS_ADMIN_DATA/,
      /ok {4}database: The .*database .*answers, and has this version's tables/,
      /ok {4}key: It opens the sign-in in the database/,
      /ok {4}lms: http:\/\/localhost:\d+ answers/,
      /ok {4}sign-in: The LMS accepts the developer key/,
      /ok {4}sign-in: Sign-in returns to http:\/\/localhost/,
      /ok {4}service token: It can read what LMS Admin needs/,
      /ok {4}service token: It has no end/,
      /ok {4}Zoom: Zoom answers/,
      /ok {4}Qualtrics: Qualtrics answers/,
      /- {4} timetable: /,
      /ok {4}public address: http:\/\/localhost:\d+ leads to LMS Admin, which is ready/,
    ]) {
      expect(said).toMatch(words);
    }
    expect(code).toBe(0);
  });

  test('another key, a refused developer key, an address that sign-in may not return to', async () => {
    const { code, findings } = await doctor({
      ...deployment.env,
      LMS_ADMIN_KEY: '22'.repeat(32),
      LMS_ADMIN_URL: 'https://elsewhere.example',
    });
    expect(of(findings, 'key')).toEqual([
      expect.stringMatching(/^ok: The key in LMS_ADMIN_KEY/),
      expect.stringMatching(
        /^warn: 1 sign-in in the database was sealed with another key.*LMS_ADMIN_KEY_OLD/,
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
      expect.stringMatching(/^fail: The LMS refuses the developer key\. Compare LMS_CLIENT_ID/),
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

  test('what is not there yet is no failure; an end of the service token is told in time', async () => {
    const { code, findings } = await doctor(env);
    expect(of(findings, 'database')).toEqual(['skip: No database yet: the first start creates it.']);
    expect(of(findings, 'service token')[1]).toMatch(/^warn: It ends on .*, in 10 days\. Create a new one/);
    expect(of(findings, 'public address')).toEqual([
      expect.stringMatching(/^warn: .*does not answer.*start LMS Admin/),
    ]);
    expect(findings.filter(({ state }) => state === 'fail')).toEqual([]);
    expect(code).toBe(0);
  });

  test('in practice mode a campus that is not started is no failure', async () => {
    const { code, findings } = await doctor({
      LMS_ADMIN_DATA: join(folder, 'practice'),
      SANDBOX_PORT: '1',
      PORT: '2',
    });
    expect(of(findings, 'lms')).toEqual([
      expect.stringMatching(/^skip: The practice LMS does not run\. "npm start"/),
    ]);
    expect(of(findings, 'key')).toEqual([expect.stringMatching(/^skip: No key yet/)]);
    expect([code, findings.filter(({ state }) => state === 'fail')]).toEqual([0, []]);
  });

  test('scopes that the Zoom app lacks, an LMS that is not there, a database that does not answer', async () => {
    const { code, findings } = await doctor({
      ...env,
      ZOOM_CLIENT_ID: 'sandbox-zoom-reader',
      ZOOM_CLIENT_SECRET: 'sandbox-zoom-reader-secret',
      LMS_URL: 'http://localhost:1',
      DATABASE_URL: 'postgres://unknown:a-password@127.0.0.1:1/none',
    });
    expect(of(findings, 'Zoom')).toEqual([
      expect.stringMatching(/^fail: .*add to its app in Zoom: .*meeting:write/),
    ]);
    expect(of(findings, 'lms')).toEqual([expect.stringMatching(/^fail: The LMS does not answer/)]);
    expect(of(findings, 'database')).toEqual([
      expect.stringMatching(/^fail: .*PostgreSQL does not answer\. Check DATABASE_URL/),
    ]);
    expect(JSON.stringify(findings)).not.toContain('a-password');
    expect(code).toBe(1);
  });

  test('all settings that are wrong are told at once, also those that do not exist', async () => {
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

  test('--config shows every setting and its source, and nothing secret', async () => {
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
