/**
 * Group members from the local copy: only people outside the course, whose rows are not sent, and whom the LMS is asked
 * about before the other rows are sent. A server without the directory makes the same plans.
 */
import type { MemberPlan, MemberPlanRequest } from '@lms-admin/contract/groups';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { erasePerson } from '../../src/operation/personal/erase.ts';
import { type Campus, makeMemberPlan, type Person, submitted, watch } from '../enrollments/campus.ts';
import {
  csvOf,
  fatesOf,
  fromCsv,
  type GroupedCourse,
  groupedCourse,
  importMessagesOf,
  membersOf,
} from '../groups/support.ts';
import type { Browser } from '../support/browser.ts';
import type { TestServer } from '../support/harness.ts';
import { changesIn } from './changes.ts';
import type { DirectoryTest } from './support.ts';
import { startTwoServers } from './two-servers.ts';

let ts: DirectoryTest;
let plain: TestServer;
let campus: Campus;
let alma: Browser;
let without: Browser;
let course: GroupedCourse;
let student: Person;
let crowd: Person[];

beforeAll(async () => {
  ({ ts, plain, campus, withCopy: alma, without } = await startTwoServers());
});
afterAll(async () => {
  await plain?.close();
  await ts?.close();
});
beforeEach(async () => {
  course = await groupedCourse(campus);
  student = course.students[0] as Person;
  const open = campus.strangers(1_000, [course.id]).filter(({ id }) => !used.has(id));
  crowd = open.slice(0, 5);
  for (const { id } of crowd) used.add(id);
  await refresh();
  await campus.forgetRequests();
});

/** People of earlier tests, who may have been changed. */
const used = new Set<number>();
const refresh = async () => expect(await ts.refreshed(true)).toMatchObject({ outcome: 'done' });
const name = ({ id }: Person) => ts.sandbox.world.users.must(id).name;
const pasted = (...lines: [text: string, group: string][]): MemberPlanRequest['from'] => ({
  way: 'pasted',
  text: lines.map((line) => line.join('\t')).join('\n'),
  category: null,
});
const plan = (from: MemberPlanRequest['from'], browser = alma) =>
  makeMemberPlan(browser, { course: course.id, from });
const send = async ({ id }: MemberPlan, browser = alma) =>
  watch(browser, (await submitted(browser, { plan: id })).id);
/** Requests about individual people. */
const lookups = () =>
  campus.requests(({ path }) => /\/users\/sis_|\/users\?.*search_term/.test(decodeURIComponent(path)));

describe('people outside the course', () => {
  test('GRP-27 come from the copy without a call, and are looked up before the other rows are sent', async () => {
    const [a, b] = crowd as [Person, Person];
    const [group] = course.groups;
    for (const from of [
      pasted([student.email, group.name], [a.email.toUpperCase(), group.name], [b.sis, group.name]),
      fromCsv(csvOf([group.sis, student.sis], [group.sis, a.sis], [group.sis, b.sis])),
    ]) {
      await campus.forgetRequests();
      const made = await plan(from);
      expect(await lookups()).toEqual([]);
      expect(made.copied).toEqual({ count: 2, as_of: expect.any(Number) });
      const live = await plan(from, without);
      expect(live.copied).toBeNull();
      expect(await lookups()).not.toEqual([]);
      expect([made.members, made.totals, made.groups]).toEqual([live.members, live.totals, live.groups]);
      expect(made.members.slice(1).map(({ person, fate }) => [person, fate])).toEqual([
        [name(a), 'refused'],
        [name(b), 'refused'],
      ]);
      await campus.forgetRequests();
      expect(await send(made)).toMatchObject({ verdict: 'done', rows: 1, note: null });
      expect((await lookups()).length).toBeGreaterThan(0);
      await campus.api(`groups/${group.id}/users/${student.id}`, { method: 'DELETE' });
    }
  });

  test('are all looked up in the LMS if there are no rows to send', async () => {
    const [a] = crowd as [Person];
    const made = await plan(pasted([a.email, course.groups[0].name]));
    expect([made.copied, fatesOf(made)]).toEqual([null, [[1, 'refused']]]);
    expect((await lookups()).length).toBeGreaterThan(0);
  });

  test('are looked up if they are in the course under another login or SIS ID', async () => {
    const [a, b] = crowd as [Person, Person];
    const [group] = course.groups;
    const section = campus.defaultSection(course.id);
    for (const one of [a, b]) campus.enrol(one.id, section, 3);
    const changes = changesIn(campus);
    changes.renamed(a);
    changes.otherSisId(b);
    const first = pasted([student.email, group.name], [a.email, group.name], [b.sis, group.name]);
    const made = await plan(first);
    expect(made.copied).toBeNull();
    expect(made.members).toEqual((await plan(first, without)).members);
  });
});

