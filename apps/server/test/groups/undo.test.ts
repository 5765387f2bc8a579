/** Taking an import of group members back: what it did and still stands is turned round, reviewed and sent like any other plan. */
import { randomUUID } from 'node:crypto';
import { ENDPOINTS, jobStartPath } from '@lms-admin/contract/endpoints';
import { type MemberUndoPlan, memberUndoPlan } from '@lms-admin/contract/groups';
import type { SisImport } from '@lms-admin/contract/imports';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  Campus,
  jobOf,
  makeGroupPlan,
  makeMemberPlan,
  type Person,
  startPlan,
  submitted,
  watch,
} from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  csvOf,
  fatesOf,
  fromCsv,
  type GroupedCourse,
  groupedCourse,
  groupsOf,
  join,
  membersOf,
} from './support.ts';

let ts: TestServer;
let campus: Campus;
let alma: Browser;

beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
});
afterAll(() => ts?.close());

/** Asks for the plan that takes an import back. */
async function askUndo(browser: Browser, of: string) {
  const { status, job, error } = await startPlan(browser, 'group-member-undo', { import: of });
  if (!job) return { status, error, plan: null, label: null };
  for (;;) {
    const now = await jobOf(browser, job.id);
    if (!now.ended_at) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      continue;
    }
    if (now.state !== 'done') return { status, error: now.problem, plan: null, label: now.label };
    const answer = await browser.fetch(ENDPOINTS.memberUndoPlan.replace(':plan', job.id));
    return { status, error: null, plan: memberUndoPlan.parse((await answer.json()).data), label: now.label };
  }
}
async function undoOf(one: SisImport): Promise<MemberUndoPlan> {
  const { plan, error } = await askUndo(alma, one.id);
  if (!plan) throw new Error(JSON.stringify(error));
  return plan;
}
const done = async (plan: { id: string }) => watch(alma, (await submitted(alma, { plan: plan.id })).id);
const people = async ({ groups }: GroupedCourse) =>
  Promise.all(groups.map((group) => membersOf(campus, group)));

test('OP-107 who was added leaves, who was removed comes back, who was moved goes back where they came from; and all of it again', async () => {
  const course = await groupedCourse(campus);
  const [g1, g2] = course.groups;
  const [a, b, c, d] = course.students as [Person, Person, Person, Person];
  await join(campus, g1, a, b, c);
  const before = await people(course);
  const sent = await done(
    await makeMemberPlan(alma, {
      course: course.id,
      from: fromCsv(csvOf([g1.sis, a.sis, 'deleted'], [g2.sis, b.sis], [g1.sis, c.sis], [g2.sis, d.sis])),
    }),
  );
  expect(sent).toMatchObject({ verdict: 'done', rows: 3, can_undo: true });
  const after = await people(course);
  expect(after).not.toEqual(before);

  const plan = await undoOf(sent);
  expect(plan.undoes).toEqual({ import: sent.id, label: sent.label });
  expect(fatesOf(plan)).toEqual([
    [1, 'remove'],
    [2, 'move', g2.name],
    [3, 'add'],
  ]);
  expect(plan.kept).toEqual([]);
  const back = await done(plan);
  expect(back).toMatchObject({ verdict: 'done', can_undo: true });
  expect(back.label).toMatch(/^Undo: /);
  expect(await people(course)).toEqual(before);
  // Once more there is nothing to do, and taking the undoing back is the change again.
  expect((await undoOf(sent)).totals.rows).toBe(0);
  expect(await done(await undoOf(back))).toMatchObject({ verdict: 'done' });
  expect(await people(course)).toEqual(after);
});

test('OP-107 who was changed by others since is left out and named; who is where they should be stays', async () => {
  const course = await groupedCourse(campus);
  const [g1, g2, g3] = course.groups;
  const [a, b, c, d, e] = course.students as [Person, Person, Person, Person, Person];
  await join(campus, g1, a, b);
  const sent = await done(
    await makeMemberPlan(alma, {
      course: course.id,
      from: fromCsv(
        csvOf([g1.sis, a.sis, 'deleted'], [g2.sis, b.sis], [g2.sis, c.sis], [g2.sis, d.sis], [g2.sis, e.sis]),
      ),
    }),
  );
  // Others put three of them into the third group, and one out of theirs.
  await join(campus, g3, a, b, c);
  const left = [...ts.sandbox.world.groupMemberships.values()].find(
    (one) => one.user_id === d.id && one.group_id === g2.id,
  );
  if (!left) throw new Error('nobody is there');
  ts.sandbox.world.groupMemberships.change(left, { workflow_state: 'deleted' });
  const plan = await undoOf(sent);
  const name = ({ id }: Person) => ts.sandbox.world.users.must(id).name;
  expect(plan.kept).toEqual([
    { person: name(c), group: g2.name, why: 'moved-on' },
    { person: name(b), group: g2.name, why: 'moved-on' },
    { person: name(a), group: g1.name, why: 'moved-on' },
  ]);
  expect(fatesOf(plan)).toEqual([
    [1, 'remove'],
    [2, 'not-member'],
  ]);
  await done(plan);
  expect(await membersOf(campus, g2)).toEqual([]);
  expect(await membersOf(campus, g3)).toEqual([a.id, b.id, c.id].sort((x, y) => x - y));
});

test('OP-107 what is not one’s own, made no members or is a plan of another kind cannot be taken back', async () => {
  const course = await groupedCourse(campus);
  const [g1] = course.groups;
  const [a] = course.students as [Person];
  const plan = await makeMemberPlan(alma, { course: course.id, from: fromCsv(csvOf([g1.sis, a.sis])) });
  const sent = await done(plan);
  const undo = await undoOf(sent);
  const at = (path: string, id: string) => alma.fetch(path.replace(':plan', id));
  expect((await at(ENDPOINTS.memberUndoPlan, plan.id)).status).toBe(404);
  expect((await at(ENDPOINTS.memberPlan, undo.id)).status).toBe(404);
  const elena = await ts.signIn('elena.marsh@northbridge.example');
  expect((await askUndo(elena, sent.id)).status).toBe(404);
  expect((await elena.fetch(ENDPOINTS.memberUndoPlan.replace(':plan', undo.id))).status).toBe(404);
  expect((await askUndo(alma, randomUUID())).status).toBe(404);
  // Groups that were made are not deleted again.
  const groups = await makeGroupPlan(alma, {
    course: course.id,
    category: course.labs.id,
    ranges: [{ prefix: 'L', start: 1, end: 1 }],
  });
  const madeGroups = await done(groups);
  expect(Object.keys(await groupsOf(campus, course.labs))).toHaveLength(1);
  expect(madeGroups).toMatchObject({ verdict: 'done', can_undo: false });
  expect((await askUndo(alma, madeGroups.id)).status).toBe(409);
  const bad = await alma.post(jobStartPath('group-member-undo'), {
    key: randomUUID(),
    input: { import: 'x' },
  });
  expect(bad.status).toBe(400);
});
