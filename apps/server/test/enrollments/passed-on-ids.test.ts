/**
 * SIS IDs that are given to other people. A review refers to a person, and no row changes anyone else. Rows
 * whose SIS ID now belongs to another person are not sent, and are named.
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { plannedPerson, sectionPerson } from '@lms-admin/contract/enrollments';
import type { SisImport } from '@lms-admin/contract/imports';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { hold } from '../support/held.ts';
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

async function sent({ id }: { id: string }) {
  return watch(alma, (await submitted(alma, { plan: id })).id);
}

/** Submits a plan, and changes the LMS after the last comparison but before the LMS starts the import. */
async function whileSending({ id: plan }: { id: string }, change: () => void): Promise<SisImport> {
  const sending = await hold(ts.sandbox, { match: '/api/v1/accounts/1/sis_imports', method: 'POST' });
  const { id } = await submitted(alma, { plan });
  await sending.reached();
  change();
  await sending.letGo();
  return watch(alma, id);
}

/** Swaps the SIS IDs of two sections. */
function swapSectionIds(...[one, other]: [number, number]) {
  const { sections } = ts.sandbox.world;
  const [mine, theirs] = [one, other].map((id) => sections.must(id).sis_source_id) as [string, string];
  sections.change(sections.must(one), { sis_source_id: `X${mine}` });
  sections.change(sections.must(other), { sis_source_id: mine });
  if (theirs) sections.change(sections.must(one), { sis_source_id: theirs });
}

const enrolled = (one: number, other: number, people: readonly Person[]) =>
  [one, other].map((section) => people.map(({ id }) => campus.stateOf(id, section, 3)));

/** Creates a course, and finds people who have no enrolment in it. */
function material(index: number) {
  const course = campus.courseForRows(index);
  const section = campus.defaultSection(course.id);
  const [a, b, c] = campus.strangers(3 * index + 3, [course.id]).slice(-3) as [Person, Person, Person];
  const states = () => [a, b, c].map(({ id }) => campus.stateOf(id, section.id, 3));
  return { course, section, a, b, c, states };
}

/** Creates a review of the same people by either tool. */
async function review(
  tool: string,
  status: 'active' | 'deleted',
  { course, section }: Pick<ReturnType<typeof material>, 'course' | 'section'>,
  people: readonly Person[],
) {
  const role_id = 3;
  if (tool === 'course') {
    const emails = people.map(({ email }) => email);
    return makePlan(alma, { role_id, status, courses: [course.id], emails });
  }
  const users = people.map(({ sis }) => sis);
  return makeSectionPlan(alma, [{ course: course.id, section: section.id, role_id, status, users }]);
}

