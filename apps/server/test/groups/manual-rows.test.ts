/** Manual rows for groups and members: every row is checked before anything is sent (LMS-17, OP-43). */
import { MAX_MEMBER_ROWS } from '@lms-admin/contract/groups';
import { GROUP_HEADER } from '@lms-admin/domain/sis-tables/groups';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { evaluateGroupRows } from '../../src/groups/evaluate-groups.ts';
import { Campus, type Person, submit, submitted, watch } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { csvOf, groupedCourse, groupsOf, join, makeGroup, membersOf } from './support.ts';

const ELENA = 'elena.marsh@northbridge.example';
const SEND = { match: '/api/v1/accounts/1/sis_imports', method: 'POST' };
let ts: TestServer;
let campus: Campus;
/** An admin with Group Enrollment only, limited to account 163. */
let elena: Browser;

beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  campus = new Campus(ts.sandbox);
  elena = await ts.signIn(ELENA);
});
afterAll(() => ts?.close());
beforeEach(() => campus.clearFaults());

const groupRows = (...rows: [category: string | null, id: string, name: string, status?: string][]) => [
  [...GROUP_HEADER],
  ...rows.map(([category, id, name, status = 'available']) => [category ?? '', id, name, status]),
];
async function refusedRows(payload: unknown, browser = elena) {
  const answer = await submit(browser, payload);
  const { error } = await answer.json();
  expect({ status: answer.status, error }).toMatchObject({ status: 400 });
  return (error.details as { row: number; field: string; message: string }[]).map((one) => [
    one.row,
    one.field,
    one.message,
  ]);
}

const asElena = () =>
  ts.server.services.actFor({
    login: ELENA,
    name: '',
    canvasUserId: 1,
    grantId: null,
    tool: 'group-enrollment',
  });

describe('rows for groups', () => {
  test('LMS-17, GRP-24 are sent as given, with columns in any order', async () => {
    const course = await groupedCourse(campus, 163);
    const { id } = await submitted(elena, [
      ['name', 'status', 'group_id', 'group_category_id'],
      ['H-G01', 'available', `${course.sis}_H-G01`, course.teams.sis],
      ['H, "two"', 'Available', `${course.sis}_H-G02`, course.labs.sis],
    ]);
    expect(await watch(elena, id)).toMatchObject({ verdict: 'done', rows: 2, label: 'Create 2 groups' });
    expect(Object.values(await groupsOf(campus, course.teams))).toContain('H-G01');
    expect(Object.values(await groupsOf(campus, course.labs))).toEqual(['H, "two"']);
  });

  test('OP-14, OP-77, OP-108 are rejected with row and column if they are out of scope, or have another category’s id or a name in use', async () => {
    const [course, foreign] = [await groupedCourse(campus, 163), await groupedCourse(campus, 86)];
    const sis = (name: string) => `${course.sis}_${name}`;
    await makeGroup(campus, course.labs, 'L', sis('L'));
    await makeGroup(campus, foreign.teams, 'F', sis('F'));
    const details = await refusedRows(
      groupRows(
        [course.teams.sis, sis('OK'), 'OK'],
        [foreign.teams.sis, sis('A'), 'A'],
        ['NO-CATEGORY', sis('B'), 'B'],
        [course.teams.sis, sis('L'), 'L'],
        [course.teams.sis, sis('F'), 'F'],
        [course.teams.sis, sis('C'), 'Q-G01'],
        [course.teams.sis, sis('D'), 'D', 'deleted'],
        [course.teams.sis, sis('OK'), 'OK'],
        [course.teams.sis, '', 'E'],
        [null, sis('G'), 'G'],
        [course.teams.sis, sis('I'), 'Two words'],
        [course.teams.sis, sis('J'), 'two  words'],
      ),
    );
    expect(details).toEqual([
      [3, 'group_category_id', expect.stringContaining('Your courses have no group category')],
      [4, 'group_category_id', expect.stringContaining('Your courses have no group category')],
      [5, 'group_id', expect.stringContaining('"Quiz Labs"')],
      [6, 'group_id', expect.stringContaining('elsewhere in the LMS')],
      [7, 'name', expect.stringContaining('already')],
      [8, 'status', expect.stringContaining('available')],
      [9, 'group_id', expect.stringContaining('Row 2')],
      [10, 'group_id', expect.stringContaining('missing')],
      [11, 'group_category_id', expect.stringContaining('Your courses have no group category')],
      [13, 'group_id', 'Row 12 has the same ID or the same name.'],
    ]);
    expect(Object.keys(await groupsOf(campus, course.teams))).toHaveLength(3);
  });

  test('OP-14 are rejected for a category whose SIS ID belongs to another one by the time its course is read', async () => {
    const course = await groupedCourse(campus, 163);
    const { canvas, scope, people } = ts.server.services;
    const found = {
      ...canvas,
      call: (request: Parameters<typeof canvas.call>[0]) =>
        canvas.call({
          ...request,
          path: request.path.replace(/^group_categories\/.*/, `group_categories/${course.teams.id}`),
        }),
    };
    const row = { row: 2, group_category_id: 'NOW-ELSEWHERE', group_id: 'A', name: 'A', status: 'available' };
    const services = { canvas: found as typeof canvas, scope, people };
    const judged = await evaluateGroupRows(services, asElena(), [row], new AbortController().signal);
    expect(judged.get(2)).toMatchObject({ column: 'group_category_id' });
  });

  test('OP-42, OP-77 a group that another import creates while its course is read does not count as another course’s', async () => {
    const course = await groupedCourse(campus, 163);
    const { canvas, scope, people } = ts.server.services;
    const sisId = `${course.sis}_Meanwhile`;
    const asked: string[] = [];
    const late = {
      ...canvas,
      async call(request: Parameters<typeof canvas.call>[0]) {
        // The groups of the course have been read by this time.
        if (request.path.startsWith('groups/')) {
          asked.push(request.path);
          await makeGroup(campus, course.teams, 'Meanwhile', sisId);
        }
        return canvas.call(request);
      },
    };
    const row = {
      row: 2,
      group_category_id: course.teams.sis ?? '',
      group_id: sisId,
      name: 'Meanwhile',
      status: 'available',
    };
    const services = { canvas: late as typeof canvas, scope, people };
    const judged = await evaluateGroupRows(services, asElena(), [row], new AbortController().signal);
    expect([asked.length, [...judged]]).toEqual([1, []]);
  });

  test('OP-43, PERM-07 text with another header or without rows, and people without permission, are rejected', async () => {
    const [[row, , message]] = (await refusedRows('group_id,name,status\nA,B,available')) as [unknown[]];
    expect([row, message]).toEqual([1, expect.stringContaining(GROUP_HEADER.join(','))]);
    await refusedRows(GROUP_HEADER.join(','));
    const bruno = await ts.signIn(PEOPLE.custom);
    expect((await submit(bruno, groupRows(['A', 'B', 'C']))).status).toBe(403);
    expect((await submit(bruno, csvOf(['A', 'B']))).status).toBe(403);
  });
});

