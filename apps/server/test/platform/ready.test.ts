/** A server that is not ready names the reason and the remedy (OP-45). */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chosenDatabase, freshDatabase, onServer } from '../support/databases.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { mutingProxy } from '../support/muting-proxy.ts';

let ts: TestServer;
beforeAll(async () => {
  ts = await startTestServer();
});
afterAll(() => ts.close());

async function ready(): Promise<[number, string[]]> {
  const response = await ts.browser().fetch(ENDPOINTS.ready);
  return [response.status, ((await response.json()) as { problems: string[] }).problems];
}

/**
 * Makes every connection read-only. PGlite has one; connections to a PostgreSQL server are closed, so that
 * new ones start with the setting.
 */
async function onlyRead(only: 'on' | 'off'): Promise<void> {
  const { db } = ts.server.services;
  if (chosenDatabase() === 'pglite') {
    await db.exec(`SET default_transaction_read_only = ${only}`);
    return;
  }
  const { rows } = await db.exec('SELECT current_database() AS name');
  const { name } = rows[0] as { name: string };
  await onServer(
    `ALTER DATABASE ${name} SET default_transaction_read_only = ${only}`,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
  );
}

test('a server with a read-only database is not ready until it can write', async () => {
  expect(await ready()).toEqual([200, []]);
  await onlyRead('on');
  await expect.poll(ready).toEqual([503, [expect.stringContaining('is read-only')]]);
  await onlyRead('off');
  await expect.poll(ready).toEqual([200, []]);
});

test('a server whose database a newer version has started to use is not ready any more', async () => {
  const { db } = ts.server.services;
  const newer = Date.parse('2999-01-01');
  await db.exec(
    `INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('of a newer version', ${newer})`,
  );
  expect(await ready()).toEqual([503, [expect.stringContaining('newer version')]]);
  await db.exec(`DELETE FROM drizzle.__drizzle_migrations WHERE created_at = ${newer}`);
  expect(await ready()).toEqual([200, []]);
});

test('a request that a proxy passed on without the address of the browser is noted', async () => {
  const { site } = ts.server.services;
  const { origin } = site;
  site.origin = 'https://lms-admin.example.edu';
  const notes = async (headers: Record<string, string>) => {
    const answer = await ts.server.app.inject({ url: ENDPOINTS.ready, headers });
    return answer.json<{ notes: string[] }>().notes;
  };
  const host = 'lms-admin.example.edu';
  expect(await notes({ host })).toEqual([expect.stringContaining('X-Forwarded-For')]);
  expect(await notes({ host, 'x-forwarded-for': '203.0.113.7' })).toEqual([]);
  expect(await notes({ host: 'localhost:8080' })).toEqual([]);
  site.origin = origin;
});

if (chosenDatabase() === 'postgres')
  test('a lost database connection is reported, with an explanation, until it is back', async () => {
    const own = await freshDatabase({ migrated: true });
    const url = new URL(own.url);
    const proxy = await mutingProxy({ host: url.hostname, port: Number(url.port || 5432) });
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    const away = await startTestServer({ env: { DATABASE_URL: url.href } });
    try {
      const alma = await away.signIn(PEOPLE.all);
      expect((await alma.fetch(ENDPOINTS.jobs)).status).toBe(200);
      await proxy.close();
      const response = await alma.fetch(ENDPOINTS.jobs);
      expect([response.status, (await response.json()).error]).toMatchObject([
        503,
        { message: 'The database of LMS Admin does not answer.' },
      ]);
      const ready = await away.browser().fetch(ENDPOINTS.ready);
      expect([ready.status, (await ready.json()).problems]).toEqual([
        503,
        [expect.stringContaining('does not answer')],
      ]);
    } finally {
      await away.close().catch(() => {});
      await own.drop();
    }
  });
