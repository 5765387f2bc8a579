/** The queue of Zoom Event Run: who can add and remove what, without undoing changes by others (OP-62, PERM-15). */

import { randomUUID } from 'node:crypto';
import { errorEnvelope } from '@lms-admin/contract/errors';
import { and, eq, inArray, isNotNull } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { audit, jobs, zoomQueue as queueTable } from '../../src/platform/schema.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE } from '../support/harness.ts';
import { queueOf, type RunCampus, saveQueue, startRunCampus } from './run-support.ts';

let one: RunCampus;
let alma: Browser;
let bruno: Browser;
let greta: Browser;
beforeAll(async () => {
  one = await startRunCampus();
  [alma, bruno, greta] = (await Promise.all(
    [PEOPLE.all, PEOPLE.custom, PEOPLE.noTool].map((login) => one.ts.signIn(login)),
  )) as [Browser, Browser, Browser];
});
afterAll(() => one.close());
beforeEach(async () => {
  const { db } = one.ts.server.services.db;
  await db.delete(queueTable);
  await db.delete(audit).where(inArray(audit.event, ['zoom-queue-added', 'zoom-queue-removed']));
});

/** Finds courses in Bruno's scope, and one outside it. */
const mine = (count: number) =>
  one.campus
    .courses()
    .slice(0, count)
    .map(({ id }) => id);
const others = () => one.campus.course(0, 163).id;

async function lines() {
  const { db } = one.ts.server.services.db;
  const rows = await db
    .select()
    .from(audit)
    .where(inArray(audit.event, ['zoom-queue-added', 'zoom-queue-removed']));
  return rows.map(({ login, event, detail }) => ({ login, event, detail }));
}

/**
 * Deletes first runs. An added course runs immediately; afterwards it looks as if it had not run, and was not
 * due today.
 */
async function forgetFirstRuns(count: number): Promise<void> {
  const { db } = one.ts.server.services.db;
  const haveRun = async () => {
    const rows = await db.select().from(queueTable);
    const ended = rows.flatMap(({ lastJob }) => lastJob ?? []);
    const done = await db
      .select()
      .from(jobs)
      .where(and(inArray(jobs.id, ended), isNotNull(jobs.endedAt)));
    return done.length === count;
  };
  while (!(await haveRun())) await new Promise((resolve) => setTimeout(resolve, 20));
  await db.delete(jobs).where(eq(jobs.kind, 'zoom-run'));
  await db.update(queueTable).set({ lastJob: null, lastRunAt: null });
}

/** Records finished runs of a course, one a day, the last one yesterday. */
async function ran(course: number, outcomes: readonly ('done' | 'failed')[]): Promise<Date[]> {
  const { db } = one.ts.server.services.db;
  const [row] = await db.select().from(queueTable).where(eq(queueTable.courseId, course));
  if (!row) throw new Error('not in the queue');
  const days: Date[] = [];
  for (const [index, outcome] of outcomes.entries()) {
    const at = new Date(Date.now() - (outcomes.length - index) * 86_400_000);
    const id = randomUUID();
    await db.insert(jobs).values({
      id,
      kind: 'zoom-run',
      tool: 'zoom-run',
      login: row.login,
      name: row.name,
      lms: row.lms,
      label: 'A run of the queue',
      key: `queue ${course} ${at.toISOString().slice(0, 10)}`,
      state: outcome,
      outcome,
      problem: outcome === 'failed' ? { message: 'It failed.', next: 'Look.' } : null,
      createdAt: at,
      endedAt: at,
    });
    days.push(at);
    await db
      .update(queueTable)
      .set({ lastJob: id, lastRunAt: at, addedAt: new Date(0) })
      .where(eq(queueTable.courseId, course));
  }
  return days;
}

