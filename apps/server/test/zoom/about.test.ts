/** Activity uses descriptions to distinguish work on courses with the same code. */
import { randomUUID } from 'node:crypto';
import { ENDPOINTS, jobStartPath } from '@lms-admin/contract/endpoints';
import { type Job, job as jobSchema } from '@lms-admin/contract/jobs';
import { STUDENT_EXPORT } from '@lms-admin/contract/student-export';
import { ZOOM_CHANGE } from '@lms-admin/contract/zoom';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Browser } from '../support/browser.ts';
import { PEOPLE } from '../support/harness.ts';
import { orderOf } from './campus.ts';
import { ACCESS, type RunCampus, saveQueue, startRunCampus } from './run-support.ts';

const CODE = 'FIN101';
const NAME = 'Corporate finance';
let one: RunCampus;
let alma: Browser;
let courses: number[];
/** The LMS's own data about those courses. */
let expected: Expected[];

beforeAll(async () => {
  const admins = ACCESS.admins.map((each) => ({ ...each, export_course_students: true }));
  one = await startRunCampus({ access: { admins }, env: { ZOOM_QUEUE_HOURS: '0.005' } });
  const { world } = one.sandbox;
  courses = one.plain.slice(0, 2);
  const terms = [...world.terms.values()].filter(({ name }) => name !== null).slice(-2);
  expected = courses.map((id, index) => {
    const course = world.courses.get(id);
    const term = terms[index];
    if (!course || !term) throw new Error('the campus has too few courses');
    world.courses.change(course, { course_code: CODE, name: NAME, enrollment_term_id: term.id });
    const sisId = course.sis_source_id ?? '';
    return { sisId, term: term.name ?? '', programme: world.accounts.get(86)?.name ?? '' };
  });
  alma = await one.ts.signIn(PEOPLE.all);
});
afterAll(() => one?.close());

async function listed(kind: string): Promise<Job[]> {
  const body = await (await alma.fetch(ENDPOINTS.jobs)).json();
  return z
    .array(jobSchema)
    .parse(body.data)
    .filter((each) => each.kind === kind)
    .toReversed();
}

interface Expected {
  sisId: string;
  term: string;
  programme: string;
}

const aboutOf = ({ sisId, term, programme }: Expected) => ({
  courses: [NAME],
  more: 0,
  sis_ids: [sisId],
  terms: [term],
  programmes: [programme],
});

/** Starts one job for each course. */
async function startEach(start: (course: number) => Promise<Response>): Promise<void> {
  for (const course of courses) expect((await start(course)).status).toBe(200);
}

/** Checks that the entries have the same title and different descriptions. */
function expectTold(entries: readonly Job[]): void {
  expect(new Set(entries.map(({ label }) => label)).size).toBe(1);
  expect(entries[0]?.label).toContain(CODE);
  expect(entries.map(({ about }) => about)).toEqual(expected.map(aboutOf));
}

const eventOf = (course: number) => {
  const events = [...one.sandbox.world.calendarEvents.values()];
  return events.find(({ context_code }) => context_code === `course_${course}`)?.id ?? 0;
};
const publishing = (course: number) => ({
  course,
  events: [eventOf(course)],
  owner: 'hugo.tan@northbridge.example',
  co_hosts: [],
  visible: true,
});

describe('entries of two courses with the same code and name', () => {
  test('for a change of Zoom links, started as a job', async () => {
    const begin = async (course: number) =>
      alma.post(jobStartPath(ZOOM_CHANGE), {
        key: randomUUID(),
        input: await orderOf(alma, { change: 'publish', ...publishing(course) }),
      });
    await startEach(begin);
    expectTold(await listed(ZOOM_CHANGE));
  });

  test('ZC-36 for an event published by a single call', async () => {
    const before = (await listed(ZOOM_CHANGE)).length;
    const begin = (course: number) =>
      alma.post(ENDPOINTS.zoomUpdateOwner, {
        host: 'hugo.tan@northbridge.example',
        coHost: '',
        visibility: true,
        calendar_event: eventOf(course),
      });
    await startEach(begin);
    expectTold((await listed(ZOOM_CHANGE)).slice(before));
  });

  test('ZR-14 for a run', async () => {
    await startEach((courseId) => alma.post(ENDPOINTS.zoomRun, { courseId, daysCount: 30 }));
    expectTold(await listed('zoom-run'));
  });

  test('for a Student Export', async () => {
    const input = { groups: false, format: 'csv', time_zone: null };
    const begin = (course: number) =>
      alma.post(jobStartPath(STUDENT_EXPORT), { key: randomUUID(), input: { course, ...input } });
    await startEach(begin);
    expectTold(await listed(STUDENT_EXPORT));
  });

  test('OP-62 for runs of the queue, which stores courses by number', async () => {
    expect((await saveQueue(alma, courses, { daysCount: 60 })).status).toBe(200);
    const ofQueue = async () =>
      (await listed('zoom-run')).filter(
        ({ label, ended_at }) => label.startsWith('Zoom run of the queue') && ended_at !== null,
      );
    await expect.poll(async () => (await ofQueue()).length).toBeGreaterThanOrEqual(2);
    const entries = await ofQueue();
    expect(new Set(entries.map(({ label }) => label))).toEqual(
      new Set([`Zoom run of the queue: ${CODE}, 60 days`]),
    );
    expect(new Set(entries.map(({ about }) => JSON.stringify(about)))).toEqual(
      new Set(expected.map((each) => JSON.stringify(aboutOf(each)))),
    );
  });
});
