/** People of a review who get no row, since they are as asked for already: whom others change before the rows are sent is named. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { Campus, makePlan, makeSectionPlan, type Person, submitted, watch } from './campus.ts';

let ts: TestServer;
let campus: Campus;
let alma: Browser;

beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
});
afterAll(() => ts?.close());

async function imported(plan: { id: string }) {
  const { id } = await submitted(alma, { plan: plan.id });
  return watch(alma, id);
}

async function failed(plan: { id: string }) {
  const { verdict, processing_errors } = await imported(plan);
  return { verdict, errors: processing_errors.map(([, text]) => text).join(' ') };
}

const nameOf = ({ id, sis }: Person) => `${ts.sandbox.world.users.must(id).name} (${sis})`;

async function material(index: number) {
  const course = campus.courseForRows(index);
  const section = campus.defaultSection(course.id);
  const [here, stays, newcomer] = campus.strangers(3, [course.id]);
  if (!here || !stays || !newcomer) throw new Error('the campus has not enough people');
  return { course, section, here, stays, newcomer };
}

test.each([
  ['deleted', 'not enrolled'],
  ['inactive', 'inactive'],
])(
  'CE-12 somebody who was there at the review and is %s when the rows are sent is named, and stays so',
  async (state, word) => {
    const { course, section, here, stays, newcomer } = await material(state === 'deleted' ? 0 : 1);
    for (const { id } of [here, stays]) campus.enrol(id, section, 3);
    const plan = await makePlan(alma, {
      role_id: 3,
      status: 'active',
      courses: [course.id],
      emails: [here, stays, newcomer].map(({ email }) => email),
    });
    expect(plan.courses[0]).toMatchObject({ add: 1, already: 2 });
    campus.enrol(here.id, section, 3, state);
    const { verdict, note } = await imported(plan);
    expect(verdict).toBe('partly');
    expect(note).toBe(
      `${nameOf(here)} was active in course ${course.sis} at the review and is ${word} now: others have changed it. LMS Admin left it as it is.`,
    );
    expect(campus.stateOf(here.id, section.id, 3)).toBe(state);
    expect(campus.stateOf(newcomer.id, section.id, 3)).toBe('active');
  },
);

test('CE-12 somebody who was not enrolled at the review of a removal and is by now is named, and stays', async () => {
  const { course, section, here, newcomer } = await material(2);
  campus.enrol(here.id, section, 3);
  const plan = await makePlan(alma, {
    role_id: 3,
    status: 'deleted',
    courses: [course.id],
    emails: [here, newcomer].map(({ email }) => email),
  });
  expect(plan.courses[0]).toMatchObject({ remove: 1, not_enrolled: 1 });
  campus.enrol(newcomer.id, section, 3);
  const { verdict, note } = await imported(plan);
  expect([verdict, note]).toEqual([
    'partly',
    `${nameOf(newcomer)} was not enrolled in course ${course.sis} at the review and is active now: others have changed it. LMS Admin left it as it is.`,
  ]);
});

test('SE-06 the same for a section', async () => {
  const { course, section, here, stays, newcomer } = await material(3);
  for (const { id } of [here, stays]) campus.enrol(id, section, 3);
  const users = [here, stays, newcomer].map(({ sis }) => sis);
  const plan = await makeSectionPlan(alma, [
    { course: course.id, section: section.id, role_id: 3, status: 'active', users },
  ]);
  campus.enrol(here.id, section, 3, 'deleted');
  const { verdict, note } = await imported(plan);
  expect(verdict).toBe('partly');
  expect(note).toContain(
    `${nameOf(here)} was active in course ${course.sis}, section '${section.name}' at the review and is not enrolled now`,
  );
  expect(note).not.toContain(nameOf(stays));
});

test.each(['course', 'section'])(
  'CE-12 a %s that the LMS denies at the last comparison gets no rows, though it shows it a moment later',
  async (place) => {
    const { course, section, here, stays } = await material(place === 'course' ? 5 : 6);
    for (const { id } of [here, stays]) campus.enrol(id, section, 3);
    const plan =
      place === 'course'
        ? await makePlan(alma, {
            role_id: 3,
            status: 'deleted',
            courses: [course.id],
            emails: [here, stays].map(({ email }) => email),
          })
        : await makeSectionPlan(alma, [
            {
              course: course.id,
              section: section.id,
              role_id: 3,
              status: 'deleted',
              users: [here.sis, stays.sis],
            },
          ]);
    expect(plan.totals.rows).toBe(2);
    campus.enrol(here.id, section, 3, 'completed');
    const match = `*/${place}s/${place === 'course' ? course.id : section.id}/enrollments`;
    await campus.fault({ match, kind: 'status', status: 404, count: 1 });
    const { verdict, errors } = await failed(plan);
    expect(verdict).toBe('failed');
    expect(errors).toContain('were skipped: the LMS did not return its enrolments');
    expect(campus.stateOf(here.id, section.id, 3)).toBe('completed');
    expect(campus.stateOf(stays.id, section.id, 3)).toBe('active');
  },
);

test('CE-12 what others did meanwhile just as it was asked for is done, and nothing is sent', async () => {
  const { course, section, here, newcomer } = await material(7);
  const plan = await makePlan(alma, {
    role_id: 3,
    status: 'active',
    courses: [course.id],
    emails: [here, newcomer].map(({ email }) => email),
  });
  for (const { id } of [here, newcomer]) campus.enrol(id, section, 3);
  const sent = await imported(plan);
  expect(sent).toMatchObject({ verdict: 'done', rows: 0, canvas_id: null, can_undo: false });
  expect(sent.note).toContain('others have made the same change in the LMS');
  expect(sent.note).toContain(`${nameOf(here)} was skipped`);
  // Of somebody who is neither as reviewed nor as asked for, that cannot be said.
  const next = await material(8);
  const other = await makePlan(alma, {
    role_id: 3,
    status: 'active',
    courses: [next.course.id],
    emails: [next.here, next.newcomer].map(({ email }) => email),
  });
  campus.enrol(next.here.id, next.section, 3);
  campus.enrol(next.newcomer.id, next.section, 3, 'inactive');
  expect((await failed(other)).verdict).toBe('failed');
});
