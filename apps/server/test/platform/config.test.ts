/** Settings: missing or malformed ones prevent the start; all of them are named together (OP-15, OP-25). */
import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, loadConfig } from '../../src/platform/config.ts';
import { settingViews, unknownSettings } from '../../src/platform/config-view.ts';
import { createSecrets, loadSecrets } from '../../src/platform/secrets.ts';

const KEY = 'ab'.repeat(32);
const REAL = {
  LMS_URL: 'https://lms.school.example',
  LMS_CLIENT_ID: '10000000000042',
  LMS_CLIENT_SECRET: 'a-client-secret',
  LMS_ADMIN_ACCESS: '/etc/lms-admin/access.json',
  LMS_ADMIN_KEY: KEY,
  LMS_ADMIN_URL: 'https://admin.school.example',
  DATABASE_URL: 'postgres://lms_admin@localhost:5432/lms_admin',
};

function problems(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).problems;
  }
  return [];
}

describe('secrets in files', () => {
  const file = async (text: string) => {
    const path = join(await mkdtemp(join(tmpdir(), 'lms-admin-secret-')), 'secret');
    await writeFile(path, text);
    return path;
  };

  it('a file can hold the value of a setting, and doctor shows that it does', async () => {
    const { LMS_ADMIN_KEY: _key, DATABASE_URL: url, ...rest } = REAL;
    const env = { ...rest, LMS_ADMIN_KEY_FILE: await file(`${KEY}\n`), DATABASE_URL_FILE: await file(url) };
    expect(loadConfig(env)).toMatchObject({ encryptionKey: KEY, databaseUrl: url });
    const views = settingViews(env).filter(({ source }) => source === 'file');
    expect(views.map(({ name, value }) => [name, value])).toEqual([
      ['DATABASE_URL', '(secret)'],
      ['LMS_ADMIN_KEY', '(secret)'],
    ]);
    expect(unknownSettings({ ...env, LMS_URL_FILE: 'x' })).toEqual(['LMS_URL_FILE']);
  });

  it('the content is checked like the setting itself, and does not appear in the error', async () => {
    const { LMS_ADMIN_KEY: _key, ...rest } = REAL;
    const LMS_ADMIN_KEY_FILE = await file('not-a-key');
    expect(problems({ ...rest, LMS_ADMIN_KEY_FILE })).toEqual([
      'LMS_ADMIN_KEY should be 32 random bytes as base64 or as 64 hex digits',
    ]);
  });

  it('a missing or empty file, or a file in addition to its setting, prevents the start', async () => {
    const found = problems({
      ...REAL,
      LMS_ADMIN_KEY_FILE: await file(KEY),
      ZOOM_CLIENT_SECRET_FILE: '/nowhere/at/all',
      QUALTRICS_TOKEN_FILE: await file(' \n'),
    });
    expect(found).toEqual([
      'LMS_ADMIN_KEY and LMS_ADMIN_KEY_FILE are both set: remove one of them',
      'ZOOM_CLIENT_SECRET_FILE should be the path of a file that LMS Admin can read (ENOENT)',
      'QUALTRICS_TOKEN_FILE names an empty file',
    ]);
  });
});

