/**
 * SIS IDs for sections that have none: the review shows the id that each will get, even if another section
 * already uses the preferred one (OP-51).
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
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
afterEach(() => campus.clearFaults());

async function imported(plan: { id: string }) {
  const { id } = await submitted(alma, { plan: plan.id });
  return watch(alma, id);
}

const sections = () => ts.sandbox.world.sections;
const sisIdOf = (section: number) => sections().must(section).sis_source_id;
const giveSisId = (section: number, sisId: string | null) =>
  sections().change(sections().must(section), { sis_source_id: sisId });
const stranger = (course: number) => campus.strangers(1, [course])[0] as Person;
const questions = async () =>
  (await campus.requests(({ method }) => method === 'GET'))
    .map(({ path }) => decodeURIComponent(path))
    .filter((path) => path.includes('/sections/sis_section_id:'));

/** Creates one row for a section. */
const row = (course: number, section: number, sis: string, role_id = 3) => ({
  course,
  section,
  role_id,
  status: 'active' as const,
  users: [sis],
});

/** Finds a course that shows no section with its own name. */
function withoutDefault(index: number) {
  const course = campus.course(index);
  for (const one of sections().by.course.get(course.id))
    sections().change(one, { name: `Group ${one.id}`, sis_source_id: `G-${one.id}` });
  return course;
}

test('OP-51 SE-12 a section that was cross-listed into another course keeps its id; another section with that name gets a different id, as the review shows', async () => {
  const [course, other] = [campus.course(0), campus.course(1)];
  const person = stranger(course.id);
  const first = await campus.newSection(course.id, 'Tutorial 1');
  const before = await makeSectionPlan(alma, [row(course.id, first.id, person.sis)]);
  await imported(before);
  await campus.api(`sections/${first.id}/crosslist/${other.id}`, { method: 'POST' });
  const second = await campus.newSection(course.id, 'Tutorial 1');
  const plan = await makeSectionPlan(alma, [row(course.id, second.id, person.sis)]);
  const shown = `${before.entries[0]?.section.sis_section_id}-${second.id}`;
  expect(plan.entries[0]?.section).toMatchObject({ id: second.id, assign: true, sis_section_id: shown });
  expect(await imported(plan)).toMatchObject({ verdict: 'done', note: null });
  expect(sisIdOf(second.id)).toBe(shown);
});

describe('OP-51 Course Enrollment', () => {
  test('shows the id of a section that is created for added people', async () => {
    const course = withoutDefault(2);
    const name = course.name.toUpperCase().replace(/[^A-Z0-9]/g, '');
    const elsewhere = await campus.newSection(campus.course(3).id, 'Elsewhere');
    giveSisId(elsewhere.id, `${course.sis}-${name}`);
    const plan = await makePlan(alma, {
      role_id: 3,
      status: 'active',
      courses: [course.id],
      emails: [stranger(course.id).email],
    });
    const shown = `${course.sis}-${name}-${course.id}`;
    expect(plan.courses[0]?.sections).toMatchObject([{ id: null, sis_section_id: shown }]);
    expect(await imported(plan)).toMatchObject({ verdict: 'done', note: null });
    expect([...sections().by.course.get(course.id)].map((one) => one.sis_source_id)).toContain(shown);
  });

  test('shows the id of a section from which people are removed; if another section also uses the longer id, an unused one', async () => {
    const course = campus.course(4);
    const person = stranger(course.id);
    const section = await campus.newSection(course.id, 'Evening');
    campus.enrol(person.id, section, 3);
    const elsewhere = campus.course(5).id;
    for (const taken of [`${course.sis}-EVENING`, `${course.sis}-EVENING-${section.id}`])
      giveSisId((await campus.newSection(elsewhere, taken)).id, taken);
    const plan = await makePlan(alma, {
      role_id: 3,
      status: 'deleted',
      courses: [course.id],
      emails: [person.email],
    });
    const shown = `${course.sis}-EVENING-${section.id}-${section.id}`;
    expect(plan.courses[0]?.sections).toMatchObject([{ id: section.id, sis_section_id: shown }]);
    expect(await imported(plan)).toMatchObject({ verdict: 'done', note: null });
    expect(sisIdOf(section.id)).toBe(shown);
  });

  test('shows different ids for two sections in different courses that would get the same one', async () => {
    const [course, other] = [campus.course(6), campus.course(7)];
    const [section, taken] = [
      await campus.newSection(course.id, 'G1'),
      await campus.newSection(course.id, 'Has it'),
    ];
    giveSisId(taken.id, `${course.sis}-G1`);
    const { courses } = ts.sandbox.world;
    courses.change(courses.must(other.id), { sis_source_id: `${course.sis}-G1` });
    const like = await campus.newSection(other.id, String(section.id));
    const [person] = campus.strangers(1, [course.id, other.id]) as [Person];
    for (const one of [section, like]) campus.enrol(person.id, one, 3);
    const plan = await makePlan(alma, {
      role_id: 3,
      status: 'deleted',
      courses: [course.id, other.id],
      emails: [person.email],
    });
    const same = `${course.sis}-G1-${section.id}`;
    expect(plan.courses.flatMap((one) => one.sections.map((each) => each.sis_section_id))).toEqual([
      same,
      `${same}-${like.id}`,
    ]);
    expect(await imported(plan)).toMatchObject({ verdict: 'done', note: null });
    expect([section, like].map(({ id }) => sisIdOf(id))).toEqual([same, `${same}-${like.id}`]);
  });
});

