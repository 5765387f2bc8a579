/** Items of a job: several at the same time, some later, none twice. */
import { randomUUID } from 'node:crypto';
import { ENDPOINTS, jobStartPath } from '@lms-admin/contract/endpoints';
import { type JobDetail, jobDetail, jobItem, job as jobSchema } from '@lms-admin/contract/jobs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { memoryLedger, type TestKind, testKind } from './work.ts';

const ledger = memoryLedger();
let kind: TestKind;
let ts: TestServer;
let alma: Browser;

beforeAll(async () => {
  kind = testKind(ledger);
  ts = await startTestServer({ env: { JOB_LEASE_MS: '200' }, server: { jobKinds: [kind] } });
  alma = await ts.signIn(PEOPLE.all);
});
afterAll(() => ts?.close());

async function dataOf<S extends z.ZodType>(response: Response, schema: S): Promise<z.output<S>> {
  const body = await response.json();
  if (response.status !== 200) throw new Error(JSON.stringify(body));
  return schema.parse(body.data);
}

const read = async (id: string) => dataOf(await alma.fetch(ENDPOINTS.job.replace(':job', id)), jobDetail);
const items = async (id: string) =>
  dataOf(await alma.fetch(ENDPOINTS.jobItems.replace(':job', id)), z.array(jobItem));

/** Starts a job, and waits for it to end. */
async function run(input: unknown, meanwhile?: (job: JobDetail) => Promise<void>): Promise<JobDetail> {
  kind.turns = 0;
  const body = { key: randomUUID(), input };
  const { id } = await dataOf(await alma.post(jobStartPath('test-work'), body), jobSchema);
  await expect
    .poll(
      async () => {
        const job = await read(id);
        await meanwhile?.(job);
        return job.ended_at;
      },
      { timeout: 60_000 },
    )
    .not.toBeNull();
  return read(id);
}

const doneBy = ({ id }: JobDetail) =>
  ledger.done.filter((one) => one.startsWith(id)).map((one) => one.slice(id.length + 1));

describe('the items of a job', () => {
  test('are processed at the same time if the kind allows it, each once', async () => {
    const labels = [
      'together 1',
      'together 2',
      'together 3',
      ...Array.from({ length: 40 }, (_, at) => `n${at}`),
    ];
    const job = await run({ items: labels, atOnce: 3 });
    expect(job).toMatchObject({
      outcome: 'done',
      progress: { done: 43, total: 43 },
      items: { done: 43, todo: 0 },
    });
    expect(doneBy(job).toSorted()).toEqual(labels.toSorted());
  });

  test('that have to wait stay open, say why, and do not hold up the rest', async () => {
    const seen = new Set<string>();
    const job = await run({ items: ['a', 'late', 'b', 'c'], atOnce: 2 }, async ({ id, state, waiting }) => {
      if (state !== 'waiting') return;
      seen.add(waiting?.why ?? '');
      const late = (await items(id)).find(({ label }) => label === 'late');
      // The next turn may have started between the two answers.
      if (late?.state === 'todo') seen.add(late.message ?? '');
    });
    expect(seen).toContain('It is not tomorrow.');
    expect(seen).toContain('not before tomorrow');
    expect(kind.turns).toBe(2);
    expect(job).toMatchObject({
      outcome: 'done',
      progress: { done: 4, total: 4 },
      items: { done: 4, todo: 0 },
    });
    expect(doneBy(job).toSorted()).toEqual(['a', 'b', 'c', 'late']);
    expect((await items(job.id)).find(({ label }) => label === 'late')).toMatchObject({ message: null });
  });

  test('that are in progress are completed and recorded if one of them fails', async () => {
    const job = await run({ items: ['x', 'broken', 'y', 'z'], atOnce: 4 });
    expect(job).toMatchObject({ outcome: 'failed', problem: { message: 'It broke.' } });
    const states = new Map((await items(job.id)).map(({ label, state }) => [label, state]));
    expect(states.get('broken')).toBe('unknown');
    for (const label of doneBy(job)) expect(states.get(label)).toBe('done');
  });
});
