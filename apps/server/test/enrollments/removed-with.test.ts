/** What ends in the LMS with enrolments that are removed is announced: memberships of groups, and observers linked to students. */
import type { RemovedWith } from '@lms-admin/contract/enrollments';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

const OBSERVER = 7;
const nameOf = ({ id }: Pick<Person, 'id'>) => ts.sandbox.world.users.must(id).name;

async function imported(plan: { id: string }) {
  return watch(alma, (await submitted(alma, { plan: plan.id })).id);
}

/** Numbers of the enrolments and memberships of a course that are not deleted. */
function held(course: number) {
  const { enrollments, groupMemberships, groups } = ts.sandbox.world;
  const live = ({ workflow_state }: { workflow_state: string }) => workflow_state !== 'deleted';
  const of = (id: number) => groups.must(id).context_id === course;
  return {
    enrolments: [...enrollments.by.course.get(course)].filter(live).map(({ id }) => id),
    members: [...groupMemberships.values()]
      .filter((one) => live(one) && of(one.group_id))
      .map(({ id }) => id),
  };
}

/** What a course has lost. */
function lost(before: ReturnType<typeof held>, course: number) {
  const now = held(course);
  const gone = (kind: 'enrolments' | 'members') =>
    before[kind].filter((id) => !now[kind].includes(id)).length;
  return { enrolments: gone('enrolments'), members: gone('members') };
}

/** A course with three students in its default section: one in a group, one in a group and a second role, one with an observer and with another one who only looks in. */
async function material(index: number) {
  const course = campus.courseForRows(index);
  const section = campus.defaultSection(course.id);
  const people = campus.strangers(5, [course.id]);
  const [grouped, assisting, observed, observer, guest] = people as [Person, Person, Person, Person, Person];
  for (const { id } of [grouped, assisting, observed]) campus.enrol(id, section, 3);
  campus.enrol(assisting.id, section, 5);
  link(observed, observer, section);
  // Enrolled as an observer of the student, and not linked to them: stays when the student leaves.
  letObserve(observed, guest, section);
  const created = async (path: string, body: unknown) => {
    const answer = await campus.api(path, { method: 'POST', body });
    expect(answer.status).toBeLessThan(300);
    return (await answer.json()) as { id: number };
  };
  const category = await created(`courses/${course.id}/group_categories`, { name: `Teams ${index}` });
  const group = await created(`group_categories/${category.id}/groups`, { name: 'Red' });
  for (const { id } of [grouped, assisting]) await created(`groups/${group.id}/memberships`, { user_id: id });
  return { course, section, grouped, assisting, observed, observer };
}

/** Links an observer to a student of a section, as the LMS does. */
function link(student: Person, observer: Person, section: { id: number; course_id: number }): void {
  const { world } = ts.sandbox;
  world.userObservers.add({
    user_id: student.id,
    observer_id: observer.id,
    workflow_state: 'active',
    sis_batch_id: null,
  });
  letObserve(student, observer, section);
}

/** Enrols an observer of a student beside them. */
function letObserve(student: Person, observer: Person, section: { id: number }): void {
  const { world } = ts.sandbox;
  const place = campus.enrolmentOf(student.id, section.id, 3);
  if (!place) throw new Error('the student is not there');
  const { id: _id, created_at: _created, updated_at: _updated, ...like } = place;
  world.enrollments.add({
    ...like,
    user_id: observer.id,
    type: 'ObserverEnrollment',
    role_id: OBSERVER,
    associated_user_id: student.id,
  });
}

const counts = ({ members, observers }: RemovedWith) => ({ members, observers });

describe.each(['course', 'section'] as const)('a removal from a %s', (place) => {
  test('CE-12 names the memberships and the observers that go, and no others go', async () => {
    const { course, section, grouped, assisting, observed, observer } = await material(
      place === 'course' ? 0 : 1,
    );
    const students = [grouped, assisting, observed];
    const plan =
      place === 'course'
        ? await makePlan(alma, {
            role_id: 3,
            status: 'deleted',
            courses: [course.id],
            emails: students.map(({ email }) => email),
          })
        : await makeSectionPlan(alma, [
            {
              course: course.id,
              section: section.id,
              role_id: 3,
              status: 'deleted',
              users: students.map(({ sis }) => sis),
            },
          ]);
    const along = plan.removed_with;
    expect(counts(along)).toEqual({ members: 1, observers: 1 });
    expect(along.who).toEqual(
      expect.arrayContaining([
        { person: nameOf(grouped), course: course.name, groups: 1, observer: false },
        { person: nameOf(observer), course: course.name, groups: 0, observer: true },
      ]),
    );
    const before = held(course.id);
    expect((await imported(plan)).verdict).toBe('done');
    expect(lost(before, course.id)).toEqual({
      enrolments: plan.totals.rows + along.observers,
      members: along.members,
    });
  });

  test('CE-12 leaves observers who are linked to a student, and names them', async () => {
    const { course, section, observed, observer } = await material(place === 'course' ? 2 : 3);
    const both = [observer, observed];
    const before = held(course.id);
    const ask = async (status: 'active' | 'deleted') =>
      place === 'course'
        ? makePlan(alma, {
            role_id: OBSERVER,
            status,
            courses: [course.id],
            emails: both.map(({ email }) => email),
          })
        : makeSectionPlan(alma, [
            {
              course: course.id,
              section: section.id,
              role_id: OBSERVER,
              status,
              users: both.map(({ sis }) => sis),
            },
          ]);
    const removal = await ask('deleted');
    const [entry] = 'courses' in removal ? removal.courses : removal.entries;
    expect(entry).toMatchObject({ rows: 0, remove: 0, not_enrolled: 2, linked: [nameOf(observer)] });
    // Who observes a student of the course counts as there for an adding.
    const adding = await ask('active');
    expect(adding.totals).toMatchObject({ add: 1, already: 1, rows: 1 });
    expect((await imported(adding)).verdict).toBe('done');
    expect(lost(before, course.id)).toEqual({ enrolments: 0, members: 0 });
    expect(held(course.id).enrolments).toHaveLength(before.enrolments.length + 1);
  });
});

test('CE-12 the undo of an adding says what else leaves with the people', async () => {
  const { course, section } = await material(4);
  const [newcomer, observer] = campus.strangers(2, [course.id]) as [Person, Person];
  const added = await imported(
    await makePlan(alma, { role_id: 3, status: 'active', courses: [course.id], emails: [newcomer.email] }),
  );
  link(newcomer, observer, section);
  const before = held(course.id);
  const undo = await undoOf(alma, added);
  expect(counts(undo.removed_with)).toEqual({ members: 0, observers: 1 });
  expect((await imported(undo)).verdict).toBe('done');
  expect(lost(before, course.id)).toEqual({ enrolments: 2, members: 0 });
});

test('CE-12 where the course does not answer, the review says that this could not be looked up', async () => {
  const { course, section, grouped } = await material(5);
  await campus.fault({ match: `*/courses/${course.id}/enrollments`, kind: 'status', status: 403 });
  const plan = await makeSectionPlan(alma, [
    { course: course.id, section: section.id, role_id: 3, status: 'deleted', users: [grouped.sis] },
  ]);
  expect(plan.removed_with).toMatchObject({ members: 0, observers: 0, unread: [course.name] });
  await campus.clearFaults();
});
