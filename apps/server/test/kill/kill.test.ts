/**
 * The server is killed at every moment of an import, for each source, while the clock of the LMS agrees or is
 * off by twenty minutes in either direction: no import is lost, and none is sent twice (requirements IMP, CE,
 * SE, CU, SIS; OP-42).
 */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { jobOf, statusOf, submit, submitted, watch } from '../enrollments/campus.ts';
import { Browser } from '../support/browser.ts';
import { chosenDatabase } from '../support/databases.ts';
import { type Deployment, EVERY_KILL, openDeployment, pause } from './deployment.ts';
import { type Asked, aPlan, aSectionPlan, aZip, expectOnce, plansOfOneCourse, SOURCES } from './sources.ts';

const SEND = { match: '/api/v1/accounts/1/sis_imports', method: 'POST' };
/** The request that looks up a lost import: while it fails, the result is unknown. */
const LOOK = {
  match: '/api/v1/accounts/1/sis_imports?created_since=*',
  method: 'GET',
  kind: 'status',
  status: 503,
};
const many = SOURCES.length;

/**
 * Points at which an import is stopped: the faults that hold it there, and how it shows that it has arrived.
 */
const STEPS: [string, Record<string, unknown>[], (deployment: Deployment, id: string) => Promise<boolean>][] =
  [
    [
      'before it was sent',
      [{ ...SEND, kind: 'throttle' }],
      async ({ alma }, id) => /does not answer/.test((await statusOf(alma, id)).note ?? ''),
    ],
    [
      'while sending: the LMS has not got it',
      [{ ...SEND, kind: 'drop', when: 'before', count: many }, LOOK],
      async ({ alma }, id) => /did not receive the LMS’s answer/.test((await statusOf(alma, id)).note ?? ''),
    ],
    [
      'while sending: the LMS has got it',
      [{ ...SEND, kind: 'drop', when: 'after', count: many }, LOOK],
      async ({ alma }, id) => /did not receive the LMS’s answer/.test((await statusOf(alma, id)).note ?? ''),
    ],
    [
      'in the middle of a sending that hangs',
      [{ ...SEND, kind: 'latency', ms: 1_500, count: many }],
      // If there are many imports, the first may already be finished.
      async ({ alma }, id) => {
        const { stage, state } = await jobOf(alma, id);
        return state === 'done' || /Sending to|is working on/.test(stage ?? '');
      },
    ],
    ['while following', [], async ({ alma }, id) => (await statusOf(alma, id)).canvas_id !== null],
  ];
/** Minutes by which the LMS clock is off. In the rest of this file both clocks agree. */
const MINUTES = [20, -20];
const postgres = chosenDatabase() === 'postgres';
/**
 * A single server on the embedded database starts far more slowly and does the same, so only the two riskiest
 * moments are tested.
 */
const ON_EMBEDDED = ['while sending: the LMS has got it', 'while following'];
/**
 * Goes through the steps with one server and with two, each with one of the clocks; with `KILLS=all` each
 * with all of them.
 */
const roundsOf = (servers: number) =>
  STEPS.flatMap((step, at) => {
    if (EVERY_KILL) return MINUTES.map((minutes) => [...step, minutes] as const);
    if (postgres ? at % 2 !== servers - 1 : !ON_EMBEDDED.includes(step[0])) return [];
    return [[...step, MINUTES[(at >> 1) % MINUTES.length] ?? 0] as const];
  });

