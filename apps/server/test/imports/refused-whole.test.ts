/**
 * Imports of which the LMS carries out no rows, or possibly none: the result says so, and names the sections
 * that were created or given an SIS ID for the import. Undo is offered only if something may have changed
 * (OP-35, OP-51).
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { afterEach, describe, expect, test } from 'vitest';
import {
  Campus,
  jobOf,
  makePlan,
  makeSectionPlan,
  type Person,
  submitted,
  watch,
} from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer, type TestServerOptions } from '../support/harness.ts';

const POST = { match: '/api/v1/accounts/1/sis_imports*', method: 'POST' };
let ts: TestServer;
let campus: Campus;
let alma: Browser;
afterEach(() => ts?.close());

async function open(env: TestServerOptions['env'] = {}) {
  ts = await startTestServer({ sandbox: { throttle: false }, env });
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
}

/**
 * Creates a plan for courses that show no section with their name, and returns the SIS IDs of the sections
 * created for it.
 */
async function toBeCreated(...indexes: number[]) {
  const courses = indexes.map((index) => campus.course(index));
  const { sections } = ts.sandbox.world;
  for (const { id } of courses)
    for (const one of sections.by.course.get(id))
      sections.change(one, { name: `Group ${one.id}`, sis_source_id: `G-${one.id}` });
  const ids = courses.map(({ id }) => id);
  const [person] = campus.strangers(1, ids) as [Person];
  const plan = await makePlan(alma, { role_id: 3, status: 'active', courses: ids, emails: [person.email] });
  const sisIds = plan.courses.map((one) => one.sections[0]?.sis_section_id ?? '');
  return { plan, courses: ids, sisIds };
}
const created = ([sisId]: string[]) =>
  `1 section was created for this import and will stay. Its SIS ID is "${sisId}".`;
const sisIdsIn = (course: number) =>
  [...ts.sandbox.world.sections.by.course.get(course)].map((one) => one.sis_source_id);
const errorOf = ({ processing_errors }: { processing_errors: readonly (readonly [unknown, string])[] }) =>
  processing_errors.map(([, text]) => text).join(' ');
const cancel = (id: string) => alma.post(ENDPOINTS.jobCancel.replace(':job', id), {});

/**
 * Submits an import that the LMS does not receive. Before it is sent again, the LMS stops answering about the
 * course.
 */
async function notReceived(index: number) {
  const { plan, courses, sisIds } = await toBeCreated(index);
  await campus.fault({ ...POST, kind: 'drop', when: 'before' });
  const { id } = await submitted(alma, { plan: plan.id });
  await campus.seen((one) => one.method === 'POST' && one.path.includes('/sis_imports'));
  await campus.fault({ match: `/api/v1/courses/${courses[0]}/enrollments*`, kind: 'drop', when: 'before' });
  return { id, sisIds };
}

describe('an import that the LMS rejects completely', () => {
  test.each([
    ['because it may not be sent', 403],
    ['because its attachment is rejected', 422],
  ])(
    'OP-35 OP-51 %s: no rows are applied, the created section is named, and undo is not offered',
    async (_why, status) => {
      await open();
      const { plan, courses, sisIds } = await toBeCreated(0);
      await campus.fault({ ...POST, kind: 'status', status });
      const ended = await watch(alma, (await submitted(alma, { plan: plan.id })).id);
      expect(ended).toMatchObject({ verdict: 'failed', canvas_id: null, applied: 0, can_undo: false });
      expect(errorOf(ended)).toMatch(
        /^The LMS rejected the import: [^.]+\. None of its rows was applied\. Contact IT Support, then submit again\. 1 section/,
      );
      expect(errorOf(ended)).toContain(created(sisIds));
      expect(sisIdsIn(courses[0] ?? 0)).toContain(sisIds[0]);
    },
  );

  test('OP-51 a section that got an SIS ID counts once, even with two roles; one that did not get an id does not count', async () => {
    await open();
    const course = campus.course(1);
    const [named, refused] = [
      await campus.newSection(course.id, 'Evening'),
      await campus.newSection(course.id, 'Morning'),
    ];
    const users = campus.strangers(1, [course.id]).map(({ sis }) => sis);
    const row = { course: course.id, status: 'active' as const, users };
    const plan = await makeSectionPlan(alma, [
      { ...row, section: named.id, role_id: 3 },
      { ...row, section: named.id, role_id: 4 },
      { ...row, section: refused.id, role_id: 3 },
    ]);
    await campus.fault({
      match: `/api/v1/sections/${refused.id}`,
      method: 'PUT',
      kind: 'status',
      status: 403,
    });
    await campus.fault({ ...POST, kind: 'status', status: 403 });
    const ended = await watch(alma, (await submitted(alma, { plan: plan.id })).id);
    const sisId = plan.entries[0]?.section.sis_section_id;
    expect(errorOf(ended)).toMatch(
      new RegExp(
        ` 1 section was given an SIS ID for this import and will stay\\. Its SIS ID is "${sisId}"\\.$`,
      ),
    );
    expect(ended.can_undo).toBe(false);
    expect(ts.sandbox.world.sections.must(refused.id).sis_source_id).toBeNull();
  });

  test('OP-35 manual rows: no section is named, and nothing can be undone', async () => {
    await open();
    const { sis, id } = campus.courseForRows();
    const [person] = campus.strangers(1, [id]);
    await campus.fault({ ...POST, kind: 'status', status: 403 });
    const csv = `course_id,user_id,role_id,status\n${sis},${person?.sis},3,active`;
    const ended = await watch(alma, (await submitted(alma, csv)).id);
    expect(ended).toMatchObject({ applied: 0, can_undo: false });
    expect(errorOf(ended)).toMatch(/None of its rows was applied\..*submit again\.$/);
  });
});

