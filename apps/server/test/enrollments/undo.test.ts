/**
 * Undoing the import of a plan: its changes that still apply are reversed, after a review and submission like
 * any other plan.
 */
import { randomUUID } from 'node:crypto';
import { ENDPOINTS, jobStartPath } from '@lms-admin/contract/endpoints';
import type { SisImport } from '@lms-admin/contract/imports';
import { and, eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { StoredRows } from '../../src/enrollments/plan-store.ts';
import { tidy } from '../../src/imports/housekeeping.ts';
import { pack, unpack } from '../../src/platform/packed.ts';
import { planCourses, plans } from '../../src/platform/schema.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  askUndo,
  Campus,
  jobOf,
  makePlan,
  makeSectionPlan,
  type Person,
  submit,
  submitted,
  undoOf,
  watch,
} from './campus.ts';

let ts: TestServer;
let campus: Campus;
let alma: Browser;
let bruno: Browser;
beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  campus = new Campus(ts.sandbox);
  [alma, bruno] = [await ts.signIn(PEOPLE.all), await ts.signIn(PEOPLE.custom)];
});
afterAll(() => ts?.close());
afterEach(() => campus.clearFaults());

async function done(browser: Browser, plan: { id: string }): Promise<SisImport> {
  return watch(browser, (await submitted(browser, { plan: plan.id })).id);
}
const termOf = (course: number) =>
  ts.sandbox.world.terms.must(ts.sandbox.world.courses.must(course).enrollment_term_id).name;
const nameOf = (id: number) => ts.sandbox.world.users.must(id).name;
const inCourse = async (id: number) =>
  (await campus.enrolments(id, 3, ['active', 'invited', 'inactive', 'completed']))
    .map((one) => `${one.user_id} ${one.course_section_id} ${one.enrollment_state}`)
    .sort();