describe('rows for group members', () => {
  test('LMS-17, OP-107 can name several courses together; people in another group move', async () => {
    const [one, two] = [await groupedCourse(campus, 163), await groupedCourse(campus, 163)];
    const [a, b] = one.students as [Person, Person];
    const [c] = two.students as [Person];
    await join(campus, one.groups[0], a);
    const { id } = await submitted(
      elena,
      csvOf([one.groups[1].sis, a.sis], [one.groups[1].sis, b.sis], [two.groups[0].sis, c.sis]),
    );
    expect(await watch(elena, id)).toMatchObject({
      verdict: 'done',
      rows: 3,
      label: '3 rows of group members',
    });
    expect(await membersOf(campus, one.groups[0])).toEqual([]);
    expect(await membersOf(campus, one.groups[1])).toEqual([a.id, b.id].sort((x, y) => x - y));
    expect(await membersOf(campus, two.groups[0])).toEqual([c.id]);
  });

  test('OP-14, OP-79, OP-107 are rejected for groups out of scope, people outside the course, two groups in one category, and too many rows', async () => {
    const [course, foreign] = [await groupedCourse(campus, 163), await groupedCourse(campus, 86)];
    const [g1, g2] = course.groups;
    const [a] = course.students as [Person];
    const [b] = foreign.students as [Person];
    const [stranger] = campus.strangers(1, [course.id]) as [Person];
    const details = await refusedRows(
      csvOf(
        [g1.sis, a.sis],
        [foreign.groups[0].sis, b.sis],
        ['NO-GROUP', a.sis],
        [g1.sis, stranger.sis],
        [g1.sis, 'NOBODY'],
        [g2.sis, a.sis],
        [g1.sis, a.sis, 'active'],
      ),
    );
    expect(details).toEqual([
      [3, 'group_id', `Your courses have no group "${foreign.groups[0].sis}".`],
      [4, 'group_id', 'Your courses have no group "NO-GROUP".'],
      [5, 'user_id', expect.stringContaining('is not in the course')],
      [6, 'user_id', expect.stringContaining('No person in the LMS')],
      [7, 'group_id', expect.stringContaining('Row 2')],
      [8, 'status', expect.stringContaining('accepted or deleted')],
    ]);
    expect(await membersOf(campus, g1)).toEqual([]);
    const many = csvOf(
      ...Array.from({ length: MAX_MEMBER_ROWS + 1 }, (): [string, string] => [g1.sis, a.sis]),
    );
    expect((await submit(elena, many)).status).toBe(413);
  });

  test('OP-14, OP-107 are skipped one by one if they have ceased to apply when they are sent', async () => {
    const [one, two] = [await groupedCourse(campus, 163), await groupedCourse(campus, 163)];
    const [a] = one.students as [Person];
    const [b] = two.students as [Person];
    await campus.forgetRequests();
    await campus.fault({ ...SEND, kind: 'throttle' });
    const { id } = await submitted(elena, csvOf([one.groups[0].sis, a.sis], [two.groups[0].sis, b.sis]));
    await campus.seen((request) => request.method === 'POST' && /\/sis_imports\b/.test(request.path));
    const { courses } = ts.sandbox.world;
    courses.change(courses.must(one.id), { account_id: 86 });
    await campus.clearFaults();
    const ended = await watch(elena, id);
    expect(ended).toMatchObject({
      verdict: 'partly',
      rows: 1,
      note: expect.stringContaining('Your courses have no group'),
    });
    expect(await membersOf(campus, one.groups[0])).toEqual([]);
    expect(await membersOf(campus, two.groups[0])).toEqual([b.id]);

    await campus.forgetRequests();
    await campus.fault({ ...SEND, kind: 'throttle' });
    const made = await submitted(
      elena,
      groupRows([two.teams.sis, `${two.sis}_S`, 'S'], [two.labs.sis, `${two.sis}_T`, 'T']),
    );
    await campus.seen((request) => request.method === 'POST' && /\/sis_imports\b/.test(request.path));
    await campus.api(`group_categories/${two.teams.id}`, { method: 'DELETE' });
    await campus.clearFaults();
    expect(await watch(elena, made.id)).toMatchObject({ verdict: 'partly', rows: 1 });
    expect(Object.values(await groupsOf(campus, two.labs))).toEqual(['T']);
  });
});
