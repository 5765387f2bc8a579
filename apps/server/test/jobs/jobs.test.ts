/** Long-running work is a job: recorded before it starts, done once, followed, cancelled, listed, deleted. */
import { randomUUID } from 'node:crypto';
import { ENDPOINTS, jobStartPath } from '@lms-admin/contract/endpoints';
import { type Job, jobDetail, jobItem, job as jobSchema, jobSummary } from '@lms-admin/contract/jobs';
import { toolById } from '@lms-admin/contract/tools';
import { and, eq, isNull } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { forgetOldJobs } from '../../src/jobs/forget.ts';
import { MOST_ATTEMPTS } from '../../src/jobs/turn.ts';
import { pack } from '../../src/platform/packed.ts';
import { audit, jobItems, jobs } from '../../src/platform/schema.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { memoryLedger, type TestKind, testKind } from './work.ts';

const ledger = memoryLedger();
let kind: TestKind;
let ts: TestServer;
let alma: Browser;
let bruno: Browser;

beforeAll(async () => {
  kind = testKind(ledger);
  ts = await startTestServer({ env: { JOB_LEASE_MS: '200' }, server: { jobKinds: [kind] } });
  alma = await ts.signIn(PEOPLE.all);
  bruno = await ts.signIn(PEOPLE.custom);
});
afterAll(() => ts?.close());

async function dataOf<S extends z.ZodType>(response: Response, schema: S): Promise<z.output<S>> {
  const body = await response.json();
  if (response.status !== 200) throw new Error(JSON.stringify(body));
  return schema.parse(body.data);
}

const start = async (browser: Browser, input: unknown, key: string = randomUUID()) =>
  dataOf(await browser.post(jobStartPath('test-work'), { key, input }), jobSchema);
const read = async (browser: Browser, id: string) =>
  dataOf(await browser.fetch(ENDPOINTS.job.replace(':job', id)), jobDetail);
const list = async (browser: Browser, query: Record<string, string> = {}) =>
  dataOf(await browser.fetch(`${ENDPOINTS.jobs}?${new URLSearchParams(query)}`), z.array(jobSchema));
const ended = (browser: Browser, id: string) =>
  expect.poll(async () => (await read(browser, id)).ended_at).not.toBeNull();
const cancel = (browser: Browser, id: string) => browser.post(ENDPOINTS.jobCancel.replace(':job', id), {});
const db = () => ts.server.services.db.db;

