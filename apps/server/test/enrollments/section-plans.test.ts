/** Section Enrollment plans, and their effects in the sections (requirements SE). */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { type SectionPlanRequest, sectionPerson } from '@lms-admin/contract/enrollments';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { askSectionPlan, Campus, cancelJob, makeSectionPlan, startPlan } from './campus.ts';

let ts: TestServer;
let campus: Campus;
let alma: Browser;
let bruno: Browser;

beforeAll(async () => {
  ts = await startTestServer({ sandbox: { throttle: false } });
  campus = new Campus(ts.sandbox);
  alma = await ts.signIn(PEOPLE.all);
  bruno = await ts.signIn(PEOPLE.custom);
});
afterAll(() => ts?.close());
beforeEach(async () => {
  await campus.clearFaults();
  await campus.forgetRequests();
});

const lookups = () => campus.requests((one) => /\/users\/sis_user_id/.test(decodeURIComponent(one.path)));
const asked = () => campus.requests((one) => one.path.startsWith('/api/v1'));
const people = async (browser: Browser, plan: string, query: string) => {
  const response = await browser.fetch(`${ENDPOINTS.sectionPlanPeople.replace(':plan', plan)}?${query}`);
  const body = await response.json();
  return response.status === 200 ? z.array(sectionPerson).parse(body.data) : response.status;
};
/** Returns the SIS IDs of people who are not in the course. */
const strangers = (count: number, course: number) => campus.strangers(count, [course]).map(({ sis }) => sis);
const entry = (
  course: number,
  section: number,
  users: string[],
  status: 'active' | 'deleted' = 'active',
) => ({
  course,
  section,
  role_id: 3,
  status,
  users,
});
/** Finds a course in an account, with its sections. */
const withSections = (index = 0, account = 86) => {
  const course = campus.course(index, account);
  const sections = [...ts.sandbox.world.sections.by.course.get(course.id)];
  const [first] = sections;
  if (!first) throw new Error('a course without sections');
  return { ...course, sections, first };
};

