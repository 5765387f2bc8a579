/**
 * The wizard, Activity and the job show the same result of an import; also the outcome of rows that the LMS
 * did not count (OP-35, OP-36).
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { importRow } from '@lms-admin/contract/imports';
import { job, jobSummary } from '@lms-admin/contract/jobs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Campus, jobOf, makePlan, type Person, submitted, watch } from '../enrollments/campus.ts';
import { uploaded, zipOf } from '../sis-files/support.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

let ts: TestServer;
let campus: Campus;
let alma: Browser;

beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
});
afterAll(() => ts?.close());
beforeEach(() => campus.clearFaults());

const HEADER = 'course_id,user_id,role_id,status';
const rowsOf = async (id: string) => {
  const response = await alma.fetch(ENDPOINTS.importRows.replace(':import', id));
  return z.array(importRow).parse((await response.json()).data);
};
const failedRows = async (id: string) =>
  (await (await alma.fetch(ENDPOINTS.importFailedRows.replace(':import', id))).text())
    .replace('\ufeff', '')
    .split('\n');
const statusOfFailedRows = async (id: string, file?: string) => {
  const path = ENDPOINTS.importFailedRows.replace(':import', id);
  return (await alma.fetch(file === undefined ? path : `${path}?file=${file}`)).status;
};
const crash = () => campus.fault({ match: '*', kind: 'import-crash', count: 1 });
const ended = async (payload: unknown) => watch(alma, (await submitted(alma, payload)).id);
async function plan(status: 'active' | 'deleted', courses: number[], emails: string[]) {
  return makePlan(alma, { role_id: 3, status, courses, emails });
}

test("IMP-13 every other tab of the tool shows one's own import until its result has been opened", async () => {
  const toBeSeen = async () => {
    const query = '?kind=import&tool=course-enrollment&state=to-be-seen';
    return z.array(job).parse((await (await alma.fetch(`${ENDPOINTS.jobs}${query}`)).json()).data);
  };
  const tools = async () =>
    jobSummary.parse((await (await alma.fetch(ENDPOINTS.jobSummary)).json()).data).imports;
  const course = campus.course(0);
  const [someone] = campus.strangers(1, [course.id]);
  const { id } = await submitted(alma, {
    plan: (await plan('active', [course.id], [someone?.email ?? ''])).id,
  });
  const stateNow = async () => (await toBeSeen()).find((one) => one.id === id)?.state;
  expect([await stateNow(), await tools()]).toEqual([expect.any(String), ['course-enrollment']]);
  await expect.poll(stateNow).toBe('done');
  expect(await tools()).toEqual(['course-enrollment']);
  await jobOf(alma, id);
  expect([await stateNow(), await tools()]).toEqual([undefined, []]);
});

describe('an import that the LMS aborts halfway', () => {
  test('OP-35 the outcome for each person in each course is looked up and reported, and only the rest needs sending again', async () => {
    const course = campus.course(0);
    const people = campus.strangers(6, [course.id]);
    const emails = people.map(({ email }) => email);
    await crash();
    const one = await ended({ plan: (await plan('active', [course.id], emails)).id });
    expect(one).toMatchObject({ workflow_state: 'failed', verdict: 'partly', applied: 3, rows: 6 });
    expect(await campus.enrolments(course.id, 3)).toEqual(
      expect.arrayContaining([expect.objectContaining({ user_id: people[0]?.id })]),
    );
    const said = (await rowsOf(one.id)).map(({ fates }) => fates[0]);
    expect(said).toEqual([
      ...Array.from({ length: 3 }, () => expect.stringMatching(/^Applied: .+ is in /)),
      ...Array.from({ length: 3 }, () => expect.stringMatching(/^Not applied: .+ is not in /)),
    ]);
    expect(await failedRows(one.id)).toEqual([
      expect.stringContaining('course_id'),
      ...people.slice(3).map(({ sis }) => expect.stringContaining(`,${sis},`)),
    ]);
    expect(await jobOf(alma, one.id)).toMatchObject({
      outcome: 'partly',
      figures: [
        ['rows', 6],
        ['rows applied', 3],
        ['rows not applied', 3],
      ],
      import: { verdict: 'partly' },
    });

    // The same is true when the added people are removed.
    await crash();
    const back = await ended({ plan: (await plan('deleted', [course.id], emails.slice(0, 2))).id });
    expect(back).toMatchObject({ verdict: 'partly', applied: 1 });
    expect((await rowsOf(back.id)).map(({ fates }) => fates[0])).toEqual([
      expect.stringMatching(/^Applied: .+ is no longer in /),
      expect.stringMatching(/^Not applied: .+ is still in /),
    ]);
  });

  test('OP-35 changes made by others in the meantime are neither reported as applied nor undone', async () => {
    const course = campus.courseForRows(3);
    const section = campus.defaultSection(course.id);
    const people = campus.strangers(3, [course.id]);
    const [first, byHand] = people as [Person, Person, Person];
    campus.enrol(first.id, section, 3);
    const stopped = async (status: 'active' | 'deleted', emails: string[], meanwhile: () => void) => {
      await campus.fault({ match: '*', kind: 'import-hang', count: 1 });
      const { id } = await submitted(alma, { plan: (await plan(status, [course.id], emails)).id });
      const { canvas_id } = await watch(alma, id, (one) => one.workflow_state === 'importing');
      meanwhile();
      await campus.api(`accounts/1/sis_imports/${canvas_id}/abort`, { method: 'PUT' });
      const one = await watch(alma, id);
      const said = (await rowsOf(id)).map(({ fates }) => fates[0]);
      return { one, said };
    };
    const added = await stopped('active', [byHand.email, (people[2] as Person).email], () =>
      campus.enrol(byHand.id, section, 3),
    );
    expect(added.said).toEqual([
      expect.stringMatching(/^Not applied: another import or someone in the LMS has added .+ to /),
      expect.stringMatching(/^Not applied: .+ is not in /),
    ]);
    expect([added.one.applied, added.one.can_undo]).toEqual([0, false]);
    const removed = await stopped('deleted', [first.email], () =>
      campus.enrol(first.id, section, 3, 'deleted'),
    );
    expect(removed.said).toEqual([
      expect.stringMatching(/^Not applied: another import or someone in the LMS has removed .+ from /),
    ]);
    expect(removed.one.applied).toBe(0);
  });

  test('OP-51 sections created for a stopped import are reported', async () => {
    const course = campus.course(22);
    const { sections } = ts.sandbox.world;
    for (const one of sections.by.course.get(course.id))
      sections.change(one, { name: `Group ${one.id}`, sis_source_id: `G-${one.id}` });
    const [person] = campus.strangers(1, [course.id]) as [Person];
    await campus.fault({ match: '*', kind: 'import-hang', count: 1 });
    const made = await plan('active', [course.id], [person.email]);
    const { id } = await submitted(alma, { plan: made.id });
    const { canvas_id } = await watch(alma, id, (one) => one.workflow_state === 'importing');
    await campus.api(`accounts/1/sis_imports/${canvas_id}/abort`, { method: 'PUT' });
    const one = await watch(alma, id);
    const sisId = made.courses[0]?.sections[0]?.sis_section_id;
    expect([one.applied, one.note]).toEqual([
      0,
      `1 section was created for this import and will stay. Its SIS ID is "${sisId}".`,
    ]);
  });

  test('OP-35 rows of uploaded files are looked up as well: roles by name, sections alone, each CSV of a zip', async () => {
    const { course, named } = await campus.inThreeSections(86, 3);
    const people = campus.strangers(6, [course.id]);
    const roleRows = people.slice(0, 3).map(({ sis }) => `${course.sis_source_id},${sis},student,active`);
    const sectionRows = people.slice(3).map(({ sis }) => `${named.sis},${sis},student,active`);
    const zip = await zipOf({
      'users.csv': 'user_id,login_id,full_name,status\nFATE-1,fate.one@x.example,Fate One,active',
      'roles.csv': ['course_id,user_id,role,status', ...roleRows].join('\n'),
      'sections.csv': ['section_id,user_id,role,status', ...sectionRows].join('\n'),
    });
    const { id } = await uploaded(alma, zip, 'all.zip');
    await crash();
    const one = await ended({ file: id });
    expect(one.workflow_state).toBe('failed');
    const { rows_applied, rows_not_applied, rows_unknown } = one.data.counts;
    expect([rows_applied, rows_not_applied, rows_unknown]).toEqual([one.applied, 6 - (one.applied ?? 0), 1]);
    const inside = new Set((await campus.enrolments(course.id, 3)).map(({ user_id }) => user_id));
    const said = (await rowsOf(one.id)).filter(({ row }) => row !== null);
    expect(said.map(({ file, row, fates }) => [file, row, fates[0]?.split(':')[0]])).toEqual(
      people.map((person, at) => [
        at < 3 ? 'roles.csv' : 'sections.csv',
        2 + (at % 3),
        inside.has(person.id) ? 'Applied' : 'Not applied',
      ]),
    );
    expect(
      (await rowsOf(one.id)).filter(({ row }) => row === null).flatMap(({ messages }) => messages),
    ).toContain('Unknown: the rows of users.csv could not be looked up.');
  });

  test('OP-35 rows to correct are offered only for files that have any, and the download has the same rows', async () => {
    const course = campus.course(2);
    const people = campus.strangers(9, [course.id]);
    const csv = (from: number, to: number) =>
      [HEADER, ...people.slice(from, to).map(({ sis }) => `${course.sis},${sis},3,active`)].join('\n');
    await crash();
    const { id } = await uploaded(alma, await zipOf({ 'a.csv': csv(0, 2), 'b.csv': csv(2, 5) }), 'all.zip');
    const half = await ended({ file: id });
    expect(half.applied).toBe(2);
    const offered = (await rowsOf(half.id)).flatMap((row) =>
      row.row === null ? [] : [[row.file, row.to_correct]],
    );
    expect(new Set(offered.map((one) => one.join(' ')))).toEqual(new Set(['a.csv false', 'b.csv true']));
    expect(await statusOfFailedRows(half.id, 'a.csv')).toBe(404);
    expect(await statusOfFailedRows(half.id, 'b.csv')).toBe(200);

    // Rows after the break are the same as those before it.
    await crash();
    const whole = await ended(`${csv(5, 7)}\n${csv(5, 7).slice(HEADER.length + 1)}`);
    expect(whole).toMatchObject({ workflow_state: 'failed', applied: 4 });
    expect((await rowsOf(whole.id)).map((row) => row.to_correct)).not.toContain(true);
    expect(await statusOfFailedRows(whole.id)).toBe(404);
  });

  test('nothing is claimed about rows that cannot be looked up', async () => {
    const course = campus.course(1);
    const people = campus.strangers(4, [course.id]);
    await campus.fault({ match: `*sis_course_id*/enrollments`, kind: 'status', status: 503 });
    await crash();
    const one = await ended([HEADER, ...people.map(({ sis }) => `${course.sis},${sis},3,active`)].join('\n'));
    expect(one.data.counts).toMatchObject({ rows_applied: 0, rows_not_applied: 0, rows_unknown: 4 });
    expect(one).toMatchObject({ verdict: 'failed', applied: null });
    expect((await jobOf(alma, one.id)).problem?.message).toMatch(
      /Rows before that point may have been applied/,
    );
  });
});

describe('an import is done only if everything was done', () => {
  test('if a course is skipped after the review, the import and its job are partly done', async () => {
    const [one, two] = [campus.course(4), campus.course(5)];
    const [person] = campus.strangers(1, [one.id, two.id]);
    const { id } = await plan('active', [one.id, two.id], [person?.email ?? '']);
    const fallback = [...ts.sandbox.world.sections.by.course.get(two.id)].find(
      (each) => each.default_section,
    );
    await campus.api(`sections/${fallback?.id}/crosslist/${campus.course(3, 163).id}`, { method: 'POST' });
    const done = await ended({ plan: id });
    expect(done).toMatchObject({
      workflow_state: 'imported',
      verdict: 'partly',
      applied: 1,
      note: expect.stringMatching(/skipped/),
    });
    expect(await jobOf(alma, done.id)).toMatchObject({ outcome: 'partly' });
  });

  test('OP-36 if no row was applied, the import failed, although the LMS calls it imported with messages', async () => {
    const none = await ended(`${HEADER}\n${campus.course(0).sis},no-such-person-7,3,active`);
    expect(none).toMatchObject({ workflow_state: 'imported_with_messages', verdict: 'failed', applied: 0 });
    expect(await jobOf(alma, none.id)).toMatchObject({ outcome: 'failed', state: 'failed' });
  });
});
