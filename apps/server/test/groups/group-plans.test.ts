/** Plans for new groups: the difference from the LMS, and its effects there (requirements GRP). */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { askGroupPlan, Campus, makeGroupPlan, submit, submitted, watch } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { groupedCourse, groupsOf, makeCategory, makeGroup } from './support.ts';

const ELENA = 'elena.marsh@northbridge.example';
const FOREIGN = 86;
let ts: TestServer;
let campus: Campus;
let alma: Browser;
/** An admin limited to account 163. */
let elena: Browser;

beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
  elena = await ts.signIn(ELENA);
});
afterAll(() => ts?.close());
beforeEach(async () => {
  await campus.clearFaults();
  await campus.forgetRequests();
});

const range = (prefix: string, start: number, end = start) => ({ prefix, start, end });
const asked = () => campus.requests((one) => one.path.startsWith('/api/v1'));

describe('groups in a plan', () => {
  test('GRP-21, GRP-22, GRP-23, GRP-24 new, existing and renamed groups are recognised, and the import creates exactly the missing ones', async () => {
    const course = await groupedCourse(campus);
    await makeGroup(campus, course.teams, 'By another name', `${course.sis}_Q-G04`);
    const plan = await makeGroupPlan(alma, {
      course: course.id,
      category: course.teams.id,
      ranges: [range('Q', 3, 5), range('R', 9, 8), range(' ', 1, 2)],
    });
    expect(plan.groups.map(({ sis_group_id, name, fate }) => [sis_group_id, name, fate])).toEqual([
      [`${course.sis}_Q-G03`, 'Q-G03', 'there'],
      [`${course.sis}_Q-G04`, 'Q-G04', 'renamed'],
      [`${course.sis}_Q-G05`, 'Q-G05', 'new'],
    ]);
    expect(plan.groups[1]?.why).toBe('The group is currently called "By another name".');
    expect(plan.totals).toEqual({ new: 1, there: 1, renamed: 1, refused: 0, rows: 2 });
    expect(plan).toMatchObject({
      course: { id: course.id, name: course.name, sis_course_id: course.sis },
      category: { id: course.teams.id, sis_group_category_id: course.teams.sis },
      import_id: null,
    });
    // Creating the plan has changed nothing.
    expect(Object.keys(await groupsOf(campus, course.teams))).toHaveLength(4);
    const one = await submitted(alma, { plan: plan.id });
    expect(one.label).toBe(`Create 1 group and rename 1 in ${course.name}`);
    expect(await watch(alma, one.id)).toMatchObject({ verdict: 'done', rows: 2, applied: 2 });
    expect(await groupsOf(campus, course.teams)).toEqual(
      Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`${course.sis}_Q-G0${n}`, `Q-G0${n}`])),
    );
    const again = await (await alma.fetch(ENDPOINTS.groupPlan.replace(':plan', plan.id))).json();
    expect(again.data.import_id).toBe(one.id);
  });

  test('OP-77, OP-108 ids that belong to another category or another course are rejected and named', async () => {
    const [course, other, foreign] = [
      await groupedCourse(campus, 163),
      await groupedCourse(campus, 163),
      await groupedCourse(campus, FOREIGN),
    ];
    await makeGroup(campus, other.teams, 'Theirs', `${course.sis}_T-G01`);
    await makeGroup(campus, foreign.teams, 'Theirs too', `${course.sis}_T-G02`);
    await makeGroup(campus, course.labs, 'T-G03', null);
    const request = {
      course: course.id,
      category: course.labs.id,
      ranges: [range('Q', 1), range('T', 1, 4)],
    };
    const plan = await makeGroupPlan(elena, request);
    expect(plan.groups.map(({ fate }) => fate)).toEqual(['refused', 'refused', 'refused', 'refused', 'new']);
    expect(plan.groups.map(({ why }) => why)).toEqual([
      expect.stringContaining('in the category "Quiz Teams"'),
      expect.stringContaining(`of the course "${other.name}"`),
      // Groups that have become unavailable are not named.
      expect.stringContaining('elsewhere in the LMS'),
      expect.stringContaining('without an SIS ID'),
      null,
    ]);
    expect(JSON.stringify(plan)).not.toContain(foreign.name);
    const whole = await makeGroupPlan(alma, request);
    expect(whole.groups[2]?.why).toContain(foreign.name);
    const one = await watch(elena, (await submitted(elena, { plan: plan.id })).id);
    expect(one).toMatchObject({ verdict: 'done', rows: 1 });
    // The import did not move any group.
    expect(Object.values(await groupsOf(campus, course.teams)).sort()).toEqual(['Q-G01', 'Q-G02', 'Q-G03']);
    expect(Object.values(await groupsOf(campus, foreign.teams))).toContain('Theirs too');
    expect(Object.values(await groupsOf(campus, course.labs)).sort()).toEqual(['T-G03', 'T-G04']);
  });

  test('OP-108 ids with a dot or a slash are looked up unchanged', async () => {
    const course = await groupedCourse(campus);
    const other = await groupedCourse(campus);
    await makeGroup(campus, other.teams, 'Odd', `${course.sis}_a/b.json-G01`);
    const plan = await makeGroupPlan(alma, {
      course: course.id,
      category: course.teams.id,
      ranges: [range('a/b.json', 1, 2)],
    });
    expect(plan.groups.map(({ fate }) => fate)).toEqual(['refused', 'new']);
  });

  test('GRP-18 makes only the necessary calls: two lists, and one call for each id that the course does not have', async () => {
    const course = await groupedCourse(campus);
    const request = { course: course.id, category: course.teams.id, ranges: [range('Q', 1, 6)] };
    await makeGroupPlan(alma, request);
    await campus.forgetRequests();
    await makeGroupPlan(alma, request);
    const paths = (await asked()).map(({ path }) => path.split('?')[0]?.replace(/^\/api\/v1\//, ''));
    expect(paths.filter((path) => path?.startsWith('groups/'))).toHaveLength(3);
    expect(new Set(paths.filter((path) => path?.startsWith('courses/')))).toEqual(
      new Set([`courses/${course.id}/group_categories`, `courses/${course.id}/groups`]),
    );
    expect(paths.filter((path) => path?.startsWith('courses/'))).toHaveLength(2);
  });
});