describe('settings', () => {
  it('practice mode needs none', () => {
    expect(loadConfig({ PORT: '', LMS_URL: ' ' })).toMatchObject({
      practice: true,
      port: 8080,
      origin: 'http://localhost:8080',
      accessFile: 'config/access.json',
      lms: {
        url: 'http://localhost:8090',
        clientId: '10',
        serviceToken: 'sandbox-admin-token',
        maxInFlight: 11,
      },
      site: { autoSelectedProgrammes: [86, 163, 83, 120, 138, 167, 2, 73, 269], guideUrl: null },
      maxEnrollmentRows: 500_000,
    });
    expect(loadConfig({ SANDBOX_ADMIN_TOKEN: 'another-token' }).lms.serviceToken).toBe('another-token');
    expect(loadConfig({ PORT: '0' }).origin).toBeNull();
  });

  it.each(['LMS_CLIENT_ID', 'LMS_CLIENT_SECRET', 'LMS_SERVICE_TOKEN', 'LMS_FILE_HOSTS'] as const)(
    'with %s but without LMS_URL, the server is not in practice mode, and the error says what is missing',
    (name) => {
      const value = { ...REAL, LMS_SERVICE_TOKEN: 'a-token-of-theirs', LMS_FILE_HOSTS: 'files.example' }[
        name
      ];
      for (const LMS_URL of ['', '  '])
        expect(problems({ LMS_URL, [name]: value })).toEqual([expect.stringMatching(/^LMS_URL is missing/)]);
    },
  );

  it('OP-15 a real LMS needs key, secret, access file and encryption key; the service token is optional', () => {
    const missing = problems({ LMS_URL: 'https://lms.school.example' });
    for (const name of ['LMS_CLIENT_ID', 'LMS_CLIENT_SECRET', 'LMS_ADMIN_ACCESS', 'LMS_ADMIN_KEY']) {
      expect(missing.some((one) => one.startsWith(`${name} is missing: it should be `))).toBe(true);
    }
    expect(loadConfig(REAL)).toMatchObject({ practice: false, lms: { serviceToken: null } });
  });

  it('OP-25 with an LMS on another machine, the public address and the database are required, and named if missing', () => {
    for (const name of ['LMS_ADMIN_URL', 'DATABASE_URL'] as const)
      expect(problems({ ...REAL, [name]: '' })).toEqual([expect.stringMatching(`^${name} is missing`)]);
    expect(loadConfig({ ...REAL, DATABASE_URL: 'embedded' }).databaseUrl).toBeNull();
    const {
      LMS_ADMIN_URL: _,
      DATABASE_URL: _database,
      ...local
    } = { ...REAL, LMS_URL: 'http://localhost:8090' };
    expect(loadConfig(local)).toMatchObject({ origin: 'http://localhost:8080', databaseUrl: null });
  });

  it.each([
    ['PORT', '80a'],
    ['PORT', '65536'],
    ['LMS_ADMIN_URL', 'http://lms-admin.school.example'],
    ['LMS_ADMIN_URL', 'https://lms-admin.school.example/admin'],
    ['LMS_URL', 'lms.school.example'],
    ['LMS_URL', 'http://lms.school.example'],
    ['LMS_CLIENT_ID', 'ten'],
    ['LMS_ADMIN_KEY', 'short'],
    ['DATABASE_URL', 'mysql://x'],
    ['IT_SUPPORT_EMAIL', 'support'],
    ['GUIDE_URL', 'javascript:alert(1)'],
    ['AUTO_SELECTED_PROGRAMMES', '86;120'],
    ['MAX_ENROLLMENT_ROWS', '0'],
    ['LMS_MAX_IN_FLIGHT', '0'],
    ['LMS_FILE_HOSTS', 'https://files.example'],
    ['LMS_TIMEOUT_MS', '1e3'],
    ['LOG_LEVEL', 'loud'],
    ['IMPORT_POLL_MS', '-1'],
  ])('%s=%s is rejected by name, without its value', (name, value) => {
    const [problem, ...others] = problems({ ...REAL, [name]: value });
    expect(others).toEqual([]);
    expect(problem).toMatch(new RegExp(`^${name} should be .+`));
    expect(problem).not.toContain(value.length > 4 ? value : '\u0000');
  });

  it.each([
    [
      { LMS_TIMEOUT_MS: '120000', IMPORT_GRACE_MS: '30000' },
      /^LMS_TIMEOUT_MS is longer than IMPORT_GRACE_MS/,
    ],
    [
      { LMS_TIMEOUT_MS: '90000', IMPORT_PATIENCE_MS: '60000' },
      /^LMS_TIMEOUT_MS is longer than IMPORT_PATIENCE/,
    ],
    [{ JOB_LEASE_MS: '100' }, /^JOB_LEASE_MS is shorter/],
    [{ JOB_LEASE_MS: '86400000', IMPORT_PATIENCE_MS: '60000' }, /^JOB_LEASE_MS is longer/],
    [{ LMS_ADMIN_URL: 'https://lms.school.example' }, /^LMS_ADMIN_URL is the address of the LMS/],
    [{ LMS_URL: '', PORT: '8090' }, /^SANDBOX_PORT is the port/],
    [{ LMS_ADMIN_KEY_OLD: KEY }, /^LMS_ADMIN_KEY_OLD is the same/],
  ])('%j contradicts another setting, and the error says so', (env, words) => {
    const all: Record<string, string> = 'LMS_URL' in env ? env : { ...REAL, ...env };
    expect(problems(all)).toEqual([expect.stringMatching(words)]);
  });

  it('LMS Admin waits for an import that may still be in transit, for as long as the LMS may take', () => {
    expect(loadConfig(REAL).imports.graceMs).toBe(30_000);
    expect(loadConfig({ ...REAL, LMS_TIMEOUT_MS: '120000' }).imports.graceMs).toBe(120_000);
  });

  it('all problems are reported together', () => {
    expect(problems({ PORT: 'x', GUIDE_URL: 'x', LMS_URL: 'https://lms.school.example' })).toHaveLength(8);
  });
});

