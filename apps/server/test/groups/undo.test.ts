/**
 * Undoing an import of group members: changes that still apply are reversed, after a review and submission
 * like any other plan.
 */
import { randomUUID } from 'node:crypto';
import { ENDPOINTS, jobStartPath } from '@lms-admin/contract/endpoints';
import type { SisImport } from '@lms-admin/contract/imports';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { KeptMembers } from '../../src/groups/plan-parts.ts';
import { pack, unpack } from '../../src/platform/packed.ts';
import { jobs, planCourses } from '../../src/platform/schema.ts';
import {
  Campus,
  jobOf,
  makeGroupPlan,
  makeMemberPlan,
  type Person,
  submitted,
  watch,
} from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  askMemberUndo,
  csvOf,
  fatesOf,
  fromCsv,
  type GroupedCourse,
  groupedCourse,
  groupsOf,
  join,
  membersOf,
  memberUndoOf,
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

const undoOf = (one: SisImport) => memberUndoOf(alma, one.id);
/** Removes a person from a group directly in the LMS, as a teacher would. */
function leave(group: { id: number }, person: Person): void {
  const { groupMemberships } = ts.sandbox.world;
  const left = [...groupMemberships.values()].find(
    (one) => one.user_id === person.id && one.group_id === group.id && one.workflow_state !== 'deleted',
  );
  if (!left) throw new Error('nobody is there');
  groupMemberships.change(left, { workflow_state: 'deleted' });
}
const done = async (plan: { id: string }) => watch(alma, (await submitted(alma, { plan: plan.id })).id);
const people = async ({ groups }: GroupedCourse) =>
  Promise.all(groups.map((group) => membersOf(campus, group)));

test('OP-107 added people leave, removed people return, moved people go back to their group; then all of it is redone', async () => {
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
  // A second review has nothing to do, and undoing the undo repeats the change.
  expect((await undoOf(sent)).totals.rows).toBe(0);
  expect(await jobOf(alma, sent.id)).toMatchObject({
    undone_by: { id: back.id, mark: 'done' },
    import: { can_undo: false },
  });
  const again = await done(await undoOf(back));
  expect(again).toMatchObject({ verdict: 'done' });
  expect(again.label).toMatch(/^Redo: /);
  expect(await people(course)).toEqual(after);
  expect(await jobOf(alma, sent.id)).toMatchObject({
    undone_by: { id: back.id, mark: 'again' },
    import: { can_undo: true },
  });
  expect(await jobOf(alma, back.id)).toMatchObject({ undone_by: { id: again.id, mark: 'done' } });
});

test('OP-107 each undo has a title of its own, also if an early version did not record which import was undone', async () => {
  const course = await groupedCourse(campus);
  const [g1] = course.groups;
  const [a] = course.students as [Person];
  const from = fromCsv(csvOf([g1.sis, a.sis]));
  const sent = await done(await makeMemberPlan(alma, { course: course.id, from }));
  const titles: string[] = [];
  let last = sent;
  for (let turn = 0; turn < 4; turn++) {
    last = await done(await undoOf(last));
    titles.push(last.label.slice(0, last.label.indexOf(':')));
    await ts.server.services.db.db.update(jobs).set({ undoes: null }).where(eq(jobs.id, last.id));
  }
  expect(titles).toEqual(['Undo', 'Redo', 'Undo again', 'Redo again']);
});