describe('plans that are not possible', () => {
  test('OP-14 a course out of scope is treated as missing, and none of its data is read', async () => {
    const course = await groupedCourse(campus, FOREIGN);
    await campus.forgetRequests();
    const request = { course: course.id, category: course.teams.id, ranges: [range('Q', 1)] };
    const refused = await askGroupPlan(elena, request);
    expect(refused).toMatchObject({ status: 404, error: { message: 'The course was not found.' } });
    expect((await asked()).filter(({ path }) => path.includes('group'))).toEqual([]);
    expect((await askGroupPlan(elena, { ...request, course: 99_999_999 })).error?.message).toBe(
      refused.error?.message,
    );
    expect((await askGroupPlan(await ts.signIn(PEOPLE.custom), request)).status).toBe(403);
  });

  test('OP-108 a category without an SIS ID, in another course, or deleted is rejected', async () => {
    const [course, other] = [await groupedCourse(campus), await groupedCourse(campus)];
    const bare = await makeCategory(campus, course.id, 'Bare', null);
    const planned = (category: number) =>
      askGroupPlan(alma, { course: course.id, category, ranges: [range('Q', 1)] });
    expect((await planned(bare.id)).error).toMatchObject({
      message: expect.stringContaining('no SIS ID'),
      next: expect.stringContaining('Add an SIS ID to it first'),
    });
    for (const id of [other.teams.id, 99_999_999]) {
      expect((await planned(id)).error).toMatchObject({
        message: 'The course does not have this group category.',
        next: expect.stringContaining('Refresh'),
      });
    }
  });

  test('GRP-18, OP-78 a plan without groups, or for a course without an SIS ID, is rejected before anything is read', async () => {
    const course = await groupedCourse(campus);
    const none = await askGroupPlan(alma, {
      course: course.id,
      category: course.teams.id,
      ranges: [range('Q', 5, 4), range('  ', 0, 9)],
    });
    expect(none).toMatchObject({ status: 400, error: { message: 'These rows create no groups.' } });
    const { courses } = ts.sandbox.world;
    const bare = [...courses.values()].find(
      (one) => one.sis_source_id === null && one.workflow_state !== 'deleted',
    );
    await campus.forgetRequests();
    const refused = await askGroupPlan(alma, { course: bare?.id ?? 0, category: 1, ranges: [range('Q', 1)] });
    expect(refused).toMatchObject({ status: 400, error: { message: expect.stringContaining('no SIS ID') } });
    expect((await asked()).filter(({ path }) => path.includes('group'))).toEqual([]);
  });

  test('GRP-18 a plan without rows is not submitted; another person’s plan is treated as missing', async () => {
    const course = await groupedCourse(campus, 163);
    const plan = await makeGroupPlan(alma, {
      course: course.id,
      category: course.teams.id,
      ranges: [range('Q', 1, 3)],
    });
    expect(plan.totals.rows).toBe(0);
    const refused = await submit(alma, { plan: plan.id });
    expect([refused.status, (await refused.json()).error.message]).toEqual([
      400,
      expect.stringContaining('nothing to change'),
    ]);
    expect((await submit(elena, { plan: plan.id })).status).toBe(404);
    for (const [browser, path] of [
      [elena, ENDPOINTS.groupPlan],
      // For other tools, the plan is neither one for members nor one for sections.
      [alma, ENDPOINTS.memberPlan],
      [alma, ENDPOINTS.sectionPlan],
    ] as const) {
      expect((await browser.fetch(path.replace(':plan', plan.id))).status).toBe(404);
    }
  });
});
