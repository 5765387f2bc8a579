import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Client, type SisImport } from './client.ts';

/** Rows per second. */
const PACE = 100;
const lines = (n: number) =>
  `user_id,login_id,status\n${Array.from({ length: n }, (_, i) => `P${i},p${i},active`).join('\n')}\n`;

let client: Client;
beforeAll(async () => {
  client = await Client.start({ importPace: PACE });
});
afterAll(() => client.sandbox.close());
beforeEach(() => client.sandbox.reset());

const started = async (rows: number): Promise<number> =>
  ((await (await client.post(lines(rows))).json()) as SisImport).id;
const pause = (ms: number) =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
const read = (id: number) => client.json<SisImport>(`${client.imports}/${id}`);
async function until(id: number, state: string): Promise<SisImport> {
  for (;;) {
    const seen = await read(id);
    if (seen.workflow_state === state) return seen;
    await pause(20);
  }
}
const fault = (kind: string) =>
  fetch(`${client.sandbox.url}/sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind, count: 1 }),
  });

describe('§7.3 a paced import', () => {
  test('§7.3 polling shows created, then importing with growing progress, then the end', async () => {
    const id = await started(120);
    const states = new Set<string>();
    const progress: number[] = [];
    for (;;) {
      const seen = await read(id);
      states.add(seen.workflow_state);
      progress.push(seen.progress);
      if (seen.workflow_state === 'importing') expect(seen).not.toHaveProperty('processing_warnings');
      if (seen.ended_at !== null) break;
      await pause(50);
    }
    expect([...states]).toEqual(['created', 'importing', 'imported']);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
    expect(new Set(progress).size).toBeGreaterThan(4);
    expect(progress.at(-1)).toBe(100);
  });

  test('§7 importing lists the running import; a running import can be aborted, and pending ones all together', async () => {
    const first = await started(1000);
    const second = await started(10);
    const third = await started(10);
    await until(first, 'importing');
    const running = await client.json<{ sis_imports: SisImport[] }>(`${client.imports}/importing`);
    expect(running.sis_imports.map((each) => each.id)).toEqual([first]);
    expect((await read(second)).workflow_state).toBe('created');
    expect(await client.json(`${client.imports}/abort_all_pending`, { method: 'PUT' })).toEqual({
      aborted: true,
    });
    expect((await read(second)).workflow_state).toBe('aborted');
    expect((await read(third)).workflow_state).toBe('aborted');
    expect((await read(first)).workflow_state).toBe('importing');
    const aborted = await client.json<SisImport>(`${client.imports}/${first}/abort`, { method: 'PUT' });
    expect(aborted.workflow_state).toBe('aborted');
    await pause(150);
    expect((await read(first)).workflow_state).toBe('aborted');
  });
});

describe('§7.2 faults on demand', () => {
  test('§7.3 an import that hangs stays in importing until it is aborted', async () => {
    await fault('import-hang');
    const id = await started(5);
    await until(id, 'importing');
    await pause(300);
    expect((await read(id)).workflow_state).toBe('importing');
    await client.json(`${client.imports}/${id}/abort`, { method: 'PUT' });
  });

  test('§7.2 a crash leaves error_message and stack_trace, half of the rows, and no messages', async () => {
    await fault('import-crash');
    const id = await started(40);
    const seen = await client.finished(id);
    expect(seen.workflow_state).toBe('failed');
    expect(seen.data.error_message).toBeTypeOf('string');
    expect(seen.data.stack_trace).toBeTypeOf('string');
    expect(seen).not.toHaveProperty('processing_errors');
    expect((await client.fetch('/users/sis_user_id:P3/profile')).status).toBe(200);
    expect((await client.fetch('/users/sis_user_id:P39/profile')).status).toBe(404);
  });

  test('§7.3 a failing import ends as failed', async () => {
    await fault('import-fail');
    expect((await client.finished(await started(5))).workflow_state).toBe('failed');
  });

  test('§7.4 a reset during an import leaves an empty queue', async () => {
    const id = await started(1000);
    await until(id, 'importing');
    client.sandbox.reset();
    const next = await client.finished(await started(5));
    expect(next.workflow_state).toBe('imported');
  });

  test('§18.1 an undo of a running import is accepted, and starts once the import has ended', async () => {
    const id = await started(250);
    const undo = () => client.fetch(`${client.imports}/${id}/restore_states`, { method: 'PUT' });
    // People are written in batches of a hundred; before the first batch there is nothing to undo.
    let answer = await undo();
    expect([answer.status, await answer.json()]).toEqual([400, { message: 'restore data unavailable' }]);
    while (answer.status === 400) {
      await pause(20);
      answer = await undo();
    }
    expect((await read(id)).ended_at).toBeNull();
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ tag: 'sis_batch_state_restore', context_id: id });
    const after = await until(id, 'restored');
    expect(after.data.counts['users']).toBe(250);
    expect(after.data.statistics['Pseudonym']).toMatchObject({ restored: 250 });
  }, 20_000);
});
