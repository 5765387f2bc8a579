/** Courses in the practice LMS with categories and groups, for tests of their plans. */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type MemberPlan, type MemberUndoPlan, memberUndoPlan } from '@lms-admin/contract/groups';
import type { SisImport } from '@lms-admin/contract/imports';
import { expect, vi } from 'vitest';
import { type Campus, type Person, startPlan, submitted, watch } from '../enrollments/campus.ts';
import { jobEnded } from '../sis-files/support.ts';
import type { Browser } from '../support/browser.ts';

export interface MadeCategory {
  id: number;
  sis: string | null;
  name: string;
}

export interface MadeGroup {
  id: number;
  sis: string;
  name: string;
}

/** A course with some of its students and two categories, the first with three groups. */
export interface GroupedCourse {
  id: number;
  sis: string;
  name: string;
  teams: MadeCategory;
  labs: MadeCategory;
  groups: [MadeGroup, MadeGroup, MadeGroup];
  students: Person[];
}

const used = new WeakMap<Campus, Set<number>>();

/** Uses each course once, so that tests do not affect each other. */
export async function groupedCourse(campus: Campus, accountId = 86): Promise<GroupedCourse> {
  const gone = used.get(campus) ?? new Set<number>();
  used.set(campus, gone);
  for (const course of campus.courses(accountId)) {
    if (gone.has(course.id) || course.sis_source_id === null) continue;
    gone.add(course.id);
    const students = studentsOf(campus, course.id);
    // A file cannot name people without an SIS ID.
    if (students.length < 8 || students.some(({ sis }) => sis === '')) continue;
    const sis = course.sis_source_id;
    const teams = await makeCategory(campus, course.id, 'Quiz Teams', `${sis}_Quiz_Teams`);
    const labs = await makeCategory(campus, course.id, 'Quiz Labs', `${sis}_Quiz_Labs`);
    const make = (number: number) => makeGroup(campus, teams, `Q-G0${number}`, `${sis}_Q-G0${number}`);
    const groups: GroupedCourse['groups'] = [await make(1), await make(2), await make(3)];
    return { id: course.id, sis, name: course.name, teams, labs, groups, students };
  }
  throw new Error('no course is left');
}

/** Finds students who have one enrolment in the course, which is active. */
function studentsOf(campus: Campus, courseId: number): Person[] {
  const { enrollments } = campus.sandbox.world;
  const all = [...enrollments.by.course.get(courseId)];
  return all
    .filter(
      (one) =>
        one.role_id === 3 &&
        one.workflow_state === 'active' &&
        all.filter((other) => other.user_id === one.user_id).length === 1,
    )
    .map((one) => campus.person(one.user_id));
}