describe('contents of a plan', () => {
  test('SE-01, SE-06, SE-07 each section has its own people, role and action; other sections do not count', async () => {
    const { course, named, byHand, fallback, person } = await campus.inThreeSections(86, 3);
    const [one = '', two = ''] = strangers(2, course.id);
    const plan = await makeSectionPlan(alma, [
      entry(course.id, named.id, [one, person.sis, two, one]),
      entry(course.id, fallback.id, [person.sis, two], 'deleted'),
      entry(course.id, byHand.id, [one]),
      { ...entry(course.id, byHand.id, [person.sis]), role_id: 4 },
    ]);
    expect(
      plan.entries.map(({ section, role, status, asked, found, rows }) => [
        section.id,
        role.id,
        status,
        asked,
        found,
        rows,
      ]),
    ).toEqual([
      [named.id, 3, 'active', 3, 3, 2],
      [fallback.id, 3, 'deleted', 2, 2, 1],
      [byHand.id, 3, 'active', 1, 1, 1],
      [byHand.id, 4, 'active', 1, 1, 1],
    ]);
    expect(plan.entries[0]).toMatchObject({
      course: {
        id: course.id,
        name: course.name,
        sis_course_id: course.sis_source_id,
        term: expect.any(String),
      },
      section: { id: named.id, sis_section_id: named.sis, assign: false },
      role: { id: 3, label: 'Student' },
      add: 2,
      already: 1,
      unread: null,
    });
    expect(plan.entries[1]).toMatchObject({ remove: 1, not_enrolled: 1, section: { assign: true } });
    expect(plan.entries[2]?.section).toEqual({
      id: byHand.id,
      name: 'Evening group',
      sis_section_id: `${course.sis_source_id}-EVENINGGROUP`,
      assign: true,
    });
    expect(plan.people).toEqual({ asked: 3, found: 3, not_found: 0, failed: 0 });
    expect(plan.totals).toEqual({ add: 4, already: 1, remove: 1, not_enrolled: 1, rows: 5 });
    const list = async (query: string) => {
      const found = await people(alma, plan.id, query);
      return typeof found === 'number'
        ? found
        : found.map(({ sis_user_id, change }) => [sis_user_id, change]);
    };
    expect(await list(`section=${named.id}`)).toEqual([
      [one, 'add'],
      [person.sis, 'already'],
      [two, 'add'],
    ]);
    expect(await list(`section=${fallback.id}`)).toEqual([
      [person.sis, 'remove'],
      [two, 'not-enrolled'],
    ]);
    expect(await list(`section=${byHand.id}`)).toEqual([[one, 'add']]);
    expect(await list(`section=${byHand.id}&role=4`)).toEqual([[person.sis, 'add']]);
    expect(await list(`section=${byHand.id}&role=5`)).toBe(404);
    expect(await list('section=424242')).toBe(404);
    expect(await list('section=x')).toBe(400);
  });

  test('OP-50 each id is looked up once, by its path; each section says whether the id is unknown or its lookup failed', async () => {
    const { id, first } = withSections(1);
    const other = withSections(2);
    // These people are different from those above, because people found are cached for a while.
    const [one = '', two = '', three = ''] = strangers(13, id).slice(10);
    await campus.fault({ match: `/api/v1/users/sis_user_id*${two}`, kind: 'status', status: 503 });
    const plan = await makeSectionPlan(alma, [
      entry(id, first.id, [one, two, 'nobody@x.example', 'a.json']),
      entry(other.id, other.first.id, [three, 'a.json', one], 'deleted'),
    ]);
    expect(plan.entries[0]).toMatchObject({
      asked: 4,
      found: 1,
      not_found: ['nobody@x.example', 'a.json'],
      failed: [two],
      rows: 1,
    });
    expect(plan.entries[1]).toMatchObject({ asked: 3, found: 2, not_found: ['a.json'], failed: [], rows: 0 });
    expect(plan.people).toEqual({ asked: 5, found: 2, not_found: 2, failed: 1 });
    const counts = new Map<string, number>();
    for (const { path } of await lookups()) counts.set(path, (counts.get(path) ?? 0) + 1);
    expect([...counts.values()].sort((a, b) => a - b)).toEqual([1, 1, 1, 1, 3]); // A failed read is retried twice.
    expect([...counts.keys()].some((path) => path.includes('a%2Ejson'))).toBe(true);
  });

  test('OP-50 a person with two SIS IDs is one person, shown with the requested id and found by either', async () => {
    const { id, first } = withSections(3);
    const { world } = ts.sandbox;
    const [someone, another] = campus.strangers(2, [id]);
    const login = [...world.pseudonyms.by.user.get(someone?.id ?? 0)][0];
    if (!login || !someone || !another) throw new Error('nobody');
    const { id: _id, ...like } = login;
    world.pseudonyms.add({ ...like, unique_id: 'second@northbridge.example', sis_user_id: 'SECOND-ID' });
    campus.enrol(someone.id, { id: first.id, course_id: id }, 3);
    const added = await makeSectionPlan(alma, [entry(id, first.id, ['SECOND-ID', another.sis, someone.sis])]);
    expect(added.entries[0]).toMatchObject({ asked: 2, found: 2, add: 1, already: 1, rows: 1 });
    expect(added.people).toMatchObject({ asked: 2, found: 2 });
    const removed = await makeSectionPlan(alma, [entry(id, first.id, ['SECOND-ID'], 'deleted')]);
    expect(removed.entries[0]).toMatchObject({ remove: 1, rows: 1 });
    expect(await people(alma, removed.id, `section=${first.id}`)).toMatchObject([
      { sis_user_id: 'SECOND-ID', change: 'remove' },
    ]);
  });

  test('SE-01 progress is accurate: people first, then sections', async () => {
    const { id, sections } =
      [0, 1, 2, 3].map((index) => withSections(index)).find((one) => one.sections.length > 1) ??
      withSections();
    await campus.fault({ match: '/api/v1/users/*', kind: 'latency', ms: 150 });
    const { progress, job, plan } = await askSectionPlan(alma, {
      sections: sections.map((section) => entry(id, section.id, [...strangers(30, id), 'nobody'])),
    });
    expect(progress[0]).toMatchObject({ stage: 'Looking up people', total: 31 });
    const stages = progress.map(({ stage }) => stage);
    const compared = stages.indexOf('Comparing with the sections');
    if (compared >= 0) expect(stages.lastIndexOf('Looking up people')).toBeLessThan(compared);
    expect(job?.state).toBe('done');
    expect(plan?.people).toMatchObject({ asked: 31, found: 30 });
  });

  test('SE-01 a section that cannot be read gets the documented rows, and the plan says so; the others are not affected', async () => {
    const one = withSections(4);
    const two = withSections(5);
    await campus.fault({
      match: `/api/v1/sections/${one.first.id}/enrollments`,
      kind: 'status',
      status: 502,
    });
    await campus.fault({ match: `/api/v1/courses/${two.id}/sections`, kind: 'status', status: 502 });
    const three = withSections(6);
    const plan = await makeSectionPlan(alma, [
      entry(one.id, one.first.id, strangers(2, one.id), 'deleted'),
      entry(two.id, two.first.id, ['not-asked-for']),
      entry(three.id, three.first.id, strangers(2, three.id), 'deleted'),
    ]);
    expect(plan.entries).toMatchObject([
      {
        remove: 2,
        rows: 2,
        unread: expect.stringMatching(/did not answer when LMS Admin read the enrolments of this section/),
      },
      { not_enrolled: 2, rows: 0, unread: null },
    ]);
    expect(plan.left_out).toEqual([
      {
        course: two.id,
        section: two.first.id,
        reason: expect.stringMatching(/did not answer when LMS Admin read the sections/),
        unanswered: true,
      },
    ]);
    expect((await lookups()).some(({ path }) => path.includes('not-asked-for'))).toBe(false);
  });
});

