/** What others have changed between the review of groups or members and their sending is left as it is, and named (GRP-27, OP-77, OP-107). */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Campus, makeGroupPlan, makeMemberPlan, type Person } from '../enrollments/campus.ts';
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
beforeEach(() => campus.forgetRequests());

const sentAfter = (payload: unknown, meanwhile: () => Promise<unknown>) =>
  sentWhile(campus, alma, payload, meanwhile);
const messagesOf = (id: string) => importMessagesOf(alma, id);
const membersPlan = (course: GroupedCourse, ...rows: Parameters<typeof csvOf>) =>
  makeMemberPlan(alma, { course: course.id, from: fromCsv(csvOf(...rows)) });
const ids = (...people: Person[]) => people.map(({ id }) => id).sort((a, b) => a - b);

test('OP-107 who was to move, and whom others have taken out of their group since, is not put into another', async () => {
  const course = await groupedCourse(campus);
  const [g1, g2] = course.groups;
  const [a, b, c] = course.students as [Person, Person, Person];
  await join(campus, g1, a, b);
  const plan = await membersPlan(
    course,
    [g2.sis, a.sis],
    [g1.sis, b.sis, 'deleted'],
    [g2.sis, b.sis],
    [g2.sis, c.sis],
  );
  expect(plan.totals).toMatchObject({ move: 1, remove: 1, add: 2 });
  const ended = await sentAfter({ plan: plan.id }, async () => {
    for (const { id } of [a, b]) await campus.api(`groups/${g1.id}/users/${id}`, { method: 'DELETE' });
  });
  expect(ended).toMatchObject({ verdict: 'partly', rows: 1, applied: 1 });
  expect(await messagesOf(ended.id)).toEqual([
    expect.stringMatching(/^Row 2 .+ was in the group Q-G01 at the review and is no longer in it/),
    expect.stringMatching(/^Row 3 .+ is no longer in the group/),
    expect.stringMatching(/^Row 4 .+ was in the group Q-G01 at the review and is no longer in it/),
  ]);
  expect(await membersOf(campus, g2)).toEqual(ids(c));
});

test('OP-107 who needed no row, and is elsewhere when the others are sent, is named: then not all is done', async () => {
  const course = await groupedCourse(campus);
  const [g1, g2] = course.groups;
  const [a, b, c, d, e] = course.students as [Person, Person, Person, Person, Person];
  await join(campus, g1, a, b, e);
  const plan = await membersPlan(
    course,
    [g1.sis, a.sis],
    [g1.sis, b.sis],
    [g1.sis, c.sis, 'deleted'],
    [g1.sis, d.sis],
    // Leaves the group by moving: the row that says so too is no news.
    [g2.sis, e.sis],
    [g1.sis, e.sis, 'deleted'],
  );
  expect(plan.totals).toMatchObject({ already: 2, not_member: 2, add: 1, move: 1, rows: 2 });
  const ended = await sentAfter({ plan: plan.id }, async () => {
    await join(campus, g2, a);
    await join(campus, g1, c);
  });
  expect(ended).toMatchObject({ verdict: 'partly', rows: 2, applied: 2 });
  const name = ({ id }: Person) => ts.sandbox.world.users.must(id).name;
  const end = 'now: another import, or a person in the LMS, has changed it. LMS Admin left it as it is.';
  expect(await messagesOf(ended.id)).toEqual([
    `Row 2: ${name(a)} was in the group Q-G01 at the review and is in the group Q-G02 ${end}`,
    `Row 4: ${name(c)} was not in the group Q-G01 at the review and is in it ${end}`,
  ]);
  expect(ended.note).toContain(name(a));
  expect(await membersOf(campus, g1)).toEqual(ids(b, c, d));
  expect(await membersOf(campus, g2)).toEqual(ids(a, e));
});

