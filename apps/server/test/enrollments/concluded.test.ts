/** Concluded courses: the review names those to which people are added, and no one is added to one that was concluded after it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { Campus, makePlan, makeSectionPlan, type Person, submitted, undoOf, watch } from './campus.ts';

let ts: TestServer;
let campus: Campus;
let alma: Browser;

beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
});
afterAll(() => ts?.close());

async function material(index: number) {
  const course = campus.courseForRows(index);
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
const since = (sis: string) => `Course "${sis}" has been concluded since the review: people who are added`;

test('CE-12 the review of Course Enrollment names concluded courses, and what was reviewed so is sent', async () => {
  const [ended, open] = [await material(0), await material(1)];
  become(ended.course.id, 'completed');
  const plan = await planOf('active', [ended.course, open.course], [ended.one]);
  expect(plan.courses.map(({ id, concluded, add }) => [id, concluded, add])).toEqual([
    [ended.course.id, true, 1],
    [open.course.id, false, 1],
  ]);
  expect((await imported(plan)).verdict).toBe('done');
  expect(campus.stateOf(ended.one.id, ended.section.id, 3)).toBe('active');
});

test('CE-12 OP-36 no one is added to a course that was concluded after the review: nothing is sent, and it is said', async () => {
  const { course, section, one } = await material(2);
  const other = await material(3);
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

test('SE-12 the same of single sections; removing people from a concluded course needs no word', async () => {
  const { course, section, one, two } = await material(4);
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
  // Undoing it adds them again, which its review says.
  const undo = await undoOf(alma, removed, 'section-enrollment');
  expect(undo.entries.map((entry) => [entry.course.concluded, entry.add])).toEqual([[true, 1]]);
  expect((await imported(undo)).verdict).toBe('done');
  const again = await request([one], 'active');
  expect(again.entries[0]?.course.concluded).toBe(true);
  expect((await imported(again)).verdict).toBe('done');
  expect(campus.stateOf(one.id, section.id, 3)).toBe('active');
});
