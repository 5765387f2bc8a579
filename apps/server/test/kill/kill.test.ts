/** The process is killed at every moment of an import; none is lost, none is sent twice (area IMP, OP-42). */
import { usersCsv } from '@lms-admin/domain/new-users';
import type { Sandbox } from '@lms-admin/sandbox/server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Campus, makePlan, makeSectionPlan, submit, submitted, watch } from '../enrollments/campus.ts';
import { Browser } from '../support/browser.ts';
import { chosenDatabase } from '../support/databases.ts';
import { type House, openHouse, pause, SEND, STEPS } from './house.ts';
import { freePort, Process } from './process.ts';

let house: House;
let sandbox: Sandbox;
let campus: Campus;
let server: Process;
let alma: Browser;

beforeAll(async () => {
  house = await openHouse();
  ({ sandbox, campus, server, alma } = house);
});
afterAll(() => house?.close());
beforeEach(() => campus.forgetRequests());
afterEach(() => campus.clearFaults());

const posts = () => house.posts();
const restart = () => house.restart();
const seen: House['seen'] = (filter) => house.seen(filter);

let used = 0;
/** A plan of some rows that nobody has asked for yet. */
async function freshPlan(people = 20) {
  const course = campus.courses()[used++];
  const chosen = campus.strangers(people, [course?.id ?? 0]);
  const plan = await makePlan(alma, {
    role_id: 3,
    status: 'active',
    courses: [course?.id ?? 0],
    emails: chosen.map((person) => person.email),
  });
  return { plan, courseId: course?.id ?? 0, people: chosen };
}

async function expectOnce(id: string, one: Awaited<ReturnType<typeof freshPlan>>): Promise<void> {
  expect(await watch(alma, id)).toMatchObject({ workflow_state: 'imported', final: true });
  expect(await campus.importsNamed(id)).toHaveLength(1);
  const inside = (await campus.enrolments(one.courseId, 3)).map((enrolment) => enrolment.user_id);
  for (const person of one.people) expect(inside.filter((userId) => userId === person.id)).toHaveLength(1);
}

test('killed before it was sent', async () => {
  const one = await freshPlan();
  await campus.fault({ ...SEND, kind: 'throttle' });
  const { id } = await submitted(alma, { plan: one.plan.id });
  await seen((request) => request.method === 'POST' && /\/sis_imports\b/.test(request.path));
  await server.kill();
  await campus.clearFaults();
  await server.start();
  await expectOnce(id, one);
  expect(await posts()).toHaveLength(1);
});

test('killed while sending: the LMS has not got it', async () => {
  const one = await freshPlan();
  await campus.fault({ ...SEND, kind: 'drop', when: 'before', count: 1 });
  const { id } = await submitted(alma, { plan: one.plan.id });
  await seen((request) => request.path.includes('created_since'));
  await restart();
  await expectOnce(id, one);
  expect(await posts()).toHaveLength(1);
});

test('killed while sending: the LMS has got it', async () => {
  const one = await freshPlan();
  await campus.fault({ ...SEND, kind: 'drop', when: 'after', count: 1 });
  const { id } = await submitted(alma, { plan: one.plan.id });
  await seen((request) => request.path.includes('created_since'));
  await restart();
  await expectOnce(id, one);
  expect(
    await campus.requests((request) => request.method === 'POST' && /\/sis_imports\b/.test(request.path)),
  ).toHaveLength(1);
});

test('killed in the middle of a sending that hangs', async () => {
  const one = await freshPlan();
  await campus.fault({ ...SEND, kind: 'latency', ms: 3_000, count: 1 });
  const { id } = await submitted(alma, { plan: one.plan.id });
  await pause(500);
  await restart();
  await expectOnce(id, one);
});

test('killed while following, and again', async () => {
  const one = await freshPlan(120);
  const { id } = await submitted(alma, { plan: one.plan.id });
  await watch(alma, id, (now) => now.workflow_state === 'importing');
  await restart();
  await watch(alma, id, (now) => now.progress > 0);
  await restart();
  await expectOnce(id, one);
  expect(await posts()).toHaveLength(1);
});

test('killed after the end: nothing happens again', async () => {
  const one = await freshPlan();
  const { id } = await submitted(alma, { plan: one.plan.id });
  const done = await watch(alma, id);
  await restart();
  await pause(500);
  expect(await watch(alma, id)).toEqual(done);
  await expectOnce(id, one);
  expect(await posts()).toHaveLength(1);
});

test('killed at random, with the answer of the submission perhaps lost', async () => {
  for (let round = 0; round < 4; round++) {
    const one = await freshPlan();
    const asked = submit(alma, { plan: one.plan.id }).catch(() => null);
    await pause(10 + Math.random() * 600);
    await restart();
    await asked;
    // The person presses the button again.
    const { id } = await submitted(alma, { plan: one.plan.id });
    await expectOnce(id, one);
  }
});

