/**
 * Group members from the documented file: compared row by row; the LMS then matches the announcement exactly
 * (requirements GRP).
 */
import { MAX_MEMBER_ROWS, type MemberPlan, type MemberPlanRequest } from '@lms-admin/contract/groups';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { KeptRows } from '../../src/groups/plan-parts.ts';
import { readPlanCourses } from '../../src/plans/store.ts';
import {
  askMemberPlan,
  Campus,
  jobOf,
  makeMemberPlan,
  type Person,
  submitted,
} from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  csvOf,
  expectSent,
  fatesOf,
  fromCsv,
  type GroupedCourse,
  groupedCourse,
  join,
  makeCategory,
  makeGroup,
  membersOf,
} from './support.ts';

const ELENA = 'elena.marsh@northbridge.example';
let ts: TestServer;
let campus: Campus;
let alma: Browser;

beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
});
afterAll(() => ts?.close());
beforeEach(async () => {
  await campus.clearFaults();
  await campus.forgetRequests();
});

const plan = (course: { id: number }, from: MemberPlanRequest['from']) =>
  makeMemberPlan(alma, { course: course.id, from });
const refusalOf = async (course: { id: number }, from: MemberPlanRequest['from']) =>
  (await askMemberPlan(alma, { course: course.id, from })).error;
const nameOf = ({ id }: Person) => ts.sandbox.world.users.must(id).name;
const asked = (path: RegExp) => campus.requests((one) => path.test(decodeURIComponent(one.path)));

const sent = (made: MemberPlan, course: GroupedCourse) => expectSent(campus, alma, made, course);