describe('a job', () => {
  test('is done once, however often it is started: twice, in two tabs, after a reload', async () => {
    const key = randomUUID();
    const started = await Promise.all([1, 2, 3].map(() => start(alma, { items: ['a', 'b'] }, key)));
    const [first] = started;
    expect(new Set(started.map(({ id }) => id)).size).toBe(1);
    await ended(alma, first?.id ?? '');
    expect((await start(alma, { items: ['a', 'b'] }, key)).id).toBe(first?.id);
    expect(ledger.done.filter((one) => one.startsWith(first?.id ?? ''))).toHaveLength(2);
    // Another request with the same key is rejected.
    const odd = await alma.post(jobStartPath('test-work'), { key, input: { items: ['a', 'c'] } });
    expect(odd.status).toBe(409);
    // The same key from another person is a different job.
    const other = await start(bruno, { items: [] }, key);
    expect(other.id).not.toBe(first?.id);
    const detail = await read(alma, first?.id ?? '');
    expect(detail).toMatchObject({
      state: 'done',
      outcome: 'done',
      own: true,
      admin: { login: PEOPLE.all },
      figures: [['things', 2]],
      result: { counts: { done: 2, todo: 0 } },
      items: { done: 2, todo: 0, doing: 0, failed: 0, unknown: 0 },
      cancel: 'no',
    });
    const items = await dataOf(
      await alma.fetch(ENDPOINTS.jobItems.replace(':job', first?.id ?? '')),
      z.array(jobItem),
    );
    expect(items.map(({ label, state, outside_id }) => [label, state, outside_id])).toEqual([
      ['a', 'done', 'outside a'],
      ['b', 'done', 'outside b'],
    ]);
  });

  test('does not wait for another person’s jobs, however many they are', async () => {
    const many = await Promise.all(Array.from({ length: 103 }, () => start(alma, { way: 'wait' })));
    const running = async (browser: Browser) =>
      (await list(browser, { state: 'running' })).filter(
        (one) => one.kind === 'test-work' && one.stage === 'Waiting',
      );
    await expect.poll(async () => (await running(alma)).length).toBe(3);
    // The last place is in use, so the next job waits behind all others in the queue.
    const first = await start(bruno, { way: 'wait' });
    await expect.poll(async () => (await running(bruno)).length).toBe(1);
    const second = await start(bruno, {});
    await cancel(bruno, first.id);
    await ended(bruno, second.id);
    expect(await running(alma)).toHaveLength(3);
    await Promise.all(many.map(({ id }) => cancel(alma, id)));
    for (const { id } of many) await ended(alma, id);
  });

  test('of which a part failed is partly done', async () => {
    const { id } = await start(alma, { items: ['one', 'bad', 'two'] });
    await ended(alma, id);
    expect(await read(alma, id)).toMatchObject({
      state: 'done',
      outcome: 'partly',
      items: { done: 2, failed: 1 },
    });
  });

  test('ends with the result and the next step', async () => {
    const { id } = await start(alma, { way: 'fail' });
    await ended(alma, id);
    expect(await read(alma, id)).toMatchObject({
      state: 'failed',
      outcome: 'failed',
      problem: { message: 'The outside said no.', next: 'Ask it.' },
    });
  });

  test('pauses until its time, and says why', async () => {
    kind.turns = 0;
    const { id } = await start(alma, { way: 'rest', items: ['x'] });
    await expect.poll(async () => (await read(alma, id)).waiting?.why ?? null).toBe('It is closed.');
    await ended(alma, id);
    // Pausing is not a failure: a job may pause any number of times.
    expect(kind.attempts).toBe(1);
    expect(await read(alma, id)).toMatchObject({ outcome: 'done', waiting: null });
  });

  test('waits for an outside system that does not answer, and continues automatically', async () => {
    kind.turns = 0;
    const { id } = await start(alma, { way: 'away', items: ['x'] });
    await expect
      .poll(async () => (await read(alma, id)).waiting?.why ?? null)
      .toBe('Elsewhere does not answer.');
    const [row] = await db().select().from(jobs).where(eq(jobs.id, id));
    expect(row?.troubleSince).toEqual(expect.any(Date));
    await ended(alma, id);
    // Waiting is not a failure either.
    expect(kind.attempts).toBe(1);
    expect(await read(alma, id)).toMatchObject({ outcome: 'done', waiting: null, problem: null });
  });

  test('ends with an explanation if an outside system does not answer for too long', async () => {
    kind.turns = -1_000;
    const { id } = await start(alma, { way: 'away' });
    await expect.poll(async () => (await read(alma, id)).waiting?.why ?? null).not.toBeNull();
    const long = new Date(Date.now() - 2 * 86_400_000);
    const age = async () => {
      // A turn in progress may overwrite the request, so the request is repeated until it is accepted.
      const open = and(eq(jobs.id, id), isNull(jobs.endedAt));
      await db().update(jobs).set({ troubleSince: long, waitUntil: null }).where(open);
      return (await read(alma, id)).ended_at;
    };
    await expect.poll(age).not.toBeNull();
    expect((await read(alma, id)).problem).toEqual({
      message: 'Elsewhere does not answer.',
      next: 'When it answers again, start this work again.',
    });
  });

  test.each([
    ['closed', 'Elsewhere does not allow this.'],
    ['barred', 'You do not have permission to do this.'],
  ])('that would be rejected again (%s) ends immediately, with that message', async (way, message) => {
    kind.turns = 0;
    const { id } = await start(alma, { way });
    await ended(alma, id);
    expect(await read(alma, id)).toMatchObject({ outcome: 'failed', problem: { message } });
    expect(kind.turns).toBe(1);
  });

  test('that fails each time in the same place has its attempts counted, whatever progress it reports', async () => {
    const { id } = await start(alma, { way: 'halfway' });
    const attempts = async () => (await db().select().from(jobs).where(eq(jobs.id, id)))[0]?.attempts ?? 0;
    await expect.poll(attempts).toBeGreaterThan(2);
    await cancel(alma, id);
    await ended(alma, id);
  });

  test('does not rely on a write that was rolled back', async () => {
    const { id } = await start(alma, { way: 'torn' });
    await ended(alma, id);
    expect(await read(alma, id)).toMatchObject({ outcome: 'done', problem: null });
  });

  test('ends immediately with an explanation if its owner has lost access to LMS Admin', async () => {
    const id = randomUUID();
    await db()
      .insert(jobs)
      .values({
        id,
        kind: 'course-plan',
        tool: 'course-enrollment',
        login: 'gone@northbridge.example',
        name: 'Somebody who left',
        label: 'Review',
        key: id,
        state: 'queued',
        input: await pack({ role_id: 3, status: 'active', courses: [1], emails: ['a@northbridge.example'] }),
      });
    await ended(alma, id);
    expect((await read(alma, id)).problem).toEqual({
      message: 'You no longer have access to LMS Admin.',
      next: 'Ask IT Support.',
    });
  });

  test('that failed is in the audit log without the message, which may name people', async () => {
    const { id } = await start(alma, { way: 'fail' });
    await ended(alma, id);
    const lines = (await db().select().from(audit)).filter(({ detail }) => detail.job === id);
    // A server that polls may finish the job before the line about its start is written.
    expect(new Set(lines.map(({ event }) => event))).toEqual(new Set(['job-started', 'job-ended']));
    expect(lines).toHaveLength(2);
    expect(JSON.stringify(lines)).not.toContain('The outside said no');
  });

  test('that cannot continue ends after several attempts, and always with an explanation', async () => {
    const { id } = await start(alma, { way: 'fault' });
    await expect.poll(async () => (await read(alma, id)).waiting?.why).toMatch(/went wrong in LMS Admin/);
    await db().update(jobs).set({ attempts: MOST_ATTEMPTS, waitUntil: null }).where(eq(jobs.id, id));
    await ended(alma, id);
    expect((await read(alma, id)).problem?.message).toMatch(/without success/);
  });

  test('is cancelled between two steps and reports what was done', async () => {
    const { id } = await start(alma, { way: 'wait', items: ['never'] });
    await expect.poll(async () => (await read(alma, id)).stage).toBe('Waiting');
    expect(await read(alma, id)).toMatchObject({
      state: 'running',
      cancel: 'possible',
      progress: { done: 1, total: 2, unit: 'steps' },
    });
    expect((await cancel(bruno, id)).status).toBe(404);
    expect((await cancel(alma, id)).status).toBe(200);
    await ended(alma, id);
    expect(await read(alma, id)).toMatchObject({
      state: 'cancelled',
      outcome: 'cancelled',
      note: 'One of two steps was done.',
    });
    expect((await cancel(alma, id)).status).toBe(409);
    expect(ledger.done.some((one) => one.startsWith(id))).toBe(false);
  });

  test('of another person is visible to ALL, but ALL can cancel it only with the tool', async () => {
    const dev = await ts.signIn(PEOPLE.helpDesk);
    const { id } = await start(bruno, { way: 'wait', items: ['others'] });
    await expect.poll(async () => (await read(dev, id)).stage).toBe('Waiting');
    expect(await read(dev, id)).toMatchObject({ own: false, cancel: 'no' });
    expect((await cancel(dev, id)).status).toBe(403);
    expect(await read(alma, id)).toMatchObject({ own: false, cancel: 'possible' });
    expect((await cancel(alma, id)).status).toBe(200);
    await ended(alma, id);
    expect(await read(bruno, id)).toMatchObject({ state: 'cancelled', own: true });
  });

  test('is cancelled while it is paused', async () => {
    const { id } = await start(alma, { way: 'fault' });
    await expect.poll(async () => (await read(alma, id)).state).toBe('waiting');
    await db()
      .update(jobs)
      .set({ waitUntil: new Date(Date.now() + 3_600_000) })
      .where(eq(jobs.id, id));
    await cancel(alma, id);
    await ended(alma, id);
    expect(await read(alma, id)).toMatchObject({ state: 'cancelled', note: 'Nothing was done.' });
  });

  test('waits for a place when many are in progress; none is forgotten', async () => {
    const waiting = await Promise.all(
      Array.from({ length: 5 }, () => start(alma, { way: 'wait', items: ['w'] })),
    );
    await expect
      .poll(async () => (await list(alma, { state: 'running' })).filter(({ stage }) => stage === 'Waiting'))
      .toHaveLength(3);
    expect(await (await alma.fetch(ENDPOINTS.metrics)).text()).toMatch(
      /lms_admin_jobs\{kind="test-work",state="queued"\} 2/,
    );
    kind.release();
    for (const { id } of waiting) await ended(alma, id);
    const metrics = await (await alma.fetch(ENDPOINTS.metrics)).text();
    expect(metrics).toMatch(/lms_admin_jobs_ended_total\{kind="test-work",outcome="done"\} \d/);
    expect(metrics).toMatch(/lms_admin_job_wait_seconds_count\{kind="test-work"\} \d/);
  });

  test('checks whether an item was already started before doing it again', async () => {
    const { id } = await start(alma, { items: ['p', 'q', 'r'] });
    await ended(alma, id);
    // The state after a process stopped between doing 'q' outside and recording it.
    await db().update(jobItems).set({ state: 'doing', outsideId: null }).where(eq(jobItems.jobId, id));
    await db()
      .update(jobs)
      .set({ endedAt: null, state: 'running', outcome: null, done: 0 })
      .where(eq(jobs.id, id));
    await ended(alma, id);
    expect(ledger.done.filter((one) => one.startsWith(id))).toHaveLength(3);
    expect(await read(alma, id)).toMatchObject({ outcome: 'done', items: { done: 3 } });
  });
});