describe('secrets', () => {
  it('OP-04 can be opened only if sealed for the same purpose with the same key, and unchanged', () => {
    const secrets = createSecrets(Buffer.alloc(32, 1));
    const sealed = secrets.seal('a token', 'grant 1 access');
    expect(sealed).not.toContain('token');
    expect(secrets.seal('a token', 'grant 1 access')).not.toBe(sealed);
    expect(secrets.open(sealed, 'grant 1 access')).toBe('a token');
    expect(() => secrets.open(sealed, 'grant 2 access')).toThrow();
    expect(() => secrets.open(`${sealed.slice(0, -2)}AA`, 'grant 1 access')).toThrow();
    expect(() => secrets.open('v1.x', 'grant 1 access')).toThrow('not a sealed value');
    expect(() => createSecrets(Buffer.alloc(32, 2)).open(sealed, 'grant 1 access')).toThrow('another key');
  });

  it('practice mode keeps its own key in the data folder, where only its owner can read it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lms-admin-'));
    const config = loadConfig({ LMS_ADMIN_DATA: join(folder, 'data') });
    const [one, two] = await Promise.all([loadSecrets(config), loadSecrets(config)]);
    expect(two.open(one.seal('x', 'y'), 'y')).toBe('x');
    const path = join(folder, 'data', 'key');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await readFile(path, 'utf8')).trim()).toHaveLength(44);
    await writeFile(path, 'damaged');
    await expect(loadSecrets(config)).rejects.toThrow(ConfigError);
  });
});

describe('OP-64 timetable feeds', () => {
  const feeds = (value: unknown) => ({
    TIMETABLE_FEEDS: typeof value === 'string' ? value : JSON.stringify(value),
  });
  const feed = { url: 'https://cloud.timeedit.net/s/web/x/ri.json?p={from}.x,{to}.x', zone: 'Europe/Paris' };

  it("practice mode reads the sandbox's feeds; with a real LMS only configured feeds are read", () => {
    expect(
      loadConfig({ SANDBOX_PORT: '9000' }).timetableFeeds.map(({ url, zone }) => [url.slice(0, 38), zone]),
    ).toEqual([
      ['http://localhost:9000/timeedit/fbl/ri.', 'Europe/Paris'],
      ['http://localhost:9000/timeedit/sgp/ri.', 'Asia/Singapore'],
      ['http://localhost:9000/timeedit/abd/ri.', 'Asia/Dubai'],
    ]);
    expect(loadConfig(REAL).timetableFeeds).toEqual([]);
  });

  it('a feed says where its fields are; otherwise the usual places of its format apply', () => {
    const ics = { ...feed, url: 'https://cloud.timeedit.net/s/web/x/ri157.ics', pattern: '([A-Z]+\\d+)' };
    expect(
      loadConfig({ ...REAL, ...feeds([feed, ics, { ...feed, course: 'Kurs' }]) }).timetableFeeds,
    ).toEqual([
      { ...feed, course: 'Course', pattern: null, title: 'Activity', rooms: 'Room' },
      { ...ics, course: 'SUMMARY', pattern: /([A-Z]+\d+)/, title: 'SUMMARY', rooms: 'LOCATION' },
      { ...feed, course: 'Kurs', pattern: null, title: 'Activity', rooms: 'Room' },
    ]);
  });

  it('an invalid list of feeds prevents the start, and the error does not repeat its addresses', () => {
    for (const wrong of [
      'https://cloud.timeedit.net/ri.json',
      '{}',
      [{ ...feed, zone: 'Atlantis' }],
      [{ ...feed, url: 'http://secret.example/ri.json' }],
      [{ ...feed, url: 'https://secret.example/ri.html' }],
      [{ ...feed, url: 'https://me:secret@school.example/ri.json' }],
      [{ ...feed, pattern: 'no group' }],
      [{ ...feed, pattern: '(' }],
      [{ ...feed, colour: 'red' }],
    ]) {
      const [problem, ...others] = problems({ ...REAL, ...feeds(wrong) });
      expect(problem, JSON.stringify(wrong)).toMatch(/^TIMETABLE_FEEDS should be a JSON list such as /);
      expect([others, problem?.includes('secret')]).toEqual([[], false]);
    }
  });
});

