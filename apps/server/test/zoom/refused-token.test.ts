/**
 * If a token is rejected halfway through a change, the change waits for a sign-in and then does the rest
 * (OP-09, OP-68).
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { afterEach, expect, test } from 'vitest';
import { grants } from '../../src/platform/schema.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  blocksIn,
  endOf,
  HOSTS,
  itemsOf,
  numberIn,
  publishing,
  startChange,
  until,
  ZoomCampus,
} from './campus.ts';

let server: TestServer;
let campus: ZoomCampus;
let alma: Browser;
afterEach(() => server?.close());

async function open(env: Record<string, string> = {}) {
  server = await startTestServer({ serviceToken: false, sandbox: { throttle: false }, env });
  campus = new ZoomCampus(server.sandbox);
  alma = await server.signIn(PEOPLE.all);
}

async function publish(): Promise<{ job: string; course: number; events: number[] }> {
  const course = campus.quietCourse().id;
  const events = (await campus.makeEvents(course, 4)).map(({ id }) => id);
  const response = await startChange(alma, publishing({ course, events, owner: HOSTS.farid }));
  const { data } = await response.json();
  return { job: data.id, course, events };
}

/** Checks that each event has one link, and each link its own meeting. */
async function requireOneEach(events: readonly number[]): Promise<void> {
  const descriptions = await Promise.all(events.map(async (id) => (await campus.event(id)).description));
  const numbers = descriptions.map(numberIn);
  expect(descriptions.map((description) => blocksIn({ description }).length)).toEqual(events.map(() => 1));
  expect(new Set(numbers).size).toBe(events.length);
  for (const number of numbers)
    expect(await campus.meeting(number)).toMatchObject({ host_email: HOSTS.farid });
}

test('if the LMS rejects the token, the change waits, and after the next sign-in each remaining event is changed once', async () => {
  await open();
  await server.server.services.db.db.update(grants).set({ refreshTokenEnc: null });
  // The second event is written, and then the LMS forgets the token.
  await campus.fault({ match: '/api/v1/calendar_events/*', method: 'PUT', kind: 'revoke-token', count: 1 });
  const { job, events } = await publish();
  const resting = await until(alma, job, ({ waiting }) => waiting !== null);
  expect(resting.waiting).toEqual({
    until: null,
    why: expect.stringMatching(/no longer accepts your sign-in\. Sign in again/),
  });
  expect(resting.problem).toBeNull();
  alma = await server.signIn(PEOPLE.all);
  expect(await endOf(alma, job)).toMatchObject({ outcome: 'done', problem: null });
  expect((await itemsOf(alma, job)).map(({ state }) => state)).toEqual(events.map(() => 'done'));
  await requireOneEach(events);
});

test('if no one signs in again, the change is partly done, names the events that are not done, and leaves none in progress', async () => {
  await open({ SIGN_IN_PATIENCE_MS: '700' });
  await server.server.services.db.db.update(grants).set({ refreshTokenEnc: null });
  await campus.fault({ match: '/api/v1/calendar_events/*', method: 'PUT', kind: 'revoke-token', count: 1 });
  const { job, course, events } = await publish();
  const ended = await endOf(alma, job);
  expect(ended.state).not.toBe('running');
  expect(ended.problem?.next ?? ended.note).toMatch(/Sign in again/);
  alma = await server.signIn(PEOPLE.all);
  const items = await itemsOf(alma, job);
  expect(items).toHaveLength(events.length);
  expect(items.filter(({ state }) => state === 'doing')).toEqual([]);
  const shown = await Promise.all(events.map(async (id) => blocksIn(await campus.event(id)).length));
  // Events reported as done are done, and no others.
  for (const [at, { state }] of items.entries())
    expect([state, shown[at]]).toEqual([state, state === 'done' ? 1 : shown[at]]);
  // Another change of the same events completes the rest.
  const response = await startChange(alma, publishing({ course, events, owner: HOSTS.farid }));
  const again = (await response.json()).data.id;
  expect(await endOf(alma, again)).toMatchObject({ outcome: 'done' });
  await requireOneEach(events);
});

test('a run whose token is rejected waits as well, and checks every event after the next sign-in', async () => {
  await open();
  const course = campus.quietCourse().id;
  const events = (await campus.makeEvents(course, 3)).map(({ id }) => id);
  await server.server.services.db.db.update(grants).set({ refreshTokenEnc: null });
  await campus.fault({ match: '/api/v1/calendar_events*', method: 'GET', kind: 'revoke-token', count: 1 });
  const response = await alma.post(ENDPOINTS.zoomRun, { courseId: course, daysCount: 30 });
  const { id } = (await response.json()).data;
  const resting = await until(alma, id, ({ waiting, ended_at }) => waiting !== null || ended_at !== null);
  expect(resting.waiting?.why).toMatch(/no longer accepts your sign-in\. Sign in again/);
  alma = await server.signIn(PEOPLE.all);
  expect(await endOf(alma, id)).toMatchObject({ outcome: 'done', problem: null });
  expect((await itemsOf(alma, id)).map(({ state }) => state)).toEqual(events.map(() => 'done'));
});