describe('the list', () => {
  const labelled = (found: readonly Job[]) => found.map(({ label }) => label);

  test('has the person’s own jobs, newest first, filtered by tool, state, text and date; everyone’s jobs are only for ALL', async () => {
    const label = 'Zoë O’Neill–Łukasz 100 % #N/A';
    const { id } = await start(bruno, { label, items: [] });
    await ended(bruno, id);
    const { id: failed } = await start(bruno, { label: 'That fails', way: 'fail' });
    await ended(bruno, failed);
    expect(labelled(await list(bruno)).slice(0, 2)).toEqual(['That fails', label]);
    expect(labelled(await list(bruno, { text: '100 %' }))).toEqual([label]);
    expect(labelled(await list(bruno, { text: '_' }))).toEqual([]);
    // Each word can be anywhere in the entry, including the name of its tool.
    expect(labelled(await list(bruno, { text: `100 ${toolById('course-enrollment').tab} %` }))).toEqual([
      label,
    ]);
    expect(labelled(await list(bruno, { text: '100 nowhere' }))).toEqual([]);
    expect(labelled(await list(bruno, { state: 'failed' }))).toEqual(['That fails']);
    expect(await list(bruno, { tool: 'sis-import' })).toEqual([]);
    const today = new Date().toISOString().slice(0, 10);
    expect((await list(bruno, { from: today, to: today })).length).toBeGreaterThan(1);
    expect(await list(bruno, { to: '2020-01-01' })).toEqual([]);
    expect((await bruno.fetch(`${ENDPOINTS.jobs}?all=1`)).status).toBe(403);
    expect(labelled(await list(alma))).not.toContain(label);
    const everybody = await list(alma, { all: '1' });
    expect(everybody.find((one) => one.id === id)).toMatchObject({
      own: false,
      admin: { login: PEOPLE.custom },
    });
    expect((await bruno.fetch(`${ENDPOINTS.jobs}?state=odd`)).status).toBe(400);
    expect((await bruno.fetch(`${ENDPOINTS.jobs}?after=odd`)).status).toBe(400);
  });

  test('is split into pages, with each job once', async () => {
    const made = Array.from({ length: 117 }, (_, index) => ({
      id: randomUUID(),
      kind: 'test-work',
      tool: 'course-enrollment',
      login: 'pages@northbridge.example',
      name: 'Pages',
      label: `page ${index}`,
      key: String(index),
      state: 'done' as const,
      outcome: 'done' as const,
      // Many jobs begin at the same moment.
      createdAt: new Date(1_700_000_000_000 + Math.floor(index / 40)),
      endedAt: new Date(),
    }));
    await db().insert(jobs).values(made);
    const seen: string[] = [];
    const query = new URLSearchParams({ all: '1', text: 'pages@northbridge' });
    for (let at: string | null = `${ENDPOINTS.jobs}?${query}`; at !== null; ) {
      const response: Response = await alma.fetch(at);
      const body = await response.json();
      seen.push(
        ...z
          .array(jobSchema)
          .parse(body.data)
          .map(({ id }) => id),
      );
      at = body.pagination.nextPage;
    }
    expect(seen).toHaveLength(117);
    expect(new Set(seen).size).toBe(117);
  });

  test('marks a job that did not end well until its owner has opened it', async () => {
    const summary = async () => dataOf(await bruno.fetch(ENDPOINTS.jobSummary), jobSummary);
    const before = await summary();
    const { id } = await start(bruno, { way: 'fail', label: 'Look at me' });
    await expect.poll(async () => (await summary()).unseen).toBe(before.unseen + 1);
    expect((await summary()).ended[0]).toMatchObject({ id, outcome: 'failed' });
    // If another person opens the job, this does not count.
    await read(alma, id);
    expect((await summary()).unseen).toBe(before.unseen + 1);
    await read(bruno, id);
    expect((await summary()).unseen).toBe(before.unseen);
  });
});