describe('people to be created (Create Users)', () => {
  let last = 770_000;
  async function create(key: string) {
    const people = Array.from({ length: 30 }, () => {
      const psID = String(last++);
      return { psID, email: `new.${psID}@northbridge.example`, firstName: 'Nora', lastName: 'Vance' };
    });
    const payload = { csv: usersCsv(people), key };
    return { payload, people, id: (await submitted(alma, payload)).id };
  }
  async function expectCreatedOnce({ id, payload, people }: Awaited<ReturnType<typeof create>>) {
    // The person presses the button again.
    expect((await submitted(alma, payload)).id).toBe(id);
    const done = await watch(alma, id);
    expect(done).toMatchObject({ workflow_state: 'imported', data: { counts: { users: people.length } } });
    expect(await campus.importsNamed(id)).toHaveLength(1);
    // None when the answer was cut off.
    expect((await posts()).length).toBeLessThanOrEqual(1);
    for (const { psID, email } of people) {
      expect(sandbox.world.pseudonyms.by.sis.get(psID)?.unique_id).toBe(email);
    }
  }

  test.each(STEPS)('CU-08, OP-42: killed %s', async (step, fault, reached) => {
    await campus.fault(fault);
    const one = await create(step);
    await reached(house);
    await server.kill();
    await campus.clearFaults();
    await server.start();
    await expectCreatedOnce(one);
  });

  test('CU-08, OP-42: killed while following, and after the end', async () => {
    const one = await create('while following');
    await watch(alma, one.id, (now) => now.workflow_state === 'importing');
    await restart();
    await expectCreatedOnce(one);
    await restart();
    await expectCreatedOnce(one);
  });
});

describe('people of sections, one of which has no SIS id yet (Section Enrollment)', () => {
  async function enrol() {
    const course = campus.courses()[used++];
    const sections = await Promise.all(
      ['Killed', 'Killed too'].map(async (name) => {
        const body = {
          course_section: { name, ...(name === 'Killed' ? {} : { sis_section_id: `KILLED-${used}` }) },
        };
        const made = await campus.api(`courses/${course?.id}/sections`, { method: 'POST', body });
        return ((await made.json()) as { id: number }).id;
      }),
    );
    const people = campus.strangers(10, [course?.id ?? 0]);
    const asked = {
      course: course?.id ?? 0,
      role_id: 3,
      status: 'active' as const,
      users: people.map(({ sis }) => sis),
    };
    const plan = await makeSectionPlan(
      alma,
      sections.map((section) => ({ ...asked, section })),
    );
    return {
      plan: plan.id,
      sections,
      people,
      courseId: asked.course,
      id: (await submitted(alma, { plan: plan.id })).id,
    };
  }
  async function expectEnrolledOnce({
    id,
    plan,
    sections,
    people,
    courseId,
  }: Awaited<ReturnType<typeof enrol>>) {
    // The person presses the button again.
    expect((await submitted(alma, { plan })).id).toBe(id);
    expect(await watch(alma, id)).toMatchObject({ workflow_state: 'imported', rows: 20, note: null });
    expect(await campus.importsNamed(id)).toHaveLength(1);
    // None when the answer was cut off.
    expect((await posts()).length).toBeLessThanOrEqual(1);
    const seats = (await campus.enrolments(courseId, 3)).map(
      (one) => `${one.course_section_id} ${one.user_id}`,
    );
    const wanted = sections.flatMap((section) => people.map((person) => `${section} ${person.id}`));
    expect(seats.filter((seat) => wanted.includes(seat)).sort()).toEqual(wanted.sort());
    expect(sandbox.world.sections.get(sections[0] ?? 0)?.sis_source_id).toMatch(/-KILLED$/);
  }
  const PUT = { match: '/api/v1/sections/*', method: 'PUT' };

  test.each<(typeof STEPS)[number]>([
    // The request is not in the list of requests before it is answered.
    [
      'while a section is given its SIS id',
      { ...PUT, kind: 'latency', ms: 3_000, count: 1 },
      () => pause(700),
    ],
    [
      'when a section has got its SIS id and the answer is lost',
      { ...PUT, kind: 'drop', when: 'after', count: 1 },
      () => house.seen(({ method }) => method === 'PUT'),
    ],
    ...STEPS,
  ])('SE-01, OP-51, OP-42: killed %s', async (_step, fault, reached) => {
    await campus.fault(fault);
    const one = await enrol();
    await reached(house);
    await server.kill();
    await campus.clearFaults();
    await server.start();
    await expectEnrolledOnce(one);
  });

  test('SE-01, OP-42: killed while following, and after the end', async () => {
    const one = await enrol();
    await watch(alma, one.id, (now) => now.workflow_state === 'importing' || now.final);
    await restart();
    await expectEnrolledOnce(one);
    await restart();
    await expectEnrolledOnce(one);
  });
});

if (chosenDatabase() === 'postgres')
  test('with PostgreSQL another server takes over when the lease has run out', async () => {
    const port = await freePort();
    const other = new Process(house.main, { ...house.env, PORT: String(port), LMS_ADMIN_URL: alma.home });
    await other.start();
    try {
      const one = await freshPlan(120);
      const { id } = await submitted(alma, { plan: one.plan.id });
      await watch(alma, id, (now) => now.workflow_state === 'importing');
      await server.kill();
      const elsewhere = new Browser(`http://localhost:${port}`);
      for (const [name, value] of alma.cookies) elsewhere.cookies.set(name, value);
      const done = await watchFrom(elsewhere, alma.home, id);
      expect(done).toMatchObject({ workflow_state: 'imported' });
      expect(await posts()).toHaveLength(1);
    } finally {
      await other.kill();
      await server.start();
    }
  });

/** Asks the second server, whose public address is the first one's. */
async function watchFrom(browser: Browser, origin: string, id: string) {
  for (let round = 0; round < 300; round++) {
    const response = await browser.invoke(`accounts/1/sis_imports/${id}`, 'GET', undefined, { origin });
    const { data } = await response.json();
    if (data.final) return data;
    await pause(50);
  }
  throw new Error('nobody took over');
}
