/** Taking an import of a plan back: what it changed and still stands is turned round, reviewed and sent like any other plan. */
import { randomUUID } from 'node:crypto';
import { ENDPOINTS, jobStartPath } from '@lms-admin/contract/endpoints';
import { UNDO_KINDS, type UndoPlan, undoPlan } from '@lms-admin/contract/enrollments';
import type { SisImport } from '@lms-admin/contract/imports';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { tidy } from '../../src/imports/housekeeping.ts';
import { plans } from '../../src/platform/schema.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { Campus, jobOf, makePlan, makeSectionPlan, startPlan, submit, submitted, watch } from './campus.ts';

let ts: TestServer;
let campus: Campus;
let alma: Browser;
let bruno: Browser;
beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  campus = new Campus(ts.sandbox);
  [alma, bruno] = [await ts.signIn(PEOPLE.all), await ts.signIn(PEOPLE.custom)];
});
afterAll(() => ts?.close());
afterEach(() => campus.clearFaults());

type Tool = keyof typeof UNDO_KINDS;

/** Asks for the plan that takes an import back. */
async function askUndo(browser: Browser, of: string, tool: Tool = 'course-enrollment') {
  const { status, job, error } = await startPlan(browser, UNDO_KINDS[tool], { import: of });
  if (!job) return { status, error, plan: null, label: null };
  for (;;) {
    const now = await jobOf(browser, job.id);
    if (!now.ended_at) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      continue;
    }
    if (now.state !== 'done') return { status, error: now.problem, plan: null, label: now.label };
    const answer = await browser.fetch(ENDPOINTS.undoPlan.replace(':plan', job.id));
    return { status, error: null, plan: undoPlan.parse((await answer.json()).data), label: now.label };
  }
}
async function undoOf(browser: Browser, one: SisImport, tool?: Tool): Promise<UndoPlan> {
  const { plan, error } = await askUndo(browser, one.id, tool);
  if (!plan) throw new Error(JSON.stringify(error));
  return plan;
}
async function done(browser: Browser, plan: { id: string }): Promise<SisImport> {
  return watch(browser, (await submitted(browser, { plan: plan.id })).id);
}
const inCourse = async (id: number) =>
  (await campus.enrolments(id, 3, ['active', 'invited', 'inactive', 'completed']))
    .map((one) => `${one.user_id} ${one.course_section_id} ${one.enrollment_state}`)
    .sort();