describe('OP-60 … OP-73 the Zoom account', () => {
  const account = {
    ZOOM_ACCOUNT_ID: 'an-account',
    ZOOM_CLIENT_ID: 'an-app',
    ZOOM_CLIENT_SECRET: 'a-secret-of-it',
    ZOOM_HOST: 'school.zoom.us, us02web.zoom.us',
    ZOOM_DEFAULT_OWNER: 'LMS@School.example',
  };

  it("practice mode uses the sandbox's account; with a real LMS only a configured one is used", () => {
    expect(loadConfig({ SANDBOX_PORT: '9000' }).zoom).toMatchObject({
      account: 'sandbox-zoom-account',
      apiUrl: 'http://localhost:9000/zoom/v2',
      tokenUrl: 'http://localhost:9000/zoom/oauth/token',
      links: ['http://localhost:9000/zoom'],
      defaultOwner: 'lms.admin@northbridge.example',
    });
    expect(loadConfig({ SANDBOX_ZOOM_CLIENT_SECRET: 'another-one' }).zoom?.clientSecret).toBe('another-one');
    expect(loadConfig(REAL).zoom).toBeNull();
  });

  it('a configured account is with Zoom itself, unless the address says otherwise', () => {
    expect(loadConfig({ ...REAL, ...account }).zoom).toEqual({
      account: 'an-account',
      clientId: 'an-app',
      clientSecret: 'a-secret-of-it',
      apiUrl: 'https://api.zoom.us/v2',
      tokenUrl: 'https://zoom.us/oauth/token',
      links: ['https://school.zoom.us', 'https://us02web.zoom.us'],
      defaultOwner: 'lms@school.example',
      owners: null,
      icsPattern: null,
    });
    const more = {
      ZOOM_API_URL: 'https://api-eu.zoom.us/v2/',
      ZOOM_OWNERS: 'One@school.example,two@school.example',
      ZOOM_ICS_PATTERN: 'https://{host}/meeting/{number}/ics',
    };
    expect(loadConfig({ ...REAL, ...account, ...more }).zoom).toMatchObject({
      apiUrl: 'https://api-eu.zoom.us/v2',
      tokenUrl: 'https://zoom.us/oauth/token',
      owners: ['one@school.example', 'two@school.example'],
      icsPattern: more.ZOOM_ICS_PATTERN,
    });
    const elsewhere = loadConfig({ ...REAL, ...account, ZOOM_API_URL: 'http://localhost:8090/zoom/v2' }).zoom;
    expect(elsewhere?.tokenUrl).toBe('http://localhost:8090/zoom/oauth/token');
  });

  it('an incomplete account prevents the start, and each missing part is named', () => {
    for (const name of Object.keys(account)) {
      const rest = Object.fromEntries(Object.entries(account).filter(([one]) => one !== name));
      expect(problems({ ...REAL, ...rest })).toEqual([
        expect.stringMatching(new RegExp(`^${name} is missing: it should be `)),
      ]);
    }
    expect(problems({ ...REAL, ZOOM_OWNERS: 'one@school.example' })).toHaveLength(5);
  });

  it.each([
    ['ZOOM_API_URL', 'http://api.zoom.us/v2'],
    ['ZOOM_API_URL', 'https://api.zoom.us/v1'],
    ['ZOOM_HOST', 'http://school.zoom.us'],
    ['ZOOM_HOST', 'school.zoom.us,,'],
    ['ZOOM_DEFAULT_OWNER', 'nobody'],
    ['ZOOM_OWNERS', 'one@school.example;two@school.example'],
    ['ZOOM_ICS_PATTERN', 'https://{host}/meeting/ics'],
    ['ZOOM_ICS_PATTERN', 'http://{host}/meeting/{number}/ics'],
    ['ZOOM_CLIENT_SECRET', 'short'],
    ['ZOOM_QUEUE_HOURS', '48'],
    ['ZOOM_QUEUE_HOURS', '0.0001'],
  ])('%s is not %s, which is not repeated', (name, value) => {
    const [problem, ...others] = problems({ ...REAL, ...account, [name]: value });
    expect(problem).toMatch(new RegExp(`^${name} should be `));
    expect([others, problem?.includes(value)]).toEqual([[], false]);
  });

  it('OP-62 the queue is processed once a day, or as often as configured', () => {
    expect(loadConfig(REAL).zoomQueueMs).toBe(86_400_000);
    expect(loadConfig({ ...REAL, ZOOM_QUEUE_HOURS: '0.1' }).zoomQueueMs).toBe(360_000);
  });
});

