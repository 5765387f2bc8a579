/**
 * Concluded courses: the review names those to which people are added, and no one is added to a course
 * concluded after the review.
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { lmsUrl } from '@lms-admin/contract/lms-calls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { Campus, makePlan, makeSectionPlan, type Person, submitted, undoOf, watch } from './campus.ts';

let ts: TestServer;
let campus: Campus;
let alma: Browser;
let taken = 0;
/** Course MBA 2025-26 P1. */
const ENDED_TERM = 10;

beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
});
afterAll(() => ts?.close());

function material() {
  const course = campus.courseForRows(taken++);
  const { courses } = ts.sandbox.world;
  // The default term has no end date.
  courses.change(courses.must(course.id), { enrollment_term_id: 1 });
  const section = campus.defaultSection(course.id);
  const [one, two] = campus.strangers(2, [course.id]) as [Person, Person];
  return { course, section, one, two };
}
function become(id: number, state: string) {
  const { courses } = ts.sandbox.world;
  courses.change(courses.must(id), { workflow_state: state as 'completed' });
}
const planOf = (
  status: 'active' | 'deleted',
  courses: readonly { id: number }[],
  people: readonly Person[],
) =>
  makePlan(alma, {
    role_id: 3,
    status,
    courses: courses.map(({ id }) => id),
    emails: people.map(({ email }) => email),
  });
const imported = async (plan: { id: string }) => watch(alma, (await submitted(alma, { plan: plan.id })).id);
const since = (sis: string) => `Course "${sis}" has been concluded since the review. No one was added`;

test('CE-12 the review in Course Enrollment names concluded courses, and what was reviewed is sent', async () => {
  const [ended, open] = [material(), material()];
  become(ended.course.id, 'completed');
  const plan = await planOf('active', [ended.course, open.course], [ended.one]);
  expect(plan.courses.map(({ id, concluded, add }) => [id, concluded, add])).toEqual([
    [ended.course.id, true, 1],
    [open.course.id, false, 1],
  ]);
  expect((await imported(plan)).verdict).toBe('done');
  expect(campus.stateOf(ended.one.id, ended.section.id, 3)).toBe('active');
});

test('CE-12 OP-36 no one is added to a course concluded after the review: nothing is sent, and the result says so', async () => {
  const { course, section, one } = material();
  const other = material();
  const alone = await planOf('active', [course], [one]);
  const both = await planOf('active', [course, other.course], [one]);
  expect(alone.courses[0]?.concluded).toBe(false);
  become(course.id, 'completed');
  const nothing = await imported(alone);
  expect(nothing).toMatchObject({ verdict: 'failed', nothing_sent: true, rows: 0 });
  expect(nothing.processing_errors[0]?.[1]).toContain(since(course.sis));
  const part = await imported(both);
  expect(part).toMatchObject({ verdict: 'partly', rows: 1, applied: 1 });
  expect(part.note).toContain(since(course.sis));
  expect(campus.stateOf(one.id, section.id, 3)).toBe('deleted');
  expect(campus.stateOf(one.id, other.section.id, 3)).toBe('active');
});

test('CE-12 OP-36 for a course concluded after the review, the result says only that, and not that others changed people', async () => {
  const { course, section, one, two } = material();
  const other = material();
  campus.enrol(two.id, section, 3);
  const plan = await planOf('active', [course, other.course], [one, two]);
  become(course.id, 'completed');
  const part = await imported(plan);
  expect(part).toMatchObject({ verdict: 'partly', rows: 2, applied: 2 });
  expect(part.note).toContain(since(course.sis));
  expect(part.note).not.toContain(one.sis);
  expect(part.note).not.toContain(two.sis);
  expect(campus.stateOf(two.id, section.id, 3)).toBe('active');
});

test('CE-12 a course whose own end date or term has passed counts as concluded', async () => {
  const [byTerm, byCourse, open] = [material(), material(), material()];
  const { courses } = ts.sandbox.world;
  const past = '2020-01-01T00:00:00Z';
  courses.change(courses.must(byCourse.course.id), {
    conclude_at: past,
    restrict_enrollments_to_course_dates: true,
  });
  // A course that does not enforce its end date stays open until its term ends.
  courses.change(courses.must(open.course.id), { conclude_at: past });
  courses.change(courses.must(byTerm.course.id), { enrollment_term_id: ENDED_TERM });
  const those = [byTerm, byCourse, open].map(({ course }) => course);
  // The server remembers the courses that the picker lists, including dates that it does not send to the
  // console.
  ts.server.services.scope.forgetAll();
  const list: [string, string][] = [
    ['per_page', '100'],
    ['include[]', 'term'],
  ];
  await (
    await alma.post(ENDPOINTS.invokePages, { url: lmsUrl('courses', { account: 86 }, list), type: 'GET' })
  ).text();
  await campus.forgetRequests();
  const { courses: found } = await planOf('active', those, [byTerm.one]);
  expect(those.map(({ id }) => found.find((one) => one.id === id)?.concluded)).toEqual([true, true, false]);
  expect(await campus.requests(({ path }) => /\/courses\/\d+(\?|$)/.test(path))).toEqual([]);
  // The courses of the next tests are changed without the server noticing.
  ts.server.services.scope.forgetAll();
});

test('SE-12 single sections are treated in the same way; removing people from a concluded course gives no warning', async () => {
  const { course, section, one, two } = material();
  campus.enrol(two.id, section, 3);
  const request = (users: readonly Person[], status: 'active' | 'deleted') =>
    makeSectionPlan(alma, [
      { course: course.id, section: section.id, role_id: 3, status, users: users.map(({ sis }) => sis) },
    ]);
  const [add, remove] = [await request([one], 'active'), await request([two], 'deleted')];
  become(course.id, 'completed');
  const refused = await imported(add);
  expect([refused.verdict, refused.processing_errors[0]?.[1]]).toEqual([
    'failed',
    expect.stringContaining(since(course.sis)),
  ]);
  expect(campus.stateOf(one.id, section.id, 3)).toBe('deleted');
  const removed = await imported(remove);
  expect(removed.verdict).toBe('done');
  expect(campus.stateOf(two.id, section.id, 3)).toBe('deleted');
  // The undo adds them again, and its review says so.
  const undo = await undoOf(alma, removed, 'section-enrollment');
  expect(undo.entries.map((entry) => [entry.course.concluded, entry.add])).toEqual([[true, 1]]);
  expect((await imported(undo)).verdict).toBe('done');
  const again = await request([one], 'active');
  expect(again.entries[0]?.course.concluded).toBe(true);
  expect((await imported(again)).verdict).toBe('done');
  expect(campus.stateOf(one.id, section.id, 3)).toBe('active');
});