describe.each(['course', 'section'])('CE-12, SE-06 a plan for a %s', (tool) => {
  const at = tool === 'course' ? 0 : 10;

  test('with an SIS ID that was given to another person after the review leaves out that row and names it', async () => {
    const { course, section, a, b, c, states } = material(at);
    const plan = await review(tool, 'active', { course, section }, [a, b]);
    expect(plan.totals.rows).toBe(2);
    campus.changeSisId(a, `X${a.sis}`);
    campus.changeSisId(c, a.sis);
    const { verdict, note, rows } = await sent(plan);
    expect([verdict, rows]).toEqual(['partly', 1]);
    expect(note).toContain(
      `${nameOf(a)} (${a.sis}) was skipped: the SIS ID "${a.sis}" now belongs to ${nameOf(c)}.`,
    );
    expect(states()).toEqual(['deleted', 'active', 'deleted']);
  });

  test('with an SIS ID that now belongs to no one also names the row, and sends nothing if no one else is left', async () => {
    const { course, section, a, states } = material(at + 1);
    const plan = await review(tool, 'active', { course, section }, [a]);
    campus.changeSisId(a, null);
    const { verdict, processing_errors } = await sent(plan);
    expect(verdict).toBe('failed');
    expect(processing_errors.map(([, text]) => text).join(' ')).toContain(
      `${nameOf(a)} (${a.sis}) was skipped: the LMS no longer has a person with the SIS ID`,
    );
    expect(states()).toEqual(['deleted', 'deleted', 'deleted']);
  });

  test('removes neither of two people whose SIS IDs were swapped between review and sending', async () => {
    const { course, section, a, b, c, states } = material(at + 2);
    for (const { id } of [a, b, c]) campus.enrol(id, section, 3);
    const plan = await review(tool, 'deleted', { course, section }, [a, c]);
    campus.swapSisIds(a, b);
    expect((await sent(plan)).verdict).toBe('partly');
    expect(states()).toEqual(['active', 'active', 'deleted']);
  });

  test.each([
    ['active', ['deleted', 'active', 'active'], ['deleted', 'deleted', 'active']],
    ['deleted', ['active', 'deleted', 'deleted'], ['active', 'active', 'deleted']],
  ] as const)(
    'if an SIS ID is passed on while the LMS processes the import, the person changed instead is named, and undo does not count them as unchanged (%s)',
    async (status, after, undone) => {
      const { course, section, a, b, c, states } = material(at + (status === 'active' ? 5 : 6));
      if (status === 'deleted') for (const { id } of [a, b, c]) campus.enrol(id, section, 3);
      const plan = await review(tool, status, { course, section }, [a, b]);
      const ended = await whileSending(plan, () => {
        campus.changeSisId(a, `X${a.sis}`);
        campus.changeSisId(c, a.sis);
      });
      expect(states()).toEqual(after);
      expect(ended.verdict).toBe('partly');
      const did = status === 'active' ? 'added to' : 'removed from';
      expect(ended.note).toContain(`${nameOf(a)} (${a.sis}) was not ${did} course ${course.sis}`);
      expect(ended.note).toContain(`The LMS applied the row to ${nameOf(c)} instead.`);
      expect(ended.note).not.toContain(`${nameOf(b)} (`);
      const undo = await undoOf(alma, ended, tool === 'course' ? 'course-enrollment' : 'section-enrollment');
      expect(undo.kept).toEqual([
        expect.objectContaining({ why: 'another-person', who: [{ person: nameOf(a), state: '' }] }),
      ]);
      expect([undo.totals.already + undo.totals.not_enrolled, undo.totals.rows]).toEqual([0, 1]);
      await sent(undo);
      expect(states()).toEqual(undone);
    },
  );

  test('an undo affects the people whom the import changed, whatever their current SIS IDs', async () => {
    const { course, section, a, b, c, states } = material(at + 3);
    campus.enrol(b.id, section, 3);
    const added = await sent(await review(tool, 'active', { course, section }, [a, c]));
    expect(states()).toEqual(['active', 'active', 'active']);
    campus.swapSisIds(a, b);
    const undo = await undoOf(alma, added, tool === 'course' ? 'course-enrollment' : 'section-enrollment');
    expect([undo.totals.remove, undo.kept]).toEqual([2, []]);
    const undone = await sent(undo);
    expect(undone.verdict).toBe('done');
    expect(states()).toEqual(['deleted', 'active', 'deleted']);
    // The undo is reversed after the ids were passed on again.
    campus.swapSisIds(b, c);
    const redo = await undoOf(alma, undone, tool === 'course' ? 'course-enrollment' : 'section-enrollment');
    expect((await sent(redo)).verdict).toBe('done');
    expect(states()).toEqual(['active', 'active', 'active']);
  });

  test('if SIS IDs change between the review and the sending of an undo, no other person is removed', async () => {
    const { course, section, a, b, c, states } = material(at + 4);
    campus.enrol(b.id, section, 3);
    const added = await sent(await review(tool, 'active', { course, section }, [a, c]));
    const undo = await undoOf(alma, added, tool === 'course' ? 'course-enrollment' : 'section-enrollment');
    campus.swapSisIds(a, b);
    expect((await sent(undo)).verdict).toBe('partly');
    expect(states()).toEqual(['active', 'active', 'deleted']);
  });
});

test('CE-12 if SIS IDs are passed along a chain while the LMS processes the import, a person who was not in the review is named', async () => {
  const { course, section, a, b, c, states } = material(25);
  const plan = await review('course', 'active', { course, section }, [a, b]);
  const { verdict, note } = await whileSending(plan, () => {
    campus.changeSisId(b, `X${b.sis}`);
    campus.changeSisId(a, b.sis);
    campus.changeSisId(c, a.sis);
  });
  expect(states()).toEqual(['active', 'deleted', 'active']);
  expect(verdict).toBe('partly');
  expect(note).toContain(`${nameOf(b)} (${b.sis}) was not added to course ${course.sis}`);
  expect(note).toContain(`The LMS applied a row to ${nameOf(c)}, who was not in the review`);
  expect(note).not.toContain(`${nameOf(a)} (`);
});

test.each(['active', 'deleted'] as const)(
  "SE-06 if a section's SIS ID is passed on while the LMS processes the import, the changed section is named (%s)",
  async (status) => {
    const { course, section, a, b } = material(status === 'active' ? 26 : 27);
    const body = { course_section: { name: 'Beta' } };
    const made = await campus.api(`courses/${course.id}/sections`, { method: 'POST', body });
    const { id: beta } = (await made.json()) as { id: number };
    if (status === 'deleted')
      for (const { id } of [a, b])
        for (const place of [section.id, beta]) campus.enrol(id, { ...section, id: place }, 3);
    const plan = await review('section', status, { course, section }, [a, b]);
    const ended = await whileSending(plan, () => swapSectionIds(section.id, beta));
    expect([ended.verdict, ended.note]).toEqual([
      'partly',
      expect.stringContaining(`to section 'Beta' instead.`),
    ]);
    // Neither section is as reviewed, so undo does not claim that there is nothing to undo.
    const before = enrolled(section.id, beta, [a, b]);
    const undo = await undoOf(alma, ended, 'section-enrollment');
    expect(undo.kept.map(({ why, people }) => [why, people])).toEqual([['elsewhere', 2]]);
    expect(undo.totals.rows).toBe(0);
    expect(enrolled(section.id, beta, [a, b])).toEqual(before);
  },
);

