/**
 * Undoing an undo, repeatedly: each time everyone returns exactly to their previous state, whatever it was
 * (CE-12).
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { SisImport } from '@lms-admin/contract/imports';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { Campus, makePlan, submitted, undoOf, watch } from './campus.ts';

let ts: TestServer;
let campus: Campus;
let alma: Browser;
beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
});
afterAll(() => ts?.close());

const done = async (plan: { id: string }): Promise<SisImport> =>
  watch(alma, (await submitted(alma, { plan: plan.id })).id);

const inCourse = async (id: number) =>
  (await campus.enrolments(id, 3, ['active', 'invited', 'inactive', 'completed']))
    .map((one) => `${one.user_id} ${one.course_section_id} ${one.enrollment_state}`)
    .sort();

/** Number of times that an undo is undone. */
const DEPTH = 5;

test.each([['deleted'], ['active']] as const)(
  'CE-12 an import that sets people in every state to %s is undone and repeated',
  async (status) => {
    const course = campus.courseForRows(status === 'active' ? 3 : 2);
    const section = campus.defaultSection(course.id);
    const people = campus.strangers(7, [course.id]);
    const states = ['active', 'active', 'inactive', 'inactive', 'completed', 'completed'] as const;
    for (const [at, state] of states.entries()) campus.enrol(people[at]?.id ?? 0, section, 3, state);
    const before = await inCourse(course.id);
    const first = await makePlan(alma, {
      role_id: 3,
      status,
      courses: [course.id],
      emails: people.map(({ email }) => email),
    });
    let last = await done(first);
    expect(last.verdict).toBe('done');
    const after = await inCourse(course.id);
    expect(after).not.toEqual(before);
    for (let depth = 1; depth <= DEPTH; depth++) {
      const plan = await undoOf(alma, last);
      // One line for each section, role and state, followed by the people counted in it.
      const keys = plan.entries.map((one) => `${one.section.id} ${one.role.id} ${one.status}`);
      expect(new Set(keys).size).toBe(keys.length);
      expect(plan.kept).toEqual([]);
      for (const entry of plan.entries) {
        const query = `section=${entry.section.id}&role=${entry.role.id}&status=${entry.status}`;
        const list = await alma.fetch(`${ENDPOINTS.undoPlanPeople.replace(':plan', plan.id)}?${query}`);
        const { data } = (await list.json()) as { data: { change: string }[] };
        expect(data.filter(({ change }) => change === 'add' || change === 'remove')).toHaveLength(entry.rows);
      }
      last = await done(plan);
      expect(last.verdict).toBe('done');
      expect(await inCourse(course.id), `undo ${depth}`).toEqual(depth % 2 === 1 ? before : after);
    }
  },
);
