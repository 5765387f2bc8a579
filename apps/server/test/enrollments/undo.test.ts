/**
 * Undoing the import of a plan: its changes that still apply are reversed, after a review and submission like
 * any other plan.
 */
import { randomUUID } from 'node:crypto';
import { ENDPOINTS, jobStartPath } from '@lms-admin/contract/endpoints';
import type { SisImport } from '@lms-admin/contract/imports';
import { and, eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { StoredRows } from '../../src/enrollments/plan-store.ts';
import { tidy } from '../../src/imports/housekeeping.ts';
import { pack, unpack } from '../../src/platform/packed.ts';
import { planCourses, plans } from '../../src/platform/schema.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  askUndo,
  Campus,
  jobOf,
  makePlan,
  makeSectionPlan,
  type Person,
  submit,
  submitted,
  undoOf,
  watch,
} from './campus.ts';

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

async function done(browser: Browser, plan: { id: string }): Promise<SisImport> {
  return watch(browser, (await submitted(browser, { plan: plan.id })).id);
}
const termOf = (course: number) =>
  ts.sandbox.world.terms.must(ts.sandbox.world.courses.must(course).enrollment_term_id).name;
const nameOf = (id: number) => ts.sandbox.world.users.must(id).name;
const inCourse = async (id: number) =>
  (await campus.enrolments(id, 3, ['active', 'invited', 'inactive', 'completed']))
    .map((one) => `${one.user_id} ${one.course_section_id} ${one.enrollment_state}`)
    .sort();