test('SE-06 if the SIS IDs of two sections in one import are swapped, each is reported, and no one is reported as outside the review', async () => {
  const { course, section, a, b } = material(7);
  const body = { course_section: { name: 'Beta', sis_section_id: `${course.sis}-BETA` } };
  const made = await campus.api(`courses/${course.id}/sections`, { method: 'POST', body });
  const { id: beta } = (await made.json()) as { id: number };
  const rows = (id: number, who: Person) => ({ course: course.id, section: id, users: [who.sis] });
  const all = { role_id: 3, status: 'active' } as const;
  const plan = await makeSectionPlan(alma, [
    { ...rows(section.id, a), ...all },
    { ...rows(beta, b), ...all },
  ]);
  const { verdict, note, ...ended } = await whileSending(plan, () => swapSectionIds(section.id, beta));
  expect(enrolled(section.id, beta, [a, b])).toEqual([
    ['deleted', 'active'],
    ['active', 'deleted'],
  ]);
  expect(verdict).toBe('partly');
  expect(note).toContain(`to section 'Beta' instead.`);
  expect(note).toContain(`to section '${ts.sandbox.world.sections.must(section.id).name}' instead.`);
  expect(note).not.toContain('who was not in the review');
  const undo = await undoOf(alma, ended, 'section-enrollment');
  expect(undo.kept.map(({ why, people }) => [why, people])).toEqual([
    ['elsewhere', 1],
    ['elsewhere', 1],
  ]);
});

test('CE-12 a review after a swap does not rely on the cache, but shows and removes the requested person', async () => {
  const { course, section, a, b, c, states } = material(20);
  for (const { id } of [a, b]) campus.enrol(id, section, 3);
  await review('course', 'deleted', { course, section }, [a]);
  campus.swapSisIds(a, b);
  const plan = await review('course', 'deleted', { course, section }, [a, c]);
  const answer = await alma.fetch(`${ENDPOINTS.planPeople.replace(':plan', plan.id)}?course=${course.id}`);
  const list = z.array(plannedPerson).parse((await answer.json()).data);
  expect(list.map(({ sis_user_id, change }) => [sis_user_id, change])).toEqual([
    [b.sis, 'remove'],
    [c.sis, 'not-enrolled'],
  ]);
  expect((await sent(plan)).verdict).toBe('done');
  expect(states()).toEqual(['deleted', 'active', 'deleted']);
});

test("SE-06 for people requested by SIS ID, the id's current owner is shown and removed", async () => {
  const { course, section, a, b, states } = material(21);
  for (const { id } of [a, b]) campus.enrol(id, section, 3);
  await review('section', 'deleted', { course, section }, [a]);
  campus.swapSisIds(a, b);
  const plan = await review('section', 'deleted', { course, section }, [a]);
  const path = ENDPOINTS.sectionPlanPeople.replace(':plan', plan.id);
  const answer = await alma.fetch(`${path}?section=${section.id}&role=3`);
  const list = z.array(sectionPerson).parse((await answer.json()).data);
  expect(list.map(({ name, change }) => [name, change])).toEqual([[nameOf(b), 'remove']]);
  expect((await sent(plan)).verdict).toBe('done');
  expect(states()).toEqual(['active', 'deleted', 'deleted']);
});

test('CE-12 people in the cache are removed from it once they prove outdated: the next review is right', async () => {
  const { course, section, a, c, states } = material(22);
  await review('course', 'active', { course, section }, [a]);
  campus.changeSisId(a, `X${a.sis}`);
  campus.changeSisId(c, a.sis);
  expect((await sent(await review('course', 'active', { course, section }, [a]))).verdict).toBe('failed');
  expect((await sent(await review('course', 'active', { course, section }, [a]))).verdict).toBe('done');
  expect(states()).toEqual(['active', 'deleted', 'deleted']);
});

test.each(['active', 'deleted'] as const)(
  'CE-12 if an address is given to another person, the next review shows its owner, or nothing is sent (%s)',
  async (status) => {
    const { course, section, a, b, states } = material(status === 'active' ? 23 : 24);
    if (status === 'deleted') for (const { id } of [a, b]) campus.enrol(id, section, 3);
    await review('course', status, { course, section }, [a]);
    const { pseudonyms } = ts.sandbox.world;
    const loginOf = ({ id }: Person) =>
      [...pseudonyms.by.user.get(id)][0] as NonNullable<ReturnType<typeof pseudonyms.get>>;
    pseudonyms.change(loginOf(a), { unique_id: `new.${a.email}` });
    pseudonyms.change(loginOf(b), { unique_id: a.email });
    const before = states();
    const first = await sent(await review('course', status, { course, section }, [a]));
    // People enrolled there are shown with their current address. For others, only the last comparison knows
    // the address.
    if (status === 'active') {
      expect(first.verdict).toBe('failed');
      expect(states()).toEqual(before);
      expect((await sent(await review('course', status, { course, section }, [a]))).verdict).toBe('done');
    }
    expect(states()).toEqual(
      status === 'active' ? ['deleted', 'active', 'deleted'] : ['active', 'deleted', 'deleted'],
    );
  },
);
