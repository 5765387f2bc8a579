import { readFile } from 'node:fs/promises';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { plannedPerson } from '@lms-admin/contract/enrollments';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { askPlan, Campus, cancelJob, makePlan, startPlan } from './campus.ts';

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

const lookups = () => campus.requests((one) => /\/accounts\/1\/users\?/.test(one.path));
const people = async (browser: Browser, plan: string, course: number) => {
  const path = `${ENDPOINTS.planPeople.replace(':plan', plan)}?course=${course}`;
  const response = await browser.fetch(path);
  return response.status === 200
    ? z.array(plannedPerson).parse((await response.json()).data)
    : response.status;
};

describe('adding', () => {
  test('CE-01, CE-05, CE-12: for each course the people to add, the people already enrolled, and the totals', async () => {
    const [one, two] = [campus.course(0), campus.course(1)];
    const inside = (await campus.enrolments(one.id, 3))
      .map((enrolment) => campus.person(enrolment.user_id))
      .filter((person) => person.sis !== '')
      .slice(0, 3);
    const outside = campus.strangers(4, [one.id, two.id]);
    const plan = await makePlan(alma, {
      role_id: 3,
      status: 'active',
      courses: [one.id, two.id],
      emails: [...inside, ...outside].map((person) => person.email),
    });
    expect(plan.role).toEqual({ id: 3, label: 'Student' });
    expect(plan.people).toMatchObject({ asked: 7, found: 7, not_found: [], failed: [] });
    const [first, second] = plan.courses;
    expect(first).toMatchObject({
      id: one.id,
      sis_course_id: one.sis,
      add: 4,
      already: 3,
      rows: 4,
    });
    expect((second?.add ?? 0) + (second?.already ?? 0)).toBe(7);
    expect(plan.totals.rows).toBe((first?.rows ?? 0) + (second?.rows ?? 0));
    const list = await people(alma, plan.id, one.id);
    expect(list).toHaveLength(7);
    expect((list as z.output<typeof plannedPerson>[]).map((person) => person.change)).toEqual([
      ...inside.map(() => 'already'),
      ...outside.map(() => 'add'),
    ]);
  });

  test('CE-12: a person whose enrolment in another section is not active gets a second one, and is counted', async () => {
    const course = campus.courseForRows(6);
    const fallback = campus.defaultSection(course.id);
    const made = await campus.api(`courses/${course.id}/sections`, {
      method: 'POST',
      body: { course_section: { name: 'Evening group' } },
    });
    const { id } = (await made.json()) as { id: number };
    const [inactive, invited, completed, newcomer] = campus.strangers(4, [course.id]);
    if (!inactive || !invited || !completed || !newcomer) throw new Error('the campus has not enough people');
    campus.enrol(inactive.id, { id, course_id: course.id }, 3, 'inactive');
    campus.enrol(invited.id, { id, course_id: course.id }, 3, 'invited');
    campus.enrol(completed.id, fallback, 3, 'completed');
    const plan = await makePlan(alma, {
      role_id: 3,
      status: 'active',
      courses: [course.id],
      emails: [inactive, invited, completed, newcomer].map(({ email }) => email),
    });
    expect(plan.courses[0]).toMatchObject({ add: 4, already: 0, reactivated: 1, beside: 2 });
    // The list of people says whose enrolment becomes active.
    const listed = await people(alma, plan.id, course.id);
    const states = Array.isArray(listed) && listed.map((one) => [one.email, one.change, one.state]);
    expect(states).toEqual([
      [inactive.email, 'add', undefined],
      [invited.email, 'add', undefined],
      [completed.email, 'add', 'completed'],
      [newcomer.email, 'add', undefined],
    ]);
  });

  test('LMS-10, OP-45: only the exact login counts, in upper or lower case; a person without an SIS ID is not found', async () => {
    const course = campus.course(0);
    const withoutSis = [...ts.sandbox.world.pseudonyms.values()].find(
      (login) => login.sis_user_id === null && login.user_id > 1_000 && login.workflow_state === 'active',
    );
    const plan = await makePlan(alma, {
      role_id: 3,
      status: 'active',
      courses: [course.id],
      emails: [
        'ann@northbridge.example',
        'JOANN@northbridge.example',
        'joann@northbridge.example',
        'nobody+x@northbridge.example',
        withoutSis?.unique_id ?? '',
      ],
    });
    expect(plan.people).toMatchObject({
      asked: 4,
      found: 2,
      not_found: ['nobody+x@northbridge.example', withoutSis?.unique_id],
      // A person who is in the LMS must not be sent to Create Users, which would reject them.
      there: [{ email: withoutSis?.unique_id, why: 'no-sis-id' }],
    });
    const list = (await people(alma, plan.id, course.id)) as z.output<typeof plannedPerson>[];
    expect(list.map((person) => person.name)).toEqual(['Ann Harper', 'Jo Ann Harper']);
    expect(
      (await lookups()).some((one) => decodeURIComponent(one.path).includes('search_term=nobody+x@')),
    ).toBe(true);
  });

  test('CE-09, OP-45: an address with letters from another alphabet is looked up unchanged', async () => {
    const course = campus.course(0);
    const login = { unique_id: 'jürgen.müller@northbridge.example', sis_user_id: 'PS-JM' };
    const created = await campus.api('accounts/1/users', {
      method: 'POST',
      body: { user: { name: 'Jürgen Müller' }, pseudonym: login },
    });
    expect(created.status).toBe(200);
    const plan = await makePlan(alma, {
      role_id: 3,
      status: 'active',
      courses: [course.id],
      emails: [
        'ju\u0308rgen.mu\u0308ller@northbridge.example',
        'Jürgen.Müller@northbridge.example',
        'ller@northbridge.example',
      ],
    });
    expect(plan.people).toMatchObject({ asked: 2, found: 1, not_found: ['ller@northbridge.example'] });
  });

  test('OP-45: a login that the search does not show is not found, but reported as existing', async () => {
    const course = campus.course(0);
    const [person] = campus.strangers(1, [course.id]);
    const { pseudonyms } = ts.sandbox.world;
    const first = [...pseudonyms.values()].find((one) => one.user_id === person?.id);
    if (!first) throw new Error('no login');
    const { id: _id, ...like } = first;
    const second = 'second.login@northbridge.example';
    pseudonyms.add({ ...like, unique_id: second, sis_user_id: null, integration_id: null });
    const { people: found } = await makePlan(alma, {
      role_id: 3,
      status: 'active',
      courses: [course.id],
      emails: [second],
    });
    expect(found).toMatchObject({
      found: 0,
      not_found: [second],
      there: [{ email: second, why: 'another-login' }],
    });
  });

  test('OP-45: an address that is not a login but receives email from the LMS is not found, but reported as existing', async () => {
    const [person, other] = campus.strangers(2, [campus.course(0).id]);
    if (!person || !other) throw new Error('nobody');
    const { channels } = ts.sandbox.world;
    const alias = 'Alias.ÖConnor@northbridge.example';
    for (const one of channels.by.user.get(person.id)) channels.change(one, { path: alias });
    const asked = (emails: string[]) =>
      makePlan(alma, { role_id: 3, status: 'active', courses: [campus.course(0).id], emails });
    const typed = alias.toLowerCase();
    const { people } = await asked([typed, alias.slice(1), person.email]);
    expect(people).toMatchObject({
      found: 1,
      not_found: [typed, alias.slice(1)],
      there: [{ email: typed, why: 'mail-address' }],
    });
  });

  test('CE-10, OP-45: an address that a spreadsheet has changed is rejected with its position', async () => {
    const refused = await askPlan(alma, {
      role_id: 3,
      status: 'active',
      courses: [campus.course(0).id],
      emails: ['ann@northbridge.example', '=ann@northbridge.example'],
    });
    expect(refused).toMatchObject({ status: 400, error: { code: 'bad-request' } });
    expect(JSON.stringify(refused.error?.details)).toContain('emails.1');
    expect(await lookups()).toEqual([]);
  });

  test('CE-22, OP-48: a failed lookup is failed, not unknown; a second request asks only for what is missing', async () => {
    const course = campus.course(0, 120);
    const emails = campus.strangers(30, [course.id]).map((person) => person.email);
    await campus.fault({
      match: '/api/v1/accounts/1/users',
      kind: 'status',
      status: 500,
      share: 0.2,
      count: 9,
    });
    const first = await askPlan(alma, { role_id: 3, status: 'active', courses: [course.id], emails });
    expect(first.plan?.people.not_found).toEqual([]);
    expect((first.plan?.people.found ?? 0) + (first.plan?.people.failed.length ?? 0)).toBe(30);
    await campus.clearFaults();
    await campus.forgetRequests();
    const again = await makePlan(alma, { role_id: 3, status: 'active', courses: [course.id], emails });
    expect(again.people.found).toBe(30);
    expect(await lookups()).toHaveLength(first.plan?.people.failed.length ?? -1);
  });

  test('CE-22: progress is accurate while the plan is created', async () => {
    const course = campus.course(0);
    await campus.fault({ match: '/api/v1/accounts/1/users', kind: 'latency', ms: 150 });
    const emails = [
      ...Array.from({ length: 3 }, (_, index) => `no${index}@northbridge.example`),
      ...campus
        .strangers(57, [course.id])
        .slice(-40)
        .map((person) => person.email),
    ];
    const { progress: seen, plan } = await askPlan(alma, {
      role_id: 3,
      status: 'active',
      courses: [course.id],
      emails,
    });
    const progress = seen.filter(({ stage }) => stage === 'Looking up people');
    expect(progress.length).toBeGreaterThan(1);
    expect(progress.map((line) => line.done)).toEqual(
      progress.map((line) => line.done).sort((a, b) => a - b),
    );
    expect(progress.every((line) => line.total === 43)).toBe(true);
    expect(plan?.people.not_found).toHaveLength(3);
  });

  test('a course that cannot be read keeps the documented rows, and the plan says so', async () => {
    const [one, two] = [campus.course(0), campus.course(1)];
    const emails = campus.strangers(2, [one.id, two.id]).map((person) => person.email);
    await campus.fault({ match: `/api/v1/courses/${one.id}/enrollments`, kind: 'status', status: 503 });
    const plan = await makePlan(alma, {
      role_id: 3,
      status: 'active',
      courses: [one.id, two.id],
      emails,
    });
    expect(plan.courses[0]).toMatchObject({
      add: 2,
      rows: 2,
      unread: expect.stringMatching(/did not answer/),
    });
    expect(plan.courses[1]).toMatchObject({ unread: null });
  });
});