test('OP-51 undo shows the new id of a section that has lost its own', async () => {
  const course = campus.course(8);
  const person = stranger(course.id);
  const section = await campus.newSection(course.id, 'Morning');
  const sent = await imported(await makeSectionPlan(alma, [row(course.id, section.id, person.sis)]));
  const was = sisIdOf(section.id) ?? '';
  giveSisId(section.id, null);
  giveSisId((await campus.newSection(campus.course(9).id, 'Elsewhere')).id, was);
  const plan = await undoOf(alma, sent, 'section-enrollment');
  const shown = `${was}-${section.id}`;
  expect(plan.entries[0]?.section).toMatchObject({ id: section.id, assign: true, sis_section_id: shown });
  expect(await imported(plan)).toMatchObject({ verdict: 'done', note: null });
  expect(sisIdOf(section.id)).toBe(shown);
});

describe('OP-51 calls to the LMS', () => {
  test('there is one call for each section that needs an id, and none for others', async () => {
    const course = campus.course(10);
    const [twice, once, there] = [
      await campus.newSection(course.id, 'Twice'),
      await campus.newSection(course.id, 'Once'),
      await campus.newSection(course.id, 'There'),
    ];
    const has = await campus.newSection(course.id, 'Has one');
    giveSisId(has.id, `HAS-${has.id}`);
    const { id, sis } = stranger(course.id);
    // The people are already enrolled, so they need no row.
    campus.enrol(id, there, 3);
    await campus.forgetRequests();
    const plan = await makeSectionPlan(alma, [
      row(course.id, twice.id, sis),
      row(course.id, twice.id, sis, 4),
      row(course.id, once.id, sis),
      row(course.id, there.id, sis),
      row(course.id, has.id, sis),
    ]);
    expect(plan.entries.map(({ rows }) => rows)).toEqual([1, 1, 1, 0, 1]);
    expect((await questions()).map((path) => path.replace(/^.*sis_section_id:/, '')).sort()).toEqual([
      `${course.sis}-ONCE`,
      `${course.sis}-TWICE`,
    ]);
  });

  test('if the LMS does not answer, the id is shown as planned, and the result names the actual one', async () => {
    const course = campus.course(11);
    const section = await campus.newSection(course.id, 'Silent');
    const planned = `${course.sis}-SILENT`;
    giveSisId((await campus.newSection(campus.course(12).id, 'Elsewhere')).id, planned);
    await campus.fault({
      match: '/api/v1/sections/sis_section_id*',
      method: 'GET',
      kind: 'status',
      status: 503,
    });
    const plan = await makeSectionPlan(alma, [row(course.id, section.id, stranger(course.id).sis)]);
    await campus.clearFaults();
    expect(plan.entries[0]?.section.sis_section_id).toBe(planned);
    const { note } = await imported(plan);
    expect(note).toContain(`was given the SIS ID "${planned}-${section.id}"`);
    expect(sisIdOf(section.id)).toBe(`${planned}-${section.id}`);
  });

  test('if the LMS hides the section, the id counts as another section’s', async () => {
    const course = campus.course(13);
    const section = await campus.newSection(course.id, 'Hidden');
    await campus.fault({
      match: '/api/v1/sections/sis_section_id*',
      method: 'GET',
      kind: 'status',
      status: 403,
      count: 1,
    });
    const plan = await makeSectionPlan(alma, [row(course.id, section.id, stranger(course.id).sis)]);
    const shown = `${course.sis}-HIDDEN-${section.id}`;
    expect(plan.entries[0]?.section.sis_section_id).toBe(shown);
    expect(await imported(plan)).toMatchObject({ verdict: 'done', note: null });
    expect(sisIdOf(section.id)).toBe(shown);
  });
});