/** Changes after which the text of a stranger means a student of the course. */
const PASSED_ON: ['secondLogin' | 'secondSisId', 'email' | 'sis'][] = [
  ['secondLogin', 'email'],
  ['secondSisId', 'sis'],
];

describe('a person who has changed', () => {
  test.each(PASSED_ON)(
    'GRP-27 before the review (%s): the row is named, and the next review has it',
    async (change, text) => {
      const [one] = crowd as [Person];
      const [g1, g2] = course.groups;
      const other = course.students[1] as Person;
      changesIn(campus)[change](one, student);
      const from =
        text === 'email'
          ? pasted([other.email, g2.name], [one.email, g1.name])
          : fromCsv(csvOf([g2.sis, other.sis], [g1.sis, one.sis]));
      const made = await plan(from);
      expect(made.copied?.count).toBe(1);
      expect(made.members[1]).toMatchObject({ fate: 'refused', person: name(one) });
      const { row } = made.members[1] ?? { row: 0 };
      const ended = await send(made);
      expect(ended).toMatchObject({ verdict: 'partly', rows: 1, applied: 1 });
      expect(await importMessagesOf(alma, ended.id)).toEqual([
        `Row ${row} (${name(one)}, ${g1.name}) was skipped: "${one[text]}" now belongs to ${name(student)}.`,
      ]);
      expect(await membersOf(campus, g1)).toEqual([]);
      const next = await plan(from);
      expect(next.copied).toBeNull();
      expect(next.members).toEqual((await plan(from, without)).members);
      expect(await send(next)).toMatchObject({ verdict: 'done', rows: 1 });
      expect(await membersOf(campus, g1)).toEqual([student.id]);
    },
  );

  test.each(PASSED_ON)(
    'GRP-27 after the review, before it is sent (%s): the row is named',
    async (change, text) => {
      const [one] = crowd as [Person];
      const [g1, g2] = course.groups;
      const other = course.students[1] as Person;
      const made = await plan(pasted([other.email, g2.name], [one[text], g1.name]));
      changesIn(campus)[change](one, student);
      const ended = await send(made);
      expect(ended).toMatchObject({ verdict: 'partly', rows: 1, applied: 1 });
      expect(await importMessagesOf(alma, ended.id)).toEqual([
        expect.stringContaining(`"${one[text]}" now belongs to ${name(student)}.`),
      ]);
      expect([await membersOf(campus, g1), await membersOf(campus, g2)]).toEqual([[], [other.id]]);
    },
  );

  test('and no longer exists: the row is named, and the person leaves the copy', async () => {
    const [one] = crowd as [Person];
    const [g1, g2] = course.groups;
    const from = pasted([student.email, g2.name], [one.email, g1.name]);
    const made = await plan(from);
    changesIn(campus).deleted(one);
    const ended = await send(made);
    expect(await importMessagesOf(alma, ended.id)).toEqual([
      `Row 2 (${name(one)}, ${g1.name}) was skipped: The LMS no longer finds anyone with "${one.email}".`,
    ]);
    const next = pasted([student.email, g1.name], [one.email, g1.name]);
    const again = await plan(next);
    expect(again.copied).toBeNull();
    expect(again.members).toEqual((await plan(next, without)).members);
  });

  test('or was not returned by the LMS: the row is named, and the others are sent', async () => {
    const [one] = crowd as [Person];
    const [g1, g2] = course.groups;
    const made = await plan(fromCsv(csvOf([g2.sis, student.sis], [g1.sis, one.sis])));
    await campus.fault({ match: `/api/v1/users/sis_user_id:${one.sis}`, kind: 'status', status: 403 });
    const ended = await send(made);
    await campus.clearFaults();
    expect(ended).toMatchObject({ verdict: 'partly', rows: 1, applied: 1 });
    expect(await importMessagesOf(alma, ended.id)).toEqual([
      expect.stringContaining('The LMS did not return this person before the import was sent.'),
    ]);
    // They may still be the same.
    expect((await plan(fromCsv(csvOf([g1.sis, student.sis], [g1.sis, one.sis])))).copied?.count).toBe(1);
  });

  test('only in their SIS ID: their row stays as reviewed, and the next review has the new one', async () => {
    const [one] = crowd as [Person];
    const [g1, g2] = course.groups;
    const from = pasted([student.email, g2.name], [one.email, g1.name]);
    campus.changeSisId(one, `X${one.sis}`);
    const made = await plan(from);
    expect(made.members[1]?.user_id).toBe(one.sis);
    expect(await send(made)).toMatchObject({ verdict: 'done', rows: 1, note: null });
    const next = pasted([student.email, g1.name], [one.email, g1.name]);
    expect((await plan(next)).members).toEqual((await plan(next, without)).members);
  });

  test('OP-107 nor is a row sent that contradicts the changed one', async () => {
    const [one] = crowd as [Person];
    const [g1, g2, g3] = course.groups;
    const other = course.students[1] as Person;
    changesIn(campus).secondLogin(one, student);
    const from = pasted([one.email, g1.name], [student.email, g2.name], [other.email, g3.name]);
    const made = await plan(from);
    expect(fatesOf(made)).toEqual([
      [1, 'refused'],
      [2, 'add'],
      [3, 'add'],
    ]);
    expect(fatesOf(await plan(from, without))).toEqual([
      [1, 'add'],
      [2, 'refused'],
      [3, 'add'],
    ]);
    expect(await send(made)).toMatchObject({ verdict: 'partly', rows: 1, applied: 1 });
    for (const group of [g1, g2]) expect(await membersOf(campus, group)).toEqual([]);
    expect(await membersOf(campus, g3)).toEqual([other.id]);
  });
});