describe.each(postgres ? [1, 2] : [1])('servers on one database: %i', (servers) => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await openDeployment(servers);
  });
  afterAll(() => deployment?.close());
  beforeEach(() => deployment.campus.forgetRequests());
  afterEach(async () => {
    await deployment.campus.clearFaults();
    deployment.clock.minutes = 0;
  });

  async function begun(one: Asked) {
    return { one, id: (await submitted(deployment.alma, one.payload)).id };
  }

  test.each(roundsOf(servers))(
    'OP-42 an import killed %s is done once',
    async (_step, faults, isThere, minutes) => {
      deployment.clock.minutes = minutes;
      const all: Asked[] = [];
      for (const source of SOURCES) all.push(await source(deployment));
      for (const fault of faults) await deployment.campus.fault(fault);
      const asked = await Promise.all(all.map(begun));
      await Promise.all(asked.map(({ id }) => expect.poll(() => isThere(deployment, id)).toBe(true)));
      await deployment.restart(() => deployment.campus.clearFaults());
      for (const { id, one } of asked) await expectOnce(deployment, id, one);
    },
  );

  test('OP-42 an import killed at a random moment is done once, even if the answer to the submission was lost', async () => {
    for (let round = 0; round < (EVERY_KILL ? 4 : 1); round++) {
      const one = await aPlan(deployment);
      const asked = submit(deployment.alma, one.payload).catch(() => null);
      await pause(10 + Math.random() * 600);
      await deployment.restart();
      await asked;
      // The person submits again.
      const { id } = await submitted(deployment.alma, one.payload);
      await expectOnce(deployment, id, one);
    }
  });

  const FOLLOW = { match: '/api/v1/accounts/1/sis_imports/*', method: 'GET', kind: 'status', status: 503 };
  const FIRST: [string, Record<string, unknown>[]][] = [
    ['is being followed', [FOLLOW]],
    ['may have been sent or not', [{ ...SEND, kind: 'drop', when: 'after', count: 1 }, LOOK]],
  ];
  test.each(postgres && !EVERY_KILL ? FIRST.slice(servers - 1, servers) : FIRST)(
    'OP-42 IMP-19 imports killed while they wait for one that %s each get their turn, once',
    async (_how, faults) => {
      const { alma, campus, sandbox } = deployment;
      const all = await plansOfOneCourse(deployment, 3);
      for (const fault of faults) await campus.fault(fault);
      const asked: { one: Asked; id: string }[] = [];
      for (const one of all) asked.push(await begun(one));
      const [first, ...others] = asked.map(({ id }) => id);
      const waiting = () =>
        Promise.all(others.map(async (id) => (await jobOf(alma, id)).waiting?.why ?? 'does not wait'));
      const words = expect.stringMatching(/^Waiting for your import “/);
      await expect.poll(waiting).toEqual(others.map(() => words));
      // Waiting imports also wait on the server that starts next.
      await deployment.restart();
      await expect.poll(waiting).toEqual(others.map(() => words));
      expect(await campus.importsNamed(others[0] ?? '')).toEqual([]);
      await deployment.restart(() => campus.clearFaults());
      for (const { id, one } of asked) await expectOnce(deployment, id, one);
      // The LMS received each import after the previous one had ended.
      const numbers = await Promise.all([first, ...others].map((id) => statusOf(alma, id ?? '')));
      const batches = numbers.map(({ canvas_id }) => sandbox.world.sisBatches.must(canvas_id ?? 0));
      for (const [at, batch] of batches.entries())
        expect(batch.created_at >= (batches[at - 1]?.ended_at ?? '')).toBe(true);
    },
  );

  if (servers > 1) {
    test('another server takes over when the lease expires', async () => {
      const one = await aPlan(deployment, 240);
      const { id } = await begun(one);
      await watch(deployment.alma, id, (now) => now.workflow_state === 'importing');
      await deployment.servers[0]?.kill();
      try {
        const elsewhere = new Browser(`http://localhost:${deployment.port}`);
        for (const [name, value] of deployment.alma.cookies) elsewhere.cookies.set(name, value);
        const done = await watchFrom(elsewhere, deployment.alma.home, id);
        expect(done).toMatchObject({ workflow_state: 'imported' });
      } finally {
        await deployment.servers[0]?.start();
      }
      await expectOnce(deployment, id, one);
    });
    return;
  }

  test('IMP-01 if the server is killed after the end, nothing happens again', async () => {
    const { id, one } = await begun(await aPlan(deployment));
    const done = await watch(deployment.alma, id);
    await deployment.restart();
    await pause(500);
    expect(await watch(deployment.alma, id)).toEqual(done);
    await expectOnce(deployment, id, one);
  });

  const PUT = { match: '/api/v1/sections/*', method: 'PUT' };
  test.each<[string, Record<string, unknown>, () => Promise<unknown>]>([
    // The request does not appear in the list of requests until it is answered.
    ['while a section gets its SIS ID', { ...PUT, kind: 'latency', ms: 3_000, count: 1 }, () => pause(700)],
    [
      'after a section got its SIS ID, with the answer lost',
      { ...PUT, kind: 'drop', when: 'after', count: 1 },
      () => deployment.campus.seen(({ method }) => method === 'PUT'),
    ],
  ])('SE-01, OP-51, OP-42: an import killed %s is done once', async (_step, fault, reached) => {
    const asked = await aSectionPlan(deployment);
    await deployment.campus.fault(fault);
    const { id, one } = await begun(asked);
    await reached();
    await deployment.restart(() => deployment.campus.clearFaults());
    await expectOnce(deployment, id, one);
  });

  test('SE-01, OP-51: if an import is killed once a section has its new SIS ID, and then cancelled, the result names the section', async () => {
    const { alma, campus, sandbox } = deployment;
    const { payload } = await aSectionPlan(deployment);
    await campus.fault({ ...PUT, kind: 'drop', when: 'after', count: 1 });
    await campus.fault({ ...SEND, kind: 'throttle' });
    const { id } = await submitted(alma, payload);
    await campus.seen(({ method }) => method === 'PUT');
    const [put] = await campus.requests(({ method }) => method === 'PUT');
    const named = sandbox.world.sections.must(Number(put?.path.split('/').at(-1)));
    await deployment.restart(async () => {
      await campus.clearFaults();
      // A request made before sections get their ids.
      for (const place of ['courses', 'sections'])
        await campus.fault({
          match: `/api/v1/${place}/*/enrollments*`,
          method: 'GET',
          kind: 'drop',
          when: 'before',
        });
    });
    const isOver = async () => {
      await alma.post(ENDPOINTS.jobCancel.replace(':job', id), {});
      return (await jobOf(alma, id)).ended_at !== null;
    };
    await expect.poll(isOver).toBe(true);
    const { verdict, processing_errors } = await statusOf(alma, id);
    expect([verdict, processing_errors]).toEqual([
      'cancelled',
      [
        [
          null,
          `Cancelled before any row was sent: no enrolment has changed. 1 section was given an SIS ID for this import and will stay. Its SIS ID is "${named.sis_source_id}".`,
        ],
      ],
    ]);
  });

  test('SIS-09: if the server is killed while a zip is uploaded, its temporary file is deleted, and the next attempt works', async () => {
    const boundary = 'a-boundary';
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.zip"\r\n\r\nPK\u0003\u0004`;
        controller.enqueue(new TextEncoder().encode(head + 'x'.repeat(1_000_000)));
      },
    });
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
    const cut = deployment.alma
      .fetch(ENDPOINTS.sisFiles, { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
      .catch(() => null);
    const laidDown = () => readdir(join(deployment.folder, 'uploads')).catch(() => []);
    await expect.poll(laidDown).toHaveLength(1);
    await deployment.restart();
    await cut;
    // With PostgreSQL the file might belong to another process, so it is deleted later.
    if (!postgres) expect(await laidDown()).toEqual([]);
    const { id, one } = await begun(await aZip(deployment));
    await expectOnce(deployment, id, one);
  });
});

/** Calls the second server, which has the same public address as the first. */
async function watchFrom(browser: Browser, origin: string, id: string) {
  for (let round = 0; round < 300; round++) {
    const response = await browser.invoke(`accounts/1/sis_imports/${id}`, 'GET', undefined, { origin });
    const { data } = await response.json();
    if (data.final) return data;
    await pause(50);
  }
  throw new Error('nobody took over');
}
