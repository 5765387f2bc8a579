/** A person's latest decision applies, even over a change that waits for another day (OP-104). */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { JobDetail } from '@lms-admin/contract/jobs';
import type { ZoomChange } from '@lms-admin/contract/zoom';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { jobs, zoomHostDays } from '../../src/platform/schema.ts';
import { jobOf } from '../enrollments/campus.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  blocksIn,
  cancelOf,
  change,
  endOf,
  HOSTS,
  itemsOf,
  numberIn,
  previewOf,
  publishing,
  startChange,
  titleIn,
  until,
  ZoomCampus,
} from './campus.ts';

let server: TestServer;
let campus: ZoomCampus;
let alma: Browser;
let bruno: Browser;

beforeAll(async () => {
  server = await startTestServer();
  campus = new ZoomCampus(server.sandbox);
  alma = await server.signIn(PEOPLE.all);
  bruno = await server.signIn(PEOPLE.all);
});
afterAll(() => server.close());
afterEach(() => newDay());

async function newDay(): Promise<void> {
  await campus.handle('zoom/host-days', 'DELETE');
  await server.server.services.db.db.delete(zoomHostDays);
}

/** Starts a publication that waits because the host's daily limit is used up. */
async function waiting(course: number, events: number[]): Promise<string> {
  const day = new Date().toISOString().slice(0, 10);
  await server.server.services.db.db.insert(zoomHostDays).values({ host: HOSTS.farid, day, used: 100 });
  const response = await startChange(alma, publishing({ course, events, owner: HOSTS.farid }));
  const { data } = await response.json();
  await until(alma, data.id, ({ state }) => state === 'waiting');
  return data.id;
}

/**
 * Moves to the next day. A change that checks again in the meantime, because a later one has ended, may have
 * to pause again first.
 */
async function released(id: string): Promise<JobDetail> {
  const { db } = server.server.services.db;
  for (;;) {
    await newDay();
    await db.update(jobs).set({ waitUntil: sql`now()` }).where(eq(jobs.id, id));
    const now = await until(
      alma,
      id,
      ({ ended_at, waiting }) => ended_at !== null || isLater(waiting?.until ?? null),
    );
    if (now.ended_at !== null) return now;
  }
}

const isLater = (until: string | null) => until !== null && Date.parse(until) > Date.now() + 1_000;

async function twoEvents() {
  const course = campus.quietCourse().id;
  const [one, two] = (await campus.makeEvents(course, 2)).map(({ id }) => id) as [number, number];
  return { course, one, two };
}
const hostOf = async (id: number) =>
  (await campus.meeting(numberIn((await campus.event(id)).description)))?.host_email ?? null;

