/** Undoing an import after its people, courses or sections have got other SIS IDs, and sections created for it. */
import type { SisImport } from '@lms-admin/contract/imports';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { Campus, makePlan, type Person, submitted, undoOf, watch } from './campus.ts';

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

async function done(browser: Browser, plan: { id: string }): Promise<SisImport> {
  return watch(browser, (await submitted(browser, { plan: plan.id })).id);
}
const nameOf = (id: number) => ts.sandbox.world.users.must(id).name;
const inCourse = async (id: number) =>
  (await campus.enrolments(id, 3, ['active', 'invited', 'inactive', 'completed']))
    .map((one) => `${one.user_id} ${one.course_section_id} ${one.enrollment_state}`)
    .sort();

describe('of Course Enrollment', () => {
  test('a person with a new SIS ID is still removed; a person without one is named and stays', async () => {
    const course = campus.courseForRows(7);
    const section = campus.defaultSection(course.id);
    const people = campus.strangers(2, [course.id]);
    const [renamed, away] = people as [Person, Person];
    const emails = people.map(({ email }) => email);
    const asked = { role_id: 3, courses: [course.id], emails };
    const added = await done(alma, await makePlan(alma, { ...asked, status: 'active' }));
    campus.changeSisId(renamed, `CH-${renamed.sis}`);
    campus.changeSisId(away, null);
    const plan = await undoOf(alma, added);
    const kept = plan.kept.flatMap(({ why, who }) => who.map(({ person }) => `${why} ${person}`));
    expect([plan.totals.rows, kept]).toEqual([1, [`gone ${nameOf(away.id)}`]]);
    await done(alma, plan);
    for (const one of people) campus.changeSisId(one, one.sis);
    expect(people.map(({ id }) => campus.stateOf(id, section.id, 3))).toEqual(['deleted', 'active']);
  });

  test('a course that has got a new SIS ID since the import is undone under that id', async () => {
    const course = campus.course(9);
    const people = campus.strangers(1, [course.id]);
    const before = await inCourse(course.id);
    const added = await done(
      alma,
      await makePlan(alma, {
        role_id: 3,
        status: 'active',
        courses: [course.id],
        emails: people.map(({ email }) => email),
      }),
    );
    const { courses } = ts.sandbox.world;
    courses.change(courses.must(course.id), { sis_source_id: `${course.sis}-NEW` });
    expect(await done(alma, await undoOf(alma, added))).toMatchObject({ verdict: 'done', rows: 1 });
    expect(await inCourse(course.id)).toEqual(before);
  });

  test('a section named in rows is restored even if it has lost its SIS ID and looks like the default one', async () => {
    const course = campus.course(8);
    const { sections } = ts.sandbox.world;
    for (const one of sections.by.course.get(course.id))
      sections.change(one, { name: `Group ${one.id}`, sis_source_id: `H-${one.id}`, default_section: false });
    const people = campus.strangers(2, [course.id]);
    const asked = { role_id: 3, courses: [course.id], emails: people.map(({ email }) => email) };
    await done(alma, await makePlan(alma, { ...asked, status: 'active' }));
    const before = await inCourse(course.id);
    const removed = await done(alma, await makePlan(alma, { ...asked, status: 'deleted' }));
    const made = sections.by.course.get(course.id).find((one) => one.name === course.name);
    if (!made) throw new Error('no section was made');
    const known = sections.by.course.get(course.id).length;
    const cleared = { course_section: { sis_section_id: '' } };
    const answer = await campus.api(`sections/${made.id}`, { method: 'PUT', body: cleared });
    expect(answer.status).toBe(200);
    const plan = await undoOf(alma, removed);
    expect(plan.entries).toMatchObject([{ section: { id: made.id, assign: true }, rows: 2 }]);
    expect((await done(alma, plan)).verdict).toBe('done');
    expect(await inCourse(course.id)).toEqual(before);
    expect(sections.by.course.get(course.id)).toHaveLength(known);
  });

  test('a section that was created for the import stays, and the undo says so', async () => {
    const course = campus.course(8);
    const { sections } = ts.sandbox.world;
    for (const one of sections.by.course.get(course.id))
      sections.change(one, { name: `Group ${one.id}`, sis_source_id: `G-${one.id}` });
    const [one] = campus.strangers(1, [course.id]) as [Person];
    const added = await done(
      alma,
      await makePlan(alma, { role_id: 3, status: 'active', courses: [course.id], emails: [one.email] }),
    );
    const plan = await undoOf(alma, added);
    expect(plan).toMatchObject({
      totals: { remove: 1, rows: 1 },
      sections: [{ course: course.sis, section: course.name, what: 'created' }],
    });
  });

  test('every section created for the import is listed, even if the LMS carried out none of its rows', async () => {
    const courses = [campus.course(14), campus.course(15)];
    const { sections } = ts.sandbox.world;
    for (const { id } of courses)
      for (const one of sections.by.course.get(id))
        sections.change(one, { name: `Group ${one.id}`, sis_source_id: `G-${one.id}` });
    const emails = campus.strangers(
      2,
      courses.map(({ id }) => id),
    );
    await campus.fault({ match: '*', kind: 'import-crash', count: 1 });
    const added = await done(
      alma,
      await makePlan(alma, {
        role_id: 3,
        status: 'active',
        courses: courses.map(({ id }) => id),
        emails: emails.map(({ email }) => email),
      }),
    );
    expect(added).toMatchObject({ verdict: 'partly', applied: 2 });
    const plan = await undoOf(alma, added);
    expect(plan.sections).toEqual(
      courses.map(({ sis, name }) => ({ course: sis, section: name, what: 'created' })),
    );
    expect(plan.totals.remove).toBe(2);
  });

  test.each(['swapped', 'lost'])(
    'a section created for the import is undone by its number if its SIS ID has been %s since',
    async (how) => {
      const course = campus.course(how === 'lost' ? 10 : 11);
      const { sections } = ts.sandbox.world;
      for (const one of sections.by.course.get(course.id))
        sections.change(one, { name: `Group ${one.id}`, sis_source_id: `G-${one.id}` });
      const [other] = sections.by.course.get(course.id);
      const people = campus.strangers(2, [course.id]);
      const emails = people.map(({ email }) => email);
      const before = await inCourse(course.id);
      const asked = { role_id: 3, courses: [course.id], emails };
      const added = await done(alma, await makePlan(alma, { ...asked, status: 'active' }));
      const made = [...sections.by.course.get(course.id)].find(({ name }) => name === course.name);
      if (!other || !made) throw new Error('no section was created');
      expect(people.map(({ id }) => campus.stateOf(id, made.id, 3))).toEqual(['active', 'active']);
      const [was, theirs] = [made.sis_source_id, other.sis_source_id];
      sections.change(made, { sis_source_id: null });
      if (how === 'swapped') {
        sections.change(other, { sis_source_id: was });
        sections.change(made, { sis_source_id: theirs });
      }
      const plan = await undoOf(alma, added);
      expect([plan.totals.remove, plan.kept]).toEqual([2, []]);
      expect((await done(alma, plan)).verdict).toBe('done');
      expect(await inCourse(course.id)).toEqual(before);
    },
  );
});