test('OP-107 people whom others have changed since are skipped and named; people already in the right group stay', async () => {
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
  // Others put three people into the third group, and remove one from their group.
  await join(campus, g3, a, b, c);
  leave(g2, d);
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

test('OP-107 an undo uses what the rows did when they were sent, not what the review showed', async () => {
  const course = await groupedCourse(campus);
  const [g1, g2, g3] = course.groups;
  const [a, b, c, d, e] = course.students as [Person, Person, Person, Person, Person];
  await join(campus, g1, a, b, c);
  await join(campus, g2, e);
  const reviewed = await makeMemberPlan(alma, {
    course: course.id,
    from: fromCsv(
      csvOf([g2.sis, a.sis], [g2.sis, b.sis], [g1.sis, c.sis, 'deleted'], [g2.sis, d.sis], [g3.sis, e.sis]),
    ),
  });
  expect(fatesOf(reviewed)).toEqual([
    [2, 'move', g1.name],
    [3, 'move', g1.name],
    [4, 'remove'],
    [5, 'add'],
    [6, 'move', g2.name],
  ]);
  // Others were quicker: the first person is not in any group now, and the next three rows are done already.
  leave(g1, a);
  leave(g1, b);
  await join(campus, g2, b);
  leave(g1, c);
  await join(campus, g2, d);
  const between = await people(course);
  const sent = await done(reviewed);
  // People whom others have changed in the meantime are skipped.
  expect(sent).toMatchObject({ verdict: 'partly', rows: 1 });
  const plan = await undoOf(sent);
  expect(fatesOf(plan)).toEqual([[1, 'move', g3.name]]);
  expect(plan).toMatchObject({ kept: [], as_reviewed: false });
  await done(plan);
  expect(await people(course)).toEqual(between);
});

test('OP-107 a person due to move back whom others removed from every group after the review stays out and is named', async () => {
  const course = await groupedCourse(campus);
  const [g1, g2] = course.groups;
  const [a, b, c] = course.students as [Person, Person, Person];
  await join(campus, g1, a, b, c);
  const sent = await done(
    await makeMemberPlan(alma, {
      course: course.id,
      from: fromCsv(csvOf([g2.sis, a.sis], [g1.sis, b.sis, 'deleted'], [g2.sis, b.sis], [g2.sis, c.sis])),
    }),
  );
  expect(sent).toMatchObject({ verdict: 'done', rows: 4 });
  const plan = await undoOf(sent);
  expect(fatesOf(plan)).toEqual([
    [1, 'move', g2.name],
    [2, 'remove'],
    [3, 'add'],
    [4, 'move', g2.name],
  ]);
  leave(g2, a);
  leave(g2, b);
  const back = await done(plan);
  expect(back).toMatchObject({ verdict: 'partly', rows: 1, applied: 1 });
  expect(await membersOf(campus, g1)).toEqual([c.id]);
  expect(await membersOf(campus, g2)).toEqual([]);
  const name = ({ id }: Person) => ts.sandbox.world.users.must(id).name;
  for (const one of [a, b]) expect(back.note).toContain(name(one));
});

test('OP-107 a person whose group was deleted and who is now in another of its category is named as not restored', async () => {
  const course = await groupedCourse(campus);
  const [g1, g2] = course.groups;
  const [a] = course.students as [Person];
  const sent = await done(
    await makeMemberPlan(alma, { course: course.id, from: fromCsv(csvOf([g1.sis, a.sis])) }),
  );
  await campus.api(`groups/${g1.id}`, { method: 'DELETE' });
  await join(campus, g2, a);
  const plan = await undoOf(sent);
  expect(plan.totals.rows).toBe(0);
  expect(plan.kept).toEqual([
    { person: ts.sandbox.world.users.must(a.id).name, group: g1.name, why: 'moved-on' },
  ]);
});

test('OP-107 a person removed from one group and added to another goes back to the first', async () => {
  const course = await groupedCourse(campus);
  const [g1, g2] = course.groups;
  const [a] = course.students as [Person];
  await join(campus, g1, a);
  const before = await people(course);
  const sent = await done(
    await makeMemberPlan(alma, {
      course: course.id,
      from: fromCsv(csvOf([g1.sis, a.sis, 'deleted'], [g2.sis, a.sis])),
    }),
  );
  expect(await membersOf(campus, g2)).toEqual([a.id]);
  const plan = await undoOf(sent);
  expect([fatesOf(plan), plan.kept]).toEqual([
    [
      [1, 'remove'],
      [2, 'add'],
    ],
    [],
  ]);
  await done(plan);
  expect(await people(course)).toEqual(before);
});

test('OP-107 an import from an earlier version, which stored only its review, can still be undone', async () => {
  const course = await groupedCourse(campus);
  const [g1, g2] = course.groups;
  const [a, b] = course.students as [Person, Person];
  await join(campus, g1, a);
  const before = await people(course);
  const reviewed = await makeMemberPlan(alma, {
    course: course.id,
    from: fromCsv(csvOf([g2.sis, a.sis], [g2.sis, b.sis])),
  });
  const sent = await done(reviewed);
  const [row] = await ts.server.services.db.db
    .select()
    .from(planCourses)
    .where(eq(planCourses.planId, reviewed.id));
  if (!row) throw new Error('the plan is gone');
  const kept = await unpack<KeptMembers>(row.rows);
  const rows = await pack({ ...kept, rows: kept.rows.map((one) => ({ ...one, sent: undefined })) });
  await ts.server.services.db.db.update(planCourses).set({ rows }).where(eq(planCourses.planId, reviewed.id));
  const plan = await undoOf(sent);
  expect(plan).toMatchObject({ as_reviewed: true, totals: { move: 1, remove: 1 } });
  await done(plan);
  expect(await people(course)).toEqual(before);
});

test("OP-107 another person's import, one without members, or one of another kind cannot be undone", async () => {
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
  expect((await askMemberUndo(elena, sent.id)).status).toBe(404);
  expect((await elena.fetch(ENDPOINTS.memberUndoPlan.replace(':plan', undo.id))).status).toBe(404);
  expect((await askMemberUndo(alma, randomUUID())).status).toBe(404);
  // The undo does not delete groups that were created.
  const groups = await makeGroupPlan(alma, {
    course: course.id,
    category: course.labs.id,
    ranges: [{ prefix: 'L', start: 1, end: 1 }],
  });
  const madeGroups = await done(groups);
  expect(Object.keys(await groupsOf(campus, course.labs))).toHaveLength(1);
  expect(madeGroups).toMatchObject({ verdict: 'done', can_undo: false });
  expect((await askMemberUndo(alma, madeGroups.id)).status).toBe(409);
  const bad = await alma.post(jobStartPath('group-member-undo'), {
    key: randomUUID(),
    input: { import: 'x' },
  });
  expect(bad.status).toBe(400);
});
