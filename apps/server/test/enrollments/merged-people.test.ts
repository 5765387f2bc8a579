/** Two people who are merged in the LMS between review and sending: their enrolments do not count as removed. */
import type { SisImport } from '@lms-admin/contract/imports';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { Campus, makePlan, makeSectionPlan, type Person, submitted, undoOf, watch } from './campus.ts';

let ts: TestServer;
let campus: Campus;
let alma: Browser;
beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
});
afterAll(() => ts?.close());

const nameOf = ({ id }: Person) => ts.sandbox.world.users.must(id).name;

async function sent({ id }: { id: string }): Promise<SisImport> {
  return watch(alma, (await submitted(alma, { plan: id })).id);
}

/** Merges a person into another one, as the LMS does: logins and enrolments move, and the first person is deleted. */
function merge(one: Person, into: Person): void {
  const { enrollments, pseudonyms, users } = ts.sandbox.world;
  // A changed row leaves these lists.
  const logins = Array.from(ts.sandbox.world.loginsOf(one.id));
  const places = Array.from(enrollments.by.user.get(one.id));
  for (const login of logins) pseudonyms.change(login, { user_id: into.id });
  for (const place of places) enrollments.change(place, { user_id: into.id });
  users.change(users.must(one.id), { workflow_state: 'deleted' });
}

/** Deletes a person, as the registrar does. */
async function remove({ sis, email }: Person): Promise<void> {
  await campus.importOfOthers(`user_id,login_id,first_name,last_name,status\n${sis},${email},A,B,deleted`);
}

describe.each(['course', 'section'] as const)('CE-12, SE-06 a removal from a %s', (tool) => {
  const at = tool === 'course' ? 0 : 5;

  function material(index: number) {
    const course = campus.courseForRows(at + index);
    const section = campus.defaultSection(course.id);
    const people = campus.strangers(3 * (at + index) + 3, [course.id]).slice(-3);
    const states = () => people.map(({ id }) => campus.stateOf(id, section.id, 3));
    return { course, section, people: people as [Person, Person, Person], states };
  }

  async function review(
    status: 'active' | 'deleted',
    { course, section }: Pick<ReturnType<typeof material>, 'course' | 'section'>,
    people: readonly Person[],
  ) {
    if (tool === 'course') {
      const emails = people.map(({ email }) => email);
      return makePlan(alma, { role_id: 3, status, courses: [course.id], emails });
    }
    const users = people.map(({ sis }) => sis);
    const place = { course: course.id, section: section.id };
    return makeSectionPlan(alma, [{ ...place, role_id: 3, status, users }]);
  }

  test('names the person who now has the SIS ID and the enrolment, and does not count as done', async () => {
    const { course, section, people, states } = material(0);
    const [one, into, other] = people;
    for (const { id } of [one, other]) campus.enrol(id, section, 3);
    const [both, alone] = [
      await review('deleted', { course, section }, [one, other]),
      await review('deleted', { course, section }, [one]),
    ];
    merge(one, into);
    const why = `${nameOf(one)} (${one.sis}) was skipped: the SIS ID "${one.sis}" now belongs to ${nameOf(into)}.`;
    const partly = await sent(both);
    expect([partly.verdict, partly.rows, partly.note]).toEqual(['partly', 1, why]);
    const nothing = await sent(alone);
    expect([nothing.verdict, nothing.rows]).toEqual(['failed', 0]);
    expect(nothing.processing_errors.map(([, text]) => text).join(' ')).toContain(why);
    expect(states()).toEqual(['deleted', 'active', 'deleted']);
  });

  test('by an undo that is sent after the merge does not count as done either', async () => {
    const { course, section, people, states } = material(1);
    const [one, into] = people;
    const added = await sent(await review('active', { course, section }, [one]));
    const undo = await undoOf(alma, added, tool === 'course' ? 'course-enrollment' : 'section-enrollment');
    merge(one, into);
    const ended = await sent(undo);
    expect(ended.verdict).toBe('failed');
    expect(ended.processing_errors.map(([, text]) => text).join(' ')).toContain(
      `the SIS ID "${one.sis}" now belongs to ${nameOf(into)}.`,
    );
    expect(states()).toEqual(['deleted', 'active', 'deleted']);
  });

  test('of a person who was deleted counts as done: the enrolment ended with the person', async () => {
    const { course, section, people, states } = material(2);
    const [one] = people;
    campus.enrol(one.id, section, 3);
    const plan = await review('deleted', { course, section }, [one]);
    await remove(one);
    expect((await sent(plan)).verdict).toBe('done');
    expect(states()).toEqual(['deleted', 'deleted', 'deleted']);
  });
});
