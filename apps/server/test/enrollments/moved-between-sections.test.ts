/**
 * People moved from one section of a course to another by a single import: they never leave the course or its
 * groups.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { groupedCourse, join, membersOf } from '../groups/support.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { Campus, makeSectionPlan, type Person, submitted, undoOf, watch } from './campus.ts';

let ts: TestServer;
let campus: Campus;
let alma: Browser;
beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
});
afterAll(() => ts?.close());

const [STUDENT, OBSERVER] = [3, 7];
const nameOf = ({ id }: Pick<Person, 'id'>) => ts.sandbox.world.users.must(id).name;

async function imported(plan: { id: string }) {
  return watch(alma, (await submitted(alma, { plan: plan.id })).id);
}

/**
 * Prepares a student in a course, in a group and with a linked observer in the same group, and a second
 * section.
 */
async function material() {
  const { world } = ts.sandbox;
  const course = await groupedCourse(campus);
  const [student] = course.students as [Person];
  const [observer] = campus.strangers(1, [course.id]) as [Person];
  const place = [...world.enrollments.by.course.get(course.id)].find(({ user_id }) => user_id === student.id);
  if (!place) throw new Error('the student is not there');
  world.userObservers.add({
    user_id: student.id,
    observer_id: observer.id,
    workflow_state: 'active',
    sis_batch_id: null,
  });
  const { id: _id, created_at: _created, updated_at: _updated, ...like } = place;
  world.enrollments.add({
    ...like,
    user_id: observer.id,
    type: 'ObserverEnrollment',
    role_id: OBSERVER,
    associated_user_id: student.id,
  });
  const [group] = course.groups;
  await join(campus, group, student, observer);
  const from = place.course_section_id;
  const to = (await campus.newSection(course.id, 'Moved here')).id;
  const row = (section: number, status: 'active' | 'deleted') => ({
    course: course.id,
    section,
    role_id: STUDENT,
    status,
    users: [student.sis],
  });
  return { course, student, observer, group, from, to, rows: [row(from, 'deleted'), row(to, 'active')] };
}

/** Lists the sections of these people in the course, and the groups they are in. */
function held(course: number, people: readonly Person[]): string[] {
  const { enrollments, groupMemberships, groups } = ts.sandbox.world;
  const ids = people.map(({ id }) => id);
  const live = ({ workflow_state, user_id }: { workflow_state: string; user_id: number }) =>
    workflow_state !== 'deleted' && ids.includes(user_id);
  return [
    ...[...enrollments.by.course.get(course)]
      .filter(live)
      .map((one) => `${one.user_id} in section ${one.course_section_id}`),
    ...[...groupMemberships.values()]
      .filter((one) => live(one) && groups.must(one.group_id).context_id === course)
      .map((one) => `${one.user_id} in group ${one.group_id}`),
  ].sort();
}

test.each(['removed', 'added'] as const)(
  'SE-12 a person whose section is changed, %s first, stays in their groups, as announced, and so does an observer; an undo restores everything',
  async (first) => {
    const { course, student, observer, from, to, rows } = await material();
    const people = [student, observer];
    const before = held(course.id, people);
    const plan = await makeSectionPlan(alma, first === 'removed' ? rows : rows.toReversed());
    expect(plan.totals).toMatchObject({ add: 1, remove: 1 });
    expect(plan.removed_with).toMatchObject({
      members: 0,
      observers: 1,
      who: [{ person: nameOf(observer), groups: 0, students: [nameOf(student)] }],
    });

    const moved = await imported(plan);
    expect([moved.verdict, moved.note]).toEqual(['done', null]);
    expect(held(course.id, people)).toEqual(
      before.map((one) => one.replace(`section ${from}`, `section ${to}`)).sort(),
    );

    const undo = await undoOf(alma, moved, 'section-enrollment');
    expect(undo.totals).toMatchObject({ add: 1, remove: 1 });
    expect(undo.removed_with).toMatchObject({ members: 0, observers: 1 });
    expect(await imported(undo)).toMatchObject({ verdict: 'done', note: null });
    expect(held(course.id, people)).toEqual(before);
  },
);

test('SE-12 OP-51 if the new section gets no SIS ID, the result names the people who therefore leave their groups', async () => {
  const { course, student, observer, group, to, rows } = await material();
  const plan = await makeSectionPlan(alma, rows);
  await campus.fault({ match: `/api/v1/sections/${to}`, method: 'PUT', kind: 'status', status: 401 });
  const { verdict, note } = await imported(plan);
  await campus.clearFaults();
  expect(verdict).toBe('partly');
  for (const person of [student, observer])
    expect(note).toContain(
      `${nameOf(person)} leaves 1 group in ${course.name}, which the review did not show.`,
    );
  expect(note).toContain(`Section 'Moved here' (${to}) of course "${course.sis}" was skipped`);
  expect(await membersOf(campus, group)).toEqual([]);
  expect(held(course.id, [student, observer])).toEqual([]);
});
