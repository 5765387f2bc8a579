/**
 * The server is killed at any moment of a Zoom run, with lost answers and rejected calls: each event ends with exactly one
 * meeting, each published event with exactly one block, and Zoom has no meetings left over (OP-103, OP-104).
 */
import { randomUUID } from 'node:crypto';
import { ENDPOINTS, jobStartPath } from '@lms-admin/contract/endpoints';
import type { JobDetail } from '@lms-admin/contract/jobs';
import { ZOOM_CHANGE } from '@lms-admin/contract/zoom';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobOf } from '../enrollments/campus.ts';
import { chosenDatabase } from '../support/databases.ts';
import { itemsOf, orderOf, ZoomCampus } from '../zoom/campus.ts';
import { type Deployment, openDeployment, pause } from './deployment.ts';

const ROUNDS = process.env.KILLS === 'all' ? 30 : 5;
const DAY_MS = 86_400_000;
const HOSTS = ['alma.reyes', 'bruno.keller', 'hugo.tan', 'farid.noor'].map(
  (who) => `${who}@northbridge.example`,
);
const CREATE = { system: 'zoom', match: '/zoom/v2/users/*/meetings', method: 'POST' };
const WRITE = { system: 'canvas', match: '/api/v1/calendar_events/*', method: 'PUT' };
/** Everything that may go wrong while the run is in progress. */
const FAULTS = [
  { system: 'zoom', match: '/zoom/v2/*', kind: 'latency', randomMs: [20, 90] },
  { ...CREATE, kind: 'drop', when: 'after', share: 0.15 },
  { ...CREATE, kind: 'drop', when: 'before', share: 0.1 },
  { ...CREATE, kind: 'throttle', share: 0.1 },
  { ...WRITE, kind: 'latency', randomMs: [20, 60] },
  { ...WRITE, kind: 'drop', when: 'after', share: 0.1 },
];

let deployment: Deployment;
let token: string;
beforeAll(async () => {
  deployment = await openDeployment(chosenDatabase() === 'postgres' ? 2 : 1);
  const answer = await fetch(`${deployment.sandbox.url}/zoom/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('sandbox-zoom-client:sandbox-zoom-secret')}` },
    body: new URLSearchParams({ grant_type: 'account_credentials', account_id: 'sandbox-zoom-account' }),
  });
  token = ((await answer.json()) as { access_token: string }).access_token;
});
afterAll(() => deployment?.close());

