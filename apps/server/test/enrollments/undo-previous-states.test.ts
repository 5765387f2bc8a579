/** Undoing an import restores the state that each person had before it. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { SisImport } from '@lms-admin/contract/imports';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { Campus, makePlan, makeSectionPlan, submitted, undoOf, watch } from './campus.ts';

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