describe('of Course Enrollment', () => {
  test('people who were added are removed again, and people enrolled before stay', async () => {
    const [a, b] = [campus.course(0), campus.course(1)];
    const people = campus.strangers(3, [a.id, b.id]);
    const there = (await campus.enrolments(a.id, 3)).slice(0, 1).map((one) => campus.person(one.user_id));
    const before = [await inCourse(a.id), await inCourse(b.id)];
    const added = await done(
      alma,
      await makePlan(alma, {
        role_id: 3,
        status: 'active',
        courses: [a.id, b.id],
        emails: [...people, ...there].map(({ email }) => email),
      }),
    );
    expect(added).toMatchObject({ verdict: 'done', can_undo: true });

    const [plan, twin] = [await undoOf(alma, added), await undoOf(alma, added)];
    expect(plan.undoes).toEqual({ import: added.id, label: added.label });
    const inB = before[1]?.some((one) => one.startsWith(`${there[0]?.id} `)) ? 0 : 1;
    expect(plan.totals).toMatchObject({ add: 0, remove: 6 + inB, not_enrolled: 0, rows: 6 + inB });
    const list = await alma.fetch(
      `${ENDPOINTS.undoPlanPeople.replace(':plan', plan.id)}?section=${plan.entries[0]?.section.id}`,
    );
    expect((await list.json()).data).toEqual(
      expect.arrayContaining(
        people.map((one) => expect.objectContaining({ sis_user_id: one.sis, change: 'remove' })),
      ),
    );
    // Requesting the undo has changed nothing.
    expect(await inCourse(a.id)).not.toEqual(before[0]);

    const back = await done(alma, plan);
    // Each entry links to the other and says what it is about.
    expect(await jobOf(alma, added.id)).toMatchObject({
      about: {
        courses: [a.name, b.name],
        more: 0,
        terms: [...new Set([a, b].map(({ id }) => termOf(id)))],
        programmes: [ts.sandbox.world.accounts.must(86).name],
      },
      undoes: null,
      undone_by: { id: back.id, mark: 'done' },
    });
    expect(await jobOf(alma, back.id)).toMatchObject({ undoes: added.id, undone_by: null });
    for (const text of [b.name, b.sis]) {
      const listed = await (await alma.fetch(`${ENDPOINTS.jobs}?text=${encodeURIComponent(text)}`)).json();
      expect(listed.data).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ id: added.id, undone_by: { id: back.id, mark: 'done' } }),
          expect.objectContaining({ id: back.id, undoes: added.id }),
        ]),
      );
    }
    // Another tab has reviewed the same undo and submits it later.
    const late = await submit(alma, { plan: twin.id });
    expect([late.status, (await late.json()).error.message]).toEqual([
      409,
      expect.stringContaining('already been undone'),
    ]);
    expect(back.label).toMatch(/^Undo: Remove \d people from 2 sections of 2 courses$/);
    expect([await inCourse(a.id), await inCourse(b.id)]).toEqual(before);
    // The undo does not give any section an SIS ID.
    expect(plan.entries.some(({ section }) => section.assign)).toBe(false);

    // A second review has nothing to do, and undoing the undo repeats the change.
    expect((await undoOf(alma, added)).totals).toMatchObject({ rows: 0, not_enrolled: 6 + inB });
    const again = await undoOf(alma, back);
    expect(again.totals).toMatchObject({ add: 6 + inB, rows: 6 + inB });
  });

  test('when two tabs submit an undo at the same time, one shows that the other has done it', async () => {
    const course = campus.course(2);
    const people = campus.strangers(2, [course.id]);
    const emails = people.map(({ email }) => email);
    const before = await inCourse(course.id);
    const added = await done(
      alma,
      await makePlan(alma, { role_id: 3, status: 'active', courses: [course.id], emails }),
    );
    const tabs = await Promise.all([1, 2, 3, 4].map(() => undoOf(alma, added)));
    const answers = await Promise.all(tabs.map((plan) => submit(alma, { plan: plan.id })));
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409, 409, 409]);
    for (const answer of answers) {
      const { data, error } = await answer.json();
      if (answer.ok) expect(await watch(alma, data.id)).toMatchObject({ verdict: 'done' });
      else expect(error.message).toContain('already been undone');
    }
    expect(await inCourse(course.id)).toEqual(before);
    expect((await jobOf(alma, added.id)).undone_by).toMatchObject({ mark: 'done' });
  });

  test('when an undo is itself undone, the entries show the current state, link to each other, and offer undo only if it applies', async () => {
    const course = campus.courseForRows(2);
    const people = campus.strangers(2, [course.id]);
    const emails = people.map(({ email }) => email);
    const a = await done(
      alma,
      await makePlan(alma, { role_id: 3, status: 'active', courses: [course.id], emails }),
    );
    const names = new Map([[a.id, 'A']]);
    const undo = async (name: string, one: SisImport) => {
      const made = await done(alma, await undoOf(alma, one));
      names.set(made.id, name);
      return made;
    };
    /**
     * Activity's data for each import: its outcome, its undo, what it undoes, and whether undo is offered.
     */
    const told = async () => {
      const { data } = await (await alma.fetch(`${ENDPOINTS.jobs}?kind=import`)).json();
      const lines = [...names].map(async ([id, name]) => {
        const { undone_by: by, undoes, import: one } = await jobOf(alma, id);
        const listed = (data as { id: string }[]).find((job) => job.id === id);
        expect(listed).toMatchObject({ undone_by: by, undoes });
        expect((await watch(alma, id)).can_undo).toBe(one?.can_undo);
        return [
          name,
          ...(by ? [by.mark, names.get(by.id)] : []),
          ...(undoes ? [`of ${names.get(undoes)}`] : []),
          ...(one?.can_undo ? ['may be undone'] : []),
        ].join(' ');
      });
      const states = people.map((one) => campus.stateOf(one.id, campus.defaultSection(course.id).id, 3));
      return [states.join(' '), ...(await Promise.all(lines))];
    };
    const b = await undo('B', a);
    expect(await told()).toEqual(['deleted deleted', 'A done B', 'B of A may be undone']);
    const c = await undo('C', b);
    expect(await told()).toEqual([
      'active active',
      'A again B may be undone',
      'B done C of A',
      'C of B may be undone',
    ]);
    await undo('D', c);
    expect(await told()).toEqual([
      'deleted deleted',
      'A done B',
      'B again C of A may be undone',
      'C done D of B',
      'D of C may be undone',
    ]);
    await undo('E', b);
    await undo('F', a);
    expect(await told()).toEqual([
      'deleted deleted',
      'A done F',
      'B again E of A may be undone',
      'C done D of B',
      'D again E of C may be undone',
      'E done F of B',
      'F of A may be undone',
    ]);
  });

  test('an undo whose review left a person unchanged counts as having undone only a part', async () => {
    const course = campus.courseForRows(3);
    const [one, other] = campus.strangers(2, [course.id]) as [Person, Person];
    const emails = [one.email, other.email];
    const added = await done(
      alma,
      await makePlan(alma, { role_id: 3, status: 'active', courses: [course.id], emails }),
    );
    campus.enrol(other.id, campus.defaultSection(course.id), 3, 'inactive');
    const back = await done(alma, await undoOf(alma, added));
    expect(back.verdict).toBe('done');
    expect(await jobOf(alma, added.id)).toMatchObject({
      undone_by: { id: back.id, mark: 'partly' },
      import: { can_undo: true },
    });
  });

  test('people who were removed are restored in the same sections and states', async () => {
    const { course, fallback, named, person } = await campus.inThreeSections(86, 3);
    const [other, gone] = campus.strangers(2, [course.id]);
    if (!other || !gone) throw new Error('nobody');
    campus.enrol(other.id, { id: named.id, course_id: course.id }, 3, 'completed');
    campus.enrol(gone.id, { id: fallback.id, course_id: course.id }, 3);
    const before = await inCourse(course.id);
    const removed = await done(
      alma,
      await makePlan(alma, {
        role_id: 3,
        status: 'deleted',
        courses: [course.id],
        emails: [person.email, other.email, gone.email],
      }),
    );
    expect(removed.verdict).toBe('done');
    // Another user has added one of the people again in the meantime.
    campus.enrol(gone.id, { id: fallback.id, course_id: course.id }, 3);
    const plan = await undoOf(alma, removed);
    expect(plan.totals).toMatchObject({ add: 4, already: 1, remove: 0, rows: 4 });
    expect(plan.kept).toEqual([]);
    expect((await done(alma, plan)).verdict).toBe('done');
    expect(await inCourse(course.id)).toEqual(before);
  });

  test.each(['course', 'section'])(
    'CE-12 a removal in a %s names invited people before anything is sent, and its undo names them again',
    async (level) => {
      const course = campus.courseForRows(level === 'course' ? 12 : 13);
      const section = campus.defaultSection(course.id);
      const [guest, other] = campus.strangers(2, [course.id]);
      if (!guest || !other) throw new Error('nobody');
      campus.enrol(guest.id, section, 3, 'invited');
      campus.enrol(other.id, section, 3, 'completed');
      const unrestorable = [{ person: nameOf(guest.id), section: section.name, state: 'invited' }];
      const users = [guest.sis, other.sis];
      const plan =
        level === 'course'
          ? await makePlan(alma, {
              role_id: 3,
              status: 'deleted',
              courses: [course.id],
              emails: [guest.email, other.email],
            })
          : await makeSectionPlan(alma, [
              { course: course.id, section: section.id, role_id: 3, status: 'deleted', users },
            ]);
      const [told] = 'entries' in plan ? plan.entries : plan.courses;
      expect(told).toMatchObject({ remove: 2, unrestorable });
      const removed = await done(alma, plan);
      const back = await undoOf(
        alma,
        removed,
        level === 'course' ? 'course-enrollment' : 'section-enrollment',
      );
      expect(back.kept).toMatchObject([
        { why: 'state', who: [{ person: nameOf(guest.id), state: 'invited' }] },
      ]);
      await done(alma, back);
      expect([guest, other].map(({ id }) => campus.stateOf(id, section.id, 3))).toEqual([
        'deleted',
        'completed',
      ]);
    },
  );

  test('people who were inactive before being added become inactive again; invited people are named and not removed', async () => {
    const course = campus.courseForRows(2);
    const [guest, other, away] = campus.strangers(3, [course.id]);
    const section = [...ts.sandbox.world.sections.by.course.get(course.id)].find(
      (one) => one.default_section && one.name === course.name,
    );
    if (!guest || !other || !away || !section) throw new Error('no such course');
    campus.enrol(guest.id, { id: section.id, course_id: course.id }, 3, 'invited');
    campus.enrol(away.id, { id: section.id, course_id: course.id }, 3, 'inactive');
    const before = await inCourse(course.id);
    const plan = await makePlan(alma, {
      role_id: 3,
      status: 'active',
      courses: [course.id],
      emails: [guest.email, other.email, away.email],
    });
    expect(plan.courses[0]).toMatchObject({
      add: 3,
      reactivated: 2,
      // This enrolment is named before anything is sent, because undo could not restore it.
      unrestorable: [{ person: nameOf(guest.id), section: section.name, state: 'invited' }],
    });
    const back = await undoOf(alma, await done(alma, plan));
    expect(back.totals).toMatchObject({ remove: 1, add: 1, rows: 2 });
    expect(back.entries.map(({ status, rows }) => `${rows} ${status}`).sort()).toEqual([
      '1 deleted',
      '1 inactive',
    ]);
    expect(back.kept).toMatchObject([
      { people: 1, why: 'state', who: [{ person: nameOf(guest.id), state: 'invited' }] },
    ]);
    const list = await alma.fetch(
      `${ENDPOINTS.undoPlanPeople.replace(':plan', back.id)}?section=${section.id}&role=3&status=inactive`,
    );
    expect((await list.json()).data).toMatchObject([{ sis_user_id: away.sis, change: 'add' }]);
    expect((await done(alma, back)).verdict).toBe('done');
    const now = before.map((one) =>
      one.startsWith(`${guest.id} `) ? one.replace('invited', 'active') : one,
    );
    expect(await inCourse(course.id)).toEqual(now);
  });

  test('nothing to undo, an LMS that does not answer and a course out of scope give three different answers', async () => {
    const course = campus.courseForRows(6);
    const people = campus.strangers(2, [course.id]);
    const added = await done(
      alma,
      await makePlan(alma, {
        role_id: 3,
        status: 'active',
        courses: [course.id],
        emails: people.map(({ email }) => email),
      }),
    );
    const kept = async () => {
      const { kept, totals } = await undoOf(alma, added);
      return [totals.rows, ...kept.map(({ why, people }) => `${why} ${people}`)];
    };
    for (const match of [
      `/api/v1/sections/${campus.defaultSection(course.id).id}/enrollments`,
      `/api/v1/courses/${course.id}/sections`,
    ]) {
      await campus.fault({ match, kind: 'status', status: 500 });
      expect(await kept()).toEqual([0, 'unanswered 2']);
      await campus.clearFaults();
    }
    const { courses } = ts.sandbox.world;
    courses.change(courses.must(course.id), { workflow_state: 'deleted' });
    expect(await kept()).toEqual([0, 'out-of-reach 2']);
    courses.change(courses.must(course.id), { workflow_state: 'available' });
    expect(await kept()).toEqual([2]);
    await done(alma, await undoOf(alma, added));
    expect(await kept()).toEqual([0]);
  });

  test('the enrolments of a course out of scope are listed once each, whatever their previous state', async () => {
    const course = campus.courseForRows(11);
    const people = campus.strangers(3, [course.id]);
    const [paused] = people as [Person, Person, Person];
    campus.enrol(paused.id, campus.defaultSection(course.id), 3, 'inactive');
    const emails = people.map(({ email }) => email);
    const plan = await makePlan(alma, { role_id: 3, status: 'active', courses: [course.id], emails });
    const added = await done(alma, plan);
    const { courses } = ts.sandbox.world;
    courses.change(courses.must(course.id), { workflow_state: 'deleted' });
    const { kept } = await undoOf(alma, added);
    expect(kept.flatMap(({ who }) => who.map(({ person }) => person)).sort()).toEqual(
      people.map(({ id }) => nameOf(id)).sort(),
    );
    expect(new Set(kept.map(({ why }) => why))).toEqual(new Set(['out-of-reach']));
  });

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

  test('if the LMS did not say who was enrolled, no one is removed', async () => {
    const course = campus.courseForRows(3);
    const there = (await campus.enrolments(course.id, 3))
      .slice(0, 1)
      .map((one) => campus.person(one.user_id));
    const [other] = campus.strangers(1, [course.id]);
    await campus.fault({ match: `/api/v1/courses/${course.id}/enrollments`, kind: 'status', status: 500 });
    const plan = await makePlan(alma, {
      role_id: 3,
      status: 'active',
      courses: [course.id],
      emails: [...there.map(({ email }) => email), other?.email ?? ''],
    });
    expect(plan.courses[0]).toMatchObject({ rows: 2, unread: expect.any(String) });
    const sent = await done(alma, plan);
    await campus.clearFaults();
    const back = await undoOf(alma, sent);
    expect(back.entries).toEqual([]);
    expect(back.kept).toMatchObject([{ people: 2, why: 'unread' }]);
  });

  test('rows that were skipped when sending are not reversed, even if others made the same change afterwards', async () => {
    const [a, b] = [campus.course(4), campus.course(5)];
    const [one] = campus.strangers(1, [a.id, b.id]);
    if (!one) throw new Error('nobody');
    const plan = await makePlan(alma, {
      role_id: 3,
      status: 'active',
      courses: [a.id, b.id],
      emails: [one.email],
    });
    const { courses } = ts.sandbox.world;
    courses.change(courses.must(b.id), { sis_source_id: `${b.sis}-NEW` });
    const partly = await done(alma, plan);
    expect(partly).toMatchObject({ rows: 1, applied: 1 });
    courses.change(courses.must(b.id), { sis_source_id: b.sis });
    const [section] = [...ts.sandbox.world.sections.by.course.get(b.id)];
    campus.enrol(one.id, { id: section?.id ?? 0, course_id: b.id }, 3);
    const back = await undoOf(alma, partly);
    expect(back.entries.map(({ course }) => course.id)).toEqual([a.id]);
    expect(back.totals).toMatchObject({ remove: 1, rows: 1 });
  });
});