describe('of Course Enrollment', () => {
  test('people who were added are removed again, and people enrolled before stay', async () => {
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
    // Requesting the undo has changed nothing.
    expect(await inCourse(a.id)).not.toEqual(before[0]);

    const back = await done(alma, plan);
    // Each entry links to the other and says what it is about.
    expect(await jobOf(alma, added.id)).toMatchObject({
      about: {
        courses: [a.name, b.name],
        more: 0,
        terms: [...new Set([a, b].map(({ id }) => termOf(id)))],
        programmes: [ts.sandbox.world.accounts.must(86).name],
      },
      undoes: null,
      undone_by: { id: back.id, mark: 'done' },
    });
    expect(await jobOf(alma, back.id)).toMatchObject({ undoes: added.id, undone_by: null });
    for (const text of [b.name, b.sis]) {
      const listed = await (await alma.fetch(`${ENDPOINTS.jobs}?text=${encodeURIComponent(text)}`)).json();
      expect(listed.data).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ id: added.id, undone_by: { id: back.id, mark: 'done' } }),
          expect.objectContaining({ id: back.id, undoes: added.id }),
        ]),
      );
    }
    // Another tab has reviewed the same undo and submits it later.
    const late = await submit(alma, { plan: twin.id });
    expect([late.status, (await late.json()).error.message]).toEqual([
      409,
      expect.stringContaining('already been undone'),
    ]);
    expect(back.label).toMatch(/^Undo: Remove \d people from 2 sections of 2 courses$/);
    expect([await inCourse(a.id), await inCourse(b.id)]).toEqual(before);
    // The undo does not give any section an SIS ID.
    expect(plan.entries.some(({ section }) => section.assign)).toBe(false);

    // A second review has nothing to do, and undoing the undo repeats the change.
    expect((await undoOf(alma, added)).totals).toMatchObject({ rows: 0, not_enrolled: 6 + inB });
    const again = await undoOf(alma, back);
    expect(again.totals).toMatchObject({ add: 6 + inB, rows: 6 + inB });
  });

  test('when two tabs submit an undo at the same time, one shows that the other has done it', async () => {
    const course = campus.course(2);
    const people = campus.strangers(2, [course.id]);
    const emails = people.map(({ email }) => email);
    const before = await inCourse(course.id);
    const added = await done(
      alma,
      await makePlan(alma, { role_id: 3, status: 'active', courses: [course.id], emails }),
    );
    const tabs = await Promise.all([1, 2, 3, 4].map(() => undoOf(alma, added)));
    const answers = await Promise.all(tabs.map((plan) => submit(alma, { plan: plan.id })));
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409, 409, 409]);
    for (const answer of answers) {
      const { data, error } = await answer.json();
      if (answer.ok) expect(await watch(alma, data.id)).toMatchObject({ verdict: 'done' });
      else expect(error.message).toContain('already been undone');
    }
    expect(await inCourse(course.id)).toEqual(before);
    expect((await jobOf(alma, added.id)).undone_by).toMatchObject({ mark: 'done' });
  });

  test('when an undo is itself undone, the entries show the current state, link to each other, and offer undo only if it applies', async () => {
    const course = campus.courseForRows(2);
    const people = campus.strangers(2, [course.id]);
    const emails = people.map(({ email }) => email);
    const a = await done(
      alma,
      await makePlan(alma, { role_id: 3, status: 'active', courses: [course.id], emails }),
    );
    const names = new Map([[a.id, 'A']]);
    const undo = async (name: string, one: SisImport) => {
      const made = await done(alma, await undoOf(alma, one));
      names.set(made.id, name);
      return made;
    };
    /**
     * Reads Activity's data for each import: its outcome, its undo, what it undoes, and whether undo is
     * offered.
     */
    const told = async () => {
      const { data } = await (await alma.fetch(`${ENDPOINTS.jobs}?kind=import`)).json();
      const lines = [...names].map(async ([id, name]) => {
        const { undone_by: by, undoes, import: one } = await jobOf(alma, id);
        const listed = (data as { id: string }[]).find((job) => job.id === id);
        expect(listed).toMatchObject({ undone_by: by, undoes });
        expect((await watch(alma, id)).can_undo).toBe(one?.can_undo);
        return [
          name,
          ...(by ? [by.mark, names.get(by.id)] : []),
          ...(undoes ? [`of ${names.get(undoes)}`] : []),
          ...(one?.can_undo ? ['may be undone'] : []),
        ].join(' ');
      });
      const states = people.map((one) => campus.stateOf(one.id, campus.defaultSection(course.id).id, 3));
      return [states.join(' '), ...(await Promise.all(lines))];
    };
    const b = await undo('B', a);
    expect(await told()).toEqual(['deleted deleted', 'A done B', 'B of A may be undone']);
    const c = await undo('C', b);
    expect(await told()).toEqual([
      'active active',
      'A again B may be undone',
      'B done C of A',
      'C of B may be undone',
    ]);
    await undo('D', c);
    expect(await told()).toEqual([
      'deleted deleted',
      'A done B',
      'B again C of A may be undone',
      'C done D of B',
      'D of C may be undone',
    ]);
    await undo('E', b);
    await undo('F', a);
    expect(await told()).toEqual([
      'deleted deleted',
      'A done F',
      'B again E of A may be undone',
      'C done D of B',
      'D again E of C may be undone',
      'E done F of B',
      'F of A may be undone',
    ]);
  });

  test('an undo whose review left a person unchanged counts as having undone only a part', async () => {
    const course = campus.courseForRows(3);
    const [one, other] = campus.strangers(2, [course.id]) as [Person, Person];
    const emails = [one.email, other.email];
    const added = await done(
      alma,
      await makePlan(alma, { role_id: 3, status: 'active', courses: [course.id], emails }),
    );
    campus.enrol(other.id, campus.defaultSection(course.id), 3, 'inactive');
    const back = await done(alma, await undoOf(alma, added));
    expect(back.verdict).toBe('done');
    expect(await jobOf(alma, added.id)).toMatchObject({
      undone_by: { id: back.id, mark: 'partly' },
      import: { can_undo: true },
    });
  });

  test('nothing to undo, an LMS that does not answer and a course out of scope give three different answers', async () => {
    const course = campus.courseForRows(6);
    const people = campus.strangers(2, [course.id]);
    const added = await done(
      alma,
      await makePlan(alma, {
        role_id: 3,
        status: 'active',
        courses: [course.id],
        emails: people.map(({ email }) => email),
      }),
    );
    const kept = async () => {
      const { kept, totals } = await undoOf(alma, added);
      return [totals.rows, ...kept.map(({ why, people }) => `${why} ${people}`)];
    };
    for (const match of [
      `/api/v1/sections/${campus.defaultSection(course.id).id}/enrollments`,
      `/api/v1/courses/${course.id}/sections`,
    ]) {
      await campus.fault({ match, kind: 'status', status: 500 });
      expect(await kept()).toEqual([0, 'unanswered 2']);
      await campus.clearFaults();
    }
    const { courses } = ts.sandbox.world;
    courses.change(courses.must(course.id), { workflow_state: 'deleted' });
    expect(await kept()).toEqual([0, 'out-of-reach 2']);
    courses.change(courses.must(course.id), { workflow_state: 'available' });
    expect(await kept()).toEqual([2]);
    await done(alma, await undoOf(alma, added));
    expect(await kept()).toEqual([0]);
  });

  test('the enrolments of a course out of scope are listed once each, whatever their previous state', async () => {
    const course = campus.courseForRows(11);
    const people = campus.strangers(3, [course.id]);
    const [paused] = people as [Person, Person, Person];
    campus.enrol(paused.id, campus.defaultSection(course.id), 3, 'inactive');
    const emails = people.map(({ email }) => email);
    const plan = await makePlan(alma, { role_id: 3, status: 'active', courses: [course.id], emails });
    const added = await done(alma, plan);
    const { courses } = ts.sandbox.world;
    courses.change(courses.must(course.id), { workflow_state: 'deleted' });
    const { kept } = await undoOf(alma, added);
    expect(kept.flatMap(({ who }) => who.map(({ person }) => person)).sort()).toEqual(
      people.map(({ id }) => nameOf(id)).sort(),
    );
    expect(new Set(kept.map(({ why }) => why))).toEqual(new Set(['out-of-reach']));
  });
});

