/**
 * Side effects of removed enrolments are announced: group memberships that end, and observers linked to
 * students.
 */
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

/** Lists the ids of a course's enrolments and memberships that are not deleted. */
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

/** Lists the enrolments and memberships that a course has lost. */
function lost(before: ReturnType<typeof held>, course: number) {
  const now = held(course);
  const gone = (kind: 'enrolments' | 'members') =>
    before[kind].filter((id) => !now[kind].includes(id)).length;
  return { enrolments: gone('enrolments'), members: gone('members') };
}

/** Prepares a course with three students: one in a group, one with a second role, one with two observers. */
async function material(index: number) {
  const course = campus.courseForRows(index);
  const section = campus.defaultSection(course.id);
  const people = campus.strangers(5, [course.id]);
  const [grouped, assisting, observed, observer, guest] = people as [Person, Person, Person, Person, Person];
  for (const { id } of [grouped, assisting, observed]) campus.enrol(id, section, 3);
  campus.enrol(assisting.id, section, 5);
  link(observed, observer, section);
  // Enrolled as an observer without a link to the student, this person stays when the student leaves.
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

/** Links an observer to a student in a section, as the LMS does. */
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

/** Enrols an observer of a student in the same section. */
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

/** Lists the pairs of observer and student, each with its section. */
function observing(): string[] {
  return [...ts.sandbox.world.enrollments.values()].flatMap((one) =>
    one.associated_user_id !== null && one.workflow_state === 'active'
      ? [`${one.user_id} ${one.associated_user_id} ${one.course_section_id}`]
      : [],
  );
}

/** Lists the observers added since then, in the words of a review; the test adds only a few. */
function comeSince(before: readonly string[]) {
  const known = new Set(before);
  const pairs = new Map<string, number>();
  for (const one of new Set(observing())) {
    const pair = one.split(' ').slice(0, 2).join(' ');
    if (!known.has(one)) pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  const who = [...pairs].map(([pair, places]) => {
    const [person, student] = pair.split(' ').map((id) => nameOf({ id: Number(id) }));
    return { person, student, places };
  });
  return {
    observers: who.reduce((sum, { places }) => sum + places, 0),
    who: expect.toSatisfy((named) => JSON.stringify(sorted(named)) === JSON.stringify(sorted(who))),
    unread: 0,
  };
}

const sorted = (who: readonly object[]) => who.map((one) => JSON.stringify(one)).sort();

const counts = ({ members, observers }: RemovedWith) => ({ members, observers });

describe.each(['course', 'section'] as const)('removing people from a %s', (place) => {
  test('CE-12 names the memberships and observers that are removed, and no others are removed', async () => {
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
        { person: nameOf(grouped), course: course.name, groups: 1, observer: false, students: [] },
        {
          person: nameOf(observer),
          course: course.name,
          groups: 0,
          observer: true,
          students: [nameOf(observed)],
        },
      ]),
    );
    const before = held(course.id);
    expect((await imported(plan)).verdict).toBe('done');
    expect(lost(before, course.id)).toEqual({
      enrolments: plan.totals.rows + along.observers,
      members: along.members,
    });
  });

  test('CE-12 keeps observers who are linked to another student, and names them', async () => {
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
    expect(entry).toMatchObject({ rows: 0, remove: 0, not_enrolled: 1, linked: [nameOf(observer)] });
    // The observer of a student in the course counts as already enrolled.
    const adding = await ask('active');
    expect(adding.totals).toMatchObject({ add: 1, already: 1, rows: 1 });
    expect((await imported(adding)).verdict).toBe('done');
    expect(lost(before, course.id)).toEqual({ enrolments: 0, members: 0 });
    expect(held(course.id).enrolments).toHaveLength(before.enrolments.length + 1);
  });
});

