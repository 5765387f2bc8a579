/**
 * People in a review who need no row because they are already as requested: the result names those who are
 * changed by others before sending.
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { Plan } from '@lms-admin/contract/enrollments';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { Campus, jobOf, makePlan, makeSectionPlan, type Person, submitted, undoOf, watch } from './campus.ts';

let ts: TestServer;
let campus: Campus;
let alma: Browser;

beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
});
afterAll(() => ts?.close());
afterEach(() => campus.clearFaults());

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
  'CE-12 a person who was enrolled at the review and is %s when the rows are sent is named and not changed',
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
      `${nameOf(here)} was active in course ${course.sis} at the time of the review and is ${word} now. Another import or someone in the LMS changed this. LMS Admin left it unchanged.`,
    );
    expect(campus.stateOf(here.id, section.id, 3)).toBe(state);
    expect(campus.stateOf(newcomer.id, section.id, 3)).toBe('active');
  },
);

test('CE-12 a person who was not enrolled when their removal was reviewed but is now is named and stays', async () => {
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
    `${nameOf(newcomer)} was not enrolled in course ${course.sis} at the time of the review and is active now. Another import or someone in the LMS changed this. LMS Admin left it unchanged.`,
  ]);
});

test('CE-12 a person whom others added to another section of the course is named with that section', async () => {
  const { course, here, newcomer } = await material(5);
  const other = await campus.newSection(course.id, 'Evening');
  const plan = await makePlan(alma, {
    role_id: 3,
    status: 'active',
    courses: [course.id],
    emails: [here, newcomer].map(({ email }) => email),
  });
  campus.enrol(here.id, other, 3);
  const { note } = await imported(plan);
  expect(note).toBe(
    `${nameOf(here)} was skipped in course ${course.sis}: they are already active in another section of this course.`,
  );
});

test.each([
  ['is given one', 9],
  ['is created', 10],
] as const)(
  'OP-51 a section that %s gets a different SIS ID from the reviewed one if that is in use, and the result names it',
  async (how, index) => {
    const course = campus.course(index);
    const { sections } = ts.sandbox.world;
    const person = campus.strangers(1, [course.id])[0] as Person;
    const first = sections.by.course.get(course.id)[0];
    if (!first) throw new Error('no section');
    const [plan, id] = how === 'is created' ? await toBeCreated() : await toBeNamed();
    const [shown] = plan.courses[0]?.sections ?? [];
    expect(shown).toMatchObject({ id });
    const other = await campus.newSection(campus.course(index + 5).id, 'Elsewhere');
    sections.change(sections.must(other.id), { sis_source_id: shown?.sis_section_id ?? '' });
    const { note } = await imported(plan);
    const given = `${shown?.sis_section_id}-${id ?? course.id}`;
    expect(note).toContain(
      `was given the SIS ID "${given}", because the SIS ID that the review showed belongs to another section.`,
    );
    expect(sections.by.course.get(course.id).map((one) => one.sis_source_id)).toContain(given);

    async function toBeCreated() {
      for (const one of sections.by.course.get(course.id))
        sections.change(one, { name: `Group ${one.id}`, sis_source_id: `G-${one.id}` });
      return [await planOf('active'), null] as const;
    }
    async function toBeNamed() {
      const section = await campus.newSection(course.id, 'Evening');
      campus.enrol(person.id, section, 3);
      return [await planOf('deleted'), section.id] as const;
    }
    function planOf(status: 'active' | 'deleted') {
      return makePlan(alma, { role_id: 3, status, courses: [course.id], emails: [person.email] });
    }
  },
);

test('CE-12 the result of a removal names a person whom others added or moved to another section', async () => {
  const { course, section, here } = await material(8);
  campus.enrol(here.id, section, 3);
  const removal = () =>
    makePlan(alma, { role_id: 3, status: 'deleted', courses: [course.id], emails: [here.email] });
  const stays = `Since the review, another import or someone in the LMS has enrolled ${nameOf(here)} in another section of course ${course.sis}. This person stays in that section. To remove the person from it, review the removal again.`;
  const other = await campus.newSection(course.id, 'Evening');
  const first = await removal();
  campus.enrol(here.id, other, 3);
  expect(await imported(first)).toMatchObject({ verdict: 'partly', note: stays });
  const second = await removal();
  campus.enrol(here.id, section, 3);
  campus.enrol(here.id, other, 3, 'deleted');
  const { note } = await imported(second);
  expect(note).toContain('the enrolment has been removed since the review.');
  expect(note).toContain(stays);
});

test('CE-12 a person added to another section after their removal was reviewed is named and stays there', async () => {
  const { course, section, here, stays } = await material(7);
  for (const { id } of [here, stays]) campus.enrol(id, section, 3);
  const plan = await makePlan(alma, {
    role_id: 3,
    status: 'deleted',
    courses: [course.id],
    emails: [here, stays].map(({ email }) => email),
  });
  const other = await campus.newSection(course.id, 'Evening');
  campus.enrol(here.id, other, 3);
  const { verdict, note } = await imported(plan);
  expect([verdict, note]).toEqual([
    'partly',
    `Since the review, another import or someone in the LMS has enrolled ${nameOf(here)} in another section of course ${course.sis}. This person stays in that section. To remove the person from it, review the removal again.`,
  ]);
  expect([here, stays].map((one) => campus.stateOf(one.id, section.id, 3))).toEqual(['deleted', 'deleted']);
});

test('OP-51 a section to which others gave an SIS ID after the review keeps it, and neither result nor undo claims it', async () => {
  const { course, here } = await material(6);
  const section = await campus.newSection(course.id, 'Evening');
  const plan = await makeSectionPlan(alma, [
    { course: course.id, section: section.id, role_id: 3, status: 'active', users: [here.sis] },
  ]);
  expect(plan.entries[0]?.section.assign).toBe(true);
  await campus.api(`sections/${section.id}`, {
    method: 'PUT',
    body: { course_section: { sis_section_id: 'OTHERS-1' } },
  });
  const done = await imported(plan);
  expect(done.note).toBe(
    `Section 'Evening' (${section.id}) of course "${course.sis}" keeps the SIS ID "OTHERS-1": another import or someone in the LMS has assigned it since the review.`,
  );
  expect(campus.stateOf(here.id, section.id, 3)).toBe('active');
  const undo = await undoOf(alma, done, 'section-enrollment');
  expect([undo.sections, undo.totals.remove]).toEqual([[], 1]);
});

describe('OP-51 an import that is not sent reports the sections that were created for it', () => {
  const POST = { match: '/api/v1/accounts/1/sis_imports', method: 'POST' };
  /** Creates a plan for a course without a default section. */
  async function planned(index: number) {
    const course = campus.course(index);
    const { sections } = ts.sandbox.world;
    for (const one of sections.by.course.get(course.id))
      sections.change(one, { name: `Group ${one.id}`, sis_source_id: `G-${one.id}` });
    const [one] = campus.strangers(1, [course.id]) as [Person];
    return makePlan(alma, { role_id: 3, status: 'active', courses: [course.id], emails: [one.email] });
  }
  const created = (plan: Plan) =>
    `1 section was created for this import and will stay. Its SIS ID is "${plan.courses[0]?.sections[0]?.sis_section_id}".`;

  test('when the LMS rejects it', async () => {
    const plan = await planned(20);
    await campus.fault({ ...POST, kind: 'status', status: 422 });
    const { verdict, errors } = await failed(plan);
    await campus.clearFaults();
    expect([verdict, errors]).toEqual(['failed', expect.stringContaining(created(plan))]);
  });

  test('when it is cancelled while waiting for the LMS', async () => {
    const plan = await planned(21);
    await campus.forgetRequests();
    await campus.fault({ ...POST, kind: 'throttle' });
    const { id } = await submitted(alma, { plan: plan.id });
    await campus.seen((one) => one.method === 'POST' && one.path.includes('/sis_imports'));
    // Cancels the job, and returns whether the job has ended, because cancelling is rejected during an
    // attempt.
    const isOver = async () => {
      await alma.post(ENDPOINTS.jobCancel.replace(':job', id), {});
      return (await jobOf(alma, id)).ended_at !== null;
    };
    await expect.poll(isOver).toBe(true);
    const { workflow_state, processing_errors } = await watch(alma, id);
    await campus.clearFaults();
    expect([workflow_state, processing_errors[0]?.[1]]).toEqual([
      'aborted',
      `Cancelled before any row was sent: no enrolment has changed. ${created(plan)}`,
    ]);
  });
});

test('SE-06 a person who was enrolled in a section at the review but is not when the rows are sent is named', async () => {
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
    `${nameOf(here)} was active in course ${course.sis}, section '${section.name}' at the time of the review and is not enrolled now`,
  );
  expect(note).not.toContain(nameOf(stays));
});

test.each(['course', 'section'])(
  'CE-12 a %s that the LMS reports as missing at the last comparison gets no rows, even if it is visible a moment later',
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

test('CE-12 changes by others that match the request count as done, and nothing is sent', async () => {
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
  expect(sent.note).toContain('has made the same change');
  expect(sent.note).toContain(`${nameOf(here)} was skipped`);
  // If a person is neither as reviewed nor as requested, the change does not count as already made.
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
