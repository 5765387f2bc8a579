/**
 * Account reports, and rows that could not be restored by an undo, across restarts (reference §17.1, §18.1).
 */
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { form } from '../http/client.ts';
import { Client, type SisImport, warnings } from '../sis/client.ts';

const root = mkdtempSync(join(tmpdir(), 'sandbox-reports-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const KIND = '/accounts/1/reports/provisioning_csv';
type Report = { id: number; status: string; attachment?: { url: string; filename: string } };

const start = (client: Client, table: string) =>
  client.json<Report>(KIND, form({ [`parameters[${table}]`]: 'true' }));
const read = (client: Client, id: number) => client.json<Report>(`${KIND}/${id}`);
const becomes = (client: Client, id: number, status: string) =>
  expect.poll(async () => (await read(client, id)).status).toBe(status);

test('a complete report keeps its file, an unfinished one runs again, and a waiting one keeps waiting', async () => {
  const data = join(root, 'stopped');
  const client = await Client.start({ data, reportMs: 0 });
  const done = await start(client, 'terms');
  await becomes(client, done.id, 'complete');
  const before = await read(client, done.id);
  const text = await (await fetch(before.attachment?.url ?? '')).text();
  const gone = await start(client, 'accounts');
  await client.fetch(`${KIND}/${gone.id}`, { method: 'DELETE' });
  await client.sandbox.close();

  const slow = await Client.start({ data, reportMs: 3_600_000 });
  const again = await read(slow, done.id);
  expect(again).toMatchObject({ status: 'complete', attachment: { filename: before.attachment?.filename } });
  expect(await (await fetch(again.attachment?.url ?? '')).text()).toBe(text);
  expect((await slow.fetch(`${KIND}/${gone.id}`)).status).toBe(404);
  const running = await start(slow, 'terms');
  const waiting = await start(slow, 'accounts');
  await becomes(slow, running.id, 'running');
  await slow.sandbox.close();

  const third = await Client.start({ data, reportMs: 3_600_000 });
  await becomes(third, running.id, 'running');
  expect((await read(third, waiting.id)).status).toBe('created');
  const repeated = await third.fetch(KIND, form({ 'parameters[terms]': 'true' }));
  expect([repeated.status, ((await repeated.json()) as Report).id]).toEqual([409, running.id]);
  await third.sandbox.close();

  const last = await Client.start({ data, reportMs: 0 });
  for (const { id } of [running, waiting]) await becomes(last, id, 'complete');
  await last.sandbox.close();
});

/** Copies the folder as another process would find it if this one were killed now. */
function cutOf(data: string): string {
  const cut = `${data}-cut`;
  cpSync(data, cut, { recursive: true, filter: (path) => !path.endsWith('.lock') });
  rmSync(join(cut, 'default', 'owner.json'), { force: true });
  return cut;
}

test('everything reported about a report still holds after the process is killed', async () => {
  const data = join(root, 'killed');
  const client = await Client.start({ data, reportMs: 0 });
  const { id } = await start(client, 'users');
  while ((await read(client, id)).status !== 'complete');
  const cut = cutOf(data);
  await client.sandbox.close();
  const other = await Client.start({ data: cut, reportMs: 3_600_000 });
  const found = await read(other, id);
  expect(found.status).toBe('complete');
  expect((await fetch(found.attachment?.url ?? '')).status).toBe(200);
  await other.sandbox.close();
});

test('a run that is aborted or deleted before its end leaves no bytes behind', async () => {
  const data = join(root, 'aborted');
  const client = await Client.start({ data, reportMs: 3_600_000 });
  const bytes = () => readdirSync(join(data, 'default', 'files'));
  for (const [path, method] of [
    ['/abort', 'PUT'],
    ['', 'DELETE'],
  ] as const) {
    const { id } = await start(client, 'users');
    await expect.poll(bytes).toHaveLength(1);
    await client.fetch(`${KIND}/${id}${path}`, { method });
    await expect.poll(bytes).toEqual([]);
  }
  await client.sandbox.close();
});

test('an undo that was reported as complete is still complete after the process is killed', async () => {
  const data = join(root, 'undone');
  const client = await Client.start({ data });
  const { id } = await client.csv('user_id,login_id,status', 'K3,k3,active');
  const path = `/accounts/1/sis_imports/${id}`;
  const progress = await client.json<{ id: number }>(`${path}/restore_states`, { method: 'PUT' });
  const state = async () =>
    (await client.json<{ workflow_state: string }>(`/progress/${progress.id}`)).workflow_state;
  while ((await state()) !== 'completed');
  const cut = cutOf(data);
  await client.sandbox.close();
  const other = await Client.start({ data: cut });
  expect(await other.json(path)).toMatchObject({ workflow_state: 'restored' });
  await other.sandbox.close();
});

test('a row that an undo could not restore is not tried again after a restart', async () => {
  const data = join(root, 'undo');
  const client = await Client.start({ data });
  await client.csv('user_id,login_id,status', 'K1,k1,active');
  const { id } = await client.csv('user_id,login_id,status', 'K1,k1,deleted');
  const other = await client.csv('user_id,login_id,status', 'K2,k1,active');
  expect(warnings(await client.restore(id))).toHaveLength(1);
  await client.sandbox.close();
  const again = await Client.start({ data });
  // The name is free now, but the row is not tried again.
  await again.restore(other.id);
  expect(warnings(await again.restore(id))).toHaveLength(1);
  expect(again.world.pseudonyms.by.sis.get('K1')?.workflow_state).toBe('deleted');
  expect((await again.json<SisImport>(`${again.imports}/${id}`)).workflow_state).toBe('restored');
  await again.sandbox.close();
});
