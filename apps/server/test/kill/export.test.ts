/**
 * An export of a large course that is killed at each of its steps continues automatically and ends with one
 * file. Also a server stopped during an export, and a file downloaded after a restart.
 */
import { randomUUID } from 'node:crypto';
import { ENDPOINTS, jobStartPath } from '@lms-admin/contract/endpoints';
import { job as jobSchema } from '@lms-admin/contract/jobs';
import { STUDENT_EXPORT } from '@lms-admin/contract/student-export';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { jobOf } from '../enrollments/campus.ts';
import { type Deployment, openDeployment, pause, SERVERS } from './deployment.ts';

/** Enough students for the file to take long enough to be interrupted. */
const STUDENTS = 8_000;

describe.each(SERVERS)('servers on one database: %i', (servers) => {
  let deployment: Deployment;
  let course: number;
  beforeAll(async () => {
    deployment = await openDeployment(servers);
    course = largeCourse();
  });
  afterAll(() => deployment?.close());
  beforeEach(() => deployment.campus.forgetRequests());
  afterEach(() => deployment.campus.clearFaults());

  function largeCourse(): number {
    const { world } = deployment.sandbox;
    const { id } = deployment.campus.course(0);
    const [like] = world.enrollments.by.course.get(id).filter((one) => one.type === 'StudentEnrollment');
    const person = world.users.get(like?.user_id);
    if (!like || !person) throw new Error('nobody');
    for (let n = 0; n < STUDENTS; n++) {
      const user = world.users.add({ ...person, id: undefined, name: `Łukasz ${n}`, sortable_name: `${n}` });
      world.enrollments.add({ ...like, id: undefined, user_id: user.id });
    }
    return id;
  }

  /** Lists active students, as the sandbox has them. */
  const there = () =>
    new Set(
      deployment.sandbox.world.enrollments.by.course
        .get(course)
        .filter((one) => one.type === 'StudentEnrollment' && /^(active|invited)$/.test(one.workflow_state))
        .map((one) => one.user_id),
    ).size;

  async function begin(format: 'csv' | 'xlsx'): Promise<string> {
    const input = { course, groups: true, format, time_zone: null };
    const response = await deployment.alma.post(jobStartPath(STUDENT_EXPORT), { key: randomUUID(), input });
    return jobSchema.parse((await response.json()).data).id;
  }

  /**
   * Waits, with short pauses, until the export is at this step. Returns false if the step was over too soon.
   */
  async function at(id: string, stage: string): Promise<boolean> {
    for (;;) {
      const now = await jobOf(deployment.alma, id);
      if (now.stage === stage) return true;
      if (now.ended_at) return false;
      await pause(2);
    }
  }

  /** Repeats the export until one was killed while its file was created. Each must end with one file. */
  async function killedWhileWriting(format: 'csv' | 'xlsx', ms: number): Promise<void> {
    for (let tries = 0; tries < 10; tries++) {
      const id = await begin(format);
      const isThere = await at(id, 'Writing the file');
      if (isThere) {
        await pause(ms);
        await deployment.restart();
      }
      await endsWithOneFile(id);
      if (isThere) return;
    }
    throw new Error('it was never met while it was made');
  }

  async function endsWithOneFile(id: string): Promise<void> {
    await expect
      .poll(async () => (await jobOf(deployment.alma, id)).ended_at, { timeout: 90_000 })
      .not.toBeNull();
    const ended = await jobOf(deployment.alma, id);
    expect(ended).toMatchObject({ outcome: 'done', problem: null, figures: [['students', there()]] });
    expect(ended.files).toHaveLength(1);
    const bytes = await fetched(id);
    expect(bytes.length).toBe(ended.files[0]?.bytes);
    if (ended.files[0]?.name.endsWith('.csv')) {
      expect(bytes.toString('utf8').trimEnd().split('\r\n')).toHaveLength(there() + 1);
    } else expect(bytes.subarray(0, 2).toString()).toBe('PK');
  }

  async function fetched(id: string): Promise<Buffer> {
    const [file] = (await jobOf(deployment.alma, id)).files;
    const path = ENDPOINTS.jobFile.replace(':job', id).replace(':file', file?.id ?? '');
    const response = await deployment.alma.fetch(path);
    expect(response.status).toBe(200);
    return Buffer.from(await response.arrayBuffer());
  }

  test('OP-42 EXP-11 an export killed while students are read continues automatically', async () => {
    const match = `/api/v1/courses/${course}/users?*page=20&*`;
    await deployment.campus.fault({ match, kind: 'latency', ms: 60_000, count: 1 });
    const id = await begin('csv');
    // Some of the pages have arrived, and one is held back.
    await deployment.campus.seen(({ path }) => /\/users\?.*page=10&/.test(path));
    expect((await jobOf(deployment.alma, id)).stage).toBe('Reading the students');
    await deployment.restart(() => deployment.campus.clearFaults());
    await endsWithOneFile(id);
  });

  test('OP-42 EXP-19 an export killed while the workbook is created continues automatically', async () => {
    await killedWhileWriting('xlsx', 0);
  });

  test('OP-42 EXP-21 an export killed after the first piece of the file was stored and before it was recorded continues automatically', async () => {
    for (const ms of [0, 40]) await killedWhileWriting('csv', ms);
  });

  test('EXP-11 EXP-12 if the server stops normally while students are read, the export continues, and the file is still available after the next restart', async () => {
    const match = `/api/v1/courses/${course}/users`;
    await deployment.campus.fault({ match, kind: 'latency', ms: 60_000, count: 1 });
    const id = await begin('csv');
    expect(await at(id, 'Reading the students')).toBe(true);
    for (const one of deployment.servers) await one.stop();
    await deployment.campus.clearFaults();
    for (const one of deployment.servers) await one.start();
    await endsWithOneFile(id);
    const before = await fetched(id);
    await deployment.restart();
    expect((await fetched(id)).equals(before)).toBe(true);
  });
});
