/** A slow report: joined, stopped, forgotten, never finished. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { REPORT_FILES } from '../../src/directory/tables.ts';
import { jobs } from '../../src/platform/schema.ts';
import { Campus } from '../enrollments/campus.ts';
import { type DirectoryTest, startDirectoryTest } from './support.ts';

const HOUR_MS = 3_600_000;
let ts: DirectoryTest;
beforeAll(async () => {
  ts = await startDirectoryTest({ reportMs: HOUR_MS });
});
afterAll(() => ts?.close());
afterEach(() => {
  ts.clock.ahead = 0;
});

const world = () => ts.sandbox.world;
const latest = () => [...world().reports.values()].at(-1);
/** Returns the number of the report that a job is waiting for. */
const waitsFor = async (job: string): Promise<unknown> => {
  const [row] = await ts.server.services.db.db.select().from(jobs).where(eq(jobs.id, job));
  return row?.checkpoint?.['report'] ?? null;
};
/** Starts a refresh that waits for a different report than before. */
async function waiting(): Promise<{ job: string; report: number }> {
  const before = latest()?.id ?? 0;
  const job = await ts.begin();
  await expect.poll(() => waitsFor(job)).toBeGreaterThan(before);
  return { job, report: Number(await waitsFor(job)) };
}
const change = (status: 'aborted' | 'deleted' | 'error') => {
  const report = latest();
  if (report) world().reports.change(report, { status });
};

test('a refresh joins a report that was started elsewhere, and does not stop that report when cancelled', async () => {
  const parameters = {
    ...Object.fromEntries(REPORT_FILES.map(({ file }) => [file, true])),
    skip_message: true,
  };
  const path = 'accounts/1/reports/provisioning_csv';
  const campus = new Campus(ts.sandbox);
  const { id } = (await (await campus.api(path, { method: 'POST', body: { parameters } })).json()) as {
    id: number;
  };
  const many = world().reports.size;
  const job = await ts.begin();
  await expect.poll(() => waitsFor(job)).toBe(id);
  expect(world().reports.size).toBe(many);
  await ts.server.services.jobs.cancelAs({ login: 'operator' }, job);
  expect(await ts.ended()).toMatchObject({
    outcome: 'cancelled',
    message: 'Cancelled: the directory has not changed.',
  });
  expect(latest()?.status).toMatch(/created|running/);
  await campus.api(`${path}/${id}/abort`, { method: 'PUT' });
});

test('a second refresh joins the first; when it is cancelled, its report is stopped in the LMS, and files of a killed server are deleted', async () => {
  const folder = join(ts.config.dataFolder, 'directory', 'uploads');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'left.zip'), 'PK');
  const { job } = await waiting();
  expect(await ts.begin()).toBe(job);
  expect((await ts.status()).running).toBe('Waiting for the report from the LMS');
  await ts.server.services.jobs.cancelAs({ login: 'operator' }, job);
  expect(await ts.ended()).toMatchObject({ outcome: 'cancelled' });
  expect(latest()?.status).toBe('aborted');
  expect(await readdir(folder)).toEqual([]);
});

test('a report that does not end within twelve hours is stopped, and the result says so', async () => {
  await waiting();
  ts.clock.ahead = 12 * HOUR_MS + 1_000;
  const failed = await ts.ended();
  expect(failed).toMatchObject({
    outcome: 'failed',
    message: 'The LMS has not finished the report within 12 hours.',
  });
  expect(failed.next).toContain('the next day');
  expect(latest()?.status).toBe('aborted');
});

test.each([
  ['aborted', 'The report was stopped in the LMS.'],
  ['error', 'The LMS could not create the report.'],
] as const)('a report that ends as %s ends the refresh', async (status, message) => {
  await waiting();
  change(status);
  expect(await ts.ended()).toMatchObject({ outcome: 'failed', message });
});

test('a report that the LMS has forgotten is started again, once', async () => {
  const { job, report } = await waiting();
  change('deleted');
  await expect.poll(() => waitsFor(job)).toBeGreaterThan(report);
  change('deleted');
  expect(await ts.ended()).toMatchObject({ outcome: 'failed', message: 'The LMS no longer has the report.' });
});
