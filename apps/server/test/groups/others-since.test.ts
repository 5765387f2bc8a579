/** What others have changed between the review of groups or members and their sending is left as it is, and named (GRP-27, OP-77, OP-107). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Campus, makeMemberPlan, type Person } from '../enrollments/campus.ts';
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
    expect.stringMatching(/^Row 2 .+ was in the group Q-G01 at the review and is not in it any more/),
    expect.stringMatching(/^Row 3 .+ is not in the group any more/),
    expect.stringMatching(/^Row 4 .+ was in the group Q-G01 at the review and is not in it any more/),
  ]);
  expect(await membersOf(campus, g2)).toEqual(ids(c));
});
