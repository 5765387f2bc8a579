/**
 * Courses whose default section does not have the course's name: where people end up, and how the result
 * reports it.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { Campus, makePlan, submitted, undoOf, watch } from './campus.ts';

let ts: TestServer;
let campus: Campus;
let alma: Browser;

beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
});
afterAll(() => ts?.close());

let lastCourse = 0;

/** Creates a course with a default section, and a section created later by hand under the course's name. */
async function courseWithNamesake(course = campus.courseForRows(lastCourse++)) {
  const fallback = campus.defaultSection(course.id);
  const made = await campus.api(`courses/${course.id}/sections`, {
    method: 'POST',
    body: { course_section: { name: course.name } },
  });
  return { course, fallback, namesake: (await made.json()) as { id: number } };
}

const planFor = (
  course: { id: number },
  people: { email: string }[],
  status: 'active' | 'deleted' = 'active',
) => makePlan(alma, { role_id: 3, status, courses: [course.id], emails: people.map(({ email }) => email) });

async function imported(plan: { id: string }) {
  const { id } = await submitted(alma, { plan: plan.id });
  return watch(alma, id);
}

test('CE-12, CE-20 a default section under another name is not confused with the section named after the course', async () => {
  const { course, fallback, namesake } = await courseWithNamesake();
  const [person] = campus.strangers(1, [course.id]);
  if (!person) throw new Error('nobody');
  await campus.api(`sections/${fallback.id}`, {
    method: 'PUT',
    body: { course_section: { name: 'Group 1' } },
  });
  const plan = await planFor(course, [person]);
  expect(plan.courses[0]).toMatchObject({ add: 1 });
  expect(await imported(plan)).toMatchObject({ verdict: 'done', note: null });
  expect(campus.stateOf(person.id, namesake.id, 3)).toBe('active');
  expect(campus.stateOf(person.id, fallback.id, 3)).toBe('deleted');
});

test('CE-12, IMP-18 when the default section was cross-listed into another course, the result says where people were added instead', async () => {
  const { course, fallback, namesake } = await courseWithNamesake();
  const other = campus.courseForRows(lastCourse++);
  const people = campus.strangers(2, [course.id, other.id]);
  await campus.api(`sections/${fallback.id}/crosslist/${other.id}`, { method: 'POST' });
  const plan = await planFor(course, people);
  const added = await imported(plan);
  for (const { id } of people) {
    expect(campus.stateOf(id, namesake.id, 3)).toBe('deleted');
    expect(campus.stateOf(id, fallback.id, 3)).toBe('active');
  }
  expect(added).toMatchObject({
    verdict: 'partly',
    note: `Course ${course.sis}: the LMS put 2 people into another section '${fallback.name}' of course ${other.sis}. They should be in section '${course.name}'. Check where they are now, and move them if necessary.`,
  });

  // The undo does not claim that everything has been restored.
  const undo = await undoOf(alma, added);
  expect(undo).toMatchObject({
    totals: { rows: 0 },
    kept: [{ why: 'elsewhere', people: 2, course: course.sis }],
  });

  // People are put into the section where they belong, and a removal does not find them there.
  for (const { id } of people) campus.enrol(id, { id: namesake.id, course_id: course.id }, 3);
  const removed = await imported(await planFor(course, people, 'deleted'));
  for (const { id } of people) expect(campus.stateOf(id, namesake.id, 3)).toBe('active');
  expect(removed.verdict).toBe('partly');
  expect(removed.note).toContain(
    `2 people may still be in section '${course.name}', because the LMS applied the removal to another section '${fallback.name}' of course ${other.sis}.`,
  );
});

test('CE-12 without any default section, the result names the one that was created', async () => {
  const { course, fallback, namesake } = await courseWithNamesake();
  const [person] = campus.strangers(1, [course.id]);
  if (!person) throw new Error('nobody');
  ts.sandbox.world.sections.change(ts.sandbox.world.sections.must(fallback.id), {
    workflow_state: 'deleted',
  });
  const added = await imported(await planFor(course, [person]));
  expect(campus.stateOf(person.id, namesake.id, 3)).toBe('deleted');
  expect(added.verdict).toBe('partly');
  expect(added.note).toContain(
    `the LMS put 1 person into another section '${course.name}'. They should be in section '${course.name}'.`,
  );
});

test('CE-12 if people cannot be looked up in the course, each person’s own data gives the same answer', async () => {
  const course = campus.courseForRows(lastCourse++);
  const [person] = campus.strangers(1, [course.id]);
  if (!person) throw new Error('nobody');
  const plan = await planFor(course, [person]);
  await campus.fault({ match: '/api/v1/courses/*/enrollments?*sis_user_id*', kind: 'status', status: 403 });
  expect(await imported(plan)).toMatchObject({ verdict: 'done', note: null });
  await campus.clearFaults();
  expect(campus.stateOf(person.id, campus.defaultSection(course.id).id, 3)).toBe('active');
});

test.each([
  ['the same people', 'another section', 163],
  ['others', "section 'Group 1'", 83],
])(
  'CE-12, CE-20 a removal that misses people is reported, even if a row for %s names the section affected',
  async (who, place, account) => {
    const { course, fallback, namesake } = await courseWithNamesake(campus.courseForRows(0, account));
    await campus.api(`sections/${fallback.id}`, {
      method: 'PUT',
      body: { course_section: { name: 'Group 1', sis_section_id: `${course.sis}-G1` } },
    });
    const people = campus.strangers(2, [course.id]);
    const [missed, other] = people;
    if (!missed || !other) throw new Error('nobody');
    campus.enrol(missed.id, { id: namesake.id, course_id: course.id }, 3);
    campus.enrol(who === 'others' ? other.id : missed.id, { id: fallback.id, course_id: course.id }, 3);
    const removed = await imported(await planFor(course, people, 'deleted'));
    expect(campus.stateOf(missed.id, namesake.id, 3)).toBe('active');
    expect(removed.verdict).toBe('partly');
    expect(removed.note).toBe(
      `Course ${course.sis}: 1 person may still be in section '${course.name}', because the LMS applied the removal to ${place}. Check both sections, and remove them where they are still enrolled.`,
    );
  },
);