describe('an import that is given up after a timeout', () => {
  test('OP-51 if it is unknown whether the LMS has it, the created section is named and undo is offered', async () => {
    await open({ IMPORT_PATIENCE_MS: '600' });
    const { plan, sisIds } = await toBeCreated(2);
    await campus.fault({ ...POST, kind: 'drop', when: 'before', count: 1 });
    const list = '/api/v1/accounts/1/sis_imports?created_since=*';
    await campus.fault({ match: list, method: 'GET', kind: 'drop', when: 'before' });
    const ended = await watch(alma, (await submitted(alma, { plan: plan.id })).id);
    expect(errorOf(ended)).toMatch(/could not confirm whether the LMS received/);
    expect(errorOf(ended)).toContain(created(sisIds));
    expect(ended).toMatchObject({ applied: null, can_undo: true });
  });

  test('OP-51 if the LMS has not received it and stops answering, the created section is named', async () => {
    await open({ IMPORT_PATIENCE_MS: '600' });
    const { id, sisIds } = await notReceived(3);
    await expect.poll(async () => (await jobOf(alma, id)).state).toBe('waiting');
    await ts.sandbox.close();
    const ended = await watch(alma, id);
    expect(errorOf(ended)).toMatch(/could not be reached .*Nothing was sent/);
    expect(errorOf(ended)).toContain(created(sisIds));
    expect(ended).toMatchObject({ applied: 0, can_undo: false });
  });

  test('OP-51 the LMS has it and does not answer while it is followed', async () => {
    await open({ IMPORT_PATIENCE_MS: '600' });
    const { plan, sisIds } = await toBeCreated(4);
    await campus.fault({
      match: '/api/v1/accounts/1/sis_imports/*',
      method: 'GET',
      kind: 'drop',
      when: 'before',
    });
    const { note } = await watch(alma, (await submitted(alma, { plan: plan.id })).id);
    expect(note).toMatch(/stopped following this import/);
    expect(note).toContain(created(sisIds));
  });
});

describe('an import that is cancelled before it is sent', () => {
  /** Waits until the import pauses, and cancels it. */
  async function cancelled(id: string) {
    const isOver = async () => {
      await cancel(id);
      return (await jobOf(alma, id)).ended_at !== null;
    };
    await expect.poll(isOver).toBe(true);
    return watch(alma, id);
  }

  test('OP-51 after the first of two sections was created, it is named', async () => {
    await open();
    const { plan, courses, sisIds } = await toBeCreated(5, 6);
    await campus.fault({
      match: `/api/v1/courses/${courses[1]}/sections`,
      method: 'POST',
      kind: 'drop',
      when: 'before',
    });
    await campus.forgetRequests();
    const { id } = await submitted(alma, { plan: plan.id });
    for (const course of courses)
      await campus.seen((one) => one.method === 'POST' && one.path === `/api/v1/courses/${course}/sections`);
    const ended = await cancelled(id);
    expect(errorOf(ended)).toBe(
      `Cancelled before any row was sent: no enrolment has changed. ${created(sisIds)}`,
    );
    expect(ended).toMatchObject({ verdict: 'cancelled', can_undo: false });
  });

  test('OP-51 after an import request that did not reach the LMS, the created section is named', async () => {
    await open();
    const { id, sisIds } = await notReceived(7);
    const ended = await cancelled(id);
    expect(errorOf(ended)).toContain(created(sisIds));
    expect(ended).toMatchObject({ verdict: 'cancelled', can_undo: false });
  });
});
