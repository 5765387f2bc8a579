/**
 * Reviewed groups and members may change before they are sent. They are read again just before, and rows that
 * no longer apply are skipped and named (GRP-27, OP-14, OP-107). The tests also cover the outcome of each row
 * if the LMS aborts the import (OP-35).
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { MemberPlan } from '@lms-admin/contract/groups';
import { importRow } from '@lms-admin/contract/imports';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  Campus,
  jobOf,
  makeGroupPlan,
  makeMemberPlan,
  type Person,
  submit,
  submitted,
  watch,
} from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  csvOf,
  fromCsv,
  type GroupedCourse,
  groupedCourse,
  groupsOf,
  importMessagesOf,
  join,
  makeCategory,
  makeGroup,
  membersOf,
  SEND,
  sentWhile,
} from './support.ts';

const MINE = {
  login: PEOPLE.custom,
  email: PEOPLE.custom,
  perm: 'CUSTOM',
  sub_accounts: '86,120',
  group_level_admin: true,
} as const;
let ts: TestServer;
let campus: Campus;
let bruno: Browser;

beforeAll(async () => {
  ts = await startTestServer({ access: { admins: [MINE] }, sandbox: { throttle: false } });
  campus = new Campus(ts.sandbox);
  bruno = await ts.signIn(PEOPLE.custom);
});
afterAll(() => ts?.close());
beforeEach(() => campus.forgetRequests());
afterEach(async () => {
  await campus.clearFaults();
  Object.assign(ts.server.services.access.find(PEOPLE.custom) ?? {}, MINE);
});

const sentAfter = (payload: unknown, meanwhile: () => Promise<unknown>) =>
  sentWhile(campus, bruno, payload, meanwhile);
const messagesOf = (id: string) => importMessagesOf(bruno, id);
const rowsWithMessages = async (id: string) => {
  const response = await bruno.fetch(ENDPOINTS.importRows.replace(':import', id));
  return z.array(importRow).parse((await response.json()).data);
};
const membersPlan = (course: GroupedCourse, ...rows: Parameters<typeof csvOf>): Promise<MemberPlan> =>
  makeMemberPlan(bruno, { course: course.id, from: fromCsv(csvOf(...rows)) });
const move = (id: number, what: { account_id?: number; sis_source_id?: string }) => {
  const { courses } = ts.sandbox.world;
  courses.change(courses.must(id), what);
};
/** Removes a person from the course, as if by hand. */
async function unenrol(course: number, person: Person): Promise<void> {
  const { enrollments } = ts.sandbox.world;
  for (const one of enrollments.by.course.get(course)) {
    if (one.user_id !== person.id || one.workflow_state === 'deleted') continue;
    const answer = await campus.api(`courses/${course}/enrollments/${one.id}?task=delete`, {
      method: 'DELETE',
    });
    expect(answer.status).toBe(200);
  }
}
const ids = (...people: Person[]) => people.map(({ id }) => id).sort((a, b) => a - b);

