/** Undoing an import of group members after others have changed groups or SIS IDs. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Campus, makeMemberPlan, type Person, submitted, watch } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  csvOf,
  fatesOf,
  fromCsv,
  type GroupedCourse,
  groupedCourse,
  importMessagesOf,
  join,
  makeCategory,
  makeGroup,
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

const undoOf = ({ id }: { id: string }) => memberUndoOf(alma, id);
const done = async (plan: { id: string }) => watch(alma, (await submitted(alma, { plan: plan.id })).id);
const people = async ({ groups }: GroupedCourse) =>
  Promise.all(groups.map((group) => membersOf(campus, group)));

test('OP-107 people whose group others have deleted are named: they are already as they were before the import', async () => {
  const course = await groupedCourse(campus);
  const [g1, g2] = course.groups;
  const [a, b, c] = course.students as [Person, Person, Person];
  const rows = csvOf([g1.sis, a.sis], [g2.sis, b.sis], [g1.sis, c.sis]);
  const sent = await done(await makeMemberPlan(alma, { course: course.id, from: fromCsv(rows) }));
  await campus.api(`groups/${g1.id}`, { method: 'DELETE' });
  const plan = await undoOf(sent);
  const told = plan.members.map(({ row, user_id, group, fate, why }) => [row, user_id, group, fate, why]);
  const gone = 'The group is no longer in the course.';
  expect(told).toEqual([
    [1, b.sis, g2.name, 'remove', null],
    [2, c.sis, g1.name, 'not-member', gone],
    [3, a.sis, g1.name, 'not-member', gone],
  ]);
  expect(plan).toMatchObject({ kept: [], totals: { rows: 1, remove: 1, not_member: 2, people: 1 } });
  expect(await done(plan)).toMatchObject({ verdict: 'done', rows: 1 });
  expect(await membersOf(campus, g2)).toEqual([]);
});

test('OP-107 people and groups are found by number, whatever their current SIS IDs; those without one are reported', async () => {
  const course = await groupedCourse(campus);
  const [g1, g2] = course.groups;
  const [a, b, c, d, e, f] = course.students as [Person, Person, Person, Person, Person, Person];
  await join(campus, g1, a, b);
  const before = await people(course);
  const rows = csvOf([g1.sis, a.sis, 'deleted'], [g2.sis, b.sis], [g1.sis, c.sis], [g1.sis, d.sis]);
  const sent = await done(
    await makeMemberPlan(alma, {
      course: course.id,
      from: fromCsv(`${rows}\n${g1.sis},${e.sis},accepted\n${g1.sis},${f.sis},accepted`),
    }),
  );
  expect(sent).toMatchObject({ verdict: 'done', rows: 6 });
  const { world } = ts.sandbox;
  const named = (person: Person, sis: string | null) => {
    const login = world.pseudonyms.by.sis.get(person.sis);
    if (!login) throw new Error('the campus has no such login');
    world.pseudonyms.change(login, { sis_user_id: sis });
    return login;
  };
  for (const one of [a, b]) named(one, `${one.sis}-NEW`);
  // The third person's id now belongs to a person outside the course.
  const { id: _id, ...like } = named(c, `${c.sis}-NEW`);
  const other = campus.strangers(1, [course.id])[0];
  if (!other) throw new Error('everybody is in the course');
  world.pseudonyms.add({ ...like, user_id: other.id, unique_id: 'passed.on', sis_user_id: c.sis });
  named(d, null);
  for (const one of world.enrollments.by.course.get(course.id).filter(({ user_id }) => user_id === e.id))
    world.enrollments.change(one, { workflow_state: 'deleted' });
  world.groups.change(world.groups.must(g1.id), { sis_source_id: `${g1.sis}-WAS` });
  world.groups.change(world.groups.must(g2.id), { sis_source_id: g1.sis });

  const plan = await undoOf(sent);
  const told = plan.members.map(({ user_id, group, fate, from }) => [user_id, group, fate, from]);
  expect(told).toEqual([
    [f.sis, g1.name, 'remove', null],
    [`${c.sis}-NEW`, g1.name, 'remove', null],
    [`${b.sis}-NEW`, g1.name, 'move', g2.name],
    [`${a.sis}-NEW`, g1.name, 'add', null],
  ]);
  const name = ({ id }: Person) => world.users.must(id).name;
  expect(plan.kept).toEqual([
    { person: name(e), group: g1.name, why: 'left' },
    { person: name(d), group: g1.name, why: 'no-person-id' },
  ]);
  expect(await done(plan)).toMatchObject({ verdict: 'done', rows: 4 });
  const [in1 = [], ...others] = await people(course);
  expect([in1.filter((id) => id !== d.id && id !== e.id), ...others]).toEqual(before);
});

test('OP-107 a person returns to a full group once other people have left it in the same undo', async () => {
  const course = await groupedCourse(campus);
  const small = await makeCategory(campus, course.id, 'Pairs', `${course.sis}_Pairs`, { group_limit: 2 });
  const make = (n: number) => makeGroup(campus, small, `P${n}`, `${course.sis}_P${n}`);
  const [p1, p2, p3] = [await make(1), await make(2), await make(3)];
  const [a, b, c] = course.students as [Person, Person, Person];
  await join(campus, p1, a);
  await join(campus, p2, b);
  const sent = await done(
    await makeMemberPlan(alma, {
      course: course.id,
      from: fromCsv(csvOf([p2.sis, a.sis], [p3.sis, b.sis])),
    }),
  );
  expect(sent).toMatchObject({ verdict: 'done', rows: 2 });
  // Others take the vacated place, and the undo itself vacates another.
  await join(campus, p2, c);

  const plan = await undoOf(sent);
  expect(plan.kept).toEqual([]);
  expect(plan.members.map(({ row, user_id, fate }) => [row, user_id, fate])).toEqual([
    [1, a.sis, 'move'],
    [2, b.sis, 'move'],
  ]);
  expect(await done(plan)).toMatchObject({ verdict: 'done', rows: 2 });
  const inside = await Promise.all([p1, p2, p3].map((group) => membersOf(campus, group)));
  expect(inside).toEqual([[a.id], [b.id, c.id].sort((one, other) => one - other), []]);
});

test('OP-107 a person who could leave but not return, because the group is full, stays and is named', async () => {
  const course = await groupedCourse(campus);
  const limited = await makeCategory(campus, course.id, 'Pairs', `${course.sis}_Pairs`, { group_limit: 2 });
  const [p1, p2] = [
    await makeGroup(campus, limited, 'P1', `${course.sis}_P1`),
    await makeGroup(campus, limited, 'P2', `${course.sis}_P2`),
  ];
  const [a, b, c, d] = course.students as [Person, Person, Person, Person];
  await join(campus, p1, a, b);
  const rows = csvOf([p1.sis, a.sis, 'deleted'], [p2.sis, a.sis], [p2.sis, d.sis]);
  const sent = await done(await makeMemberPlan(alma, { course: course.id, from: fromCsv(rows) }));
  expect(sent).toMatchObject({ verdict: 'done', rows: 3 });
  await join(campus, p1, c);

  const plan = await undoOf(sent);
  expect(plan.kept).toEqual([{ person: expect.any(String), group: 'P2', why: 'full' }]);
  expect(fatesOf(plan)).toEqual([[1, 'remove']]);
  await done(plan);
  expect([await membersOf(campus, p1), await membersOf(campus, p2)]).toEqual([
    [b.id, c.id].sort((one, other) => one - other),
    [a.id],
  ]);
});

test('OP-107 a person moved into a group that others deleted later returns; if the earlier group was deleted, it is named', async () => {
  const course = await groupedCourse(campus);
  const [g1, g2, g3] = course.groups;
  const [a, b, c] = course.students as [Person, Person, Person];
  await join(campus, g1, a, b);
  await join(campus, g3, c);
  const rows = csvOf([g2.sis, a.sis], [g1.sis, b.sis, 'deleted'], [g2.sis, b.sis], [g1.sis, c.sis]);
  const sent = await done(await makeMemberPlan(alma, { course: course.id, from: fromCsv(rows) }));
  expect(sent).toMatchObject({ verdict: 'done', rows: 4 });
  for (const { id } of [g2, g3]) await campus.api(`groups/${id}`, { method: 'DELETE' });

  const plan = await undoOf(sent);
  const gone = `The group ${g2.name} is no longer in the course.`;
  expect(plan.members.map(({ user_id, group, fate, why }) => [user_id, group, fate, why])).toEqual([
    [b.sis, g1.name, 'add', gone],
    [a.sis, g1.name, 'add', gone],
  ]);
  const name = ts.sandbox.world.users.must(c.id).name;
  expect(plan.kept).toEqual([{ person: name, group: g3.name, why: 'gone' }]);
  expect(await done(plan)).toMatchObject({ verdict: 'done', rows: 2 });
  expect(await membersOf(campus, g1)).toEqual([a.id, b.id, c.id].sort((one, other) => one - other));
});

test('OP-107 a person whom a later import by others also put into the group stays and is named; a restore by undo does not count', async () => {
  const course = await groupedCourse(campus);
  const [g1, g2, g3] = course.groups;
  const [a, b] = course.students as [Person, Person];
  await join(campus, g1, a, b);
  const from = fromCsv(csvOf([g2.sis, a.sis], [g2.sis, b.sis]));
  const sent = await done(await makeMemberPlan(alma, { course: course.id, from }));
  // A person who moves on and returns: this was not requested by others.
  const onward = fromCsv(csvOf([g3.sis, b.sis]));
  const second = await done(await makeMemberPlan(alma, { course: course.id, from: onward }));
  expect(await done(await undoOf(second))).toMatchObject({ verdict: 'done', rows: 1 });
  await campus.importOfOthers(csvOf([g2.sis, a.sis]));

  const plan = await undoOf(sent);
  const name = ts.sandbox.world.users.must(a.id).name;
  expect(plan.kept).toEqual([{ person: name, group: g2.name, why: 'later-import' }]);
  expect(plan.members.map(({ user_id, group, fate }) => [user_id, group, fate])).toEqual([
    [b.sis, g1.name, 'move'],
  ]);
  expect(await done(plan)).toMatchObject({ verdict: 'done', rows: 1 });
  expect([await membersOf(campus, g1), await membersOf(campus, g2)]).toEqual([[b.id], [a.id]]);
});

test('OP-107 a person put into a group by an import of others after the undo was reviewed stays there and is named', async () => {
  const course = await groupedCourse(campus);
  const [g1, g2] = course.groups;
  const [a, b, c] = course.students as [Person, Person, Person];
  await join(campus, g1, a);
  const from = fromCsv(csvOf([g2.sis, a.sis], [g2.sis, b.sis], [g2.sis, c.sis]));
  const sent = await done(await makeMemberPlan(alma, { course: course.id, from }));
  const plan = await undoOf(sent);
  expect(plan.totals).toMatchObject({ move: 1, remove: 2 });
  await campus.importOfOthers(csvOf([g2.sis, a.sis], [g2.sis, b.sis]));
  const ended = await done(plan);
  expect(ended).toMatchObject({ verdict: 'partly', rows: 1 });
  expect(await importMessagesOf(alma, ended.id)).toEqual(
    [2, 3].map(() => expect.stringMatching(/A later import has also added .+ to the group Q-G02\./)),
  );
  expect([await membersOf(campus, g1), await membersOf(campus, g2)]).toEqual([
    [],
    [a.id, b.id].sort((one, other) => one - other),
  ]);
});

test('OP-107 a person whom others added to the group again by hand stays and is named, even after the undo was reviewed', async () => {
  const course = await groupedCourse(campus);
  const [g1, g2] = course.groups;
  const [a, b, c, d] = course.students as [Person, Person, Person, Person];
  await join(campus, g2, b);
  const rows = csvOf([g1.sis, a.sis], [g1.sis, b.sis], [g1.sis, c.sis], [g1.sis, d.sis]);
  const sent = await done(await makeMemberPlan(alma, { course: course.id, from: fromCsv(rows) }));
  expect(sent).toMatchObject({ verdict: 'done', rows: 4 });
  const again = async (one: Person) => {
    await campus.api(`groups/${g1.id}/users/${one.id}`, { method: 'DELETE' });
    await join(campus, g1, one);
  };
  for (const one of [a, b]) await again(one);

  const plan = await undoOf(sent);
  const name = ({ id }: Person) => ts.sandbox.world.users.must(id).name;
  expect(plan.kept).toEqual([
    { person: name(b), group: g1.name, why: 'by-hand' },
    { person: name(a), group: g1.name, why: 'by-hand' },
  ]);
  expect(plan.totals).toMatchObject({ remove: 2, move: 0 });
  await again(c);
  const ended = await done(plan);
  expect(ended).toMatchObject({ verdict: 'partly', rows: 1 });
  expect(await importMessagesOf(alma, ended.id)).toEqual([
    `Row 2 (${name(c)}, Q-G01) was skipped: ${name(c)} has been added to the group Q-G01 again in the LMS since the import.`,
  ]);
  expect(await membersOf(campus, g1)).toEqual(
    [a, b, c].map(({ id }) => id).sort((one, other) => one - other),
  );
});

test.each(['moved on', 'taken out'])(
  'OP-107 a person added by hand, whom a later import has %s before its undo restored them, stays and is named',
  async (how) => {
    const course = await groupedCourse(campus);
    const [g1, g2] = course.groups;
    const [a, b] = course.students as [Person, Person];
    const rows = csvOf([g1.sis, a.sis], [g1.sis, b.sis]);
    const sent = await done(await makeMemberPlan(alma, { course: course.id, from: fromCsv(rows) }));
    await campus.api(`groups/${g1.id}/users/${a.id}`, { method: 'DELETE' });
    await join(campus, g1, a);
    const both = [a, b].map(({ sis }): Parameters<typeof csvOf>[0] =>
      how === 'moved on' ? [g2.sis, sis] : [g1.sis, sis, 'deleted'],
    );
    const later = await makeMemberPlan(alma, { course: course.id, from: fromCsv(csvOf(...both)) });
    const second = await done(later);
    const undone = await done(await undoOf(second));
    // After a redo and another undo, it still counts how the membership was created.
    const redone = await done(await undoOf(undone));
    expect(await done(await undoOf(redone))).toMatchObject({ verdict: 'done', rows: 2 });
    expect(await people(course)).toEqual([[a.id, b.id].sort((one, other) => one - other), [], []]);

    const plan = await undoOf(sent);
    const name = ts.sandbox.world.users.must(a.id).name;
    expect(plan.kept).toEqual([{ person: name, group: g1.name, why: 'by-hand' }]);
    expect(await done(plan)).toMatchObject({ rows: 1 });
    expect(await people(course)).toEqual([[a.id], [], []]);
  },
);

test('OP-107 people who stay in another group of the category, or whose group moved there, are not reported as moved by others', async () => {
  const course = await groupedCourse(campus);
  const [g1, g2] = course.groups;
  const [a, b] = course.students as [Person, Person];
  const lab = await makeGroup(campus, course.labs, 'L-G01', `${course.sis}_L-G01`);
  await join(campus, g1, a);
  await join(campus, g2, b);
  await join(campus, lab, a, b);
  const { groups } = ts.sandbox.world;
  const regroup = ({ id }: { id: number }) =>
    groups.change(groups.must(id), { group_category_id: course.labs.id });
  regroup(g1);
  const rows = csvOf([g1.sis, a.sis, 'deleted'], [g2.sis, b.sis, 'deleted']);
  const sent = await done(await makeMemberPlan(alma, { course: course.id, from: fromCsv(rows) }));
  expect(sent).toMatchObject({ verdict: 'done', rows: 2 });
  regroup(g2);

  const plan = await undoOf(sent);
  const name = ({ id }: Person) => ts.sandbox.world.users.must(id).name;
  expect(plan.totals.rows).toBe(0);
  expect(plan.kept).toEqual([
    { person: name(b), group: g2.name, why: 'regrouped' },
    { person: name(a), group: g1.name, why: 'several' },
  ]);
});

test('OP-107 two people with the same name who stay in place are named with their SIS IDs', async () => {
  const course = await groupedCourse(campus);
  const [g1] = course.groups;
  const [a, twin, c] = course.students as [Person, Person, Person];
  const { users } = ts.sandbox.world;
  const name = ({ id }: Person) => users.must(id).name;
  users.change(users.must(twin.id), { name: name(a) });
  const rows = csvOf([g1.sis, a.sis], [g1.sis, twin.sis], [g1.sis, c.sis]);
  const sent = await done(await makeMemberPlan(alma, { course: course.id, from: fromCsv(rows) }));
  for (const one of [a, twin, c]) {
    await campus.api(`groups/${g1.id}/users/${one.id}`, { method: 'DELETE' });
    await join(campus, g1, one);
  }
  const { kept } = await undoOf(sent);
  expect(kept.map(({ person }) => person)).toEqual([
    name(c),
    `${name(a)} (${twin.sis})`,
    `${name(a)} (${a.sis})`,
  ]);
});

test('OP-107 people whom others move after an undo is reviewed stay: the original is not undone, and can be undone again', async () => {
  const course = await groupedCourse(campus);
  const [g1, g2] = course.groups;
  const [a] = course.students as [Person];
  const first = await makeMemberPlan(alma, { course: course.id, from: fromCsv(csvOf([g1.sis, a.sis])) });
  const sent = await done(first);
  const plan = await undoOf(sent);
  expect(plan.totals).toMatchObject({ remove: 1, rows: 1 });
  await campus.api(`groups/${g1.id}/users/${a.id}`, { method: 'DELETE' });
  await join(campus, g2, a);

  const ended = await done(plan);
  expect(ended).toMatchObject({ verdict: 'failed', rows: 0, canvas_id: null });
  const name = ts.sandbox.world.users.must(a.id).name;
  const said = `${name} is no longer in the group and is now in the group Q-G02. Another import or someone in the LMS changed this.`;
  expect(ended.note).toContain(said);
  const original = await watch(alma, sent.id);
  expect(original.can_undo).toBe(true);
  expect((await undoOf(sent)).kept).toEqual([{ person: name, group: g1.name, why: 'moved-on' }]);
  expect(await people(course)).toEqual([[], [a.id], []]);
});