describe('removing', () => {
  test('CE-05: one row for each enrolment, with its own section; the others are not enrolled', async () => {
    const { course, named, byHand, fallback, person } = await campus.inThreeSections(86, 3);
    const [stranger] = campus.strangers(1, [course.id]);
    const plan = await makePlan(alma, {
      role_id: 3,
      status: 'deleted',
      courses: [course.id],
      emails: [person.email, stranger?.email ?? ''],
    });
    expect(plan.courses[0]).toMatchObject({ remove: 1, not_enrolled: 1, rows: 3, add: 0 });
    expect(plan.courses[0]?.sections).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: named.id, sis_section_id: named.sis, assign: false }),
        expect.objectContaining({ id: byHand.id, assign: true }),
        expect.objectContaining({ id: fallback.id, sis_section_id: '', assign: false }),
      ]),
    );
    const list = (await people(alma, plan.id, course.id)) as z.output<typeof plannedPerson>[];
    expect(list[0]).toMatchObject({ change: 'remove' });
    expect(list[0]?.sections).toHaveLength(3);
    expect(list[1]).toMatchObject({ change: 'not-enrolled', sections: [] });
  });
});

describe('scope and limits', () => {
  test('PERM-08, OP-14: courses out of scope are treated as missing; courses without an SIS ID are skipped', async () => {
    const mine = campus.course(0, 86);
    const other = campus.course(0, 163);
    const manual = [...ts.sandbox.world.courses.values()].find(
      (course) =>
        course.account_id === 86 && course.sis_source_id === null && course.workflow_state !== 'deleted',
    );
    const plan = await makePlan(bruno, {
      role_id: 3,
      status: 'active',
      courses: [mine.id, other.id, manual?.id ?? 0, 999_999].filter((id) => id > 0),
      emails: [campus.strangers(1, [mine.id])[0]?.email ?? ''],
    });
    expect(plan.courses.map((course) => course.id)).toEqual([mine.id]);
    const reasons = new Map(plan.left_out.map((one) => [one.id, one.reason]));
    expect(reasons.get(other.id)).toBe(reasons.get(999_999));
    if (manual) expect(reasons.get(manual.id)).toMatch(/SIS ID/);
  });

  test('PERM-11, OP-34: a role outside the list is rejected before any call to the LMS', async () => {
    const mine = campus.course(0, 86);
    const refused = await askPlan(bruno, {
      role_id: 4,
      status: 'active',
      courses: [mine.id],
      emails: ['ann@northbridge.example'],
    });
    expect(refused).toMatchObject({ status: 403, error: { code: 'not-allowed' } });
    expect(await lookups()).toEqual([]);
  });

  test('K-04, OP-33: more rows than allowed are rejected before any call to the LMS', async () => {
    const refused = await askPlan(alma, {
      role_id: 3,
      status: 'active',
      courses: Array.from({ length: 501 }, (_, index) => index + 1),
      emails: Array.from({ length: 1_000 }, (_, index) => `p${index}@northbridge.example`),
    });
    expect(refused).toMatchObject({ status: 413, error: { code: 'too-many-rows' } });
    expect(refused.error?.message).toContain('501,000');
    expect(await campus.requests((one) => one.path.startsWith('/api/v1'))).toEqual([]);
  });

  test('PERM-07: the tool’s permission is needed', async () => {
    const carla = await ts.signIn(PEOPLE.records);
    const refused = await askPlan(carla, {
      role_id: 3,
      status: 'active',
      courses: [1],
      emails: ['ann@northbridge.example'],
    });
    expect(refused.status).toBe(403);
  });

  test('a plan belongs only to the person who requested it, and survives a reload', async () => {
    const mine = campus.course(0, 86);
    const plan = await makePlan(bruno, {
      role_id: 3,
      status: 'active',
      courses: [mine.id],
      emails: ['ann@northbridge.example'],
    });
    const path = ENDPOINTS.plan.replace(':plan', plan.id);
    expect((await (await bruno.fetch(path)).json()).data).toEqual(plan);
    expect((await alma.fetch(path)).status).toBe(404);
    expect(await people(alma, plan.id, mine.id)).toBe(404);
    expect(await people(bruno, plan.id, 424_242)).toBe(404);
  });

  test('calls to the LMS end when the plan is cancelled', async () => {
    const course = campus.course(0, 86);
    await campus.fault({ match: '/api/v1/accounts/1/users', kind: 'latency', ms: 300 });
    const request = {
      role_id: 3,
      status: 'active' as const,
      courses: [course.id],
      emails: Array.from({ length: 400 }, (_, index) => `gone${index}@northbridge.example`),
    };
    const { job } = await startPlan(alma, 'course-plan', request);
    await campus.seen((one) => /\/accounts\/1\/users\?/.test(one.path));
    expect(await cancelJob(alma, job?.id ?? '')).toMatchObject({ state: 'cancelled' });
    const before = (await lookups()).length;
    // Calls take turns: if the first plan had any calls left, they would arrive before this plan ends.
    await makePlan(alma, { ...request, emails: ['one.more@northbridge.example'] });
    const gone = (await lookups()).filter(({ path }) => path.includes('gone'));
    // Calls in flight at the end may reach the LMS after its log was read.
    expect(gone.length).toBeLessThanOrEqual(before + ts.config.lms.maxInFlight);
    expect(before).toBeLessThan(request.emails.length);
  });
});

test('OP-45 a plan saved before plans had a kind still opens, and only as its own kind', async () => {
  const course = campus.course(3);
  const [person] = campus.strangers(1, [course.id]);
  const emails = [person?.email ?? ''];
  const made = await makePlan(alma, { role_id: 3, status: 'active', courses: [course.id], emails });
  const { db } = ts.server.services;
  await db.exec('ALTER TABLE plans DROP COLUMN kind');
  const sqlFile = new URL('../../migrations/0017_plan_kind.sql', import.meta.url);
  for (const statement of (await readFile(sqlFile, 'utf8')).split('--> statement-breakpoint'))
    await db.exec(statement);
  const opened = async (endpoint: string) => {
    const response = await alma.fetch(endpoint.replace(':plan', made.id));
    return [response.status, ((await response.json()) as { data?: { id: string } }).data?.id];
  };
  expect(await opened(ENDPOINTS.plan)).toEqual([200, made.id]);
  for (const other of [ENDPOINTS.sectionPlan, ENDPOINTS.undoPlan, ENDPOINTS.groupPlan, ENDPOINTS.memberPlan])
    expect(await opened(other)).toEqual([404, undefined]);
});