describe('members, just before they are sent', () => {
  test('OP-107 rows for a person who left the course or moved elsewhere, and for a deleted or full group, are skipped and named', async () => {
    const course = await groupedCourse(campus);
    const [g1, g2, g3] = course.groups;
    const [a, b, c, d, e] = course.students as [Person, Person, Person, Person, Person];
    await join(campus, g1, d);
    const plan = await membersPlan(
      course,
      [g1.sis, a.sis],
      [g2.sis, b.sis],
      [g1.sis, c.sis],
      [g2.sis, d.sis],
      [g1.sis, e.sis],
    );
    expect(plan.totals).toMatchObject({ add: 4, move: 1, rows: 5 });
    const ended = await sentAfter({ plan: plan.id }, async () => {
      await unenrol(course.id, a);
      await campus.api(`groups/${g2.id}`, { method: 'DELETE' });
      await join(campus, g3, c);
    });
    expect(ended).toMatchObject({ verdict: 'partly', rows: 1, applied: 1 });
    expect(await membersOf(campus, g1)).toEqual(ids(d, e));
    // No one is removed from a group that was not reviewed.
    expect(await membersOf(campus, g3)).toEqual(ids(c));
    expect(await messagesOf(ended.id)).toEqual([
      expect.stringMatching(/^Row 2 \(.+, Q-G01\) was skipped: .+ is not in the course/),
      expect.stringMatching(/^Row 3 .+ was skipped: The course has no group/),
      expect.stringMatching(/^Row 4 .+ has since joined the group Q-G03/),
      expect.stringMatching(/^Row 5 .+ was skipped: The course has no group/),
    ]);
    expect(ended.note).toMatch(/was skipped/);
  });

  test('OP-107 a row whose SIS ID now belongs to another person or group is skipped and named', async () => {
    const course = await groupedCourse(campus);
    const [g1, g2, g3] = course.groups;
    const [a, b, c, d, e] = course.students as [Person, Person, Person, Person, Person];
    const { groups, pseudonyms } = ts.sandbox.world;
    const [model] = pseudonyms.by.user.get(d.id);
    if (!model) throw new Error('no login');
    const { id: _id, ...like } = model;
    // An SIS ID that the course list does not show.
    const second = pseudonyms.add({ ...like, unique_id: `second.${d.sis}`, sis_user_id: `SECOND-${d.sis}` });
    const plan = await membersPlan(course, [g1.sis, a.sis], [g2.sis, b.sis], [g1.sis, `SECOND-${d.sis}`]);
    expect(plan.totals.add).toBe(3);
    const ended = await sentAfter({ plan: plan.id }, async () => {
      const [logins, others] = [a, c].map(({ sis }) => pseudonyms.by.sis.get(sis));
      if (!logins || !others) throw new Error('the campus has no such login');
      pseudonyms.change(logins, { sis_user_id: `${a.sis}-WAS` });
      pseudonyms.change(others, { sis_user_id: a.sis });
      pseudonyms.change(second, { user_id: e.id });
      groups.change(groups.must(g2.id), { sis_source_id: `${g2.sis}-WAS` });
      groups.change(groups.must(g3.id), { sis_source_id: g2.sis });
    });
    expect(ended).toMatchObject({ verdict: 'failed', canvas_id: null });
    expect(await messagesOf(ended.id)).toEqual([
      expect.stringMatching(new RegExp(`^Row 2 .+ The SIS ID "${a.sis}" now belongs to .+`)),
      expect.stringMatching(/^Row 3 .+ now belongs to the group Q-G03/),
      expect.stringMatching(/^Row 4 .+ The SIS ID "SECOND-.+" now belongs to /),
    ]);
    for (const group of course.groups) expect(await membersOf(campus, group)).toEqual([]);
  });

  test('OP-107 a group that others delete during the import: its people are named, and the result is partial', async () => {
    const course = await groupedCourse(campus);
    const [g1, g2, g3] = course.groups;
    const [a, b, c, d] = course.students as [Person, Person, Person, Person];
    await join(campus, g1, a, d);
    const plan = await membersPlan(
      course,
      [g2.sis, a.sis],
      [g2.sis, b.sis],
      [g3.sis, c.sis],
      [g1.sis, d.sis, 'deleted'],
    );
    // The LMS does not report the progress of the import for a while.
    await campus.fault({ match: '/api/v1/accounts/1/sis_imports/*', kind: 'status', status: 500 });
    const { id } = await submitted(bruno, { plan: plan.id });
    await campus.seen(({ method, path }) => method === 'GET' && /\/sis_imports\/\d+$/.test(path));
    await campus.api(`groups/${g2.id}`, { method: 'DELETE' });
    await campus.clearFaults();
    const ended = await watch(bruno, id);
    const name = ({ id: who }: Person) => ts.sandbox.world.users.must(who).name;
    expect(ended).toMatchObject({ workflow_state: 'imported', verdict: 'partly', rows: 4, applied: 4 });
    expect(ended.note).toContain(
      `2 memberships are different from this import: ${name(a)} (not in Q-G02), ${name(b)} (not in Q-G02).`,
    );
    expect(await membersOf(campus, g3)).toEqual([c.id]);
  });

  test('OP-107 a person without a row who is elsewhere by the end of the import is named, and the result is partial', async () => {
    const course = await groupedCourse(campus);
    const [g1, g2, g3] = course.groups;
    const [a, b, c, d] = course.students as [Person, Person, Person, Person];
    await join(campus, g1, a, b, d);
    const plan = await membersPlan(
      course,
      [g1.sis, a.sis],
      [g1.sis, b.sis],
      [g2.sis, c.sis],
      [g3.sis, d.sis, 'deleted'],
    );
    expect(plan.totals).toMatchObject({ add: 1, already: 2, not_member: 1, rows: 1 });
    await campus.fault({ match: '/api/v1/accounts/1/sis_imports/*', kind: 'status', status: 500 });
    const { id } = await submitted(bruno, { plan: plan.id });
    await campus.seen(({ method, path }) => method === 'GET' && /\/sis_imports\/\d+$/.test(path));
    await join(campus, g3, a, d);
    await campus.clearFaults();
    const ended = await watch(bruno, id);
    const name = ({ id: who }: Person) => ts.sandbox.world.users.must(who).name;
    expect(ended).toMatchObject({ verdict: 'partly', rows: 1, applied: 1 });
    expect(ended.note).toContain(
      `2 memberships are different from this import: ${name(a)} (not in Q-G01), ${name(d)} (in Q-G03).`,
    );
    expect(await membersOf(campus, g1)).toEqual(ids(b));
  });

  test('OP-107 a skipped row does not make room for later rows', async () => {
    const course = await groupedCourse(campus);
    const small = await makeCategory(campus, course.id, 'Small', `${course.sis}_Small`, { group_limit: 1 });
    const [s1, s2] = [
      await makeGroup(campus, small, 'S1', `${course.sis}_S1`),
      await makeGroup(campus, small, 'S2', `${course.sis}_S2`),
    ];
    const [a, b, c] = course.students as [Person, Person, Person];
    await join(campus, s1, a);
    const plan = await membersPlan(course, [s2.sis, a.sis], [s1.sis, b.sis]);
    expect(plan.totals).toMatchObject({ move: 1, add: 1 });
    const ended = await sentAfter({ plan: plan.id }, () => join(campus, s2, c));
    expect(ended).toMatchObject({ verdict: 'failed', canvas_id: null });
    expect(await messagesOf(ended.id)).toEqual([
      expect.stringMatching(/^Row 2 .*group is full/),
      expect.stringMatching(/^Row 3 .*group is full/),
    ]);
    expect(await membersOf(campus, s1)).toEqual(ids(a));
  });

  test('OP-107 a place meant for a person who is skipped is given to the next one', async () => {
    const course = await groupedCourse(campus);
    const small = await makeCategory(campus, course.id, 'Few', `${course.sis}_Few`, { group_limit: 2 });
    const [s1, s2] = [
      await makeGroup(campus, small, 'F1', `${course.sis}_F1`),
      await makeGroup(campus, small, 'F2', `${course.sis}_F2`),
    ];
    const [a, b, c] = course.students as [Person, Person, Person];
    const plan = await membersPlan(course, [s1.sis, a.sis], [s1.sis, b.sis]);
    const ended = await sentAfter({ plan: plan.id }, async () => {
      await join(campus, s2, a);
      await join(campus, s1, c);
    });
    expect(ended).toMatchObject({ verdict: 'partly', rows: 1, applied: 1 });
    expect(await messagesOf(ended.id)).toEqual([
      expect.stringMatching(/^Row 2 .* has since joined the group F2/),
    ]);
    expect(await membersOf(campus, s1)).toEqual(ids(b, c));
  });

  test('OP-14 if a course has become unavailable, or has another SIS ID, nothing is sent', async () => {
    for (const what of [{ account_id: 163 }, { sis_source_id: 'ANOTHER-ID' }]) {
      const course = await groupedCourse(campus);
      const [g1] = course.groups;
      const [a] = course.students as [Person];
      const plan = await membersPlan(course, [g1.sis, a.sis]);
      const ended = await sentAfter({ plan: plan.id }, async () => move(course.id, what));
      expect(ended).toMatchObject({ verdict: 'failed', canvas_id: null });
      expect(ended.processing_errors[0]?.[1]).toMatch(/^Course .* was skipped/);
      expect(await campus.importsNamed(ended.id)).toEqual([]);
      expect(await membersOf(campus, g1)).toEqual([]);
      move(course.id, { account_id: 86, sis_source_id: course.sis });
    }
  });

  test('OP-14, PERM-05 the submission of an administrator who has lost the course or the tool is rejected', async () => {
    const course = await groupedCourse(campus);
    const plan = await membersPlan(course, [course.groups[0].sis, course.students[0]?.sis ?? '']);
    const record = ts.server.services.access.find(PEOPLE.custom);
    Object.assign(record ?? {}, { sub_accounts: '120' });
    expect((await submit(bruno, { plan: plan.id })).status).toBe(409);
    Object.assign(record ?? {}, { sub_accounts: '86', group_level_admin: false });
    expect((await submit(bruno, { plan: plan.id })).status).toBe(403);
  });

  test('OP-42, OP-107 people added or removed by others in the meantime are skipped and named, and not counted as done', async () => {
    const course = await groupedCourse(campus);
    const [g1] = course.groups;
    const [a, b, c] = course.students as [Person, Person, Person];
    await join(campus, g1, b);
    const plan = await membersPlan(course, [g1.sis, a.sis], [g1.sis, b.sis, 'deleted'], [g1.sis, c.sis]);
    const ended = await sentAfter({ plan: plan.id }, async () => {
      await join(campus, g1, a);
      await campus.api(`groups/${g1.id}/users/${b.id}`, { method: 'DELETE' });
    });
    expect(ended).toMatchObject({ verdict: 'partly', rows: 1, applied: 1 });
    expect(await messagesOf(ended.id)).toEqual([
      expect.stringMatching(/^Row 2 \(.+, Q-G01\) was skipped: .+ has already been added to the group since/),
      expect.stringMatching(/^Row 3 \(.+, Q-G01\) was skipped: .+ is no longer in the group\.$/),
    ]);
    expect(await membersOf(campus, g1)).toEqual(ids(a, c));
    expect((await submitted(bruno, { plan: plan.id })).id).toBe(ended.id);
    expect(await campus.importsNamed(ended.id)).toHaveLength(1);
  });

  test('OP-35 the import waits if the LMS does not identify a person, and no one is skipped because of it', async () => {
    const course = await groupedCourse(campus);
    const [g1] = course.groups;
    const [a, b] = course.students as [Person, Person];
    const plan = await membersPlan(course, [g1.sis, a.sis], [g1.sis, b.sis]);
    await campus.fault({ ...SEND, kind: 'throttle' });
    const { id } = await submitted(bruno, { plan: plan.id });
    await campus.seen((one) => one.method === 'POST' && /\/sis_imports\b/.test(one.path));
    await unenrol(course.id, a);
    await campus.fault({ match: '/api/v1/users/sis_user_id*', kind: 'status', status: 503 });
    await campus.forgetRequests();
    await campus.seen((one) => one.status === 503);
    await campus.clearFaults();
    expect(await watch(bruno, id)).toMatchObject({ verdict: 'partly', rows: 1 });
    expect(await membersOf(campus, g1)).toEqual(ids(b));
  });
});

