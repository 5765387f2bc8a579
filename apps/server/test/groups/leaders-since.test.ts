/** People who became group leaders, or stopped being leaders, between review and sending (OP-107). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Campus, makeMemberPlan, type Person, submitted, watch } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  csvOf,
  fromCsv,
  type GroupedCourse,
  groupedCourse,
  importMessagesOf,
  join,
  membersOf,
  memberUndoOf,
  sentWhile,
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

const plan = (course: GroupedCourse, ...rows: Parameters<typeof csvOf>) =>
  makeMemberPlan(alma, { course: course.id, from: fromCsv(csvOf(...rows)) });
const done = async ({ id }: { id: string }) => watch(alma, (await submitted(alma, { plan: id })).id);
const sentAfter = (of: { id: string }, meanwhile: () => Promise<unknown>) =>
  sentWhile(campus, alma, { plan: of.id }, meanwhile);
const name = ({ id }: { id: number }) => ts.sandbox.world.users.must(id).name;
const sorted = (...people: Person[]) => people.map(({ id }) => id).sort((a, b) => a - b);
const leads = async (group: { id: number }, { id }: Person, moderator = true) => {
  const answer = await campus.api(`groups/${group.id}/users/${id}`, { method: 'PUT', body: { moderator } });
  expect(answer.status).toBe(200);
};
const leadersOf = async (group: { id: number }) => {
  const list = await (await campus.api(`groups/${group.id}/memberships`)).json();
  return (list as { user_id: number; moderator: boolean }[])
    .filter(({ moderator }) => moderator)
    .map(({ user_id }) => user_id);
};
const left = (row: number, person: Person, to: { name: string }, from: { name: string }) =>
  `Row ${row} (${name(person)}, ${to.name}) was skipped: ${name(person)} has become the leader of the group ${from.name} since the review. This row would end their leadership.`;

test('OP-107 a person who has become leader of the group that they were going to leave stays in it and is named', async () => {
  const course = await groupedCourse(campus);
  const [g1, g2, g3] = course.groups;
  const [a, b, c, d, e] = course.students as [Person, Person, Person, Person, Person];
  await join(campus, g1, a, b, c, d, e);
  await leads(g1, e);
  const made = await plan(
    course,
    [g2.sis, a.sis],
    [g1.sis, b.sis, 'deleted'],
    // A move with two rows.
    [g1.sis, c.sis, 'deleted'],
    [g3.sis, c.sis],
    [g2.sis, d.sis],
    [g2.sis, e.sis],
  );
  expect(made.leaders.who).toEqual([{ person: name(e), group: g1.name }]);
  const ended = await sentAfter(made, async () => {
    for (const one of [a, b, c]) await leads(g1, one);
  });
  expect(ended).toMatchObject({ verdict: 'partly', rows: 2, applied: 2 });
  expect(await importMessagesOf(alma, ended.id)).toEqual([
    left(2, a, g2, g1),
    left(3, b, g1, g1),
    left(4, c, g1, g1),
    left(5, c, g3, g1),
  ]);
  expect(await membersOf(campus, g1)).toEqual(sorted(a, b, c));
  expect((await leadersOf(g1)).sort((x, y) => x - y)).toEqual(sorted(a, b, c));
  expect(await membersOf(campus, g2)).toEqual(sorted(d, e));
});

test('OP-107 people chosen as leader in the group’s own settings, or who became leader after an undo was reviewed, also stay', async () => {
  const course = await groupedCourse(campus);
  const [g1, g2] = course.groups;
  const [a, b, c] = course.students as [Person, Person, Person];
  const { groups } = ts.sandbox.world;
  await join(campus, g1, c);
  const made = await plan(course, [g2.sis, a.sis], [g2.sis, b.sis], [g2.sis, c.sis]);
  const ended = await sentAfter(made, async () => groups.change(groups.must(g1.id), { leader_id: c.id }));
  expect(ended).toMatchObject({ verdict: 'partly', rows: 2 });
  expect(await importMessagesOf(alma, ended.id)).toEqual([left(4, c, g2, g1)]);

  const undo = await memberUndoOf(alma, ended.id);
  expect(undo.leaders).toEqual({ who: [], again: [], unread: 0 });
  const undone = await sentAfter(undo, () => leads(g2, a));
  expect(undone).toMatchObject({ verdict: 'partly', rows: 1 });
  expect(await importMessagesOf(alma, undone.id)).toEqual([left(2, a, g2, g2)]);
  expect([await membersOf(campus, g2), await leadersOf(g2)]).toEqual([[a.id], [a.id]]);
});

test('OP-107 the review of an undo names the people who were leaders at sending, not at the review', async () => {
  const course = await groupedCourse(campus);
  const [g1, g2] = course.groups;
  const [a, b] = course.students as [Person, Person];
  await join(campus, g1, a, b);
  for (const one of [a, b]) await leads(g1, one);
  const made = await plan(course, [g2.sis, a.sis], [g2.sis, b.sis]);
  expect(made.leaders.who).toHaveLength(2);
  const ended = await sentAfter(made, () => leads(g1, a, false));
  expect(ended).toMatchObject({ verdict: 'done', rows: 2 });
  const undo = await memberUndoOf(alma, ended.id);
  expect(undo.leaders.again).toEqual([{ person: name(b), group: g1.name }]);
  expect(await done(undo)).toMatchObject({ verdict: 'done', rows: 2 });
  expect(await leadersOf(g1)).toEqual([b.id]);
});

test('OP-107 a person who was in the group twice, the second time as leader, does not lead it after an undo and is named', async () => {
  const course = await groupedCourse(campus);
  const [g1, g2] = course.groups;
  const [a, b] = course.students as [Person, Person];
  const { groupMemberships } = ts.sandbox.world;
  await join(campus, g1, a, b);
  for (const one of groupMemberships.by.group.get(g1.id))
    if (one.user_id === a.id) groupMemberships.change(one, { workflow_state: 'deleted' });
  await join(campus, g1, a);
  for (const one of [a, b]) await leads(g1, one);
  const moved = await done(await plan(course, [g2.sis, a.sis], [g2.sis, b.sis]));
  const undo = await memberUndoOf(alma, moved.id);
  expect(undo.leaders.again).toHaveLength(2);
  const ended = await done(undo);
  expect(await leadersOf(g1)).toEqual([b.id]);
  expect(ended.verdict).toBe('partly');
  expect(ended.note).toBe(
    `According to the LMS, 1 person does not lead the group again: ${name(a)} (${g1.name}). Check the leaders in the LMS, and choose them again if needed.`,
  );
});

test('OP-107 people whom the review could not identify as leaders leave; data that cannot be read later counts as reviewed', async () => {
  const course = await groupedCourse(campus);
  const [g1, g2, g3] = course.groups;
  const [a, b] = course.students as [Person, Person];
  await join(campus, g1, a);
  await join(campus, g2, b);
  for (const [group, one] of [
    [g1, a],
    [g2, b],
  ] as const)
    await leads(group, one);
  const hidden = ({ id }: { id: number }) =>
    campus.fault({ match: `/api/v1/groups/${id}/memberships*`, kind: 'status', status: 403 });
  await hidden(g1);
  const made = await plan(course, [g3.sis, a.sis], [g3.sis, b.sis]);
  expect(made.leaders).toEqual({ who: [{ person: name(b), group: g2.name }], again: [], unread: 1 });
  await campus.clearFaults();
  await hidden(g2);
  const ended = await done(made);
  await campus.clearFaults();
  expect(ended).toMatchObject({ verdict: 'done', rows: 2 });
  const undo = await memberUndoOf(alma, ended.id);
  expect(undo.leaders.again).toEqual([
    { person: name(b), group: g2.name },
    { person: name(a), group: g1.name },
  ]);
});