describe('the documented file', () => {
  test('GRP-27, OP-79, OP-107 leads to every outcome, which the LMS then matches exactly', async () => {
    const course = await groupedCourse(campus);
    const [g1, g2] = course.groups;
    const [a, b, c, d, e] = course.students as [Person, Person, Person, Person, Person];
    await join(campus, g1, a, b, c);
    const made = await plan(
      course,
      fromCsv(
        csvOf(
          [g1.sis, a.sis],
          [g2.sis, b.sis],
          [g1.sis, c.sis, 'deleted'],
          [g2.sis, d.sis],
          [g2.sis, e.sis, 'Deleted'],
          [g1.sis, d.sis],
          [g2.sis, d.sis],
        ),
      ),
    );
    expect(fatesOf(made)).toEqual([
      [2, 'already'],
      [3, 'move', 'Q-G01'],
      [4, 'remove'],
      [5, 'add'],
      [6, 'not-member'],
      [7, 'refused'],
      [8, 'refused'],
    ]);
    expect(made.members[1]).toMatchObject({ person: nameOf(b), group: 'Q-G02', category: 'Quiz Teams' });
    expect(made.members.slice(5).map(({ why }) => why)).toEqual([
      expect.stringContaining('Row 5 adds the same person to Q-G02'),
      'This row repeats row 5.',
    ]);
    expect(made.totals).toEqual({
      add: 1,
      move: 1,
      already: 1,
      remove: 1,
      not_member: 1,
      refused: 2,
      rows: 3,
      people: 3,
    });
    expect(made.groups.map(({ name, before, after }) => [name, before, after])).toEqual([
      ['Q-G01', 3, 1],
      ['Q-G02', 0, 2],
    ]);
    await sent(made, course);
    const job = await jobOf(alma, (await submitted(alma, { plan: made.id })).id);
    expect(job.label).toBe(`Add 1 person to 1 group, move 1, remove 1 in ${course.name}`);
    // A second plan finds that everything has been done.
    const again = await plan(course, fromCsv(csvOf([g2.sis, b.sis], [g1.sis, c.sis, 'deleted'])));
    expect(fatesOf(again)).toEqual([
      [2, 'already'],
      [3, 'not-member'],
    ]);
  });

  test('OP-107 the group that a person leaves is stored with the plan, because the LMS does not keep it', async () => {
    const course = await groupedCourse(campus);
    const [g1, g2] = course.groups;
    const [a, b] = course.students as [Person, Person];
    await join(campus, g1, a);
    const made = await plan(course, fromCsv(csvOf([g2.sis, a.sis], [g2.sis, b.sis])));
    await sent(made, course);
    const kept: unknown[] = [];
    for await (const { rows } of readPlanCourses<KeptRows>(ts.server.services.db.db, made.id)) {
      if (rows.kind === 'members') kept.push(...rows.rows.map(({ who, leaves }) => [who, leaves]));
    }
    expect(kept).toEqual([
      [a.id, [{ id: g1.id, sis_group_id: g1.sis, name: g1.name }]],
      [b.id, []],
    ]);
  });

  test('OP-107, OP-79 people outside the course (by name), unknown people and groups in other courses are reported', async () => {
    const [course, other] = [await groupedCourse(campus, 163), await groupedCourse(campus, 163)];
    const foreign = await groupedCourse(campus, 86);
    const elena = await ts.signIn(ELENA);
    const [g1] = course.groups;
    const [a] = course.students as [Person];
    const [stranger] = campus.strangers(1, [course.id]) as [Person];
    const made = await makeMemberPlan(elena, {
      course: course.id,
      from: fromCsv(
        csvOf(
          [g1.sis, stranger.sis],
          [g1.sis, 'NOBODY.AT/ALL'],
          [other.groups[0].sis, a.sis],
          [foreign.groups[0].sis, a.sis],
          ['NO-GROUP', a.sis],
          [g1.sis, '-'],
          [g1.sis, '#N/A'],
          ['1.2E+05', a.sis],
          [g1.sis, a.sis, 'active'],
          [g1.sis, a.sis, ''],
        ),
      ),
    });
    expect(made.totals).toMatchObject({ refused: 10, rows: 0 });
    expect(made.members[0]).toMatchObject({
      person: nameOf(stranger),
      column: 'user_id',
      why: `${nameOf(stranger)} is not in the course. Enrol them there first.`,
    });
    expect(made.members.slice(1).map(({ column, why }) => [column, why])).toEqual([
      ['user_id', 'No person in the LMS has the SIS ID "NOBODY.AT/ALL".'],
      ['group_id', expect.stringContaining(`another course, "${other.name}"`)],
      // A group that has become unavailable is treated as missing.
      ['group_id', `The course has no group with the SIS ID "${foreign.groups[0].sis}".`],
      ['group_id', 'The course has no group with the SIS ID "NO-GROUP".'],
      ['user_id', expect.stringContaining('is not a valid person or group')],
      ['user_id', expect.stringContaining('error value')],
      ['group_id', expect.stringContaining('scientific')],
      ['status', expect.stringContaining('accepted or deleted')],
      ['status', expect.stringContaining('missing')],
    ]);
    // Cells that a spreadsheet has changed are not looked up.
    expect(await asked(/(#N\/A|sis_user_id:-|1\.2E)/)).toEqual([]);
  });

  test('OP-107 a person with a second SIS ID is found, and so are people with completed, inactive or invited enrolments', async () => {
    const course = await groupedCourse(campus);
    const [g1] = course.groups;
    const [a] = course.students as [Person];
    const { pseudonyms, sections } = ts.sandbox.world;
    const [model] = pseudonyms.by.user.get(a.id);
    if (!model) throw new Error('no login');
    const { id: _id, ...like } = model;
    pseudonyms.add({
      ...like,
      unique_id: `second.${a.id}@northbridge.example`,
      sis_user_id: `SECOND-${a.id}`,
    });
    const section = [...sections.by.course.get(course.id)][0] as { id: number };
    const others = campus.strangers(3, [course.id]);
    for (const [at, state] of ['completed', 'inactive', 'invited'].entries()) {
      campus.enrol(others[at]?.id ?? 0, { id: section.id, course_id: course.id }, 3, state);
    }
    const made = await plan(
      course,
      fromCsv(csvOf([g1.sis, `SECOND-${a.id}`], ...others.map(({ sis }): [string, string] => [g1.sis, sis]))),
    );
    expect(made.members.map(({ fate, user_id }) => [fate, user_id])).toEqual([
      ['add', `SECOND-${a.id}`],
      ...others.map(({ sis }) => ['add', sis]),
    ]);
    const noteOf = (state: string) =>
      `Their enrolment in the course is ${state}. The LMS still accepts them in a group.`;
    expect(made.members.map(({ ended, why }) => [ended, why])).toEqual([
      [null, null],
      ['concluded', noteOf('concluded')],
      ['inactive', noteOf('inactive')],
      [null, null],
    ]);
    await sent(made, course);
    // The invited person's login is hidden, but is found anyway.
    const byLogin = await plan(course, {
      way: 'pasted',
      text: `${others[2]?.email}\t${g1.name}\nsecond.${a.id}@northbridge.example\t${g1.name}`,
      category: null,
    });
    expect(fatesOf(byLogin)).toEqual([
      [1, 'already'],
      [2, 'already'],
    ]);
  });

  test('GRP-27 a full group accepts no one else, and people who leave it make room first', async () => {
    const course = await groupedCourse(campus);
    const small = await makeCategory(campus, course.id, 'Small', `${course.sis}_Small`, { group_limit: 2 });
    const one = await makeGroup(campus, small, 'S1', `${course.sis}_S1`);
    const [a, b, c, d] = course.students as [Person, Person, Person, Person];
    await join(campus, one, a, b);
    const made = await plan(
      course,
      fromCsv(csvOf([one.sis, c.sis], [one.sis, a.sis, 'deleted'], [one.sis, c.sis], [one.sis, d.sis])),
    );
    expect(fatesOf(made)).toEqual([
      [2, 'refused'],
      [3, 'remove'],
      [4, 'add'],
      [5, 'refused'],
    ]);
    expect(made.members[3]).toMatchObject({
      column: 'group_id',
      why: expect.stringMatching(/^The group is full/),
    });
    await sent(made, course);
    expect(await membersOf(campus, one)).toEqual([b.id, c.id].sort((x, y) => x - y));
  });

  test('OP-79 an unrelated, unreadable or empty file is rejected before the course is read', async () => {
    const course = await groupedCourse(campus);
    await campus.forgetRequests();
    for (const [text, message] of [
      ['group_id,user_id\nA,B', /column status is missing/],
      ['course_id,user_id,role_id,status\nA,B,3,active', /group_id is missing/],
      ['group_id,user_id,status', /no rows below/],
      ['group_id,user_id,status\n"A,B,accepted', /Row 2 .*quotation mark/],
      ['\u0000', /column/],
    ] as const) {
      const error = await refusalOf(course, fromCsv(text));
      expect(error?.message).toMatch(message);
      expect(error?.next).not.toBe('');
    }
    const many = `group_id,user_id,status\n${'A,B,accepted\n'.repeat(MAX_MEMBER_ROWS + 1)}`;
    expect((await refusalOf(course, fromCsv(many)))?.message).toContain('20,000');
    expect(await asked(/group_categories|\/users/)).toEqual([]);
    // The format in which Excel saves in some countries is accepted.
    const excel = `sep=;\r\nstatus;user_id;group_id\r\naccepted;${course.students[0]?.sis};${course.groups[0].sis}\r\n`;
    // A spreadsheet does not show this first line, so it is not counted.
    expect(fatesOf(await plan(course, fromCsv(excel)))).toEqual([[2, 'add']]);
  });

  test('GRP-27 5,000 rows are planned with one pass over the course, and sent', async () => {
    const course = await groupedCourse(campus);
    const { sections } = ts.sandbox.world;
    const section = [...sections.by.course.get(course.id)][0] as { id: number };
    const many = campus.strangers(2_000, [course.id]);
    for (const person of many) campus.enrol(person.id, { id: section.id, course_id: course.id }, 3);
    const rows = Array.from({ length: 5_000 }, (_, at): [string, string] => {
      const group = course.groups[at % 3] as { sis: string };
      return [group.sis, many[at % many.length]?.sis ?? ''];
    });
    await campus.forgetRequests();
    const made = await plan(course, fromCsv(csvOf(...rows)));
    expect(made.members).toHaveLength(5_000);
    expect(made.totals).toMatchObject({ add: many.length, refused: 5_000 - many.length });
    const pages = Math.ceil((many.length + course.students.length) / 100);
    expect((await asked(/^\/api\/v1/)).length).toBeLessThan(pages + 30);
    await sent(made, course);
  });
});