describe('BTA-49 the Qualtrics account and the survey', () => {
  const url = { QUALTRICS_URL: 'https://fra1.qualtrics.com/API/v3/', BTA_SURVEY_ID: 'SV_award' };

  it('come from the sandbox in practice mode, and are absent with a real LMS', () => {
    expect(loadConfig({ SANDBOX_PORT: '9000' }).qualtrics).toEqual({
      apiUrl: 'http://localhost:9000/qualtrics/API/v3',
      tokenUrl: 'http://localhost:9000/qualtrics/oauth2/token',
      survey: 'SV_bta2026practice',
      credentials: { token: 'sandbox-qualtrics-token' },
    });
    expect(loadConfig({ BTA_SURVEY_ID: 'SV_other' }).qualtrics?.survey).toBe('SV_other');
    expect(loadConfig(REAL).qualtrics).toBeNull();
  });

  it('accept both kinds of credentials', () => {
    const app = { QUALTRICS_CLIENT_ID: 'client', QUALTRICS_CLIENT_SECRET: 'its-secret' };
    expect(loadConfig({ ...REAL, ...url, QUALTRICS_TOKEN: 'the-token' }).qualtrics).toEqual({
      apiUrl: 'https://fra1.qualtrics.com/API/v3',
      tokenUrl: 'https://fra1.qualtrics.com/oauth2/token',
      survey: 'SV_award',
      credentials: { token: 'the-token' },
    });
    expect(loadConfig({ ...REAL, ...url, ...app }).qualtrics?.credentials).toEqual({
      clientId: 'client',
      clientSecret: 'its-secret',
    });
    expect(problems({ ...REAL, ...url, ...app, QUALTRICS_TOKEN: 'the-token' })).toEqual([
      expect.stringMatching(/^QUALTRICS_TOKEN should not be set/),
    ]);
  });

  it.each([
    [{ QUALTRICS_TOKEN: 'the-token' }, ['QUALTRICS_URL is missing', 'BTA_SURVEY_ID is missing']],
    [url, ['QUALTRICS_TOKEN is missing']],
    [{ ...url, QUALTRICS_CLIENT_ID: 'client' }, ['QUALTRICS_CLIENT_SECRET is missing']],
    [{ ...url, QUALTRICS_TOKEN: 'the-token', BTA_SURVEY_ID: 'award' }, ['BTA_SURVEY_ID should be']],
    [
      { ...url, QUALTRICS_TOKEN: 'the-token', QUALTRICS_URL: 'http://fra1.qualtrics.com' },
      ['QUALTRICS_URL should be'],
    ],
  ])('%j is incomplete, and the error says what is missing', (env, words) => {
    expect(problems({ ...REAL, ...env })).toEqual(words.map((start) => expect.stringContaining(start)));
  });
});