test("CE-12 looks up each student's observers once for several courses, and again before sending", async () => {
  const courses = [12, 13, 14].map((at) => campus.courseForRows(at));
  const [student, observer] = campus.strangers(
    2,
    courses.map(({ id }) => id),
  ) as [Person, Person];
  const sections = courses.map(({ id }) => campus.defaultSection(id));
  for (const section of sections) campus.enrol(student.id, section, 3);
  ts.sandbox.world.userObservers.add({
    user_id: student.id,
    observer_id: observer.id,
    workflow_state: 'active',
    sis_batch_id: null,
  });
  for (const section of sections) letObserve(student, observer, section);
  const lookups = () =>
    campus.requests(({ path }) => new RegExp(`/users/${student.id}/observers`).test(path));
  const before = courses.map(({ id }) => held(id));

  await campus.forgetRequests();
  const plan = await makePlan(alma, {
    role_id: 3,
    status: 'deleted',
    courses: courses.map(({ id }) => id),
    emails: [student.email],
  });
  expect(counts(plan.removed_with)).toEqual({ members: 0, observers: 3 });
  expect(await lookups()).toHaveLength(1);

  await campus.forgetRequests();
  await makeSectionPlan(
    alma,
    sections.map(({ id, course_id }) => ({
      course: course_id,
      section: id,
      role_id: 3,
      status: 'deleted' as const,
      users: [student.sis],
    })),
  );
  expect(await lookups()).toHaveLength(1);

  await campus.forgetRequests();
  expect((await imported(plan)).verdict).toBe('done');
  expect(await lookups()).toHaveLength(1);
  expect(courses.map(({ id }, at) => lost(before[at] as (typeof before)[0], id).enrolments)).toEqual([
    2, 2, 2,
  ]);
});