describe('of Course Enrollment', () => {
  test('who was added is removed again, who was there before stays', async () => {
    const [a, b] = [campus.course(0), campus.course(1)];
    const people = campus.strangers(3, [a.id, b.id]);
    const there = (await campus.enrolments(a.id, 3)).slice(0, 1).map((one) => campus.person(one.user_id));
    const before = [await inCourse(a.id), await inCourse(b.id)];
    const added = await done(
      alma,
      await makePlan(alma, {
        role_id: 3,
        status: 'active',
        courses: [a.id, b.id],
        emails: [...people, ...there].map(({ email }) => email),
      }),
    );
    expect(added).toMatchObject({ verdict: 'done', can_undo: true });

    const [plan, twin] = [await undoOf(alma, added), await undoOf(alma, added)];
    expect(plan.undoes).toEqual({ import: added.id, label: added.label });
    const inB = before[1]?.some((one) => one.startsWith(`${there[0]?.id} `)) ? 0 : 1;
    expect(plan.totals).toMatchObject({ add: 0, remove: 6 + inB, not_enrolled: 0, rows: 6 + inB });
    const list = await alma.fetch(
      `${ENDPOINTS.undoPlanPeople.replace(':plan', plan.id)}?section=${plan.entries[0]?.section.id}`,
    );
    expect((await list.json()).data).toEqual(
      expect.arrayContaining(
        people.map((one) => expect.objectContaining({ sis_user_id: one.sis, change: 'remove' })),
      ),
    );
    // Nothing has happened by asking.
    expect(await inCourse(a.id)).not.toEqual(before[0]);

    const back = await done(alma, plan);
    // Another tab has reviewed the same, and presses later.
    const late = await submit(alma, { plan: twin.id });
    expect([late.status, (await late.json()).error.message]).toEqual([
      409,
      expect.stringContaining('undone meanwhile'),
    ]);
    expect(back.label).toMatch(/^Undo: Remove \d people from 2 sections of 2 courses$/);
    expect([await inCourse(a.id), await inCourse(b.id)]).toEqual(before);
    // No section was given a SIS id for it.
    expect(plan.entries.some(({ section }) => section.assign)).toBe(false);

    // Once more there is nothing to do, and taking the undoing back is the change again.
    expect((await undoOf(alma, added)).totals).toMatchObject({ rows: 0, not_enrolled: 6 + inB });
    const again = await undoOf(alma, back);
    expect(again.totals).toMatchObject({ add: 6 + inB, rows: 6 + inB });
  });

  test('who was removed comes back into the same sections; who had completed does not', async () => {
    const { course, fallback, named, person } = await campus.inThreeSections(86, 3);
    const [other, gone] = campus.strangers(2, [course.id]);
    if (!other || !gone) throw new Error('nobody');
    campus.enrol(other.id, { id: named.id, course_id: course.id }, 3, 'completed');
    campus.enrol(gone.id, { id: fallback.id, course_id: course.id }, 3);
    const before = await inCourse(course.id);
    const removed = await done(
      alma,
      await makePlan(alma, {
        role_id: 3,
        status: 'deleted',
        courses: [course.id],
        emails: [person.email, other.email, gone.email],
      }),
    );
    expect(removed.verdict).toBe('done');
    // Somebody else has put one of them back meanwhile.
    campus.enrol(gone.id, { id: fallback.id, course_id: course.id }, 3);
    const plan = await undoOf(alma, removed);
    expect(plan.totals).toMatchObject({ add: 3, already: 1, remove: 0, rows: 3 });
    expect(plan.kept).toEqual([
      { course: course.sis_source_id, section: expect.any(String), people: 1, why: 'not-active' },
    ]);
    expect((await done(alma, plan)).verdict).toBe('done');
    expect(await inCourse(course.id)).toEqual(before.filter((one) => !one.startsWith(`${other.id} `)));
  });

  test('who was invited before the import added them is told, and is not removed', async () => {
    const course = campus.courseForRows(2);
    const [guest, other] = campus.strangers(2, [course.id]);
    const section = [...ts.sandbox.world.sections.by.course.get(course.id)].find(
      (one) => one.default_section && one.name === course.name,
    );
    if (!guest || !other || !section) throw new Error('no such course');
    campus.enrol(guest.id, { id: section.id, course_id: course.id }, 3, 'invited');
    const plan = await makePlan(alma, {
      role_id: 3,
      status: 'active',
      courses: [course.id],
      emails: [guest.email, other.email],
    });
    expect(plan.courses[0]).toMatchObject({ add: 2, reactivated: 1 });
    const back = await undoOf(alma, await done(alma, plan));
    expect(back.totals).toMatchObject({ remove: 1, rows: 1 });
    expect(back.kept).toMatchObject([{ people: 1, why: 'not-active' }]);
  });

  test('where the LMS had not told who was there, nobody is removed', async () => {
    const course = campus.courseForRows(3);
    const there = (await campus.enrolments(course.id, 3))
      .slice(0, 1)
      .map((one) => campus.person(one.user_id));
    const [other] = campus.strangers(1, [course.id]);
    await campus.fault({ match: `/api/v1/courses/${course.id}/enrollments`, kind: 'status', status: 500 });
    const plan = await makePlan(alma, {
      role_id: 3,
      status: 'active',
      courses: [course.id],
      emails: [...there.map(({ email }) => email), other?.email ?? ''],
    });
    await campus.clearFaults();
    expect(plan.courses[0]).toMatchObject({ rows: 2, unread: expect.any(String) });
    const sent = await done(alma, plan);
    const back = await undoOf(alma, sent);
    expect(back.entries).toEqual([]);
    expect(back.kept).toMatchObject([{ people: 2, why: 'unread' }]);
  });

  test('what was left out on sending is not turned round, though somebody did it since', async () => {
    const [a, b] = [campus.course(4), campus.course(5)];
    const [one] = campus.strangers(1, [a.id, b.id]);
    if (!one) throw new Error('nobody');
    const plan = await makePlan(alma, {
      role_id: 3,
      status: 'active',
      courses: [a.id, b.id],
      emails: [one.email],
    });
    const { courses } = ts.sandbox.world;
    courses.change(courses.must(b.id), { sis_source_id: `${b.sis}-NEW` });
    const partly = await done(alma, plan);
    expect(partly).toMatchObject({ rows: 1, applied: 1 });
    courses.change(courses.must(b.id), { sis_source_id: b.sis });
    const [section] = [...ts.sandbox.world.sections.by.course.get(b.id)];
    campus.enrol(one.id, { id: section?.id ?? 0, course_id: b.id }, 3);
    const back = await undoOf(alma, partly);
    expect(back.entries.map(({ course }) => course.id)).toEqual([a.id]);
    expect(back.totals).toMatchObject({ remove: 1, rows: 1 });
  });
});