const zoom = (path: string, method = 'GET') =>
  fetch(`${deployment.sandbox.url}/zoom/v2/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
  });

async function ended(id: string): Promise<JobDetail> {
  for (;;) {
    const job = await jobOf(deployment.alma, id);
    if (job.ended_at !== null) return job;
    await pause(50);
  }
}

async function started(path: string, body: object): Promise<string> {
  const response = await deployment.alma.post(path, body);
  const { data } = (await response.json()) as { data: { id: string } };
  expect(response.status).toBe(200);
  return data.id;
}

/**
 * Finds courses with all their events in the next 30 days; each event belongs to the course itself, and is
 * far from both ends of that period.
 */
function dueEvents(): [number, number[]][] {
  const all = [...deployment.sandbox.world.calendarEvents.values()];
  const parents = new Set(all.map((event) => event.parent_calendar_event_id));
  const found = new Map<number, number[]>();
  const odd = new Set<number>();
  for (const event of all) {
    const code = event.effective_context_code ?? event.context_code;
    const course = Number(/^course_(\d+)$/.exec(code)?.[1] ?? 0);
    const at = Date.parse(event.start_at ?? '') - Date.now();
    if (event.workflow_state === 'deleted' || !(at > -DAY_MS && at < 31 * DAY_MS)) continue;
    const isPlain = event.context_code === code && !event.all_day && !parents.has(event.id);
    if (isPlain && at > DAY_MS / 24 && at < 29 * DAY_MS)
      found.set(course, [...(found.get(course) ?? []), event.id]);
    else odd.add(course);
  }
  return [...found].filter(([course, events]) => events.length > 2 && !odd.has(course));
}

/** Reads the ids of the meetings in an event's block, and counts the blocks of the event. */
async function shownIn(event: number): Promise<{ blocks: number; numbers: number[] }> {
  const { description } = (await (await deployment.campus.api(`calendar_events/${event}`)).json()) as {
    description: string | null;
  };
  const blocks = (description ?? '').split('class="lms-admin-zoom"');
  const numbers = new Set([...(blocks[1] ?? '').matchAll(/\/j\/(\d+)/g)].map(([, number]) => Number(number)));
  return { blocks: blocks.length - 1, numbers: [...numbers] };
}

/** Lists LMS Admin's meetings in Zoom. */
async function ourMeetings(): Promise<number[]> {
  const numbers: number[] = [];
  for (const host of [...HOSTS, 'lms.admin@northbridge.example']) {
    const answer = await zoom(`users/${host}/meetings?type=scheduled&page_size=300`);
    const { meetings } = (await answer.json()) as { meetings: { id: number; agenda: string }[] };
    for (const { id, agenda } of meetings) if (agenda.startsWith('[lms-admin ')) numbers.push(id);
  }
  return numbers.sort((a, b) => a - b);
}

test(`OP-104 ${ROUNDS} kills: each event has one meeting and one block, and Zoom has no meetings left over`, {
  timeout: 1_200_000,
}, async () => {
  const courses = dueEvents();
  expect(courses.length).toBeGreaterThanOrEqual(ROUNDS);
  const published: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const [course = 0, events = []] = courses[round] ?? [];
    const input = {
      change: 'publish',
      course,
      events,
      owner: HOSTS[round % HOSTS.length],
      co_hosts: [],
      visible: true,
    };
    const order = { key: randomUUID(), input: await orderOf(deployment.alma, input) };
    const change = await ended(await started(jobStartPath(ZOOM_CHANGE), order));
    expect(change.outcome).toBe('done');
    published.push(...events);
    // Another user has reverted some of the changes in Zoom and in Canvas.
    for (const event of events) {
      const { numbers } = await shownIn(event);
      if (event % 3 !== 0) await zoom(`meetings/${numbers[0]}`, 'DELETE');
      if (event % 3 !== 1)
        await deployment.campus.api(`calendar_events/${event}`, {
          method: 'PUT',
          body: { calendar_event: { description: '<p>Edited.</p>' } },
        });
    }
    for (const fault of FAULTS) await deployment.campus.fault(fault);
    const run = await started(ENDPOINTS.zoomRun, { courseId: course, daysCount: 30 });
    await pause(Math.random() * 900);
    await deployment.restart();
    const job = await ended(run);
    await deployment.campus.clearFaults();
    expect(['done', 'partly'], JSON.stringify(job.problem)).toContain(job.outcome);
    if (job.outcome === 'partly') {
      // The next run corrects what one run could not.
      const next = await ended(await started(ENDPOINTS.zoomRun, { courseId: course, daysCount: 30 }));
      expect(next.outcome).toBe('done');
    }
  }
  const shown = await Promise.all(published.map(shownIn));
  expect(shown.filter(({ blocks, numbers }) => blocks !== 1 || numbers.length !== 1)).toEqual([]);
  const numbers = shown.flatMap((one) => one.numbers);
  expect(new Set(numbers).size).toBe(published.length);
  expect(await ourMeetings()).toEqual(numbers.sort((a, b) => a - b));
});

test('ZR-01 OP-104 a killed run reports everything that it did before and after', {
  timeout: 300_000,
}, async () => {
  const campus = new ZoomCampus(deployment.sandbox);
  const { id: course } = campus.quietCourse();
  await campus.makeEvents(course, 14);
  await campus.zoomFault({ method: 'POST', match: CREATE.match, kind: 'latency', ms: 400 });
  await campus.writes();
  const run = await started(ENDPOINTS.zoomRun, { courseId: course, daysCount: 30 });
  // Some meetings exist, others are in progress.
  await expect
    .poll(
      async () => {
        const { requests } = await campus.handle<{ requests: { method: string; path: string }[] }>(
          'requests?system=zoom',
        );
        return requests.filter(({ method, path }) => method === 'POST' && path.includes('/meetings')).length;
      },
      { interval: 20, timeout: 60_000 },
    )
    .toBeGreaterThan(2);
  await deployment.restart();
  const { outcome, figures } = await ended(run);
  await campus.handle('faults?system=zoom', 'DELETE');
  expect(outcome).toBe('done');
  expect(figures).toEqual([
    ['events', 14],
    ['meetings created', 14],
  ]);
  const items = await itemsOf(deployment.alma, run);
  expect(items.map(({ message }) => message)).toEqual(Array(14).fill('Meeting created.'));
});
