/**
 * Where access is stored: the file is read once without changing anyone's access, and every server picks up a
 * change.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { COOKIES } from '@lms-admin/contract/session';
import { FLAGS } from '@lms-admin/domain/access';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseAccessFile, readAccessFile } from '../../src/access/file.ts';
import { openAccess } from '../../src/access/first-import.ts';
import { fileRecords } from '../../src/access/records.ts';
import { OPERATIONS } from '../../src/operation/operations.ts';
import { accessHistory, accessRecords, accessState } from '../../src/platform/schema.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

let test: TestServer;
let ahead = 0;
const now = () => Date.now() + ahead;

beforeAll(async () => {
  test = await startTestServer({ server: { now } });
});
afterAll(() => test.close());

const parts = () => ({ ...test.server.services, config: test.config, services: null });
const grant = (person: string) => OPERATIONS.accessGrant(parts(), { login: 'root (command)', person });
async function imported(records: unknown, sure = true) {
  const args = { login: 'root (command)', records, file: 'x.json', sure };
  return (await OPERATIONS.accessImport(parts(), args)) as { changed: number; gained: unknown[] };
}
const ADDED = {
  login: 'anna@northbridge.example',
  record: { perm: 'CUSTOM', email: 'anna@northbridge.example', user_search: true },
};
const listed = () => OPERATIONS.accessList(parts());
const mayUse = async (browser: Browser) => (await browser.fetch('/api/jobs')).status;

describe('the first start', () => {
  it.each(['config/access.json', 'config/access.example.json'])(
    'moving access into the database does not change it for anyone in %s',
    async (path) => {
      const own = await startTestServer({ access: JSON.parse(await readFile(path, 'utf8')) });
      const file = fileRecords(await readAccessFile(path), Date.now);
      const { access } = own.server.services;
      expect(access.source).toBe('database');
      expect([...access.entries.keys()].sort()).toEqual([...file.entries.keys()].sort());
      for (const login of [...file.entries.keys(), PEOPLE.unknown, 'constructor']) {
        expect([login, access.find(login)]).toEqual([login, file.find(login)]);
        expect(JSON.stringify(access.find(login))).toBe(JSON.stringify(file.find(login)));
      }
      const lines = await own.server.services.db.db.select().from(accessHistory);
      expect(lines).toHaveLength(file.size);
      await own.close();
    },
  );

  it('a file from before permission to change access existed gives the same permissions, and grant adds the new one', async () => {
    const { admins } = JSON.parse(await readFile('config/access.json', 'utf8'));
    const former = admins.map(
      ({ access_admin: _1, system: _2, ...record }: Record<string, unknown>) => record,
    );
    const own = await startTestServer({ access: { admins: former } });
    const { access } = own.server.services;
    for (const { login, ...fields } of former)
      expect([login, access.find(login)]).toMatchObject([login, { ...fields, access_admin: false }]);
    const alma = await own.signIn(PEOPLE.all);
    const pages = async () => (await alma.fetch(ENDPOINTS.accessPeople)).status;
    expect(await pages()).toBe(403);
    const ownParts = { ...own.server.services, config: own.config, services: null };
    await OPERATIONS.accessGrant(ownParts, { login: 'root (command)', person: PEOPLE.all });
    await vi.waitFor(async () => expect(await pages()).toBe(200), { timeout: 60_000 });
    await own.close();
  });

  it('reads the file once: afterwards even a broken file is ignored', async () => {
    const { db, audit, log } = test.server.services;
    const config = { accessFile: '/no/such/file', accessSource: 'database' as const };
    const again = await openAccess({ config, db: db.db, audit, log, now });
    expect(again.size).toBe(test.server.services.access.size);
    await expect(
      openAccess({ config: { ...config, accessSource: 'file' }, db: db.db, audit, log, now }),
    ).rejects.toThrow('/no/such/file cannot be read');
  });

  it('ACCESS_SOURCE=file reads it at each start, and commands cannot change it', async () => {
    const own = await startTestServer({ env: { ACCESS_SOURCE: 'file' } });
    expect(own.server.services.access.source).toBe('file');
    const { db } = own.server.services.db;
    expect(await db.select().from(accessRecords)).toEqual([]);
    expect(await db.select().from(accessState)).toEqual([]);
    await expect(
      OPERATIONS.accessGrant(
        { ...own.server.services, config: own.config, services: null },
        { login: 'x', person: PEOPLE.custom },
      ),
    ).rejects.toThrow('ACCESS_SOURCE is file');
    const alma = await own.signIn(PEOPLE.all);
    expect(alma.profile().sub_account.perm).toBe('ALL');
    // The page can show and test access, but not change it.
    const { data } = await (await alma.fetch(ENDPOINTS.accessPeople)).json();
    expect(data).toMatchObject({ source: 'file', you: PEOPLE.all });
    const question = `${ENDPOINTS.accessQuestion}?person=${PEOPLE.custom}&action=student-export`;
    expect((await (await alma.fetch(question)).json()).data.may).toBe(true);
    const body = { changes: [{ ...ADDED, version: null }], why: '' };
    for (const path of [ENDPOINTS.accessReview, ENDPOINTS.accessSave]) {
      const response = await alma.post(path, body);
      expect(response.status).toBe(409);
      expect((await response.json()).error.message).toContain('Access is kept in a file.');
    }
    expect(own.server.services.access.find(ADDED.login)).toBeNull();
    await own.close();
  });
});

describe('a change', () => {
  it('reaches sessions and console tabs within 5 seconds, whatever made the change', async () => {
    const browser = await test.signIn(PEOPLE.helpDesk);
    const { records } = await listed();
    const without = records.map((one: { login: string; record: object }) =>
      one.login === PEOPLE.helpDesk
        ? { ...one, record: { ...one.record, user_search: false, sis_import: true } }
        : one,
    );
    expect((await imported(without)).changed).toBe(1);
    await vi.waitFor(
      async () => {
        await browser.fetch('/api/jobs');
        expect(browser.profile().sub_account).toMatchObject({ user_search: false, sis_import: true });
      },
      { timeout: 60_000 },
    );
    expect((await browser.invoke('accounts/1/users?search_term=alma&per_page=100')).status).toBe(403);
    const { records: changed } = await listed();
    await imported(changed.filter((one: { login: string }) => one.login !== PEOPLE.helpDesk));
    // People missing from the file are disabled, and their sessions end.
    await vi.waitFor(async () => expect(await mayUse(browser)).toBe(401), { timeout: 60_000 });
  });

  it('an expired record gives no access from that moment on', async () => {
    const browser = await test.signIn(PEOPLE.records);
    const { records } = await listed();
    const expires_at = new Date(now() + 60_000).toISOString();
    await imported(
      records.map((one: { login: string }) => (one.login === PEOPLE.records ? { ...one, expires_at } : one)),
    );
    await vi.waitFor(
      async () => {
        expect(await mayUse(browser)).toBe(200);
        expect(browser.profile().access_until).toBe(expires_at);
      },
      { timeout: 60_000 },
    );
    ahead = Date.parse(expires_at) - Date.now();
    expect(await mayUse(browser)).toBe(401);
    expect(browser.cookies.has(COOKIES.session)).toBe(true);
    ahead = 0;
    expect(await mayUse(browser)).toBe(200);
  });

  it('the way back in: grant makes anyone an access administrator and is recorded in the history', async () => {
    expect(await grant(PEOPLE.unknown)).toMatchObject({ changed: 1, wasLimited: false });
    await test.server.services.access.reread();
    const record = test.server.services.access.find(PEOPLE.unknown);
    expect(FLAGS.filter((flag) => record?.[flag])).toEqual(['access_admin']);
    const lines = await test.server.services.db.db.select().from(accessHistory);
    expect(lines.at(-1)).toMatchObject({ kind: 'grant', by: 'root (command)', key: PEOPLE.unknown });
    expect(await grant(PEOPLE.custom)).toMatchObject({ changed: 1, wasLimited: true });
  });

  it('importing a file without an access administrator is rejected, and changes nothing', async () => {
    const { records } = await listed();
    const none = records.map((one: { record: object }) => ({
      ...one,
      record: { ...one.record, access_admin: false },
    }));
    await expect(imported(none)).rejects.toThrow('leave no one who can change access');
    await expect(imported([])).rejects.toThrow('leave no one who can change access');
    expect((await listed()).records).toEqual(records);
  });

  it('the history can only grow', async () => {
    const { db } = test.server.services.db;
    const before = await db.select().from(accessHistory);
    for (const statement of [sql`DELETE FROM access_history`, sql`UPDATE access_history SET why = ''`])
      await expect(db.execute(statement)).rejects.toThrow();
    expect(await db.select().from(accessHistory)).toEqual(before);
  });

  it('an exported file is still the same after it is imported', async () => {
    const { records } = await listed();
    const { asAccessFile } = await import('../../src/access/file.ts');
    expect(parseAccessFile(asAccessFile(records), 'x')).toEqual(records);
    const path = join(test.config.dataFolder, 'exported.json');
    await writeFile(path, asAccessFile(records));
    expect((await imported(await readAccessFile(path))).changed).toBe(0);
  });
});
