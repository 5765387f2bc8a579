import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { expect, test } from 'vitest';
import { startTestServer } from '../support/harness.ts';

test('a server whose database can only be read is not ready, until it can be written to', async () => {
  const ts = await startTestServer();
  try {
    const ready = async () => (await ts.browser().fetch(ENDPOINTS.ready)).status;
    const { db } = ts.server.services;
    expect(await ready()).toBe(200);
    await db.exec('SET default_transaction_read_only = on');
    expect(await ready()).toBe(503);
    await db.exec('SET default_transaction_read_only = off');
    expect(await ready()).toBe(200);
  } finally {
    await ts.close();
  }
});