describe('the queue', () => {
  test('ZR-15 shows the result of each last run, since when runs have failed, a deleted course and a lost permission', async () => {
    const { db } = one.ts.server.services.db;
    const [good = 0, gone = 0, orphan = 0, fresh = 0] = mine(4);
    await saveQueue(bruno, [good, gone, orphan, fresh]);
    await forgetFirstRuns(4);
    await ran(good, ['failed', 'done']);
    const [, since] = await ran(gone, ['done', 'failed', 'failed']);
    await ran(orphan, ['done']);
    await db
      .update(queueTable)
      .set({ login: 'left@northbridge.example' })
      .where(eq(queueTable.courseId, orphan));
    const deleted = await one.campus.api(`courses/${gone}`, { method: 'DELETE', body: { event: 'delete' } });
    expect(deleted.status).toBe(200);
    const of = async (id: number, browser = alma) =>
      (await queueOf(browser)).courses.find((course) => course.id === id);
    expect(await of(good)).toMatchObject({
      outcome: 'done',
      problem: null,
      failing_since: null,
      state: 'works',
    });
    expect(await of(gone)).toMatchObject({
      outcome: 'failed',
      problem: 'It failed.',
      failing_since: since?.toISOString(),
      state: 'gone',
    });
    expect(await of(orphan)).toMatchObject({ outcome: 'done', failing_since: null, state: 'no-access' });
    expect(await of(fresh)).toMatchObject({ outcome: null, failing_since: null, state: 'works' });
    expect((await of(gone, bruno))?.state).toBe('gone');
    // A person who sees everything also sees a deleted course that someone else added, and can remove it.
    const all = [good, gone, orphan, fresh];
    expect((await saveQueue(alma, [good, fresh], { readCourseIds: all })).status).toBe(200);
    expect((await queueOf(alma)).courseIds).toEqual([good, fresh]);
  });

  test('ZR-15 a course that was renamed in the LMS has the name that its last run read', async () => {
    const [id = 0] = mine(1);
    const course = one.sandbox.world.courses.get(id);
    if (!course) throw new Error('there is no such course');
    const { name } = course;
    await saveQueue(bruno, [id]);
    await forgetFirstRuns(1);
    const named = async () => (await queueOf(bruno)).courses.map((each) => each.name);
    expect(await named()).toEqual([name]);
    one.sandbox.world.courses.change(course, { name: 'Second rename' });
    await one.run(bruno, id);
    expect(await named()).toEqual(['Second rename']);
    one.sandbox.world.courses.change(course, { name });
  });

  test('ZR-15, ZR-16 each course keeps its days and the person who added it, and both are in the audit log', async () => {
    const [first = 0, second = 0, third = 0] = mine(3);
    expect((await saveQueue(bruno, [first, String(second)], { daysCount: 60 })).status).toBe(200);
    expect((await saveQueue(greta, [first, second, third], { readCourseIds: [first, second] })).status).toBe(
      200,
    );
    const queue = await queueOf(alma);
    expect(queue.courseIds).toEqual([first, second, third]);
    expect(queue.courses.map(({ id, added_by, days }) => [id, added_by, days])).toEqual([
      [first, 'Bruno Keller', 60],
      [second, 'Bruno Keller', 60],
      [third, 'Greta Lind', 30],
    ]);
    expect(queue.courses[0]?.code).not.toBe('');
    expect([queue.may_remove, (await queueOf(bruno)).may_remove]).toEqual([true, false]);
    expect(await lines()).toEqual([
      { login: PEOPLE.custom, event: 'zoom-queue-added', detail: { courses: [first, second], days: 60 } },
      { login: PEOPLE.noTool, event: 'zoom-queue-added', detail: { courses: [third], days: 30 } },
    ]);
  });

  test('OP-62 removing an entry that was read does not remove one that was added again since', async () => {
    const [first = 0, second = 0] = mine(2);
    await saveQueue(bruno, [first, second]);
    const seen = await queueOf(alma);
    await saveQueue(alma, [second], { readCourseIds: [first, second] });
    await saveQueue(bruno, [first, second], { readCourseIds: [second], daysCount: 90 });
    const more = { readCourseIds: seen.courseIds, newestAt: seen.newest_at ?? '' };
    expect((await saveQueue(alma, [second], more)).status).toBe(200);
    const left = await queueOf(alma);
    expect(left.courses.map(({ id, days }) => [id, days])).toEqual([
      [second, 30],
      [first, 90],
    ]);
    // The entry has been read this time, so it is removed.
    expect((await saveQueue(alma, [second], { ...more, newestAt: left.newest_at ?? '' })).status).toBe(200);
    expect((await queueOf(alma)).courseIds).toEqual([second]);
  });

  test('PERM-15 a removal needs the permission: otherwise it is a 403 and nothing changes, not even additions', async () => {
    const [first = 0, second = 0, third = 0] = mine(3);
    await saveQueue(alma, [first, second]);
    const refused = await saveQueue(greta, [first, third], { readCourseIds: [first, second] });
    expect(refused.status).toBe(403);
    expect(errorEnvelope.parse(await refused.json()).error.message).toBe(
      'You do not have permission to remove courses from the queue.',
    );
    expect((await queueOf(alma)).courseIds).toEqual([first, second]);
    expect((await saveQueue(alma, [second], { readCourseIds: [first, second] })).status).toBe(200);
    expect((await queueOf(alma)).courseIds).toEqual([second]);
    expect((await lines()).at(-1)).toEqual({
      login: PEOPLE.all,
      event: 'zoom-queue-removed',
      detail: { courses: [first] },
    });
  });

  test('OP-62 two admins working at the same time do not remove entries that they have not read', async () => {
    const [first = 0, second = 0, third = 0, fourth = 0] = mine(4);
    await saveQueue(alma, [first, second]);
    const read = [first, second];
    const answers = await Promise.all([
      saveQueue(alma, [second, third], { readCourseIds: read }),
      saveQueue(greta, [first, second, fourth], { readCourseIds: read }),
      saveQueue(bruno, [first, second, fourth], { readCourseIds: read }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { courseIds, courses } = await queueOf(alma);
    // Alma's removal stays, although the others had the entry in their list.
    expect(new Set(courseIds)).toEqual(new Set([second, third, fourth]));
    // Both added the course: it is in the queue once, as the first person's.
    expect(courses.filter(({ id }) => id === fourth)).toHaveLength(1);
  });

  test('a list without the version that was read is compared with the part of the current queue that the admin can see', async () => {
    const [first = 0, second = 0] = mine(2);
    await saveQueue(alma, [first, others()]);
    // Bruno does not see the course in the other programme: he adds one, and removes nothing.
    expect((await queueOf(bruno)).courseIds).toEqual([first]);
    expect((await saveQueue(bruno, [first, second])).status).toBe(200);
    expect((await saveQueue(bruno, [second])).status).toBe(403);
    expect((await queueOf(alma)).courseIds).toEqual([first, others(), second]);
  });

  test('OP-14 a course out of scope gives the same answer as a missing one, and nothing changes', async () => {
    const [first = 0] = mine(1);
    const answers = [];
    for (const id of [others(), 99_999_999]) {
      const response = await saveQueue(bruno, [first, id]);
      const { error } = errorEnvelope.parse(await response.json());
      answers.push({ status: response.status, message: error.message, next: error.next });
    }
    expect(answers[0]).toMatchObject({ status: 404, message: 'The course was not found.' });
    expect(answers[1]).toEqual(answers[0]);
    expect((await queueOf(alma)).courseIds).toEqual([]);
  });

  test('ZR-13 a value that is not a number is rejected', async () => {
    for (const id of ['MBA-1', '', '12x', -1]) expect((await saveQueue(alma, [id])).status).toBe(400);
    expect((await saveQueue(alma, mine(1), { daysCount: 45 })).status).toBe(400);
  });

  test('says when it is next processed: soon if a course is new, otherwise at 00:00 UTC', async () => {
    const empty = await queueOf(alma);
    expect(new Date(empty.next_run_at).toISOString()).toMatch(/T00:00:00\.000Z$/);
    await saveQueue(alma, mine(1));
    await forgetFirstRuns(1);
    await one.ts.server.services.db.db.update(queueTable).set({ lastDay: null });
    expect(Date.parse((await queueOf(alma)).next_run_at)).toBeLessThanOrEqual(Date.now());
  });
});
