/** Course-level rows affect the reviewed course, or are not sent (OP-14, CE-01). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Campus, makePlan, STATES, submit, submitted, watch } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

let ts: TestServer;
let campus: Campus;
let bruno: Browser;
let alma: Browser;

beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  campus = new Campus(ts.sandbox);
  bruno = await ts.signIn(PEOPLE.custom);
  alma = await ts.signIn(PEOPLE.all);
});
afterAll(() => ts?.close());
beforeEach(() => campus.clearFaults());

const sectionsOf = (course: number) =>
  [...ts.sandbox.world.sections.by.course.get(course)].filter((one) => one.workflow_state === 'active');
const crosslist = async (section: number, course: number) => {
  const answer = await campus.api(`sections/${section}/crosslist/${course}`, { method: 'POST' });
  expect(answer.status).toBe(200);
};
const usedUp = new Set<number>();
/** Finds a course in the limited admin's scope, with or without its own default section. */
function aCourse(withDefault: boolean) {
  const found = campus
    .courses(86)
    .find(
      (one) =>
        !usedUp.has(one.id) &&
        sectionsOf(one.id).some((section) => section.default_section) === withDefault &&
        sectionsOf(one.id).length > 0,
    );
  if (!found) throw new Error('no such course');
  usedUp.add(found.id);
  return { id: found.id, sis: found.sis_source_id ?? '', name: found.name };
}
const add = (course: number, emails: string[]) =>
  makePlan(bruno, { role_id: 3, status: 'active', courses: [course], emails });
const sits = async (course: number, person: number) =>
  (await campus.enrolments(course, 3, STATES)).filter((one) => one.user_id === person);

describe('a course without a default section, with one of its sections cross-listed out of scope', () => {
  test('CE-01, OP-14 added people go to a section created for them, which the review names', async () => {
    const [home, out] = [aCourse(false), campus.course(3, 163)];
    await crosslist(sectionsOf(home.id)[0]?.id ?? 0, out.id);
    const [person] = campus.strangers(1, [home.id, out.id]);
    const plan = await add(home.id, [person?.email ?? '']);
    expect(plan.courses[0]?.sections).toEqual([
      { id: null, name: home.name, sis_section_id: expect.stringContaining(`${home.sis}-`), assign: true },
    ]);
    const { id } = await submitted(bruno, { plan: plan.id });
    expect(await watch(bruno, id)).toMatchObject({ workflow_state: 'imported', note: null });
    expect(await sits(out.id, person?.id ?? 0)).toEqual([]);
    expect(await sits(home.id, person?.id ?? 0)).toHaveLength(1);

    // The next people are added to the same section, which is not created again.
    const [other] = campus.strangers(1, [home.id, out.id]);
    const next = await add(home.id, [other?.email ?? '']);
    expect(next.courses[0]?.sections).toMatchObject([{ name: home.name, assign: false }]);
    await watch(bruno, (await submitted(bruno, { plan: next.id })).id);
    expect(await sits(home.id, other?.id ?? 0)).toHaveLength(1);
    expect(sectionsOf(home.id).filter((section) => section.name === home.name)).toHaveLength(1);
  });

  test('a course whose sections cannot be read is skipped with the reason', async () => {
    const home = aCourse(false);
    const [person] = campus.strangers(1, [home.id]);
    await campus.fault({ match: `/api/v1/courses/${home.id}/sections`, kind: 'status', status: 503 });
    const plan = await add(home.id, [person?.email ?? '']);
    expect(plan).toMatchObject({ courses: [], totals: { rows: 0 } });
    expect(plan.left_out).toEqual([
      { id: home.id, reason: expect.stringMatching(/did not answer.*sections/) },
    ]);
  });

  test('OP-53 manual rows that leave the section to the LMS are rejected; rows that name one are not', async () => {
    const [home, out] = [aCourse(false), campus.course(3, 163)];
    const [away, stays] = [...sectionsOf(home.id), null];
    const rows = (header: string, cells: string) => `${header}\n${cells}`;
    await crosslist(away?.id ?? 0, out.id);
    const [person] = campus.strangers(1, [home.id, out.id]);
    // Even for a person with access to every course, rows can affect only the course that they name.
    for (const admin of [bruno, alma]) {
      const refused = await submit(
        admin,
        rows('course_id,user_id,role_id,status', `${home.sis},${person?.sis},3,active`),
      );
      expect(refused.status).toBe(400);
      expect((await refused.json()).error.details).toEqual([
        { row: 2, field: 'course_id', message: expect.stringMatching(/no default section.*section_id/) },
      ]);
    }
    if (!stays?.sis_source_id) return;
    const taken = await submit(
      bruno,
      rows(
        'course_id,user_id,role_id,section_id,status',
        `${home.sis},${person?.sis},3,${stays.sis_source_id},active`,
      ),
    );
    expect(taken.status).toBe(200);
  });
});

test('if a default section is cross-listed elsewhere after the review, no one is added to it, and the result says so', async () => {
  const [home, out] = [aCourse(true), campus.course(3, 163)];
  const fallback = sectionsOf(home.id).find((section) => section.default_section);
  const [person] = campus.strangers(1, [home.id, out.id]);
  const plan = await add(home.id, [person?.email ?? '']);
  expect(plan.courses[0]).toMatchObject({ rows: 1, sections: [] });
  await crosslist(fallback?.id ?? 0, out.id);
  const ended = await watch(bruno, (await submitted(bruno, { plan: plan.id })).id);
  expect(ended.workflow_state).toBe('failed');
  expect(ended.processing_errors[0]?.[1]).toMatch(/skipped with .+: it is no longer in this course/);
  expect(await sits(out.id, person?.id ?? 0)).toEqual([]);
});

test('CE-12 if a section is cross-listed elsewhere after a removal was reviewed, people still in it are not reported as removed', async () => {
  const home = aCourse(true);
  const out = campus.course(3, 163);
  const made = await campus.api(`courses/${home.id}/sections`, {
    method: 'POST',
    body: { course_section: { name: 'Beta', sis_section_id: `${home.sis}-BETA` } },
  });
  const beta = { id: ((await made.json()) as { id: number }).id, course_id: home.id };
  const [person] = campus.strangers(1, [home.id, out.id]);
  if (!person) throw new Error('nobody');
  campus.enrol(person.id, campus.defaultSection(home.id), 3);
  campus.enrol(person.id, beta, 3);
  const request = { role_id: 3, courses: [home.id], emails: [person.email] };
  const plan = await makePlan(alma, { ...request, status: 'deleted' });
  expect(plan.totals.rows).toBe(2);
  await crosslist(beta.id, out.id);
  const { verdict, note } = await watch(alma, (await submitted(alma, { plan: plan.id })).id);
  expect(verdict).toBe('partly');
  expect(note).toContain(
    `Section 'Beta' (${beta.id}) of course "${home.sis}" was skipped with ${ts.sandbox.world.users.must(person.id).name} (${person.sis}): it is no longer in this course.`,
  );
  expect(note).not.toContain('has been removed since');
  expect(campus.stateOf(person.id, beta.id, 3)).toBe('active');
  expect(campus.stateOf(person.id, campus.defaultSection(home.id).id, 3)).toBe('deleted');
});