test('an import of Section Enrollment is undone in each section with its own role and action', async () => {
  const { course, named, byHand, person } = await campus.inThreeSections(86, 4);
  const [one] = campus.strangers(1, [course.id]);
  if (!one) throw new Error('nobody');
  const before = await campus.enrolments(course.id, 4);
  const sent = await done(
    alma,
    await makeSectionPlan(alma, [
      { course: course.id, section: named.id, role_id: 4, status: 'deleted', users: [person.sis] },
      { course: course.id, section: byHand.id, role_id: 3, status: 'active', users: [one.sis] },
    ]),
  );
  const plan = await undoOf(alma, sent, 'section-enrollment');
  expect(plan.totals).toMatchObject({ add: 1, remove: 1, rows: 2 });
  expect((await done(alma, plan)).verdict).toBe('done');
  const key = (rows: typeof before) => rows.map((row) => `${row.user_id} ${row.course_section_id}`).sort();
  expect(key(await campus.enrolments(course.id, 4))).toEqual(key(before));
  expect((await campus.enrolments(course.id, 3)).some(({ user_id }) => user_id === one.id)).toBe(false);
});

describe('who can undo, and when', () => {
  async function added(browser: Browser): Promise<SisImport> {
    const course = campus.course(7);
    const emails = campus.strangers(1, [course.id]).map(({ email }) => email);
    return done(
      browser,
      await makePlan(browser, { role_id: 3, status: 'active', courses: [course.id], emails }),
    );
  }

  test('OP-14 no one else can undo it, not even with permissions for the whole school, and not with the other tool', async () => {
    const one = await added(bruno);
    for (const [browser, of, tool] of [
      [alma, one.id, 'course-enrollment'],
      [bruno, one.id, 'section-enrollment'],
      [bruno, randomUUID(), 'course-enrollment'],
    ] as const) {
      expect(await askUndo(browser, of, tool)).toMatchObject({ status: 404, plan: null });
    }
    const { plan } = await askUndo(bruno, one.id);
    const path = ENDPOINTS.undoPlan.replace(':plan', plan?.id ?? '');
    expect((await alma.fetch(path)).status).toBe(404);
    // An undo plan does not count as a plan of the tool, and a plan of the tool does not count as an undo
    // plan.
    expect((await bruno.fetch(ENDPOINTS.plan.replace(':plan', plan?.id ?? ''))).status).toBe(404);
    const own = await makePlan(bruno, {
      role_id: 3,
      status: 'active',
      courses: [campus.course(7).id],
      emails: ['x@y.example'],
    });
    expect((await bruno.fetch(ENDPOINTS.undoPlan.replace(':plan', own.id))).status).toBe(404);
    const bad = await bruno.post(jobStartPath('course-undo'), { key: randomUUID(), input: { import: 'x' } });
    expect(bad.status).toBe(400);
  });

  test('PERM-10 without the role an undo is rejected, and nothing is planned', async () => {
    const one = await added(bruno);
    const record = ts.server.services.access.find(PEOPLE.custom);
    const roles = record?.roles;
    Object.assign(record ?? {}, { roles: '5' });
    const { plan, error } = await askUndo(bruno, one.id);
    expect(await watch(bruno, one.id)).toMatchObject({ can_undo: false });
    Object.assign(record ?? {}, { roles });
    expect(await watch(bruno, one.id)).toMatchObject({ can_undo: true });
    expect(plan).toBeNull();
    expect(error?.message).toBe('You do not have permission to use this role.');
  });

  test('undo is offered while the rows are kept, and only for imports sent from a plan', async () => {
    const one = await added(bruno);
    const { db } = ts.server.services.db;
    await db.update(plans).set({ expiresAt: new Date(Date.now() - 7 * 86_400_000) });
    await tidy(db);
    expect((await undoOf(bruno, one)).totals.rows).toBe(1);
    // An earlier version recorded states only at the review, and the plan says so.
    expect(await undoOf(bruno, one)).toMatchObject({ as_reviewed: false, totals: { remove: 1 } });
    for (const row of await db.select().from(planCourses)) {
      const rows = (await unpack<StoredRows[]>(row.rows)).map(({ sent: _sent, as: _as, ...kept }) => kept);
      await db
        .update(planCourses)
        .set({ rows: await pack(rows) })
        .where(and(eq(planCourses.planId, row.planId), eq(planCourses.courseId, row.courseId)));
    }
    expect(await undoOf(bruno, one)).toMatchObject({ as_reviewed: true, totals: { remove: 1 } });
    // A plan from an older version does not say who was enrolled before.
    await db.update(plans).set({ undoable: false });
    expect(await watch(bruno, one.id)).toMatchObject({ can_undo: false });
    expect(await askUndo(bruno, one.id)).toMatchObject({ status: 409, plan: null });
    const course = campus.courseForRows(1);
    const [person] = campus.strangers(1, [course.id]);
    const byHand = await watch(
      alma,
      (await submitted(alma, `course_id,user_id,role_id,status\n${course.sis},${person?.sis},3,active`)).id,
    );
    expect(byHand).toMatchObject({ verdict: 'done', can_undo: false });
    expect(await askUndo(alma, byHand.id)).toMatchObject({ status: 409, plan: null });
  });
});
