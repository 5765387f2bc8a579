/** A world and its saved state: all rows of a sandbox, and imports interrupted at any point. */
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { SEED, seedWorld } from '../../../src/canvas/seed/seed.ts';
import { World } from '../../../src/canvas/store/world.ts';
import { startSandbox } from '../../../src/server.ts';
import type { SisImport } from '../sis/client.ts';
import { Client } from '../sis/client.ts';

const root = mkdtempSync(join(tmpdir(), 'sandbox-world-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Returns rows as text, with sorted keys; optionally without timestamps, which differ between runs. */
function dump(world: World, moments: boolean): Record<string, string[]> {
  const isMoment = /(?:_at|^uuid|^key|last_request)$/;
  return Object.fromEntries(
    Object.entries(world.tables()).map(([name, table]) => [
      name,
      [...table.values()].map((row) =>
        JSON.stringify(
          Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1))),
          (key, value: unknown) => {
            if (!moments && isMoment.test(key)) return undefined;
            return value instanceof Set ? [...value] : value;
          },
        ),
      ),
    ]),
  );
}

test('the seed matches its version: raise SEED when the seed changes, and write its checksum here', () => {
  const world = new World();
  seedWorld(world, 'default');
  // A table that is empty at first does not affect saved state.
  const seeded = Object.entries(dump(world, true)).filter(([, rows]) => rows.length > 0);
  const sum = createHash('sha256')
    .update(JSON.stringify(Object.fromEntries(seeded)))
    .digest('hex')
    .slice(0, 16);
  expect({ SEED, sum }).toEqual({ SEED: 2, sum: 'b76eb3f1cccd3301' });
});

test('all rows of a table have the same columns, which are saved only once', async () => {
  const client = await Client.start();
  await client.csv('user_id,login_id,full_name,status', 'U1,u1@northbridge.example,One,active');
  await client.csv('course_id,user_id,role_id,status', 'nothing,U1,3,active');
  for (const [name, table] of Object.entries(client.world.tables())) {
    const shapes = new Set([...table.values()].map((row) => Object.keys(row).sort().join(' ')));
    expect(shapes.size, name).toBeLessThanOrEqual(1);
  }
  await client.sandbox.close();
});

/** Creates a zip in which each file is sensitive to being applied twice. */
async function files(client: Client): Promise<string[]> {
  const read = (path: string) => client.json<{ sis_course_id: string; id: number }[]>(path);
  const [course] = (await read('/accounts/1/courses?per_page=20')).filter(({ sis_course_id: id }) => id);
  const people = Array.from({ length: 240 }, (_, at) => `N${at}`);
  return [
    [
      'user_id,login_id,full_name,status',
      ...people.map((id) => `${id},${id}@n.example,Name ${id},active`),
      ',x,,active',
    ],
    ['old_id,new_id,type', ...people.slice(0, 120).map((id) => `${id},M${id},user`), 'gone,gone2,user'],
    [
      'course_id,user_id,role_id,status',
      ...people
        .slice(120)
        .flatMap((id) => [
          `${course?.sis_course_id},${id},3,active`,
          `${course?.sis_course_id},${id},3,deleted`,
        ]),
      ...people.slice(0, 60).map((id) => `${course?.sis_course_id},M${id},4,active`),
      `${course?.sis_course_id},nobody,3,active`,
    ],
  ].map((lines) => lines.join('\n'));
}

test('an import interrupted anywhere ends with the same result', async () => {
  const data = join(root, 'data');
  const start = (folder: string, importPace: number | 'instant') =>
    Client.start({ data: folder, importPace, campusUuid: 'c'.repeat(40) });
  const client = await start(data, 1500);
  const csvs = await files(client);
  const ids: number[] = [];
  for (const csv of csvs) ids.push(((await (await client.post(csv)).json()) as SisImport).id);
  const cuts: string[] = [];
  const state = async () =>
    (await client.json<SisImport>(`/accounts/1/sis_imports/${ids.at(-1)}`)).workflow_state;
  while (!(await state()).startsWith('imported')) {
    const cut = join(root, `cut-${cuts.length}`);
    // The folder as another process would find it if this one were killed now.
    cpSync(data, cut, { recursive: true, filter: (path) => !path.endsWith('.lock') });
    rmSync(join(cut, 'default', 'owner.json'), { force: true });
    cuts.push(cut);
    await new Promise((resolve) => setTimeout(resolve, 350));
  }
  const results = async (from: Client) => {
    const ended = [];
    for (const id of ids) {
      const batch: Record<string, unknown> = await from.finished(id);
      for (const ownToARun of ['created_at', 'started_at', 'ended_at', 'updated_at', 'user'])
        delete batch[ownToARun];
      for (const linked of ['csv_attachments', 'errors_attachment'])
        batch[linked] = JSON.stringify(batch[linked] ?? []).match(/"filename":"[^"]*"/g);
      ended.push({ ...batch, errors: await from.json(`/accounts/1/sis_imports/${id}/errors`) });
    }
    return { ended, tables: dump(from.world, false) };
  };
  const expected = await results(client);
  await client.sandbox.close();
  expect(cuts.length).toBeGreaterThan(5);
  for (const cut of cuts) {
    const other = await start(cut, 'instant');
    const found = await results(other);
    await other.sandbox.close();
    expect(found.ended, cut).toEqual(expected.ended);
    for (const name of Object.keys(expected.tables).filter((table) => table !== 'files'))
      expect(found.tables[name], `${cut} ${name}`).toEqual(expected.tables[name]);
  }
});

test('an interrupted restore fails, and so does its progress', async () => {
  const data = join(root, 'restore');
  const client = await Client.start({ data, importPace: 'instant' });
  const people = Array.from({ length: 500 }, (_, at) => `R${at},r${at}@n.example,Name ${at},active`);
  const { id } = await client.csv('user_id,login_id,full_name,status', ...people);
  await client.sandbox.close();
  const slow = await Client.start({ data, importPace: 100 });
  const progress = await slow.json<{ id: number }>(`/accounts/1/sis_imports/${id}/restore_states`, {
    method: 'PUT',
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  await slow.sandbox.close();
  const sandbox = await startSandbox({ port: 0, data, throttle: false });
  const batch = sandbox.world.sisBatches.must(id);
  expect(batch.workflow_state).toBe('restore_failed');
  expect(sandbox.world.progresses.must(progress.id).workflow_state).toBe('failed');
  await sandbox.close();
});