test('OP-77 groups that were there at the review, and that others have changed since, are named: then not all is done', async () => {
  const course = await groupedCourse(campus);
  const ranges = [{ prefix: 'Q', start: 1, end: 4 }];
  const plan = await makeGroupPlan(alma, { course: course.id, category: course.teams.id, ranges });
  expect(plan.totals).toMatchObject({ there: 3, new: 1, rows: 1 });
  const ended = await sentAfter({ plan: plan.id }, async () => {
    const { groups } = ts.sandbox.world;
    groups.change(groups.must(course.groups[0].id), { name: 'Chosen meanwhile' });
    await campus.api(`groups/${course.groups[1].id}`, { method: 'DELETE' });
  });
  expect(ended).toMatchObject({ verdict: 'partly', rows: 1, applied: 1 });
  expect(await messagesOf(ended.id)).toEqual([
    'The group "Q-G01" was there at the review and is called "Chosen meanwhile" now: another import, or a person in the LMS, has changed it. LMS Admin left it as it is.',
    'The group "Q-G02" was there at the review and is no longer in its category: another import, or a person in the LMS, has changed it. LMS Admin left it as it is.',
  ]);
});

test('OP-107 where others have put everybody into the same groups meanwhile, nothing is sent and all is done', async () => {
  const course = await groupedCourse(campus);
  const [g1, g2] = course.groups;
  const [a, b] = course.students as [Person, Person];
  await join(campus, g1, b);
  const plan = await membersPlan(course, [g1.sis, a.sis], [g1.sis, b.sis, 'deleted']);
  const ended = await sentAfter({ plan: plan.id }, async () => {
    await join(campus, g1, a);
    await campus.api(`groups/${g1.id}/users/${b.id}`, { method: 'DELETE' });
  });
  expect(ended).toMatchObject({ verdict: 'done', rows: 0, canvas_id: null, nothing_sent: true });
  expect(ended.note).toContain('the same change has been made in the LMS');
  // Someone who went elsewhere is not as asked for.
  const next = await membersPlan(course, [g2.sis, b.sis], [g1.sis, a.sis, 'deleted']);
  const other = await sentAfter({ plan: next.id }, async () => {
    await join(campus, g2, b);
    await join(campus, g2, a);
    await campus.api(`groups/${g2.id}/users/${b.id}`, { method: 'DELETE' });
    await join(campus, g1, b);
  });
  expect(other.verdict).toBe('failed');
});

test('OP-107 rows that were left out are named with row and cells, and can be had as a file', async () => {
  const course = await groupedCourse(campus);
  const [g1, g2, g3] = course.groups;
  const [a, b, c] = course.students as [Person, Person, Person];
  await join(campus, g1, c);
  const rowsOf = async (id: string) => {
    const { data } = await (await alma.fetch(ENDPOINTS.importRows.replace(':import', id))).json();
    return data.map(({ row, cells }: { row: number; cells: string[] }) => [row, cells]);
  };
  const fileOf = async (id: string) =>
    (await (await alma.fetch(ENDPOINTS.importFailedRows.replace(':import', id))).text()).split('\n');
  // Row 2 needs nothing, so that it is not in what is sent.
  const plan = await membersPlan(course, [g1.sis, c.sis], [g2.sis, a.sis], [g2.sis, b.sis]);
  const ended = await sentAfter({ plan: plan.id }, () => join(campus, g3, a));
  expect(ended).toMatchObject({ verdict: 'partly', rows: 1, applied: 1, nothing_sent: false });
  expect(await messagesOf(ended.id)).toEqual([expect.stringMatching(/^Row 3 /)]);
  expect(await rowsOf(ended.id)).toEqual([[3, [g2.sis, a.sis, 'accepted']]]);
  expect((await fileOf(ended.id)).slice(1)).toEqual([`${g2.sis},${a.sis},accepted`]);
  expect(await membersOf(campus, g2)).toEqual(ids(b));
  // Of what was pasted without a header the first line is row 1; and where nothing is left, nothing was sent.
  const text = `${b.sis}\t${g1.name}`;
  const pasted = await makeMemberPlan(alma, {
    course: course.id,
    from: { way: 'pasted', text, category: course.teams.id },
  });
  const none = await sentAfter({ plan: pasted.id }, async () => {
    await campus.api(`groups/${g2.id}/users/${b.id}`, { method: 'DELETE' });
    await join(campus, g3, b);
  });
  expect(none).toMatchObject({ verdict: 'failed', rows: 0, canvas_id: null, nothing_sent: true });
  expect(await rowsOf(none.id)).toEqual([[1, [g1.sis, b.sis, 'accepted']]]);
  expect(await fileOf(none.id)).toHaveLength(2);
  expect(await membersOf(campus, g1)).toEqual(ids(c));
});
