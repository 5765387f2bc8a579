/**
 * Imports that change the same courses run one after another, whoever sent them and whichever server runs
 * them (OP-42, OP-107).
 */
import type { SisImport } from '@lms-admin/contract/imports';
import { usersCsv } from '@lms-admin/domain/new-users';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  Campus,
  cancelJob,
  jobOf,
  makeMemberPlan,
  makePlan,
  makeSectionPlan,
  type Person,
  submitted,
  undoOf,
  watch,
} from '../enrollments/campus.ts';
import { csvOf, fatesOf, fromCsv, type GroupedCourse, groupedCourse, membersOf } from '../groups/support.ts';
import { uploaded } from '../sis-files/support.ts';
import type { Browser } from '../support/browser.ts';
import { chosenDatabase, freshDatabase } from '../support/databases.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';

const KEY = '11'.repeat(32);
/** Two servers on one database, if the database allows it. */
let own: Awaited<ReturnType<typeof freshDatabase>> | null = null;
let servers: TestServer[];
let campus: Campus;
let alma: Browser;
/** The same admin in a second tab, or on a second server. */
let almaAgain: Browser;
let bruno: Browser;

beforeAll(async () => {
  own = chosenDatabase() === 'postgres' ? await freshDatabase({ migrated: true }) : null;
  const school = { SCHOOL_EMAIL_DOMAIN: 'northbridge.example' };
  const env = { LMS_ADMIN_KEY: KEY, ...school, ...(own ? { DATABASE_URL: own.url } : {}) };
  // One row a second, so that the next import arrives while the previous one is still running.
  const first = await startTestServer({ env, sandbox: { throttle: false, importPace: 10 } });
  servers = own ? [first, await startTestServer({ env, lms: first.sandbox })] : [first];
  campus = new Campus(first.sandbox);
  const other = servers.at(-1) ?? first;
  alma = await first.signIn(PEOPLE.all);
  almaAgain = await other.signIn(PEOPLE.all);
  bruno = await other.signIn(PEOPLE.custom);
});
afterAll(async () => {
  for (const one of servers.toReversed()) await one.close();
  await own?.drop();
});
beforeEach(() => campus.forgetRequests());
afterEach(() => campus.clearFaults());

const sendings = async () =>
  (await campus.requests((one) => one.method === 'POST' && one.path.includes('/sis_imports'))).length;
const people = async ({ groups }: GroupedCourse) =>
  Promise.all(groups.map((group) => membersOf(campus, group)));
const ended = (browser: Browser, one: SisImport) => watch(browser, one.id);
/** Stops progress reports of the LMS: no import ends for LMS Admin, so the next one has to wait. */
const hold = () =>
  campus.fault({ match: '/api/v1/accounts/1/sis_imports/*', method: 'GET', kind: 'status', status: 503 });
