/**
 * Reading for group member plans, access to these plans, and an LMS that does not answer (requirements GRP,
 * OP-14, OP-35).
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { MemberPlanRequest } from '@lms-admin/contract/groups';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readGroupCourse } from '../../src/groups/read-course.ts';
import {
  askMemberPlan,
  Campus,
  cancelJob,
  jobOf,
  makeMemberPlan,
  type Person,
  startPlan,
  submitted,
  watch,
} from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { csvOf, fatesOf, fromCsv, groupedCourse, join, memberUndoOf } from './support.ts';

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
const asked = (path: RegExp) => campus.requests((one) => path.test(decodeURIComponent(one.path)));

describe('reading and access', () => {
  test('PERM-07, OP-14 a course out of scope, a missing permission or another person’s plan is rejected', async () => {
    const course = await groupedCourse(campus, 86);
    const elena = await ts.signIn(ELENA);
    const from = fromCsv(csvOf([course.groups[0].sis, course.students[0]?.sis ?? '']));
    await campus.forgetRequests();
    expect(await askMemberPlan(elena, { course: course.id, from })).toMatchObject({ status: 404 });
    expect(await asked(/group|\/users/)).toEqual([]);
    const bruno = await ts.signIn(PEOPLE.custom);
    expect((await askMemberPlan(bruno, { course: course.id, from })).status).toBe(403);
    const made = await plan(course, from);
    for (const path of [ENDPOINTS.memberPlan, ENDPOINTS.groupPlan]) {
      expect((await elena.fetch(path.replace(':plan', made.id))).status).toBe(404);
    }
    expect((await alma.fetch(ENDPOINTS.groupPlan.replace(':plan', made.id))).status).toBe(404);
  });

  test('GRP-27 if the LMS does not list people’s groups, each group is read, with the same result', async () => {
    const course = await groupedCourse(campus);
    await join(campus, course.groups[0], ...course.students.slice(0, 3));
    await join(campus, course.groups[2], ...course.students.slice(3, 5));
    const { canvas, actFor } = ts.server.services;
    const { token } = actFor({
      login: PEOPLE.all,
      name: '',
      canvasUserId: 1,
      grantId: null,
      tool: 'group-enrollment',
    });
    const reading = { canvas, token, signal: new AbortController().signal };
    const silent = {
      ...canvas,
      pages: (request: Parameters<typeof canvas.pages>[0]) =>
        canvas.pages({
          ...request,
          query: (request.query ?? []).filter(([, value]) => value !== 'group_ids'),
        }),
    } as typeof canvas;
    const [told, untold] = [
      await readGroupCourse(reading, course.id),
      await readGroupCourse({ ...reading, canvas: silent }, course.id),
    ];
    const groupsIn = ({ course: { people } }: typeof told) =>
      people.map(({ id, groups }) => [id, [...groups].sort((a, b) => a - b)]);
    expect(groupsIn(untold)).toEqual(groupsIn(told));
    expect(
      groupsIn(told).filter(([, groups]) => (groups as number[]).length > 0).length,
    ).toBeGreaterThanOrEqual(5);
  });

  test('OP-107 a leader who leaves the group is named in the review and in the review of the undo; so is a leader who could not be determined', async () => {
    const course = await groupedCourse(campus);
    const [g1, g2, g3] = course.groups;
    const [a, b, c, d] = course.students as [Person, Person, Person, Person];
    await join(campus, g1, a, b, c);
    await join(campus, g2, d);
    const { world } = ts.sandbox;
    const moderates = (group: { id: number }, { id }: Person) =>
      campus.api(`groups/${group.id}/users/${id}`, { method: 'PUT', body: { moderator: true } });
    for (const one of [a, c]) expect((await moderates(g1, one)).status).toBe(200);
    world.groups.change(world.groups.must(g2.id), { leader_id: d.id });
    const from = fromCsv(
      csvOf([g2.sis, a.sis], [g2.sis, b.sis], [g1.sis, c.sis, 'deleted'], [g3.sis, d.sis]),
    );
    const made = await plan(course, from);
    const name = ({ id }: Person) => world.users.must(id).name;
    expect(made.leaders).toEqual({
      who: [
        { person: name(a), group: g1.name },
        { person: name(c), group: g1.name },
        { person: name(d), group: g2.name },
      ],
      again: [],
      unread: 0,
    });
    const match = `/api/v1/groups/${g1.id}/memberships*`;
    await campus.fault({ match, kind: 'status', status: 403 });
    expect((await plan(course, from)).leaders).toEqual({
      who: [{ person: name(d), group: g2.name }],
      again: [],
      unread: 1,
    });
    await campus.clearFaults();

    const { id } = await watch(alma, (await submitted(alma, { plan: made.id })).id);
    expect((await moderates(g2, b)).status).toBe(200);
    const undo = await memberUndoOf(alma, id);
    // The undo puts back people who led their group when the import removed them from it.
    expect(undo.leaders).toEqual({
      who: [{ person: name(b), group: g2.name }],
      again: [
        { person: name(d), group: g2.name },
        { person: name(c), group: g1.name },
        { person: name(a), group: g1.name },
      ],
      unread: 0,
    });
    const undone = await watch(alma, (await submitted(alma, { plan: undo.id })).id);
    const list = await (await campus.api(`groups/${g1.id}/memberships`)).json();
    const leading = (list as { user_id: number; moderator: boolean }[]).filter(({ moderator }) => moderator);
    expect(leading.map(({ user_id }) => user_id).sort((x, y) => x - y)).toEqual(
      [a.id, c.id].sort((x, y) => x - y),
    );
    // A person who was not a leader is not mentioned, and neither is a leader who leaves again.
    const redo = await memberUndoOf(alma, undone.id);
    expect(redo.leaders.who).toContainEqual({ person: name(a), group: g1.name });
    expect(redo.leaders.again).toEqual([{ person: name(b), group: g2.name }]);
  });

  test('OP-107 a person who joins a group, and is still its leader according to the LMS, is named, whether in a file or a paste', async () => {
    const course = await groupedCourse(campus);
    const [g1, g2] = course.groups;
    const [a, b] = course.students as [Person, Person];
    const { world } = ts.sandbox;
    world.groups.change(world.groups.must(g1.id), { leader_id: a.id });
    const leaders = {
      who: [],
      again: [{ person: world.users.must(a.id).name, group: g1.name }],
      unread: 0,
    };
    const file = fromCsv(csvOf([g1.sis, a.sis], [g1.sis, b.sis]));
    const text = `${a.sis}\t${g1.sis}\n${b.sis}\t${g1.sis}`;
    for (const from of [file, { way: 'pasted', text, category: course.teams.id } as const])
      expect((await plan(course, from)).leaders).toEqual(leaders);
    // The leaders do not lead another group.
    const other = await plan(course, fromCsv(csvOf([g2.sis, a.sis])));
    expect(other.leaders).toEqual({ who: [], again: [], unread: 0 });
  });

  test.each([
    ['fails', { kind: 'status', status: 500 }, /does not answer/],
    ['drops the connection', { kind: 'drop', when: 'before' }, /does not answer/],
  ] as const)(
    'OP-35 an LMS that %s while the course is read is reported with an explanation, and a later attempt works',
    async (_, fault, message) => {
      const course = await groupedCourse(campus);
      const from = fromCsv(csvOf([course.groups[0].sis, course.students[0]?.sis ?? '']));
      await campus.fault({ match: `/api/v1/courses/${course.id}/group*`, ...fault });
      const error = await refusalOf(course, from);
      expect(error?.message).toMatch(message);
      expect(error?.next).not.toBe('');
      await campus.clearFaults();
      expect(fatesOf(await plan(course, from))).toEqual([[2, 'add']]);
    },
  );

  test('OP-35 the plan waits for an LMS that is throttling', async () => {
    const course = await groupedCourse(campus);
    const from = fromCsv(csvOf([course.groups[0].sis, course.students[0]?.sis ?? '']));
    await campus.fault({ match: `/api/v1/courses/${course.id}/*`, kind: 'throttle', count: 6 });
    expect(fatesOf(await plan(course, from))).toEqual([[2, 'add']]);
  });

  test('OP-35 a plan can be cancelled while the LMS is slow, and says that nothing was sent', async () => {
    const course = await groupedCourse(campus);
    const from = fromCsv(csvOf([course.groups[0].sis, course.students[0]?.sis ?? '']));
    await campus.fault({ match: `/api/v1/courses/${course.id}/users*`, kind: 'latency', ms: 600_000 });
    const { job } = await startPlan(alma, 'group-member-plan', { course: course.id, from });
    await expect.poll(async () => (await jobOf(alma, job?.id ?? '')).stage).toBe('Reading the course');
    expect(await cancelJob(alma, job?.id ?? '')).toMatchObject({
      state: 'cancelled',
      note: expect.stringContaining('Nothing was sent'),
    });
  });
});