test('OP-45 an address that leads to two people gives the same review with and without the copy', async () => {
  const [one, other] = crowd as [Person, Person];
  const [g1, g2] = course.groups;
  changesIn(campus).shared(one, other);
  const from = (group: { name: string }) => pasted([student.email, group.name], [one.email, group.name]);
  const made = await plan(from(g2));
  expect(made.copied?.count).toBe(1);
  expect(fatesOf(made)).toEqual(fatesOf(await plan(from(g2), without)));
  expect(await send(made)).toMatchObject({ rows: 1, applied: 1 });
  // The next report shows both, so that the address is certain for neither.
  await refresh();
  const next = await plan(from(g1));
  expect(next.copied).toBeNull();
  expect(next.members).toEqual((await plan(from(g1), without)).members);
});

test('a person who is erased is not in the copy any more, and neither are reviews that name them', async () => {
  const [one] = crowd as [Person];
  const [g1, g2] = course.groups;
  const from = pasted([student.email, g2.name], [one.email, g1.name]);
  const made = await plan(from);
  expect(made.copied?.count).toBe(1);
  const { files, db: database } = ts.server.services;
  await erasePerson({ database, files, kinds: [] }, [one.email, one.sis]);
  await expect(submitted(alma, { plan: made.id })).rejects.toThrow(/not-found/);
  const next = await plan(from);
  expect(next.copied).toBeNull();
  expect(next.members).toEqual((await plan(from, without)).members);
});