describe('groups, just before they are sent', () => {
  const range = (start: number, end: number) => [{ prefix: 'N', start, end }];
  const groupsPlan = (course: GroupedCourse, start = 1, end = 3) =>
    makeGroupPlan(bruno, { course: course.id, category: course.teams.id, ranges: range(start, end) });

  test('OP-77 a group whose id or name another group now has is skipped and named, and so is one that others created identically', async () => {
    const [course, other] = [await groupedCourse(campus), await groupedCourse(campus)];
    const plan = await groupsPlan(course, 1, 5);
    const id = (n: number) => `${course.sis}_N-G0${n}`;
    const ended = await sentAfter({ plan: plan.id }, async () => {
      await makeGroup(campus, course.labs, 'In the labs', id(1));
      await makeGroup(campus, other.teams, 'Elsewhere', id(2));
      await makeGroup(campus, course.teams, 'Renamed meanwhile', id(3));
      await makeGroup(campus, course.teams, 'N-G04', id(4));
    });
    expect(ended).toMatchObject({ verdict: 'partly', rows: 1 });
    expect(await messagesOf(ended.id)).toEqual([
      expect.stringMatching(/^The group "N-G01" was skipped: .*"Quiz Labs"/),
      expect.stringContaining(`of the course "${other.name}"`),
      expect.stringMatching(
        /^The group "N-G03" was skipped: The group is currently called "Renamed meanwhile"/,
      ),
      'The group "N-G04" was skipped: Another import or someone in the LMS has already created this group.',
    ]);
    expect(Object.values(await groupsOf(campus, course.labs))).toEqual(['In the labs']);
    expect(Object.values(await groupsOf(campus, course.teams)).sort()).toEqual([
      'N-G04',
      'N-G05',
      'Q-G01',
      'Q-G02',
      'Q-G03',
      'Renamed meanwhile',
    ]);
  });

  test('OP-77 a group due to be renamed keeps the name that others have given it in the meantime', async () => {
    const course = await groupedCourse(campus);
    const rename = (n: 0 | 1, name: string) =>
      ts.sandbox.world.groups.change(ts.sandbox.world.groups.must(course.groups[n].id), { name });
    for (const n of [0, 1] as const) rename(n, `Before ${n}`);
    const ranges = [{ prefix: 'Q', start: 1, end: 2 }];
    const plan = await makeGroupPlan(bruno, { course: course.id, category: course.teams.id, ranges });
    expect(plan.totals).toMatchObject({ renamed: 2 });
    const ended = await sentAfter({ plan: plan.id }, async () => rename(0, 'Chosen meanwhile'));
    expect(ended).toMatchObject({ verdict: 'partly', rows: 1 });
    expect(await messagesOf(ended.id)).toEqual([
      expect.stringMatching(
        /^The group "Q-G01" was skipped: The group is currently called "Chosen meanwhile"/,
      ),
    ]);
    expect(Object.values(await groupsOf(campus, course.teams)).sort()).toEqual([
      'Chosen meanwhile',
      'Q-G02',
      'Q-G03',
    ]);
  });

  test('OP-77 a group deleted in the LMS is restored with its people, whom the result names', async () => {
    const course = await groupedCourse(campus);
    const [a, b] = course.students as [Person, Person];
    const former = await makeGroup(campus, course.teams, 'N-G01', `${course.sis}_N-G01`);
    await join(campus, former, a, b);
    expect((await campus.api(`groups/${former.id}`, { method: 'DELETE' })).status).toBe(200);
    // Deleting a group by hand ends its memberships. Another import has restored them since. The LMS shows neither
    // step.
    const { groupMemberships } = ts.sandbox.world;
    for (const one of groupMemberships.by.group.get(former.id).slice())
      groupMemberships.change(one, { workflow_state: 'accepted' });
    const plan = await groupsPlan(course, 1, 2);
    expect(plan.totals).toMatchObject({ new: 2, rows: 2 });
    const ended = await watch(bruno, (await submitted(bruno, { plan: plan.id })).id);
    // The LMS keeps the people in a deleted group, but shows neither them nor the group.
    expect(await membersOf(campus, former)).toEqual(ids(a, b));
    expect(ended).toMatchObject({ workflow_state: 'imported', rows: 2 });
    expect(ended.note).toContain('This new group already has members: "N-G01" (2 people).');
    expect(ended.note).toContain('A group with its ID had been deleted in the LMS and was restored,');

    const empty = await groupsPlan(course, 3, 4);
    const whole = await watch(bruno, (await submitted(bruno, { plan: empty.id })).id);
    expect(whole).toMatchObject({ workflow_state: 'imported', verdict: 'done', note: null });
  });

  test('OP-108 if a category was deleted, or has another SIS ID, nothing is sent', async () => {
    for (const lose of [
      (id: number) => campus.api(`group_categories/${id}`, { method: 'DELETE' }),
      (id: number) =>
        campus.api(`group_categories/${id}`, { method: 'PUT', body: { sis_group_category_id: `X-${id}` } }),
    ]) {
      const course = await groupedCourse(campus);
      const plan = await groupsPlan(course);
      const ended = await sentAfter({ plan: plan.id }, () => lose(course.teams.id));
      expect(ended).toMatchObject({ verdict: 'failed', canvas_id: null });
      expect(ended.processing_errors[0]?.[1]).toMatch(/^The group category "Quiz Teams" was skipped/);
    }
  });

  test('OP-35 the import waits for an LMS that fails at the second reading', async () => {
    const course = await groupedCourse(campus);
    const plan = await groupsPlan(course);
    await campus.fault({
      match: `/api/v1/courses/${course.id}/group_categories*`,
      kind: 'status',
      status: 500,
    });
    const { id } = await submitted(bruno, { plan: plan.id });
    await expect.poll(async () => (await jobOf(bruno, id)).note).toMatch(/does not answer/);
    expect(await campus.importsNamed(id)).toEqual([]);
    await campus.clearFaults();
    expect(await watch(bruno, id)).toMatchObject({ verdict: 'done', rows: 3, applied: 3 });
    expect(Object.keys(await groupsOf(campus, course.teams))).toHaveLength(6);
  });
});

