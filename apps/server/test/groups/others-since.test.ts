/**
 * Changes to groups or members that others make between review and sending are left alone and named (GRP-27,
 * OP-77, OP-107).
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  Campus,
  makeGroupPlan,
  makeMemberPlan,
  type Person,
  submitted,
  watch,
} from '../enrollments/campus.ts';
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

test('OP-107 a person due to move whom others have removed from their group is not put into another', async () => {
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
    expect.stringMatching(
      /^Row 2 .+ was in the group Q-G01 at the time of the review, but has since left it/,
    ),
    expect.stringMatching(/^Row 3 .+ is no longer in the group/),
    expect.stringMatching(
      /^Row 4 .+ was in the group Q-G01 at the time of the review, but has since left it/,
    ),
  ]);
  expect(await membersOf(campus, g2)).toEqual(ids(c));
});

test('OP-107 a person without a row who is elsewhere when the others are sent is named, and the result is partial', async () => {
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
    // This person leaves the group by moving, so the row that also removes them is not mentioned.
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
  const end = 'Another import or someone in the LMS changed this. LMS Admin left it unchanged.';
  expect(await messagesOf(ended.id)).toEqual([
    `Row 2: ${name(a)} was in the group Q-G01 at the time of the review, but is now in the group Q-G02. ${end}`,
    `Row 4: ${name(c)} was not in the group Q-G01 at the time of the review, but is now in the group. ${end}`,
  ]);
  expect(ended.note).toContain(name(a));
  expect(await membersOf(campus, g1)).toEqual(ids(b, c, d));
  expect(await membersOf(campus, g2)).toEqual(ids(a, e));
});

test('OP-77 existing groups that others have changed after the review are named, and the result is partial', async () => {
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
    'The group "Q-G01" existed at the time of the review and is now called "Chosen meanwhile". Another import or someone in the LMS changed this. LMS Admin left it unchanged.',
    'The group "Q-G02" existed at the time of the review and is no longer in its category. Another import or someone in the LMS changed this. LMS Admin left it unchanged.',
  ]);
});

test('OP-107 if others have put everyone into the same groups, nothing is sent and the import is done', async () => {
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
  expect(ended.note).toContain('has made the same change');
  // A person who moved elsewhere is not as requested.
  const next = await membersPlan(course, [g2.sis, b.sis], [g1.sis, a.sis, 'deleted']);
  const other = await sentAfter({ plan: next.id }, async () => {
    await join(campus, g2, b);
    await join(campus, g2, a);
    await campus.api(`groups/${g2.id}/users/${b.id}`, { method: 'DELETE' });
    await join(campus, g1, b);
  });
  expect(other.verdict).toBe('failed');
});

test('OP-107 skipped rows are listed by number with their cells, and can be downloaded as a file', async () => {
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
  // Row 2 needs no change, so it is not part of what is sent.
  const plan = await membersPlan(course, [g1.sis, c.sis], [g2.sis, a.sis], [g2.sis, b.sis]);
  const ended = await sentAfter({ plan: plan.id }, () => join(campus, g3, a));
  expect(ended).toMatchObject({ verdict: 'partly', rows: 1, applied: 1, nothing_sent: false });
  expect(await messagesOf(ended.id)).toEqual([expect.stringMatching(/^Row 3 /)]);
  expect(await rowsOf(ended.id)).toEqual([[3, [g2.sis, a.sis, 'accepted']]]);
  expect((await fileOf(ended.id)).slice(1)).toEqual([`${g2.sis},${a.sis},accepted`]);
  expect(await membersOf(campus, g2)).toEqual(ids(b));
  // In pasted text without a header, the first line is row 1. If no rows are left, nothing was sent.
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

test('GRP-27 a person whose enrolment ends after the review joins the group, and the result names them', async () => {
  const course = await groupedCourse(campus);
  const [g1, g2] = course.groups;
  const [a, b, c, d] = course.students as [Person, Person, Person, Person];
  await join(campus, g1, c);
  const { enrollments, users } = ts.sandbox.world;
  const end = (one: Person, state: 'completed' | 'inactive') => {
    for (const each of [...enrollments.by.course.get(course.id)].filter(({ user_id }) => user_id === one.id))
      enrollments.change(each, { workflow_state: state });
  };
  end(d, 'completed');
  const plan = await membersPlan(course, [g2.sis, a.sis], [g2.sis, b.sis], [g2.sis, c.sis], [g2.sis, d.sis]);
  end(b, 'inactive');
  end(c, 'completed');
  const ended = await watch(alma, (await submitted(alma, { plan: plan.id })).id);
  expect(ended).toMatchObject({ verdict: 'partly', rows: 4, applied: 4 });
  const name = ({ id }: Person) => users.must(id).name;
  expect(ended.note).toBe(
    `The enrolments of 2 group members in the course have ended since the review: ${name(b)} (Q-G02, inactive), ${name(c)} (Q-G02, concluded). Check in the LMS whether they should be in the group.`,
  );
  expect(await membersOf(campus, g2)).toEqual(ids(a, b, c, d));
});