describe('scope and limits', () => {
  test('OP-14, SE-06 objects that have become unavailable are treated as missing; a section counts only in its own course', async () => {
    const mine = withSections(0);
    const beside = withSections(1);
    const other = withSections(0, 163);
    const { world } = ts.sandbox;
    const manual = [...world.courses.values()].find(
      (course) => course.account_id === 86 && !course.sis_source_id && course.workflow_state !== 'deleted',
    );
    const plan = await makeSectionPlan(
      bruno,
      [
        [mine.id, mine.first.id],
        [other.id, other.first.id],
        [999_999, 999_998],
        [mine.id, 999_999],
        [mine.id, beside.first.id],
        ...(manual ? [[manual.id, world.sections.by.course.get(manual.id)[0]?.id ?? 1]] : []),
      ].map(([course = 0, section = 0]) => entry(course, section, strangers(1, mine.id))),
    );
    expect(plan.entries.map((one) => one.section.id)).toEqual([mine.first.id]);
    const none = 'The section was not found.';
    expect(plan.left_out.map((one) => one.reason)).toEqual([
      'The course was not found.',
      'The course was not found.',
      none,
      none,
      ...(manual ? [expect.stringMatching(/no SIS ID/)] : []),
    ]);
  });

  test('OP-14 a cross-listed section belongs to its current course', async () => {
    const { course: home, named } = await campus.inThreeSections(86, 3);
    const [away, out] = [campus.course(8), campus.course(3, 163)];
    const move = (to: number) => campus.api(`sections/${named.id}/crosslist/${to}`, { method: 'POST' });
    await move(away.id);
    const users = strangers(1, away.id);
    const both = [entry(home.id, named.id, users), { ...entry(away.id, named.id, users), role_id: 3 }];
    const [there] = both.slice(1);
    const plan = await makeSectionPlan(bruno, there ? [there] : []);
    expect(plan.entries[0]?.course.id).toBe(away.id);
    const gone = await makeSectionPlan(bruno, both.slice(0, 1));
    expect(gone.left_out).toHaveLength(1);
    await move(out.id);
    for (const one of both) expect((await makeSectionPlan(bruno, [one])).entries).toEqual([]);
  });

  test('PERM-10, OP-34 the role list for sections is applied before any call to the LMS', async () => {
    const { id, first } = withSections(0);
    const refused = await askSectionPlan(bruno, {
      sections: [entry(id, first.id, ['1']), { ...entry(id, first.id, ['1']), role_id: 5 }],
    });
    expect(refused).toMatchObject({ status: 403, error: { code: 'not-allowed' } });
    expect(refused.error?.details?.[0]?.message).toContain('role 5');
    expect(await asked()).toEqual([]);
  });

  test('SE-11 OP-50 an ID that a spreadsheet has changed is rejected with its position, before any call to the LMS', async () => {
    const { id, first } = withSections(0);
    const refused = await askSectionPlan(alma, { sections: [entry(id, first.id, ['1', '1.2E-05'])] });
    expect(refused).toMatchObject({ status: 400, error: { code: 'bad-request' } });
    expect(JSON.stringify(refused.error?.details)).toContain('users.1');
    expect(await asked()).toEqual([]);
  });

  test('SE-01 a section repeated with the same role is rejected and named, before any call to the LMS', async () => {
    const { id, first } = withSections(0);
    const refused = await askSectionPlan(alma, {
      sections: [entry(id, first.id, ['1']), entry(id, first.id, ['2'], 'deleted')],
    });
    expect(refused).toMatchObject({ status: 400, error: { code: 'bad-request' } });
    expect(refused.error?.details).toEqual([
      { row: null, field: 'sections.1.section', message: `section ${first.id} appears twice with role 3` },
    ]);
    expect(await asked()).toEqual([]);
  });

  test('K-04, OP-33 more rows than allowed are rejected before any call to the LMS', async () => {
    const users = Array.from({ length: 100_000 }, (_, index) => String(index));
    const sections = [1, 2, 3, 4, 5, 6].map((section) => entry(1, section, users));
    const refused = await askSectionPlan(alma, { sections });
    expect(refused).toMatchObject({ status: 413, error: { code: 'too-many-rows' } });
    expect(refused.error?.message).toContain('600,000');
    expect(await asked()).toEqual([]);
  });

  test('PERM-07 the tool’s permission is needed, for requesting and for reading', async () => {
    const carla = await ts.signIn(PEOPLE.records);
    const { id, first } = withSections(0);
    const request = { sections: [entry(id, first.id, strangers(1, id))] };
    expect(await askSectionPlan(carla, request)).toMatchObject({ status: 403 });
    expect((await startPlan(ts.browser(), 'section-plan', request)).status).toBe(401);
    const { plan } = await askSectionPlan(alma, request);
    expect((await carla.fetch(ENDPOINTS.sectionPlan.replace(':plan', plan?.id ?? ''))).status).toBe(403);
    expect(await people(carla, plan?.id ?? '', `section=${first.id}`)).toBe(403);
  });

  test('OP-42 a plan belongs only to its tool and to the person who requested it, and survives a reload', async () => {
    const { id, first } = withSections(0);
    const plan = await makeSectionPlan(bruno, [entry(id, first.id, strangers(1, id))]);
    const path = ENDPOINTS.sectionPlan.replace(':plan', plan.id);
    expect((await (await bruno.fetch(path)).json()).data).toEqual(plan);
    expect((await alma.fetch(path)).status).toBe(404);
    expect(await people(alma, plan.id, `section=${first.id}`)).toBe(404);
    expect((await bruno.fetch(ENDPOINTS.plan.replace(':plan', plan.id))).status).toBe(404);
  });

  test('SE-01 calls to the LMS end when the plan is cancelled', async () => {
    const { id, first } = withSections(0);
    await campus.fault({ match: '/api/v1/users/*', kind: 'latency', ms: 300 });
    const users = Array.from({ length: 400 }, (_, index) => `gone${index}`);
    const { job } = await startPlan(alma, 'section-plan', { sections: [entry(id, first.id, users)] });
    await expect.poll(async () => (await lookups()).length).toBeGreaterThan(0);
    expect(await cancelJob(alma, job?.id ?? '')).toMatchObject({ state: 'cancelled' });
    const before = (await lookups()).length;
    // Calls take turns: if the first plan had any calls left, they would arrive before this plan ends.
    await makeSectionPlan(alma, [entry(id, first.id, ['one-more'])]);
    const gone = (await lookups()).filter(({ path }) => path.includes('gone'));
    // Calls in flight at the end may reach the LMS after its log was read.
    expect(gone.length).toBeLessThanOrEqual(before + ts.config.lms.maxInFlight);
    expect(before).toBeLessThan(users.length);
  });
});

