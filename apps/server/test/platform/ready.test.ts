/** What keeps a server from being ready is said, with what helps (OP-45). */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../support/harness.ts';

let ts: TestServer;
beforeAll(async () => {
  ts = await startTestServer();
});
afterAll(() => ts.close());

async function ready(): Promise<[number, string[]]> {
  const response = await ts.browser().fetch(ENDPOINTS.ready);
  return [response.status, ((await response.json()) as { problems: string[] }).problems];
}

test('a server whose database can only be read is not ready, until it can be written to', async () => {
  const { db } = ts.server.services;
  expect(await ready()).toEqual([200, []]);
  await db.exec('SET default_transaction_read_only = on');
  expect(await ready()).toEqual([503, [expect.stringContaining('can only be read')]]);
  await db.exec('SET default_transaction_read_only = off');
  expect(await ready()).toEqual([200, []]);
});

test('a server whose database a newer version has begun to use is not ready any more', async () => {
  const { db } = ts.server.services;
  const newer = Date.parse('2999-01-01');
  await db.exec(
    `INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('of a newer version', ${newer})`,
  );
  expect(await ready()).toEqual([503, [expect.stringContaining('newer version')]]);
  await db.exec(`DELETE FROM drizzle.__drizzle_migrations WHERE created_at = ${newer}`);
  expect(await ready()).toEqual([200, []]);
});
