/**
 * Each item of a job is done outside once, whichever process is killed at any moment: one server on the
 * embedded database, two servers on one PostgreSQL.
 */

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { jobStartPath } from '@lms-admin/contract/endpoints';
import { startSandbox } from '@lms-admin/sandbox/server';
import { expect, test } from 'vitest';
import { freePort } from '../../../../scripts/free-port.mjs';
import { Browser } from '../support/browser.ts';
import { chosenDatabase } from '../support/databases.ts';
import { PEOPLE } from '../support/harness.ts';
import { bundleServer, makePlace, Process } from './process.ts';

/** The embedded database takes several times as long to start, and there is no second server to take over. */
const ROUNDS = chosenDatabase() === 'postgres' ? 30 : 6;
const ITEMS = 40;

/** Starts an outside system that counts how often each thing was done. */
async function openLedger() {
  const times = new Map<string, number>();
  const server = createServer((request, response) => {
    const key = request.url ?? '';
    if (request.method === 'POST') {
      times.set(key, (times.get(key) ?? 0) + 1);
      // The item has been done; the answer comes a little later, or never.
      setTimeout(() => response.writeHead(200).end(), 5);
      return;
    }
    response.writeHead(times.has(key) ? 200 : 404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { times, url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

test(`${ROUNDS} kills: no item is lost, and none is done twice`, { timeout: 600_000 }, async () => {
  const sandbox = await startSandbox({ port: 0, mode: 'test' });
  const ledger = await openLedger();
  const [main, place] = await Promise.all([
    bundleServer('apps/server/test/kill/items-server.ts'),
    makePlace(),
  ]);
  const env = {
    ...place.env,
    LEDGER_URL: ledger.url,
    LMS_URL: sandbox.url.replace('127.0.0.1', 'localhost'),
    LMS_CLIENT_ID: '10',
    LMS_CLIENT_SECRET: 'sandbox-client-secret',
    LMS_SERVICE_TOKEN: 'sandbox-admin-token',
    LMS_ADMIN_ACCESS: 'config/access.json',
    LMS_ADMIN_KEY: '00'.repeat(32),
    JOB_LEASE_MS: '1000',
  };
  const ports = [await freePort(), await freePort()] as const;
  const home = `http://localhost:${ports[0]}`;
  const servers = (chosenDatabase() === 'postgres' ? ports : ports.slice(0, 1)).map(
    (port) => new Process(main, { ...env, PORT: String(port), LMS_ADMIN_URL: home }),
  );
  try {
    for (const one of servers) await one.start();
    const alma = new Browser(home);
    await alma.signIn(PEOPLE.all);
    const labels = Array.from({ length: ITEMS }, (_, index) => `item-${index}`);
    const ids: string[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const body = { key: randomUUID(), input: { items: labels } };
      const response = await alma.post(jobStartPath('test-work'), body);
      expect(response.status).toBe(200);
      ids.push((await response.json()).data.id);
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 300));
      // With two servers, the other one continues. Every other time, the one that gets the requests is killed.
      const victim = servers[round % servers.length];
      await victim?.kill();
      await victim?.start();
    }
    for (const id of ids) {
      await expect
        .poll(async () => (await (await alma.fetch(`/api/jobs/${id}`)).json()).data?.outcome ?? null, {
          timeout: 120_000,
        })
        .toBe('done');
    }
    const wanted = ids.flatMap((id) => labels.map((label) => `/${id}/${label}`));
    expect([...ledger.times.keys()].sort()).toEqual(wanted.sort());
    expect([...ledger.times].filter(([, times]) => times > 1)).toEqual([]);
  } finally {
    for (const one of servers) await one.kill();
    ledger.close();
    await sandbox.close();
    await place.remove();
  }
});