describe('an import that the LMS aborts halfway', () => {
  const crash = () => campus.fault({ match: '*', kind: 'import-crash', count: 1 });

  test('OP-35 the outcome of each member and each group is looked up and reported', async () => {
    const course = await groupedCourse(campus);
    const [g1, g2] = course.groups;
    const people = course.students.slice(0, 4);
    const [a, b, c, d] = people as [Person, Person, Person, Person];
    await join(campus, g2, c, d);
    // Adds a second SIS ID to a person; a group's member list shows only one for each person.
    const second = (person: Person) => {
      const [model] = ts.sandbox.world.pseudonyms.by.user.get(person.id);
      if (!model) throw new Error('no login');
      const { id: _id, ...like } = model;
      const sis = `AGAIN-${person.sis}`;
      ts.sandbox.world.pseudonyms.add({ ...like, unique_id: `again.${person.sis}`, sis_user_id: sis });
      return sis;
    };
    const plan = await membersPlan(
      course,
      [g1.sis, second(a)],
      [g1.sis, b.sis],
      [g2.sis, c.sis, 'deleted'],
      [g2.sis, second(d), 'deleted'],
    );
    await crash();
    const ended = await watch(bruno, (await submitted(bruno, { plan: plan.id })).id);
    expect(ended.workflow_state).toBe('failed');
    const inside = [new Set(await membersOf(campus, g1)), new Set(await membersOf(campus, g2))] as const;
    const applied = [inside[0].has(a.id), inside[0].has(b.id), !inside[1].has(c.id), !inside[1].has(d.id)];
    expect(ended.applied).toBe(applied.filter(Boolean).length);
    const name = ({ id }: Person) => ts.sandbox.world.users.must(id).name;
    expect((await rowsWithMessages(ended.id)).map(({ fates }) => fates[0])).toEqual(
      people.map((person, at) => {
        const done = applied[at] ? 'Applied' : 'Not applied';
        const there = inside[at < 2 ? 0 : 1].has(person.id) ? 'is in' : 'is not in';
        return `${done}: ${name(person)} ${there} ${at < 2 ? g1.sis : g2.sis}.`;
      }),
    );

    const groups = await makeGroupPlan(bruno, {
      course: course.id,
      category: course.teams.id,
      ranges: [{ prefix: 'Z', start: 1, end: 6 }],
    });
    await crash();
    const broken = await watch(bruno, (await submitted(bruno, { plan: groups.id })).id);
    expect(broken).toMatchObject({ workflow_state: 'failed', verdict: 'partly' });
    const now = Object.values(await groupsOf(campus, course.teams));
    expect((await rowsWithMessages(broken.id)).map(({ fates }) => fates[0]?.split(':')[0])).toEqual(
      groups.groups.map((one) => (now.includes(one.name) ? 'Applied' : 'Not applied')),
    );
  });
});
