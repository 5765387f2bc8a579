/** The queue runs automatically: each course once in each period, by one of any number of servers (OP-62). */
import { randomBytes } from 'node:crypto';
import { lmsUrl } from '@lms-admin/contract/lms-calls';
import { asc, eq } from 'drizzle-orm';
import { afterEach, describe, expect, test } from 'vitest';
import { grants, jobs, zoomQueue as queueTable } from '../../src/platform/schema.ts';
import { chosenDatabase } from '../support/databases.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { ACCESS, queueOf, type RunCampus, saveQueue, startRunCampus } from './run-support.ts';

/** A day lasts eighteen seconds here. */
const DAY = { ZOOM_QUEUE_HOURS: '0.005' };

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});

async function open(env: Record<string, string> = DAY): Promise<RunCampus> {
  const one = await startRunCampus({ env });
  opened.push(one);
  return one;
}

/** Polls until the condition holds. */
async function until<T>(ask: () => Promise<T>, is: (got: T) => boolean): Promise<T> {
  for (;;) {
    const got = await ask();
    if (is(got)) return got;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function runsOf({ ts }: Pick<RunCampus, 'ts'>) {
  return ts.server.services.db.db
    .select()
    .from(jobs)
    .where(eq(jobs.kind, 'zoom-run'))
    .orderBy(asc(jobs.createdAt));
}

const haveEnded = (rows: { endedAt: Date | null }[]) => rows.every(({ endedAt }) => endedAt !== null);

describe('the queue runs automatically', () => {
  test('OP-62 over two days, each of five courses runs once a day, and the second day writes nothing', async () => {
    const began = Date.now();
    const one = await open();
    const alma = await one.ts.signIn(PEOPLE.all);
    const courses = one.courses.slice(0, 5);
    expect((await saveQueue(alma, courses, { daysCount: 60 })).status).toBe(200);
    const first = await until(
      () => runsOf(one),
      (rows) => rows.length >= 5 && haveEnded(rows.slice(0, 5)),
    );
    const day = (row: { key: string }) => row.key.split(' ')[2];
    const days = new Set(first.slice(0, 5).map(day));
    await one.forget();
    const all = await until(
      () => runsOf(one),
      (rows) => {
        const later = rows.filter((row) => !days.has(day(row)));
        return later.length >= 5 && haveEnded(rows);
      },
    );
    // Each course is run once in each period that it was in the queue.
    expect(new Set(all.map(({ key }) => key)).size).toBe(all.length);
    for (const row of all)
      expect(row).toMatchObject({
        login: PEOPLE.all,
        outcome: 'done',
        tool: 'zoom-run',
        // The name that people use for the course.
        label: expect.stringMatching(/^Zoom run of the queue: (?!course \d).+, 60 days$/),
      });
    const later = all.filter((row) => !days.has(day(row)));
    expect(new Set(later.map(({ key }) => key.split(' ')[1]))).toEqual(new Set(courses.map(String)));
    const queue = await queueOf(alma);
    for (const { id, last_job, last_run_at } of queue.courses) {
      expect(
        all.map((row) => row.id),
        String(id),
      ).toContain(last_job);
      expect(Date.parse(last_run_at ?? '')).toBeGreaterThan(began);
    }
    const files = (await one.ended(alma, later[0]?.id ?? '')).job.files;
    expect(files.map(({ name }) => name)).toEqual([expect.stringMatching(/^zoom-run-\d+-60-days\.json$/)]);
    expect((await one.writes()).filter((line) => line.includes('/zoom/v2/'))).toEqual([]);
  });

  test('OP-62 a course that is removed and added again with a different number of days runs with that number on the same day', async () => {
    const one = await open({ ZOOM_QUEUE_HOURS: '0.02' });
    const alma = await one.ts.signIn(PEOPLE.all);
    const course = one.courses[0] ?? 0;
    const added = async (daysCount: number, before: number) => {
      await saveQueue(alma, [course], { readCourseIds: [], daysCount });
      return until(
        () => runsOf(one),
        (rows) => rows.length > before && haveEnded(rows),
      );
    };
    expect(await added(30, 0)).toHaveLength(1);
    await saveQueue(alma, [], { readCourseIds: [course] });
    const [, again] = await added(90, 1);
    expect(again).toMatchObject({ outcome: 'done', label: expect.stringMatching(/, 90 days$/) });
    const { courses } = await queueOf(alma);
    expect(courses).toMatchObject([{ id: course, days: 90, last_job: again?.id, outcome: 'done' }]);
  });

  test('OP-62 several servers on one database start each course once', async () => {
    const servers = chosenDatabase() === 'postgres' ? 3 : 1;
    const env = { ...DAY, ZOOM_QUEUE_HOURS: '0.02', LMS_ADMIN_KEY: randomBytes(32).toString('hex') };
    const one = await open(env);
    const further: TestServer[] = [];
    for (let at = 1; at < servers; at++) {
      const other = await startTestServer({
        lms: one.sandbox,
        access: ACCESS,
        env: { ...env, DATABASE_URL: one.ts.config.databaseUrl ?? '' },
      });
      opened.push(other);
      further.push(other);
    }
    const alma = await one.ts.signIn(PEOPLE.all);
    const courses = one.campus
      .courses()
      .slice(0, 12)
      .map(({ id }) => id);
    await saveQueue(alma, courses);
    await until(
      () => runsOf(one),
      (rows) => rows.length >= courses.length,
    );
    const asked = await until(
      () => one.ts.server.services.db.db.select().from(queueTable),
      (rows) => rows.every(({ lastDay }) => lastDay !== null),
    );
    const rows = await until(() => runsOf(one), haveEnded);
    const keys = rows.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    for (const { courseId, lastDay, lastJob } of asked) {
      const its = rows.filter(({ key }) => key.startsWith(`queue ${courseId} ${lastDay} `));
      expect(its.map(({ id }) => id)).toEqual([lastJob]);
    }
    expect(further).toHaveLength(servers - 1);
  });

  test('a lost permission ends that run with an explanation; the other courses are run', async () => {
    const one = await open();
    const alma = await one.ts.signIn(PEOPLE.all);
    const [first = 0, second = 0] = one.courses;
    await saveQueue(alma, [first, second]);
    const { db } = one.ts.server.services.db;
    // Makes the person who added the course appear to have lost the tool.
    await db
      .update(queueTable)
      .set({ login: PEOPLE.helpDesk, name: 'Dev Oduya', lastDay: null })
      .where(eq(queueTable.courseId, first));
    const rows = await until(
      () => runsOf(one),
      (found) =>
        found.some(({ login, endedAt }) => login === PEOPLE.helpDesk && endedAt !== null) &&
        found.some(({ key, endedAt }) => key.startsWith(`queue ${second} `) && endedAt !== null),
    );
    const ended = rows.find(({ login }) => login === PEOPLE.helpDesk);
    expect(ended).toMatchObject({
      outcome: 'failed',
      problem: { message: expect.stringMatching(/^You no longer have access to /), next: 'Ask IT Support.' },
    });
    expect(rows.find(({ key }) => key.startsWith(`queue ${second} `))?.outcome).toBe('done');
  });

  test('without a service token, runs continue after the person signs out, until the course is removed', async () => {
    const one = await startRunCampus({ env: DAY, serviceToken: false });
    opened.push(one);
    const alma = await one.ts.signIn(PEOPLE.all);
    const [first = 0] = one.courses;
    await saveQueue(alma, [first]);
    await until(
      () => runsOf(one),
      (rows) => rows.length > 0 && haveEnded(rows),
    );
    expect((await alma.invoke(lmsUrl('sign-out'), 'DELETE')).status).toBe(200);
    const before = (await runsOf(one)).length;
    const rows = await until(
      () => runsOf(one),
      (found) => found.length > before && haveEnded(found),
    );
    expect(rows.map(({ outcome }) => outcome)).not.toContain('failed');
    // Removing the course also revokes the token from the sign-in.
    const again = await one.ts.signIn(PEOPLE.all);
    const { db } = one.ts.server.services.db;
    const grantId = rows[0]?.grantId ?? '';
    expect(await db.select().from(grants).where(eq(grants.id, grantId))).toHaveLength(1);
    await saveQueue(again, [], { readCourseIds: [first] });
    await until(
      () => db.select().from(grants).where(eq(grants.id, grantId)),
      (left) => left.length === 0,
    );
  });
});
