/**
 * Group members without a file: pasted from a spreadsheet, or students distributed over the groups
 * (requirements GRP).
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { MemberPlan, MemberPlanRequest } from '@lms-admin/contract/groups';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { askMemberPlan, Campus, makeMemberPlan, type Person } from '../enrollments/campus.ts';
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

const sent = (made: MemberPlan, course: GroupedCourse) => expectSent(campus, alma, made, course);

describe('methods without a file', () => {
  test('OP-79 an unsuitable file or text is rejected with an explanation, and Activity does not list it as failed', async () => {
    const course = await groupedCourse(campus);
    const jobs = async () =>
      (await (await alma.fetch(ENDPOINTS.jobs)).json()).data.map(({ id }: { id: string }) => id);
    const summary = async () => (await (await alma.fetch(ENDPOINTS.jobSummary)).json()).data;
    const [before, news] = [await jobs(), await summary()];
    for (const [from, why] of [
      [fromCsv('group_id,user_id\nG,1'), 'The column status is missing.'],
      [fromCsv('group_id,user_id,status\n'), 'The file has no rows below its header.'],
      [{ way: 'pasted', text: 'x', category: null }, 'There is only one column.'],
    ] as const)
      expect((await refusalOf(course, from))?.message).toContain(why);
    expect(await jobs()).toEqual(before);
    expect(await summary()).toEqual(news);
    // Failures while reading the LMS are treated differently.
    await campus.fault({ match: '/api/v1/courses/*', kind: 'status', status: 403 });
    expect((await refusalOf(course, fromCsv(csvOf(['G', '1']))))?.message).toBeTruthy();
    await campus.clearFaults();
    expect(await jobs()).toHaveLength(before.length + 1);
  });

  test('GRP-28 OP-79 columns that are not sent, such as names, have no effect', async () => {
    const course = await groupedCourse(campus);
    const [a] = course.students as [Person];
    const made = await plan(
      course,
      fromCsv(`name,user_id,group_id,login_id,status\nZoë,${a.sis},${course.groups[0].sis},z,accepted`),
    );
    expect(made.members.map(({ fate, user_id }) => [fate, user_id])).toEqual([['add', a.sis]]);
    await sent(made, course);
  });

  test('GRP-27 pasted text can name a person by email, login or SIS ID, and a group by name or id, in either order', async () => {
    const course = await groupedCourse(campus);
    const [g1, g2] = course.groups;
    const [a, b, c] = course.students as [Person, Person, Person];
    const made = await plan(course, {
      way: 'pasted',
      text: `Team\tE-mail\n${g1.name}\t${a.email.toUpperCase()}\nq-g02\t${b.sis}\n${g2.sis}\t${c.email}\nQ-G09\t${c.email}`,
      category: course.teams.id,
    });
    expect(made.members.map(({ row, fate, user_id, group_id }) => [row, fate, user_id, group_id])).toEqual([
      [2, 'add', a.sis, g1.sis],
      [3, 'add', b.sis, g2.sis],
      [4, 'add', c.sis, g2.sis],
      [5, 'refused', c.sis, 'Q-G09'],
    ]);
    expect(made.source).toBe('Pasted from a spreadsheet');
    await sent(made, course);
  });

  test('GRP-27 a row with a mistyped status or a second person does not add or move anyone; skipped rows are named', async () => {
    const course = await groupedCourse(campus);
    const [g1, g2] = course.groups;
    const [a, b, c] = course.students as [Person, Person, Person];
    await join(campus, g1, a, b);
    await join(campus, g2, c);
    const pasted = (...lines: string[][]) =>
      plan(course, {
        way: 'pasted',
        text: lines.map((one) => one.join('\t')).join('\n'),
        category: course.teams.id,
      });
    const out = await pasted(
      [g1.name, a.sis, 'deleted'],
      [g1.name, b.sis, 'deleted'],
      [g1.name, c.sis, 'delete'],
    );
    expect(fatesOf(out)).toEqual([
      [1, 'remove'],
      [2, 'remove'],
      [3, 'refused'],
    ]);
    expect(out.members[2]).toMatchObject({ column: 'status', why: expect.stringContaining('"delete"') });
    await sent(out, course);
    const action = await pasted(['Team', 'User', 'Action'], [g2.name, c.sis, 'remove']);
    expect(action.members[0]).toMatchObject({ fate: 'refused', column: 'status' });
    const two = await pasted([g1.name, a.email, b.email]);
    expect(two.members[0]).toMatchObject({ fate: 'refused', why: expect.stringContaining('Column 3') });
    const more = await pasted(
      ['Name', 'E-mail', 'SIS ID', 'Team', 'Remark'],
      ['Zoë', a.email, a.sis, g1.name, 'new'],
    );
    expect(more).toMatchObject({ totals: { add: 1, refused: 0 }, unsent: ['Name', 'E-mail', 'Remark'] });
    await sent(more, course);
  });

  test('OP-79 a name that exists in two categories means the one in the selected category; if none is selected, the text is rejected and both are named', async () => {
    const course = await groupedCourse(campus);
    const lab = await makeGroup(campus, course.labs, 'Q-G01', `${course.sis}_LAB`);
    const text = `${course.students[0]?.sis}\tQ-G01`;
    const chosen = await plan(course, { way: 'pasted', text, category: course.labs.id });
    expect(chosen.members[0]).toMatchObject({ fate: 'add', group_id: lab.sis, category: 'Quiz Labs' });
    // A group in another category moves no one, because that category was not selected.
    const other = `${course.students[0]?.sis}\t${course.groups[1].name}`;
    const elsewhere = await plan(course, { way: 'pasted', text: other, category: course.labs.id });
    expect(elsewhere.members[0]).toMatchObject({ fate: 'refused', column: 'group_id', not_found: ['group'] });
    expect(elsewhere.members[0]?.why).toContain(
      '"Quiz Labs" has no group "Q-G02", but there is one in "Quiz Teams"',
    );
    expect(elsewhere.totals.rows).toBe(0);
    const [none] = (await plan(course, { way: 'pasted', text, category: null })).members;
    expect(none?.why).toMatch(/"Quiz Teams" and "Quiz Labs"|"Quiz Labs" and "Quiz Teams"/);
    expect((await refusalOf(course, { way: 'pasted', text, category: 1 }))?.message).toContain('category');
    expect((await refusalOf(course, { way: 'pasted', text: 'x', category: null }))?.next).toContain(
      'two columns',
    );
  });

  test('GRP-27 no one is found by part of a name or login, or by a value that a spreadsheet has changed', async () => {
    const course = await groupedCourse(campus);
    const [a] = course.students as [Person];
    const odd = [a.email.slice(0, 5), '-', '#N/A', '1.2E+05', '@', '  '];
    const text = odd.map((cell) => `${cell}\tQ-G01`).join('\n');
    const made = await plan(course, { way: 'pasted', text: `${a.sis}\tQ-G01\n${text}`, category: null });
    expect(made.members.map(({ fate }) => fate)).toEqual(['add', ...odd.map(() => 'refused')]);
    expect(made.members.slice(1).every(({ person }) => person === null)).toBe(true);
  });

  test('GRP-25 OP-107 a group without an SIS ID cannot be filled and is named; its members count as having a group', async () => {
    const course = await groupedCourse(campus);
    const byHand = await makeGroup(campus, course.teams, 'By hand', null);
    const [a] = course.students as [Person];
    await join(campus, byHand, a);
    const from = { way: 'spread' as const, category: course.teams.id, by: 'evenly' as const };
    const rest = await plan(course, { ...from, onlyUnassigned: true });
    expect(rest.unfilled).toEqual(['By hand']);
    expect(rest.members.map(({ user_id }) => user_id)).not.toContain(a.sis);
    const all = await plan(course, { ...from, onlyUnassigned: false });
    expect(all.unfilled).toEqual(['By hand']);
    expect(all.members.find(({ user_id }) => user_id === a.sis)).toMatchObject({
      fate: 'move',
      from: 'By hand',
    });
    await sent(rest, course);
    expect(await membersOf(campus, byHand)).toEqual([a.id]);
    // The other methods reject such a group row by row.
    const pasted = await plan(course, { way: 'pasted', text: `${a.sis}\tQ-G01`, category: course.teams.id });
    expect(pasted.unfilled).toEqual([]);
    const none = await makeCategory(campus, course.id, 'By hand only', `${course.sis}_By_hand`);
    await makeGroup(campus, none, 'H1', null);
    const refused = await refusalOf(course, { ...from, category: none.id, onlyUnassigned: true });
    expect(refused?.message).toBe('The category By hand only has no groups with an SIS ID.');
  });

  test.each(['evenly', 'by-section', 'mixed'] as const)(
    'GRP-25 students can be distributed %s: the proposal is sent like any other plan',
    async (by) => {
      const course = await groupedCourse(campus);
      const [g1] = course.groups;
      const [a, b] = course.students as [Person, Person];
      await join(campus, g1, a, b);
      const from = { way: 'spread' as const, category: course.teams.id, by };
      const rest = await plan(course, { ...from, onlyUnassigned: true });
      const people = rest.members.map(({ user_id }) => user_id);
      expect(people).not.toContain(a.sis);
      expect(new Set(people).size).toBe(people.length);
      expect(rest.totals).toMatchObject({ add: people.length, move: 0, refused: 0 });
      await sent(rest, course);
      const done = await refusalOf(course, { ...from, onlyUnassigned: true });
      expect(done?.message).toContain('already');
      // A second distribution: everyone has one row, and people whose group changes are moved.
      const anew = await plan(course, { ...from, onlyUnassigned: false });
      expect(anew.members).toHaveLength(people.length + 2);
      expect(anew.totals).toMatchObject({ add: 0, refused: 0, remove: 0 });
      if (by !== 'by-section') {
        const sizes = course.groups.map(({ id, name }) => {
          const group = anew.groups.find((one) => one.id === id);
          return group?.after ?? anew.members.filter((one) => one.group === name).length;
        });
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      }
      if (anew.totals.rows > 0) await sent(anew, course);
    },
  );
});