describe('deletion', () => {
  test('everything that names people is deleted, with files and items; the record stays', async () => {
    const { files } = ts.server.services;
    const { id } = await start(alma, { items: ['Zoë'] });
    await ended(alma, id);
    const text = 'name\nZoë O’Neill–Łukasz\n'.repeat(5_000);
    async function* pieces() {
      yield text;
    }
    const what = { jobId: id, login: PEOPLE.all, name: 'people Ł.csv', type: 'text/csv; charset=utf-8' };
    await files.write(what, pieces());
    // A second attempt replaces the output of the first.
    const file = await files.write(what, pieces());
    expect((await read(alma, id)).files).toEqual([file]);
    const path = ENDPOINTS.jobFile.replace(':job', id).replace(':file', file.id);
    const saved = await alma.fetch(path);
    expect(saved.headers.get('content-disposition')).toContain("filename*=UTF-8''people%20%C5%81.csv");
    expect(await saved.text()).toBe(text);
    expect((await bruno.fetch(path)).status).toBe(404);
    const round = () => forgetOldJobs(db(), files, [kind]);
    await round();
    expect((await alma.fetch(path)).status).toBe(200);
    await db()
      .update(jobs)
      .set({ endedAt: new Date(Date.now() - 31 * 86_400_000) })
      .where(eq(jobs.id, id));
    await round();
    await round();
    expect((await alma.fetch(path)).status).toBe(404);
    expect(await read(alma, id)).toMatchObject({
      label: 'Some work',
      outcome: 'done',
      forgotten: true,
      result: null,
      files: [],
      items: null,
    });
    const [row] = await db().select().from(jobs).where(eq(jobs.id, id));
    expect(row).toMatchObject({ input: null, checkpoint: null });
  });
});