describe('OP-104 a change that waits for the next day', () => {
  test('does not undo a publication under another host in the meantime; the preview names that publication, and its result says so', async () => {
    const { course, one, two } = await twoEvents();
    const older = await waiting(course, [one, two]);
    const input = publishing({ course, events: [one], owner: HOSTS.bruno });
    expect((await previewOf(bruno, input)).waiting).toEqual([
      {
        event: one,
        title: 'Session 1',
        start_at: expect.any(String),
        by: 'Alma Reyes',
        until: expect.stringMatching(/T00:00/) as string,
      },
    ]);
    expect((await change(bruno, input)).outcome).toBe('done');
    const ended = await released(older);
    expect([await hostOf(one), await hostOf(two)]).toEqual([HOSTS.bruno, HOSTS.farid]);
    expect([ended.outcome, ended.figures]).toEqual([
      'partly',
      [
        ['events done', 1],
        ['events with later changes', 1],
        ['meetings created', 1],
        ['links shown', 1],
      ],
    ]);
    expect(ended.note).toMatch(
      /^A later change applies to “Session 1” \(.*\)\. 1 event was left as that change set it\.$/,
    );
    expect(ended.result).toEqual({
      failed: [],
      later: [{ event: one, title: 'Session 1', start_at: expect.any(String), by: 'Alma Reyes' }],
    });
    expect((await itemsOf(alma, older)).map(({ message }) => message)).toEqual([
      'Not changed: a later change by Alma Reyes applies to this event.',
      'Meeting created, link shown to students.',
    ]);
  });

  test('does not show an event that was hidden in the meantime, nor change one that was merged and unmerged', async () => {
    const { course, one, two } = await twoEvents();
    const main = await campus.makeEvent(course, { title: 'Main' });
    await change(alma, publishing({ course, events: [one, two, main.id] }));
    const older = await waiting(course, [one, two]);
    await change(alma, publishing({ course, events: [one], visible: false }));
    await change(alma, { change: 'merge', course, parent: main.id, events: [two] });
    const merged = numberIn((await campus.event(two)).description);
    const ended = await released(older);
    expect([ended.outcome, ended.figures]).toEqual([
      'partly',
      [
        ['events done', 0],
        ['events with later changes', 2],
      ],
    ]);
    expect(blocksIn(await campus.event(one))).toHaveLength(0);
    expect(numberIn((await campus.event(two)).description)).toBe(merged);
  });

  test('yields to a later waiting change, but not to one that was cancelled or failed', async () => {
    const { course, one, two } = await twoEvents();
    const first = await waiting(course, [one, two]);
    const hide = publishing({ course, events: [one], owner: HOSTS.farid, visible: false });
    const second = (await (await startChange(bruno, hide)).json()).data.id as string;
    await until(bruno, second, ({ state }) => state === 'waiting');
    // The next person sees both waiting changes, the latest first.
    const both = await previewOf(bruno, publishing({ course, events: [one], owner: HOSTS.bruno }));
    const waits = { event: one, by: 'Alma Reyes', until: expect.stringMatching(/T00:00/) as string };
    expect(both.waiting).toMatchObject([waits, waits]);
    const third = (
      await (
        await startChange(bruno, publishing({ course, events: [two], owner: HOSTS.farid, visible: false }))
      ).json()
    ).data.id as string;
    await until(bruno, third, ({ state }) => state === 'waiting');
    await cancelOf(bruno, third);
    await endOf(bruno, third);
    const ended = await released(first);
    expect(ended.figures).toContainEqual(['events with later changes', 1]);
    expect(blocksIn(await campus.event(one))).toHaveLength(0);
    expect(await hostOf(two)).toBe(HOSTS.farid);
    expect((await released(second)).outcome).toBe('done');
    expect(blocksIn(await campus.event(one))).toHaveLength(0);
  });

  test('immediately drops what a later change has done in the meantime, while it waits and when it is cancelled', async () => {
    const { course, one, two } = await twoEvents();
    const older = await waiting(course, [one, two]);
    expect((await jobOf(alma, older)).waiting?.why).toMatch(/^2 events wait /);
    await change(bruno, publishing({ course, events: [one], owner: HOSTS.bruno }));
    const now = await until(alma, older, ({ state, waiting: rest }) => {
      return state === 'waiting' && rest?.why.startsWith('1 event waits ') === true;
    });
    expect(now.waiting?.until).toMatch(/T00:00/);
    expect(now.waiting?.why).toMatch(
      /per host per day\. A later change applies to “Session 1” \(.*\)\. 1 event was left as that change set it\.$/,
    );
    expect((await itemsOf(alma, older)).map(({ message }) => message)).toEqual([
      'Not changed: a later change by Alma Reyes applies to this event.',
      `${HOSTS.farid} has used up today’s 100 changes in Zoom.`,
    ]);
    expect((await previewOf(bruno, publishing({ course, events: [one] }))).waiting).toEqual([]);
    await cancelOf(alma, older);
    const ended = await endOf(alma, older);
    expect(ended.note).toMatch(
      /^Cancelled: 0 of 2 events were done; 1 event was not started\. A later change applies to “Session 1”/,
    );
    // The change does not wait for the host's next day any more.
    expect((await itemsOf(alma, older)).map(({ message }) => message)).toEqual([
      'Not changed: a later change by Alma Reyes applies to this event.',
      'Cancelled before anything was changed.',
    ]);
    expect([await hostOf(one), await hostOf(two)]).toEqual([HOSTS.bruno, null]);
  });

  test('ends immediately if later changes have done all of it', async () => {
    const { course, one, two } = await twoEvents();
    const older = await waiting(course, [one, two]);
    await change(bruno, publishing({ course, events: [two, one], owner: HOSTS.bruno }));
    const ended = await endOf(alma, older);
    expect([ended.outcome, ended.figures]).toEqual([
      'partly',
      [
        ['events done', 0],
        ['events with later changes', 2],
      ],
    ]);
  });

  test('is not mentioned if nothing is waiting', async () => {
    const { course, one } = await twoEvents();
    await change(alma, publishing({ course, events: [one] }));
    const preview = await previewOf(alma, publishing({ course, events: [one], visible: false }));
    expect(preview.waiting).toEqual([]);
    expect((await alma.fetch(ENDPOINTS.jobs)).status).toBe(200);
  });
});

