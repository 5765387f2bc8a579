/**
 * What a database keeps across restarts with other settings: the LMS to which it belongs, and its sealed
 * data.
 */

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type Sandbox, startSandbox } from '@lms-admin/sandbox/server';
import type { Logger } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../../scripts/free-port.mjs';
import { buildServer, type Server } from '../../src/app.ts';
import { ConfigError, loadConfig } from '../../src/platform/config.ts';
import { claimDatabase, lmsInWords } from '../../src/platform/installation.ts';
import { createLog } from '../../src/platform/log.ts';
import { openDatabase } from '../../src/platform/open-database.ts';
import { corrected, drafted, draftOf, finished, rowsOfDraft } from '../sis-files/support.ts';
import { Browser } from '../support/browser.ts';
import { chosenDatabase, freshDatabase } from '../support/databases.ts';
import { PEOPLE } from '../support/harness.ts';
import { templateDatabase } from '../support/template-database.ts';

let lms: Sandbox;
let folder: string;
let own: { url: string; drop: () => Promise<void> } | null;
let port: number;
let server: Server | null = null;

beforeAll(async () => {
  lms = await startSandbox({ port: 0, mode: 'test' });
  folder = await mkdtemp(join(tmpdir(), 'lms-admin-'));
  own = chosenDatabase() === 'postgres' ? await freshDatabase() : null;
  port = await freePort();
});
afterAll(async () => {
  await lms.close();
  await own?.drop();
  await rm(folder, { recursive: true, force: true });
});
afterEach(async () => {
  await server?.close();
  server = null;
});

const production = (env: Record<string, string> = {}) => ({
  PORT: String(port),
  LMS_URL: lms.url.replace('127.0.0.1', 'localhost'),
  LMS_CLIENT_ID: '10',
  LMS_CLIENT_SECRET: 'sandbox-client-secret',
  LMS_ADMIN_ACCESS: 'config/access.json',
  LMS_ADMIN_KEY: KEYS.first,
  LMS_ADMIN_DATA: folder,
  LOG_LEVEL: 'silent',
  DATABASE_URL: own?.url ?? 'embedded',
  // Other settings that an LMS on another machine needs.
  ...(env.LMS_URL?.startsWith('https:') ? { LMS_ADMIN_URL: 'https://admin.school.example' } : {}),
  ...env,
});

const KEYS = { first: key(), second: key() };
function key(): string {
  return randomBytes(32).toString('hex');
}

async function start(env: Record<string, string>, log?: Logger): Promise<Server> {
  await server?.close();
  server = null;
  server = await buildServer(loadConfig(env), { console: null, ...(log ? { log } : {}) });
  await server.listen();
  return server;
}

describe('another key', () => {
  it('OP-04 everything continues with both keys, and afterwards with only the new one', async () => {
    const { url } = await start(production());
    const alma = new Browser(url);
    await alma.signIn(PEOPLE.all);
    const begun = new Browser(url);
    const { code, state } = await begun.authorize(PEOPLE.custom);
    const works = async () => (await alma.invoke('accounts/1/terms')).status;
    expect(await works()).toBe(200);

    await start(production({ LMS_ADMIN_KEY: KEYS.second, LMS_ADMIN_KEY_OLD: KEYS.first }));
    expect(await works()).toBe(200);
    expect((await begun.exchange(code, state)).status).toBe(200);

    await start(production({ LMS_ADMIN_KEY: KEYS.second }));
    expect(await works()).toBe(200);
    expect((await begun.invoke('accounts/1/terms')).status).toBe(200);

    // The LMS token is now sealed with the second key.
    const lines: string[] = [];
    const log = createLog('warn', { write: (line: string) => void lines.push(line) });
    await start(production({ LMS_ADMIN_KEY: KEYS.first }), log);
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ grants: 2, msg: expect.stringContaining('LMS_ADMIN_KEY_OLD') }),
    );
    expect(await works()).toBe(401);
    expect((await alma.fetch(ENDPOINTS.jobs)).status).toBe(200);
  });

  it('SIS-05 a file that is being corrected is unchanged after a restart', async () => {
    const { url } = await start(production());
    const alma = new Browser(url);
    await alma.signIn(PEOPLE.all);
    const draft = await drafted(
      alma,
      'user_id,login_id,status\n1,a@x.example,actif\n2,b b@x.example,active\n',
    );
    const before = await corrected(alma, draft, { does: 'replace', column: 2, from: 'actif', to: 'active' });
    await start(production());
    expect(await draftOf(alma, draft.id)).toEqual(before);
    expect((await rowsOfDraft(alma, draft.id)).rows).toMatchObject([
      { row: 3, cells: ['2', 'b b@x.example', 'active'] },
    ]);
    const after = await corrected(alma, before, { does: 'join', column: 1 });
    expect((await finished(alma, after)).file?.rows).toBe(2);
  });

  it('OP-25 the same database is rejected without LMS_URL', async () => {
    const env = { PORT: String(port), LMS_ADMIN_DATA: folder, LOG_LEVEL: 'silent' };
    await expect(start({ ...env, ...(own ? { DATABASE_URL: own.url } : {}) })).rejects.toThrow(
      /LMS_URL is missing: this database belongs to the LMS on http:..localhost:\d+/,
    );
  });
});

