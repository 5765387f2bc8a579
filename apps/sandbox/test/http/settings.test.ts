import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DEFAULTS, readSettings, SettingsError } from '../../src/config.ts';
import { startSandbox } from '../../src/server.ts';

describe('settings of the process', () => {
  test('without settings, a practice sandbox runs on port 8090 and shows created and importing', () => {
    expect(readSettings({})).toEqual({ ...DEFAULTS, data: join('var', 'campus') });
    expect(DEFAULTS).toMatchObject({ port: 8090, mode: 'practice', adminToken: 'sandbox-admin-token' });
    expect(DEFAULTS.importPace).toBeTypeOf('number');
  });

  test('each setting is read', () => {
    const settings = readSettings({
      SANDBOX_PORT: '9000',
      SANDBOX_SIZE: 'large',
      SANDBOX_IMPORT_PACE: 'instant',
      SANDBOX_LATENCY_MS: '100',
      SANDBOX_THROTTLE_QUOTA: '1200',
      SANDBOX_THROTTLE_LEAK: '20',
      SANDBOX_ZOOM_CLIENT_SECRET: 'another-secret',
      SANDBOX_QUALTRICS_TOKEN: 'another-token',
      SANDBOX_QUALTRICS_CLIENT_SECRET: 'a-third-secret',
      SANDBOX_OAUTH_REDIRECT_HOSTS: 'console.example,Other.example',
    });
    expect(settings).toMatchObject({ port: 9000, size: 'large', importPace: 'instant', latencyMs: 100 });
    expect(settings.throttle).toEqual({ quota: 1200, maximum: 1600, leakPerSecond: 20, upfront: 50 });
    expect(settings.zoomClientSecret).toBe('another-secret');
    expect(settings).toMatchObject({
      qualtricsToken: 'another-token',
      qualtricsClientSecret: 'a-third-secret',
    });
    expect(settings.redirectHosts).toEqual(['console.example', 'other.example']);
    expect(readSettings({ SANDBOX_THROTTLE: 'off' }).throttle).toBe(false);
    expect(readSettings({ SANDBOX_ZOOM_LIMITS: 'off' }).zoomLimits).toBe(false);
    expect(readSettings({ SANDBOX_QUALTRICS_LIMITS: 'off' }).qualtricsLimits).toBe(false);
    expect(readSettings({ SANDBOX_IMPORT_PACE: '500' }).importPace).toBe(500);
  });

  test('a practice LMS saves its state below the data folder, but one for tests does so only on request', () => {
    expect(readSettings({ LMS_ADMIN_DATA: '/srv/lms' }).data).toBe(join('/srv/lms', 'campus'));
    expect(readSettings({ LMS_ADMIN_DATA: '/srv/lms', SANDBOX_DATA: '/srv/c' }).data).toBe('/srv/c');
    expect(readSettings({ LMS_ADMIN_DATA: '/srv/lms', SANDBOX_MODE: 'test' }).data).toBeNull();
    expect(readSettings({ SANDBOX_MODE: 'test', SANDBOX_DATA: '/srv/c' }).data).toBe('/srv/c');
  });

  test.each([
    ['SANDBOX_PORT', '70000'],
    ['SANDBOX_PORT', 'http'],
    ['SANDBOX_SIZE', 'huge'],
    ['SANDBOX_IMPORT_PACE', '-1'],
    ['SANDBOX_IMPORT_PACE', 'slow'],
    ['SANDBOX_MODE', 'production'],
    ['SANDBOX_THROTTLE', 'maybe'],
    ['SANDBOX_ADMIN_TOKEN', 'short'],
  ])('%s=%s is rejected by name', (name, value) => {
    expect(() => readSettings({ [name]: value })).toThrow(SettingsError);
    expect(() => readSettings({ [name]: value })).toThrow(new RegExp(`${name} must be `));
  });

  test('a production environment is rejected', () => {
    expect(() => readSettings({ NODE_ENV: 'production' })).toThrow(/NODE_ENV is production/);
  });

  test('a port in use is rejected', async () => {
    const first = await startSandbox({ port: 0, mode: 'test' });
    await expect(startSandbox({ port: first.port, mode: 'test' })).rejects.toThrow(/EADDRINUSE/);
    await first.close();
  });

  test('localhost and 127.0.0.1 both answer', async () => {
    const sandbox = await startSandbox({ port: 0, mode: 'test' });
    for (const host of ['localhost', '127.0.0.1']) {
      expect((await fetch(`http://${host}:${sandbox.port}/`)).status).toBe(200);
    }
    await sandbox.close();
  });
});