test('CE-12 the undo of added enrolments says what else is removed with the people', async () => {
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

describe.each(['course', 'section'] as const)('adding people to a %s', (place) => {
  test('CE-12 names the observers who are added as well, and no others are added', async () => {
    const at = place === 'course' ? 6 : 7;
    const { course, section } = await material(at);
    const two = campus.courseForRows(at + 4);
    const people = campus.strangers(5, [course.id, two.id]);
    const [newcomer, plain, ended, observer, other] = people as [Person, Person, Person, Person, Person];
    const { world } = ts.sandbox;
    world.userObservers.add({
      user_id: newcomer.id,
      observer_id: observer.id,
      workflow_state: 'active',
      sis_batch_id: null,
    });
    // One observer is already enrolled for this student; the other has left.
    campus.enrol(ended.id, section, 3);
    link(ended, observer, section);
    link(ended, other, section);
    const change = (user: number, workflow_state: 'active' | 'completed') => {
      const those = world.enrollments.by.section
        .get(section.id)
        .filter((one) => one.user_id === user && (user === ended.id || one.associated_user_id === ended.id));
      for (const one of those) world.enrollments.change(one, { workflow_state });
    };
    change(ended.id, 'completed');
    change(other.id, 'completed');
    const students = [newcomer, plain, ended];
    const both = [course, two];
    const plan =
      place === 'course'
        ? await makePlan(alma, {
            role_id: 3,
            status: 'active',
            courses: both.map(({ id }) => id),
            emails: students.map(({ email }) => email),
          })
        : await makeSectionPlan(
            alma,
            both.map(({ id }) => ({
              course: id,
              section: campus.defaultSection(id).id,
              role_id: 3,
              status: 'active' as const,
              users: students.map(({ sis }) => sis),
            })),
          );
    const before = observing();
    expect((await imported(plan)).verdict).toBe('done');
    expect(plan.added_with).toEqual(comeSince(before));
    expect(plan.added_with?.who).toEqual(
      expect.arrayContaining([
        { person: nameOf(observer), student: nameOf(newcomer), places: 2 },
        { person: nameOf(other), student: nameOf(ended), places: 2 },
      ]),
    );
  });
});

test('CE-12 if the LMS does not return a student’s observers, the review says so; a staff role adds none', async () => {
  const course = campus.courseForRows(8);
  const [person] = campus.strangers(1, [course.id]) as [Person];
  await campus.fault({ match: `*/users/${person.id}/observers`, kind: 'status', status: 403 });
  const added = async (role_id: number) =>
    (await makePlan(alma, { role_id, status: 'active', courses: [course.id], emails: [person.email] }))
      .added_with;
  expect(await added(3)).toEqual({ observers: 0, who: [], unread: 1 });
  expect(await added(4)).toEqual({ observers: 0, who: [], unread: 0 });
  await campus.clearFaults();
});

test('CE-12 the result names observers linked, and groups joined, between review and sending', async () => {
  const { course, section, observed, assisting } = await material(10);
  const [newcomer, late] = campus.strangers(2, [course.id]) as [Person, Person];
  const emails = [newcomer.email];
  const add = await makePlan(alma, { role_id: 3, status: 'active', courses: [course.id], emails });
  const { world } = ts.sandbox;
  const linked = (student: Person) =>
    world.userObservers.add({
      user_id: student.id,
      observer_id: late.id,
      workflow_state: 'active',
      sis_batch_id: null,
    });
  linked(newcomer);
  const added = await imported(add);
  expect([added.verdict, added.note]).toEqual([
    'partly',
    `${nameOf(late)} observes ${nameOf(newcomer)}, which the review did not show. The LMS also adds or changes 1 enrolment of this observer.`,
  ]);
  expect(campus.stateOf(newcomer.id, section.id, 3)).toBe('active');

  const remove = await makePlan(alma, {
    role_id: 3,
    status: 'deleted',
    courses: [course.id],
    emails: [observed.email, assisting.email],
  });
  letObserve(observed, late, section);
  linked(observed);
  const { note } = await imported(remove);
  expect(note).toBe(
    `${nameOf(late)} loses their enrolment together with a student in ${course.name}, which the review did not show.`,
  );
});

test('CE-12 the result says what could not be looked up just before sending', async () => {
  const course = campus.courseForRows(11);
  const [person] = campus.strangers(1, [course.id]) as [Person];
  const plan = await makePlan(alma, {
    role_id: 3,
    status: 'active',
    courses: [course.id],
    emails: [person.email],
  });
  await campus.fault({ match: `*/users/${person.id}/observers`, kind: 'status', status: 403 });
  const { verdict, note } = await imported(plan);
  await campus.clearFaults();
  expect([verdict, note]).toEqual([
    'partly',
    'Before the rows were sent, LMS Admin could not look up the observers of 1 student.',
  ]);
});

test('CE-12 the undo of a removal names the observers who are restored', async () => {
  const { course, observed, observer } = await material(9);
  const removed = await imported(
    await makePlan(alma, { role_id: 3, status: 'deleted', courses: [course.id], emails: [observed.email] }),
  );
  const undo = await undoOf(alma, removed);
  const before = observing();
  expect((await imported(undo)).verdict).toBe('done');
  expect(undo.added_with).toEqual(comeSince(before));
  expect(undo.added_with?.who).toContainEqual({
    person: nameOf(observer),
    student: nameOf(observed),
    places: 1,
  });
});

/** Names of a student's linked observers with this state in a section. */
function stayed({ id }: Person, section: { id: number }, state: string): string[] {
  const { enrollments, userObservers } = ts.sandbox.world;
  const linked = new Set(userObservers.by.student.get(id).map((one) => one.observer_id));
  return enrollments.by.section
    .get(section.id)
    .filter((one) => one.associated_user_id === id && one.workflow_state === state && linked.has(one.user_id))
    .map((one) => nameOf({ id: one.user_id }));
}

test.each(['active', 'deleted'] as const)(
  'CE-12 if the state of a student before %s cannot be restored, the undo names their observer, who stays too',
  async (status) => {
    const { course, section, observed, observer } = await material(status === 'active' ? 15 : 16);
    campus.enrol(observed.id, section, 3, 'invited');
    for (const one of ts.sandbox.world.enrollments.by.user.get(observer.id))
      if (one.associated_user_id === observed.id)
        ts.sandbox.world.enrollments.change(one, { workflow_state: 'invited' });
    const sent = await imported(
      await makePlan(alma, { role_id: 3, status, courses: [course.id], emails: [observed.email] }),
    );
    const before = observing();
    const { kept } = await undoOf(alma, sent);
    const there = { course: course.sis, section: section.name, people: 1 };
    const state = { ...there, why: 'state', who: [{ person: nameOf(observed), state: 'invited' }] };
    const observers = stayed(observed, section, status);
    const words = `${status === 'active' ? 'active' : 'not enrolled'}, observes ${nameOf(observed)}`;
    const who = expect.arrayContaining(observers.map((person) => ({ person, state: words })));
    expect(observers).toContain(nameOf(observer));
    expect(kept).toEqual([state, { ...there, people: observers.length, why: 'observer', who }]);
    await campus.fault({ match: `*/users/${observed.id}/observers`, kind: 'status', status: 403 });
    const unread = { ...there, why: 'observers-unread', who: [{ person: nameOf(observed), state: '' }] };
    expect((await undoOf(alma, sent)).kept).toEqual([state, unread]);
    await campus.clearFaults();
    expect(observing()).toEqual(before);
  },
);

test('CE-12 if the enrolments of a course cannot be read, the review says that it could not look up what else is removed', async () => {
  const { course, section, grouped } = await material(5);
  await campus.fault({ match: `*/courses/${course.id}/enrollments`, kind: 'status', status: 403 });
  const plan = await makeSectionPlan(alma, [
    { course: course.id, section: section.id, role_id: 3, status: 'deleted', users: [grouped.sis] },
  ]);
  expect(plan.removed_with).toMatchObject({ members: 0, observers: 0, unread: [course.name] });
  await campus.clearFaults();
});