test('an import of Section Enrollment is undone in each section with its own role and action', async () => {
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

describe('who can undo, and when', () => {
  async function added(browser: Browser): Promise<SisImport> {
    const course = campus.course(7);
    const emails = campus.strangers(1, [course.id]).map(({ email }) => email);
    return done(
      browser,
      await makePlan(browser, { role_id: 3, status: 'active', courses: [course.id], emails }),
    );
  }

  test('OP-14 no one else can undo it, not even with permissions for the whole school, and not with the other tool', async () => {
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
    // An undo plan does not count as a plan of the tool, and a plan of the tool does not count as an undo
    // plan.
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

  test('PERM-10 without the role an undo is rejected, and nothing is planned', async () => {
    const one = await added(bruno);
    const record = ts.server.services.access.find(PEOPLE.custom);
    const roles = record?.roles;
    Object.assign(record ?? {}, { roles: '5' });
    const { plan, error } = await askUndo(bruno, one.id);
    expect(await watch(bruno, one.id)).toMatchObject({ can_undo: false });
    Object.assign(record ?? {}, { roles });
    expect(await watch(bruno, one.id)).toMatchObject({ can_undo: true });
    expect(plan).toBeNull();
    expect(error?.message).toBe('You do not have permission to use this role.');
  });

  test('undo is offered while the rows are kept, and only for imports sent from a plan', async () => {
    const one = await added(bruno);
    const { db } = ts.server.services.db;
    await db.update(plans).set({ expiresAt: new Date(Date.now() - 7 * 86_400_000) });
    await tidy(db);
    expect((await undoOf(bruno, one)).totals.rows).toBe(1);
    // An earlier version recorded states only at the review, and the plan says so.
    expect(await undoOf(bruno, one)).toMatchObject({ as_reviewed: false, totals: { remove: 1 } });
    for (const row of await db.select().from(planCourses)) {
      const rows = (await unpack<StoredRows[]>(row.rows)).map(({ sent: _sent, as: _as, ...kept }) => kept);
      await db
        .update(planCourses)
        .set({ rows: await pack(rows) })
        .where(and(eq(planCourses.planId, row.planId), eq(planCourses.courseId, row.courseId)));
    }
    expect(await undoOf(bruno, one)).toMatchObject({ as_reviewed: true, totals: { remove: 1 } });
    // A plan from an older version does not say who was enrolled before.
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