describe('another LMS', () => {
  it('OP-25 the server does not start, and explains why and what to do', async () => {
    const database = await openDatabase({
      databaseUrl: null,
      dataDir: null,
      begin: await templateDatabase(),
    });
    try {
      const claim = (env: Record<string, string>) => claimDatabase(database.db, loadConfig(production(env)));
      const [one, moved] = [{ LMS_URL: 'https://one.example' }, { LMS_URL: 'https://moved.example' }];
      await claim(one);
      await claim(one);
      await expect(claimDatabase(database.db, loadConfig({}))).rejects.toThrow(/LMS_URL is missing/);
      await expect(claim(moved)).rejects.toThrow(/LMS_FORMER_URL should be https:..one.example/);
      await expect(claim({ ...moved, LMS_FORMER_URL: 'https://another.example' })).rejects.toThrow(
        ConfigError,
      );
      await claim({ ...moved, LMS_FORMER_URL: one.LMS_URL });
      await expect(claim(one)).rejects.toThrow(/LMS_FORMER_URL should be https:..moved.example/);
    } finally {
      await database.close();
    }
  });

  it('OP-25 a practice mode database stays one, whatever port its sandbox has', async () => {
    const database = await openDatabase({
      databaseUrl: null,
      dataDir: null,
      begin: await templateDatabase(),
    });
    try {
      const claim = (env: Record<string, string>) => claimDatabase(database.db, loadConfig(env));
      await claim({});
      await claim({ SANDBOX_PORT: '9999' });
      await expect(claim(production())).rejects.toThrow(/belongs to practice mode/);
      await expect(claim(production({ LMS_FORMER_URL: 'http://localhost:9999' }))).rejects.toThrow(
        ConfigError,
      );
      await claim({});
    } finally {
      await database.close();
    }
  });

  it('OP-25 a database used before this was recorded is recognised by its jobs', async () => {
    const database = await openDatabase({
      databaseUrl: null,
      dataDir: null,
      begin: await templateDatabase(),
    });
    try {
      await database.exec(
        `INSERT INTO jobs (id, kind, tool, login, name, label, key, state, lms)
         VALUES (gen_random_uuid(), 'k', 't', 'l', 'n', 'l', 'k', 'done', 'https://lms.school.example some-uuid')`,
      );
      await expect(claimDatabase(database.db, loadConfig({}))).rejects.toThrow(/https:..lms.school.example/);
      await expect(claimDatabase(database.db, loadConfig(production()))).rejects.toThrow(/LMS_FORMER_URL/);
      await claimDatabase(database.db, loadConfig(production({ LMS_URL: 'https://lms.school.example' })));
    } finally {
      await database.close();
    }
  });

  it('the start names the LMS', () => {
    expect(lmsInWords(loadConfig({}))).toBe('the practice LMS on http://localhost:8090');
    expect(lmsInWords(loadConfig(production({ LMS_URL: 'https://lms.school.example' })))).toBe(
      'the LMS on https://lms.school.example',
    );
  });
});
