/** State of the practice Qualtrics across restarts, and its constant seed. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { practiceResponses } from '../../src/qualtrics/seed/responses.ts';
import { QUALTRICS_SEED } from '../../src/qualtrics/seed/seed.ts';
import { type Sandbox, startSandbox } from '../../src/server.ts';
import { entryOf, type Json, rowsIn, SURVEY, TOKEN } from './client.ts';

const data = mkdtempSync(join(tmpdir(), 'sandbox-qualtrics-'));
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await start();
});
afterAll(async () => {
  await sandbox.close();
  rmSync(data, { recursive: true, force: true });
});

const start = () => startSandbox({ port: 0, mode: 'test', data });
const again = async () => {
  await sandbox.close();
  sandbox = await start();
};

async function send(method: string, path: string, body?: object, headers: Record<string, string> = TOKEN) {
  const response = await fetch(`${sandbox.url}${path}`, {
    method,
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return { status: response.status, body: (await response.json()) as { result: Json; responseId?: string } };
}

const EXPORTS = `/qualtrics/API/v3/surveys/${SURVEY}/export-responses`;

async function idsIn(fileId: unknown): Promise<string[]> {
  const response = await fetch(`${sandbox.url}${EXPORTS}/${String(fileId)}/file`, { headers: TOKEN });
  const { text } = await entryOf(Buffer.from(await response.arrayBuffer()));
  return rowsIn(text).map((row) => row['ResponseId'] ?? '');
}

test('the seed matches its version: raise QUALTRICS_SEED when it changes, and write its checksum here', () => {
  const sum = createHash('sha256').update(JSON.stringify(practiceResponses())).digest('hex').slice(0, 16);
  expect({ QUALTRICS_SEED, sum }).toEqual({ QUALTRICS_SEED: 1, sum: '5e8b1bfb6add8b9b' });
});

test('responses, exports and tokens survive a restart; a reset deletes them', async () => {
  await send('PUT', '/sandbox/qualtrics', { exportMs: 0 });
  const add = () => send('POST', `/sandbox/qualtrics/surveys/${SURVEY}/responses`, {});
  const [kept, deleted] = [(await add()).body.responseId, (await add()).body.responseId];
  const { body: started } = await send('POST', EXPORTS, { format: 'csv' });
  await send('DELETE', `/sandbox/qualtrics/responses/${deleted}`);
  const { body: late } = await add();
  const token = await fetch(`${sandbox.url}/qualtrics/oauth2/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from('sandbox-qualtrics-client:sandbox-qualtrics-secret').toString('base64')}`,
    },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token } = (await token.json()) as { access_token: string };
  const bearer = { authorization: `Bearer ${access_token}` };

  await again();
  expect((await send('GET', '/qualtrics/API/v3/whoami', undefined, bearer)).status).toBe(200);
  const { body: done } = await send('GET', `${EXPORTS}/${String(started.result['progressId'])}`);
  const ids = await idsIn(done.result['fileId']);
  // The responses that existed when the export started.
  expect(ids).toHaveLength(424);
  expect(ids).toEqual(expect.arrayContaining([kept, deleted]));
  expect(ids).not.toContain(late.responseId);
  const next = await send('POST', EXPORTS, { format: 'csv' });
  expect(next.body.result['progressId']).not.toBe(started.result['progressId']);

  sandbox.reset();
  expect((await send('GET', '/qualtrics/API/v3/whoami', undefined, bearer)).status).toBe(401);
  await again();
  expect((await send('GET', `${EXPORTS}/${String(started.result['progressId'])}`)).status).toBe(404);
  await send('PUT', '/sandbox/qualtrics', { exportMs: 0 });
  const { body: fresh } = await send('POST', EXPORTS, { format: 'csv' });
  // The same sandbox assigns the same ids again.
  expect(fresh.result['progressId']).toBe(started.result['progressId']);
  const { body: ready } = await send('GET', `${EXPORTS}/${String(fresh.result['progressId'])}`);
  expect(await idsIn(ready.result['fileId'])).toHaveLength(422);
});