/** Returns the text shown for an import that waits for another. */
async function waits(browser: Browser, one: SisImport): Promise<string> {
  for (;;) {
    const { state, waiting, ended_at } = await jobOf(browser, one.id);
    if (state === 'waiting' && waiting !== null) return waiting.why;
    if (ended_at !== null) throw new Error('it has ended without waiting');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('OP-107 two tabs put the same people into different groups: the second compares after the first has ended', async () => {
  const course = await groupedCourse(campus);
  const [g1, g2] = course.groups;
  const [a, b, c, d] = course.students as [Person, Person, Person, Person];
  const first = await makeMemberPlan(alma, {
    course: course.id,
    from: fromCsv(csvOf([g1.sis, a.sis], [g1.sis, b.sis], [g1.sis, c.sis])),
  });
  const second = await makeMemberPlan(almaAgain, {
    course: course.id,
    from: fromCsv(csvOf([g2.sis, a.sis], [g2.sis, d.sis])),
  });
  expect(fatesOf(second)).toEqual([
    [2, 'add'],
    [3, 'add'],
  ]);
  await hold();
  const sent = await submitted(alma, { plan: first.id });
  const next = await submitted(almaAgain, { plan: second.id });
  expect(await waits(almaAgain, next)).toBe(
    `Waiting for your import “${sent.label}”, which changes the same courses or people. Nothing has been sent so far.`,
  );
  expect(await watch(almaAgain, next.id, ({ note }) => note !== null)).toMatchObject({
    note: expect.stringMatching(/^Waiting for your import/),
    canvas_id: null,
  });
  await campus.clearFaults();
  expect(await ended(alma, sent)).toMatchObject({ verdict: 'done', rows: 3 });
  // The people are now in the group, and their move was never reviewed.
  expect(await ended(almaAgain, next)).toMatchObject({
    verdict: 'partly',
    rows: 1,
    note: expect.stringContaining(
      `has since joined the group ${g1.name}. This row would remove them from it.`,
    ),
  });
  const sorted = (...those: Person[]) => those.map(({ id }) => id).sort((x, y) => x - y);
  expect(await people(course)).toEqual([sorted(a, b, c), sorted(d), []]);
});

test('IMP-19 an import by another person, by another tool or from a file also waits; an import for other courses does not', async () => {
  const course = campus.courseForRows(2);
  const other = campus.courseForRows(3);
  const newcomers = campus.strangers(8, [course.id, other.id]);
  const [one, two, three, four, five, six] = newcomers as [Person, Person, Person, Person, Person, Person];
  const rows = (sis: string, who: Person) => `course_id,user_id,role_id,status\n${sis},${who.sis},3,active`;
  const coursePlan = await makePlan(alma, {
    courses: [course.id],
    role_id: 3,
    status: 'active',
    emails: [one, two, three, four].map(({ email }) => email),
  });
  const section = [...servers[0]!.sandbox.world.sections.by.course.get(course.id)].find(
    ({ workflow_state }) => workflow_state === 'active',
  );
  const sectionPlan = await makeSectionPlan(bruno, [
    { course: course.id, section: section?.id ?? 0, role_id: 3, status: 'active', users: [five.sis] },
  ]);
  const file = await uploaded(almaAgain, rows(course.sis, six));
  await hold();
  const sent = await submitted(alma, { plan: coursePlan.id });
  await watch(alma, sent.id, ({ canvas_id }) => canvas_id !== null);
  const ofBruno = await submitted(bruno, { plan: sectionPlan.id });
  const ofFile = await submitted(almaAgain, { file: file.id });
  const elsewhere = await submitted(almaAgain, rows(other.sis, five));
  expect(await waits(bruno, ofBruno)).toMatch(/^Waiting for an import by Alma Reyes, /);
  expect(await waits(almaAgain, ofFile)).toMatch(/^Waiting for your import “/);
  // The import into another course is sent immediately.
  await watch(almaAgain, elsewhere.id, ({ canvas_id }) => canvas_id !== null);
  expect(await watch(alma, sent.id, () => true)).toMatchObject({ final: false });
  expect(await sendings()).toBe(2);
  await campus.clearFaults();
  for (const [browser, each] of [
    [alma, sent],
    [bruno, ofBruno],
    [almaAgain, ofFile],
    [almaAgain, elsewhere],
  ] as const)
    expect(await ended(browser, each)).toMatchObject({ verdict: 'done' });
  expect(await sendings()).toBe(4);
});

test('IMP-19 a waiting import can be cancelled without sending anything, and the next one takes its place', async () => {
  const course = await groupedCourse(campus);
  const [g1, g2, g3] = course.groups;
  const [a, b, c, d, e] = course.students as [Person, Person, Person, Person, Person];
  const plan = (...rows: [string, string][]) =>
    makeMemberPlan(alma, { course: course.id, from: fromCsv(csvOf(...rows)) });
  const plans = [
    await plan([g1.sis, a.sis], [g1.sis, b.sis], [g1.sis, c.sis]),
    await plan([g2.sis, d.sis]),
    await plan([g3.sis, e.sis]),
  ];
  await hold();
  const sent: SisImport[] = [];
  for (const { id } of plans) sent.push(await submitted(alma, { plan: id }));
  const [first, second, third] = sent as [SisImport, SisImport, SisImport];
  await waits(alma, second);
  await waits(alma, third);
  expect(await cancelJob(alma, second.id)).toMatchObject({
    outcome: 'cancelled',
    note: 'Cancelled before anything was sent: nothing in the LMS has changed.',
  });
  await campus.clearFaults();
  expect(await ended(alma, first)).toMatchObject({ verdict: 'done' });
  expect(await ended(alma, third)).toMatchObject({ verdict: 'done' });
  expect((await people(course)).map((those) => those.length)).toEqual([3, 0, 1]);
});

/** Submits an import that bypasses LMS Admin, like those that the records office sends. */
async function foreign(csv: string): Promise<number> {
  const headers = { authorization: 'Bearer sandbox-admin-token', 'content-type': 'text/csv' };
  const url = `${servers[0]!.sandbox.url}/api/v1/accounts/1/sis_imports?extension=csv`;
  const answer = await fetch(url, { method: 'POST', headers, body: csv });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { id: number }).id;
}

const enrolmentsOf = (sis: string, those: readonly Person[]) =>
  ['course_id,user_id,role_id,status', ...those.map((each) => `${sis},${each.sis},3,active`)].join('\n');

const WAITS_FOR_FOREIGN =
  'The LMS must first finish an import that did not come from LMS Admin. This import is then compared with the LMS and sent. Nothing has been sent so far.';

test('IMP-19 an import that the LMS has not started yet says what it waits for', async () => {
  const [one, other] = [3, 4].map((at) => campus.courseForRows(at));
  if (!one || !other) throw new Error('no courses');
  const people = campus.strangers(60, [one.id, other.id]);
  const first = await submitted(alma, enrolmentsOf(one.sis, people));
  await watch(alma, first.id, ({ canvas_id }) => canvas_id !== null);
  const next = await submitted(bruno, enrolmentsOf(other.sis, people.slice(0, 1)));
  const told = await watch(bruno, next.id, ({ note }) => note !== null);
  expect(told).toMatchObject({
    workflow_state: 'created',
    canvas_id: expect.any(Number),
    note: 'The LMS has this import, but processes one import at a time. This one starts after an import by Alma Reyes.',
  });
  expect(await jobOf(bruno, next.id)).toMatchObject({
    stage: 'Waiting for the LMS to start',
    note: told.note,
  });
  expect(await ended(alma, first)).toMatchObject({ verdict: 'done', note: null });
  expect(await ended(bruno, next)).toMatchObject({ verdict: 'done', note: null });
});

test('IMP-19, CE-12 other imports in the LMS finish before the last comparison, so their changes are not repeated', async () => {
  const [far, course] = [campus.courseForRows(4), campus.courseForRows(7)];
  const section = campus.defaultSection(course.id);
  const [added, ours, ...filler] = campus.strangers(8, [far.id, course.id]);
  if (!added || !ours) throw new Error('nobody');
  const emails = [added.email, ours.email];
  const plan = await makePlan(alma, { role_id: 3, status: 'active', courses: [course.id], emails });
  await foreign(`${enrolmentsOf(far.sis, filler)}\n${course.sis},${added.sis},3,active\n`);
  const sent = await submitted(alma, { plan: plan.id });
  const told = await watch(alma, sent.id, ({ note }) => note !== null);
  expect(told).toMatchObject({ canvas_id: null, note: WAITS_FOR_FOREIGN });
  // The import does not wait for those that reach the LMS later.
  await foreign(enrolmentsOf(far.sis, filler.slice(0, 2)));
  const end = await ended(alma, sent);
  expect(end).toMatchObject({ verdict: 'partly', rows: 1 });
  expect(end.note).toContain(`(${added.sis}) was skipped`);
  const undo = await undoOf(alma, end);
  await ended(alma, await submitted(alma, { plan: undo.id }));
  expect([added, ours].map(({ id }) => campus.stateOf(id, section.id, 3))).toEqual(['active', 'deleted']);
});

test('IMP-19 an import that waits for others in the LMS can be cancelled without sending anything', async () => {
  const [far, course] = [campus.courseForRows(4), campus.courseForRows(8)];
  const people = campus.strangers(8, [far.id, course.id]);
  await foreign(enrolmentsOf(far.sis, people));
  const sent = await submitted(alma, enrolmentsOf(course.sis, people.slice(0, 1)));
  await watch(alma, sent.id, ({ note }) => note === WAITS_FOR_FOREIGN);
  expect(await cancelJob(alma, sent.id)).toMatchObject({ outcome: 'cancelled' });
  expect(await sendings()).toBe(1);
});

test('CU-20, IMP-19 a person whom another import creates first is neither renamed nor reported as created', async () => {
  const course = campus.courseForRows(4);
  const filler = campus.strangers(8, [course.id]);
  const [id, login] = ['771001', 'real.person@northbridge.example'];
  const users = usersCsv([
    { psID: id, email: login, firstName: 'Wrong', lastName: 'Name' },
    { psID: '771002', email: 'second.name@northbridge.example', firstName: 'Second', lastName: 'Name' },
  ]);
  await foreign(enrolmentsOf(course.sis, filler));
  await foreign(`user_id,login_id,first_name,last_name,status\n${id},${login},Real,Person,active\n`);
  const end = await ended(alma, await submitted(alma, users));
  expect(end).toMatchObject({ verdict: 'partly', rows: 1 });
  const [person] = [...servers[0]!.sandbox.world.pseudonyms.values()].filter((one) => one.sis_user_id === id);
  expect(servers[0]!.sandbox.world.users.must(person?.user_id ?? 0).name).toBe('Real Person');
});

test('IMP-19 if the LMS does not show its queue, an import is still followed', async () => {
  const [one, other] = [campus.courseForRows(5), campus.courseForRows(6)];
  const people = campus.strangers(6, [one.id, other.id]);
  const rows = (sis: string, count: number) =>
    [
      'course_id,user_id,role_id,status',
      ...people.slice(0, count).map((each) => `${sis},${each.sis},3,active`),
    ].join('\n');
  const first = await submitted(alma, rows(one.sis, 6));
  const second = await submitted(alma, rows(other.sis, 1));
  await watch(alma, second.id, ({ canvas_id }) => canvas_id !== null);
  await campus.forgetRequests();
  await campus.fault({ match: '/api/v1/accounts/1/sis_imports', method: 'GET', kind: 'status', status: 403 });
  await campus.seen(({ path, status }) => path.includes('workflow_state') && status === 403);
  expect(await ended(alma, first)).toMatchObject({ verdict: 'done', note: null });
  expect(await ended(alma, second)).toMatchObject({ verdict: 'done', note: null });
});

test('IMP-19 a paused import and a newer one that was lost on the way to the LMS never wait for each other', async () => {
  const course = await groupedCourse(campus);
  const [g1] = course.groups;
  const [a] = course.students as [Person];
  const [stranger] = campus.strangers(1, [course.id]);
  const section = campus.defaultSection(course.id);
  if (!stranger) throw new Error('nobody');
  const first = await makeMemberPlan(alma, { course: course.id, from: fromCsv(csvOf([g1.sis, a.sis])) });
  const second = await makeSectionPlan(alma, [
    { course: course.id, section: section.id, role_id: 3, status: 'active', users: [stranger.sis] },
  ]);
  // The older import cannot be compared, so it pauses. The newer one depends on other calls to the LMS.
  await campus.fault({ match: `/api/v1/courses/${course.id}/users`, kind: 'status', status: 500 });
  const rests = await submitted(alma, { plan: first.id });
  await watch(alma, rests.id, ({ note }) => /does not answer/.test(note ?? ''));
  // In the meantime it is the newer import's turn. The import does not reach the LMS, and for a while this is
  // unknown.
  const sisImports = '/api/v1/accounts/1/sis_imports';
  await campus.fault({ match: sisImports, method: 'POST', kind: 'drop', when: 'before', count: 1 });
  await campus.fault({ match: `${sisImports}?created_since=*`, method: 'GET', kind: 'status', status: 503 });
  const lost = await submitted(alma, { plan: second.id });
  await watch(alma, lost.id, ({ note }) => /did not receive the LMS’s answer/.test(note ?? ''));
  await waits(alma, rests);
  await campus.clearFaults();
  expect(await ended(alma, rests)).toMatchObject({ verdict: 'done' });
  expect(await ended(alma, lost)).toMatchObject({ verdict: 'done' });
  expect((await people(course)).map((those) => those.length)).toEqual([1, 0, 0]);
  expect(campus.stateOf(stranger.id, section.id, 3)).toBe('active');
});

// The embedded database allows only one server.
if (chosenDatabase() === 'postgres')
  test('IMP-19 a server that stops passes its turn to the other: nothing is sent twice, and nothing waits forever', async () => {
    const [stays] = servers as [TestServer];
    const ends = await startTestServer({
      env: { LMS_ADMIN_KEY: KEY, DATABASE_URL: own?.url ?? '' },
      lms: stays.sandbox,
    });
    const there = await ends.signIn(PEOPLE.all);
    const course = await groupedCourse(campus);
    const [g1, g2] = course.groups;
    const [a, b, c] = course.students as [Person, Person, Person];
    const first = await makeMemberPlan(there, {
      course: course.id,
      from: fromCsv(csvOf([g1.sis, a.sis], [g1.sis, b.sis])),
    });
    const second = await makeMemberPlan(there, { course: course.id, from: fromCsv(csvOf([g2.sis, c.sis])) });
    // It is the import's turn, and its comparison is blocked when its server stops.
    await campus.fault({ match: `/api/v1/courses/${course.id}/users`, kind: 'latency', ms: 4_000 });
    const sent = await submitted(there, { plan: first.id });
    const next = await submitted(there, { plan: second.id });
    await waits(there, next);
    await ends.close();
    await campus.clearFaults();
    expect(await ended(alma, sent)).toMatchObject({ verdict: 'done' });
    expect(await ended(alma, next)).toMatchObject({ verdict: 'done' });
    expect((await people(course)).map((those) => those.length)).toEqual([2, 1, 0]);
    expect(await sendings()).toBe(2);
  });

test('CU-17, IMP-19 if two tabs send the same new people, the second import waits, creates only those still missing, and names existing people', async () => {
  const person = (psID: string) => ({
    psID,
    email: `two.tabs.${psID}@northbridge.example`,
    firstName: 'Zoë',
    lastName: 'Łukasz',
  });
  const [one, two, three] = ['7755001', '7755002', '7755003'] as const;
  await hold();
  const sent = await submitted(alma, usersCsv([person(one), person(two)]));
  const next = await submitted(almaAgain, usersCsv([person(two), person(three)]));
  await campus.clearFaults();
  expect(await ended(alma, sent)).toMatchObject({ verdict: 'done', rows: 2 });
  const second = await ended(almaAgain, next);
  expect(second).toMatchObject({ verdict: 'partly', rows: 1 });
  const { pseudonyms } = servers[0]!.sandbox.world;
  const created = [one, two, three].map((id) => pseudonyms.by.sis.get(id)?.unique_id);
  expect(created).toEqual([one, two, three].map((id) => person(id).email));
  // Created once.
  expect([...pseudonyms.values()].filter(({ unique_id }) => unique_id === person(two).email)).toHaveLength(1);
  expect(second.note ?? '').toMatch(/1 row was skipped|already/);
});