test('of Section Enrollment: each section with its own role and action', async () => {
  const { course, named, byHand, person } = await campus.inThreeSections(86, 4);
  const [one] = campus.strangers(1, [course.id]);
  if (!one) throw new Error('nobody');
  const before = await campus.enrolments(course.id, 4);
  const sent = await done(
    alma,
    await makeSectionPlan(alma, [
      { course: course.id, section: named.id, role_id: 4, status: 'deleted', users: [person.sis] },
      { course: course.id, section: byHand.id, role_id: 3, status: 'active', users: [one.sis] },
    ]),
  );
  const plan = await undoOf(alma, sent, 'section-enrollment');
  expect(plan.totals).toMatchObject({ add: 1, remove: 1, rows: 2 });
  expect((await done(alma, plan)).verdict).toBe('done');
  const key = (rows: typeof before) => rows.map((row) => `${row.user_id} ${row.course_section_id}`).sort();
  expect(key(await campus.enrolments(course.id, 4))).toEqual(key(before));
  expect((await campus.enrolments(course.id, 3)).some(({ user_id }) => user_id === one.id)).toBe(false);
});

describe('who may, and when', () => {
  async function added(browser: Browser): Promise<SisImport> {
    const course = campus.course(7);
    const emails = campus.strangers(1, [course.id]).map(({ email }) => email);
    return done(
      browser,
      await makePlan(browser, { role_id: 3, status: 'active', courses: [course.id], emails }),
    );
  }

  test('OP-14 nobody else, not even with rights for the whole school; not by the other tool', async () => {
    const one = await added(bruno);
    for (const [browser, of, tool] of [
      [alma, one.id, 'course-enrollment'],
      [bruno, one.id, 'section-enrollment'],
      [bruno, randomUUID(), 'course-enrollment'],
    ] as const) {
      expect(await askUndo(browser, of, tool)).toMatchObject({ status: 404, plan: null });
    }
    const { plan } = await askUndo(bruno, one.id);
    const path = ENDPOINTS.undoPlan.replace(':plan', plan?.id ?? '');
    expect((await alma.fetch(path)).status).toBe(404);
    // A plan of undoing is none of the tool, and the other way round.
    expect((await bruno.fetch(ENDPOINTS.plan.replace(':plan', plan?.id ?? ''))).status).toBe(404);
    const own = await makePlan(bruno, {
      role_id: 3,
      status: 'active',
      courses: [campus.course(7).id],
      emails: ['x@y.example'],
    });
    expect((await bruno.fetch(ENDPOINTS.undoPlan.replace(':plan', own.id))).status).toBe(404);
    const bad = await bruno.post(jobStartPath('course-undo'), { key: randomUUID(), input: { import: 'x' } });
    expect(bad.status).toBe(400);
  });

  test('PERM-10 with the role taken away it is refused, and nothing is planned', async () => {
    const one = await added(bruno);
    const record = ts.server.services.access.find(PEOPLE.custom);
    const roles = record?.roles;
    Object.assign(record ?? {}, { roles: '5' });
    const { plan, error } = await askUndo(bruno, one.id);
    Object.assign(record ?? {}, { roles });
    expect(plan).toBeNull();
    expect(error?.message).toBe('You may not give this role.');
  });

  test('it is offered as long as the rows are kept, and only for what was sent from a plan', async () => {
    const one = await added(bruno);
    const { db } = ts.server.services.db;
    await db.update(plans).set({ expiresAt: new Date(Date.now() - 7 * 86_400_000) });
    await tidy(db);
    expect((await undoOf(bruno, one)).totals.rows).toBe(1);
    // A plan of an older version does not say who was there before.
    await db.update(plans).set({ undoable: false });
    expect(await watch(bruno, one.id)).toMatchObject({ can_undo: false });
    expect(await askUndo(bruno, one.id)).toMatchObject({ status: 409, plan: null });
    const course = campus.courseForRows(1);
    const [person] = campus.strangers(1, [course.id]);
    const byHand = await watch(
      alma,
      (await submitted(alma, `course_id,user_id,role_id,status\n${course.sis},${person?.sis},3,active`)).id,
    );
    expect(byHand).toMatchObject({ verdict: 'done', can_undo: false });
    expect(await askUndo(alma, byHand.id)).toMatchObject({ status: 409, plan: null });
  });
});