describe('an arbitrary request', () => {
  test('SE-11, OP-50 gets a clear answer, never an internal error, and causes nothing to be sent', async () => {
    const { id, first } = withSections(0);
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 120 }),
      fc.constantFrom('5001001', '../1', 'a b'),
    );
    const odd = fc.oneof(fc.integer(), fc.double(), text, fc.constantFrom(null, true, [], {}));
    const section = fc.record(
      {
        course: fc.oneof({ weight: 3, arbitrary: fc.constant(id) }, odd),
        section: fc.oneof({ weight: 3, arbitrary: fc.constant(first.id) }, odd),
        role_id: fc.oneof({ weight: 3, arbitrary: fc.constant(3) }, odd),
        status: fc.oneof({ weight: 3, arbitrary: fc.constantFrom('active', 'deleted') }, odd),
        users: fc.oneof({ weight: 3, arbitrary: fc.array(text, { maxLength: 4 }) }, odd),
        more: fc.string(),
      },
      { requiredKeys: ['course', 'section', 'role_id', 'users'] },
    );
    const requests = fc.oneof(
      fc.record({ sections: fc.oneof({ weight: 5, arbitrary: fc.array(section, { maxLength: 3 }) }, odd) }),
      fc.anything(),
    );
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const { status, plan, error } = await askSectionPlan(alma, request as SectionPlanRequest);
        expect([200, 400, 403]).toContain(status);
        if (status === 200) expect(plan).not.toBeNull();
        else expect(error?.message).not.toBe('');
      }),
      { numRuns: 150 },
    );
    expect(await campus.requests((one) => one.method !== 'GET')).toEqual([]);
  });
});