async function made<T>(campus: Campus, path: string, body: unknown): Promise<T> {
  const answer = await campus.api(path, { method: 'POST', body });
  if (answer.status !== 200) throw new Error(`${path}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

export async function makeCategory(
  campus: Campus,
  course: number,
  name: string,
  sis: string | null,
  more: Record<string, unknown> = {},
): Promise<MadeCategory> {
  const body = { name, ...(sis === null ? {} : { sis_group_category_id: sis }), ...more };
  const { id } = await made<{ id: number }>(campus, `courses/${course}/group_categories`, body);
  return { id, sis, name };
}

export async function makeGroup(
  campus: Campus,
  category: { id: number },
  name: string,
  sis: string | null,
): Promise<MadeGroup> {
  const body = { name, ...(sis === null ? {} : { sis_group_id: sis }) };
  const { id } = await made<{ id: number }>(campus, `group_categories/${category.id}/groups`, body);
  return { id, sis: sis ?? '', name };
}

export async function join(campus: Campus, group: { id: number }, ...people: Person[]): Promise<void> {
  for (const { id } of people) await made(campus, `groups/${group.id}/memberships`, { user_id: id });
}

/** Reads the Canvas ids of a group's members, as the LMS reports them. */
export async function membersOf(campus: Campus, group: { id: number }): Promise<number[]> {
  const ids: number[] = [];
  for (let page = 1; ; page++) {
    const answer = await campus.api(`groups/${group.id}/memberships?per_page=100&page=${page}`);
    const list = (await answer.json()) as { user_id: number; workflow_state: string }[];
    ids.push(...list.map(({ user_id }) => user_id));
    if (list.length < 100) return ids.sort((a, b) => a - b);
  }
}

/** Reads a category's groups by SIS ID, as the LMS reports them. */
export async function groupsOf(campus: Campus, category: { id: number }): Promise<Record<string, string>> {
  const answer = await campus.api(`group_categories/${category.id}/groups?per_page=100`);
  const list = (await answer.json()) as { name: string; sis_group_id: string | null }[];
  return Object.fromEntries(list.map(({ name, sis_group_id }) => [sis_group_id ?? name, name]));
}

/** Writes the documented file. */
export function csvOf(...rows: [group: string, person: string, status?: string][]): string {
  return [
    'group_id,user_id,status',
    ...rows.map(([group, person, status = 'accepted']) => `${group},${person},${status}`),
  ].join('\n');
}

export const fromCsv = (text: string) => ({ way: 'csv' as const, text, name: 'teams.csv' });

/** Returns row and outcome of each row, with the group that the person leaves. */
export const fatesOf = ({ members }: MemberPlan) =>
  members.map(({ row, fate, from }) => (from === null ? [row, fate] : [row, fate, from]));

/** Sends a plan. Each group in the LMS must then match the plan, and nothing else may have changed. */
export async function expectSent(
  campus: Campus,
  browser: Browser,
  made: MemberPlan,
  course: GroupedCourse,
): Promise<void> {
  const wanted = new Map<number, Set<number>>();
  for (const group of course.groups) wanted.set(group.id, new Set(await membersOf(campus, group)));
  const { pseudonyms, groups } = campus.sandbox.world;
  for (const row of made.members) {
    const who = pseudonyms.by.sis.get(row.user_id)?.user_id ?? 0;
    const where = groups.by.sis.get(row.group_id)?.id ?? 0;
    if (row.fate === 'remove') wanted.get(where)?.delete(who);
    if (row.fate === 'move') {
      const from = course.groups.find(({ name }) => name === row.from);
      wanted.get(from?.id ?? 0)?.delete(who);
    }
    if (row.fate === 'add' || row.fate === 'move') wanted.get(where)?.add(who);
  }
  const one = await watch(browser, (await submitted(browser, { plan: made.id })).id);
  expect(one).toMatchObject({
    verdict: 'done',
    rows: made.totals.rows,
    applied: made.totals.rows,
    note: null,
  });
  for (const group of course.groups) {
    expect(await membersOf(campus, group)).toEqual([...(wanted.get(group.id) ?? [])].sort((a, b) => a - b));
  }
  for (const { id, after } of made.groups) expect(await membersOf(campus, { id })).toHaveLength(after);
}

/** Requests the plan that undoes an import of members. */
export async function askMemberUndo(browser: Browser, of: string) {
  const { status, job, error } = await startPlan(browser, 'group-member-undo', { import: of });
  if (!job) return { status, error, plan: null };
  const ended = await jobEnded(browser, job.id);
  if (ended.state !== 'done') return { status, error: ended.problem, plan: null };
  const answer = await browser.fetch(ENDPOINTS.memberUndoPlan.replace(':plan', job.id));
  return { status, error: null, plan: memberUndoPlan.parse((await answer.json()).data) };
}

/** Creates the plan that undoes an import, which must be possible. */
export async function memberUndoOf(browser: Browser, of: string): Promise<MemberUndoPlan> {
  const { plan, error } = await askMemberUndo(browser, of);
  if (!plan) throw new Error(JSON.stringify(error));
  return plan;
}

export const SEND = { match: '/api/v1/accounts/1/sis_imports', method: 'POST' };

/**
 * Submits while the LMS is throttling, so that the job waits. Then runs `meanwhile`, and lets the LMS accept
 * imports again.
 */
export async function sentWhile(
  campus: Campus,
  browser: Browser,
  payload: unknown,
  meanwhile: () => Promise<unknown>,
): Promise<SisImport> {
  await campus.fault({ ...SEND, kind: 'throttle' });
  const { id } = await submitted(browser, payload);
  await campus.seen((one) => one.method === 'POST' && /\/sis_imports\b/.test(one.path));
  await meanwhile();
  await campus.clearFaults();
  return watch(browser, id);
}

/** Submits a plan and makes `change` in the LMS when the import arrives there, after the last comparison. */
export async function sentInto(
  campus: Campus,
  browser: Browser,
  payload: unknown,
  change: (world: Campus['sandbox']['world']) => void,
): Promise<SisImport> {
  const { world } = campus.sandbox;
  const { sisBatches } = world;
  const add = sisBatches.add.bind(sisBatches);
  const received = vi.spyOn(sisBatches, 'add').mockImplementationOnce((row) => {
    change(world);
    return add(row);
  });
  const ended = await watch(browser, (await submitted(browser, payload)).id);
  received.mockRestore();
  return ended;
}

/** Reads the messages at the end of an import. */
export async function importMessagesOf(browser: Browser, id: string): Promise<string[]> {
  const response = await browser.fetch(ENDPOINTS.importMessages.replace(':import', id));
  return (await response.json()).data.map((one: { message: string }) => one.message);
}
