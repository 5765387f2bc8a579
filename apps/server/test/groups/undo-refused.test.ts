/**
 * Undoing an import of group members that the LMS carried out only in part: changes by others are not
 * reversed (OP-107).
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Campus, makeMemberPlan, type Person, submitted, watch } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  csvOf,
  fatesOf,
  fromCsv,
  type GroupedCourse,
  groupedCourse,
  join,
  membersOf,
  memberUndoOf,
  sentInto,
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
beforeEach(() => campus.clearFaults());

type Rows = Parameters<typeof csvOf>;
const planOf = (course: GroupedCourse, ...rows: Rows) =>
  makeMemberPlan(alma, { course: course.id, from: fromCsv(csvOf(...rows)) });
const done = async (plan: { id: string }) => watch(alma, (await submitted(alma, { plan: plan.id })).id);
const undoOf = ({ id }: { id: string }) => memberUndoOf(alma, id);
const leave = ({ id }: { id: number }, person: Person) =>
  campus.api(`groups/${id}/users/${person.id}`, { method: 'DELETE' });
const ids = (...people: Person[]) => people.map(({ id }) => id).sort((a, b) => a - b);
const whoOf = ({ members }: { members: { user_id: string; fate: string }[] }) =>
  members.map(({ user_id, fate }) => [user_id, fate]);

test('OP-107 a person whom the LMS rejected because the group was full, and whom others have added since, stays there', async () => {
  const course = await groupedCourse(campus);
  const [g1, g2, g3] = course.groups;
  const [a, b, c] = course.students as [Person, Person, Person];
  await join(campus, g3, c);
  const limit = (max_membership: number | null) => {
    const { groups } = ts.sandbox.world;
    groups.change(groups.must(g1.id), { max_membership });
  };
  const plan = await planOf(course, [g1.sis, a.sis], [g1.sis, b.sis], [g1.sis, c.sis], [g2.sis, c.sis]);
  expect(fatesOf(plan)).toEqual([
    [2, 'add'],
    [3, 'add'],
    [4, 'move', g3.name],
    [5, 'refused'],
  ]);
  const sent = await sentInto(campus, alma, { plan: plan.id }, () => limit(1));
  expect(sent).toMatchObject({ verdict: 'partly', rows: 3, applied: 1, can_undo: true });
  expect([await membersOf(campus, g1), await membersOf(campus, g3)]).toEqual([ids(a), ids(c)]);
  limit(null);
  await join(campus, g1, b, c);

  const undo = await undoOf(sent);
  expect(whoOf(undo)).toEqual([[a.sis, 'remove']]);
  expect(undo).toMatchObject({ kept: [], totals: { rows: 1 } });
  expect(await done(undo)).toMatchObject({ verdict: 'done', rows: 1 });
  expect([await membersOf(campus, g1), await membersOf(campus, g3)]).toEqual([ids(b, c), []]);
});

test('OP-107 a person removed from one group but not added to the next returns to the first', async () => {
  const course = await groupedCourse(campus);
  const [g1, g2] = course.groups;
  const [a, b] = course.students as [Person, Person];
  await join(campus, g1, a);
  const plan = await planOf(course, [g1.sis, a.sis, 'deleted'], [g2.sis, b.sis], [g2.sis, a.sis]);
  const sent = await sentInto(campus, alma, { plan: plan.id }, ({ groups }) =>
    groups.change(groups.must(g2.id), { max_membership: 1 }),
  );
  expect(sent).toMatchObject({ verdict: 'partly', applied: 2 });
  const undo = await undoOf(sent);
  expect(whoOf(undo)).toEqual([
    [b.sis, 'remove'],
    [a.sis, 'add'],
  ]);
  await done(undo);
  expect([await membersOf(campus, g1), await membersOf(campus, g2)]).toEqual([ids(a), []]);
});

test('OP-107 rows that others carried out after the LMS aborted the import are not undone', async () => {
  const course = await groupedCourse(campus);
  const [g1, g2] = course.groups;
  const [a, b, c, d, e, f] = course.students as [Person, Person, Person, Person, Person, Person];
  await join(campus, g2, e, f);
  const plan = await planOf(
    course,
    [g1.sis, a.sis],
    [g1.sis, b.sis],
    [g1.sis, c.sis],
    [g1.sis, d.sis],
    [g1.sis, e.sis],
    [g2.sis, f.sis, 'deleted'],
  );
  await campus.fault({ match: '*', kind: 'import-crash', count: 1 });
  const sent = await done(plan);
  expect(sent).toMatchObject({ verdict: 'partly', rows: 6, applied: 3 });
  await join(campus, g1, d, e);
  await leave(g2, f);
  const undo = await undoOf(sent);
  expect(whoOf(undo)).toEqual([
    [c.sis, 'remove'],
    [b.sis, 'remove'],
    [a.sis, 'remove'],
  ]);
  await done(undo);
  expect([await membersOf(campus, g1), await membersOf(campus, g2)]).toEqual([ids(d, e), []]);
});

test('OP-35 OP-107 a person whom others add to a group while the import is stopped is not reported as applied, nor undone', async () => {
  const course = await groupedCourse(campus);
  const [g1] = course.groups;
  const [a, b] = course.students as [Person, Person];
  const plan = await planOf(course, [g1.sis, a.sis], [g1.sis, b.sis]);
  await campus.fault({ match: '*', kind: 'import-hang', count: 1 });
  const { id } = await submitted(alma, { plan: plan.id });
  const { canvas_id } = await watch(alma, id, (one) => one.workflow_state === 'importing');
  await join(campus, g1, a);
  await campus.api(`accounts/1/sis_imports/${canvas_id}/abort`, { method: 'PUT' });
  expect(await watch(alma, id)).toMatchObject({ verdict: 'failed', applied: 0, can_undo: false });
});