describe('OP-104, OP-69 a waiting change whose host has become inactive when it continues', () => {
  /** Makes the host active again afterwards. */
  async function deactivated<T>(host: string, work: () => Promise<T>): Promise<T> {
    await campus.handle(`zoom/users/${host}`, 'PATCH', { status: 'inactive' });
    try {
      return await work();
    } finally {
      await campus.handle(`zoom/users/${host}`, 'PATCH', { status: 'active' });
    }
  }
  const REASON = `${HOSTS.farid} is not active in Zoom, so LMS Admin cannot create meetings for this account.`;

  test('keeps what was done, and names each of the other events with the reason', async () => {
    const { course, one, two } = await twoEvents();
    const day = new Date().toISOString().slice(0, 10);
    await server.server.services.db.db.insert(zoomHostDays).values({ host: HOSTS.farid, day, used: 99 });
    const input = publishing({ course, events: [one, two], owner: HOSTS.farid });
    const { data } = await (await startChange(alma, input)).json();
    await until(alma, data.id, ({ state }) => state === 'waiting');
    const ended = await deactivated(HOSTS.farid, () => released(data.id));
    expect([ended.outcome, ended.problem]).toEqual(['partly', null]);
    const items = await itemsOf(alma, data.id);
    expect(items.map(({ state }) => state).sort()).toEqual(['done', 'failed']);
    const left = items.find(({ state }) => state === 'failed');
    expect(ended.result).toEqual({
      failed: [
        {
          event: expect.any(Number),
          title: left && titleIn(left),
          start_at: expect.any(String),
          message: REASON,
          part: false,
        },
      ],
    });
    const links = await Promise.all([one, two].map(async (id) => blocksIn(await campus.event(id)).length));
    expect(links.sort((a, b) => a - b)).toEqual([0, 1]);
  });

  test('fails with the reason if nothing was done, and leaves no event open', async () => {
    const { course, one, two } = await twoEvents();
    const id = await waiting(course, [one, two]);
    const ended = await deactivated(HOSTS.farid, () => released(id));
    expect(ended).toMatchObject({ outcome: 'failed', problem: { message: REASON } });
    expect((await itemsOf(alma, id)).map(({ state }) => state)).toEqual(['failed', 'failed']);
  });
});

test('OP-104 merging into an event with a waiting change mentions that change, which then applies to both', async () => {
  const { course, one, two } = await twoEvents();
  await change(alma, publishing({ course, events: [one, two], owner: HOSTS.bruno }));
  const older = await waiting(course, [one]);
  const merge: ZoomChange = { change: 'merge', course, parent: one, events: [two] };
  expect((await previewOf(bruno, merge)).waiting).toMatchObject([
    { event: one, by: 'Alma Reyes', main: true },
  ]);
  expect((await change(bruno, merge)).outcome).toBe('done');
  expect((await released(older)).outcome).toBe('done');
  expect([await hostOf(one), await hostOf(two)]).toEqual([HOSTS.farid, HOSTS.farid]);
});
