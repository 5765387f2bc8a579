/**
 * Changes made by others since a preview are not overwritten: saving does what the preview announced, or
 * nothing (OP-102).
 */
import { randomUUID } from 'node:crypto';
import { ENDPOINTS, jobStartPath } from '@lms-admin/contract/endpoints';
import { job as jobSchema } from '@lms-admin/contract/jobs';
import { ZOOM_CHANGE, type ZoomChange, zoomChangeResult } from '@lms-admin/contract/zoom';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { zoomCourses, zoomEvents, zoomHostDays } from '../../src/platform/schema.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  blocksIn,
  change,
  endOf,
  HOSTS,
  itemsOf,
  numberIn,
  orderOf,
  previewOf,
  publishing,
  runOf,
  startChange,
  until,
  ZoomCampus,
} from './campus.ts';

const CHANGED = 'Nothing was saved: these events have changed since the preview.';

let server: TestServer;
let campus: ZoomCampus;
let alma: Browser;
let bruno: Browser;

beforeAll(async () => {
  server = await startTestServer({ sandbox: { throttle: false } });
  campus = new ZoomCampus(server.sandbox);
  alma = await server.signIn(PEOPLE.all);
  bruno = await server.signIn(PEOPLE.all);
});
afterAll(() => server.close());
afterEach(async () => {
  await campus.handle('zoom/host-days', 'DELETE');
  await server.server.services.db.db.delete(zoomHostDays);
});

type Order = Awaited<ReturnType<typeof orderOf>>;

async function startedAs(order: Order, key: string = randomUUID()): Promise<string> {
  const response = await alma.post(jobStartPath(ZOOM_CHANGE), { key, input: order });
  expect(response.status).toBe(200);
  return jobSchema.parse((await response.json()).data).id;
}

/** Saves a previewed change. */
const saved = async (order: Order) => endOf(alma, await startedAs(order));

async function oneEvent() {
  const course = campus.quietCourse().id;
  const { id } = await campus.makeEvent(course);
  return { course, id };
}
const numberOf = async (id: number) => numberIn((await campus.event(id)).description);
const hostOf = async (id: number) => (await campus.meeting(await numberOf(id)))?.host_email ?? null;

/** Checks that the previewed change is rejected and writes nothing, and succeeds after a new preview. */
async function expectRefused(order: Order): Promise<void> {
  await campus.writes();
  const refused = await saved(order);
  expect([refused.outcome, refused.problem?.message]).toEqual(['failed', CHANGED]);
  expect(zoomChangeResult.parse(refused.result)).toEqual({
    failed: [],
    later: [],
    stopped: [],
    outdated: true,
    more: null,
  });
  expect(await itemsOf(alma, refused.id)).toEqual([]);
  expect(await campus.writes()).toEqual([]);
  expect((await saved(await orderOf(alma, order.change))).outcome).toBe('done');
}

describe('OP-102 changes made by others since the preview are not overwritten', () => {
  test('by publishing after another person has published', async () => {
    const { course, id } = await oneEvent();
    const order = await orderOf(alma, publishing({ course, events: [id] }));
    await change(bruno, publishing({ course, events: [id], owner: HOSTS.hugo }));
    const theirs = await numberOf(id);
    const refused = await saved(order);
    expect([refused.outcome, refused.problem?.message]).toEqual(['failed', CHANGED]);
    expect(await numberOf(id)).toBe(theirs);
    expect(await campus.meeting(theirs)).not.toBeNull();
    // The preview now says what happens to that link.
    expect((await previewOf(alma, publishing({ course, events: [id] }))).links).toMatchObject([
      { event: id, why: 'host', published: true },
    ]);
  });

  test('by hiding after a change of host: the new host stays', async () => {
    const { course, id } = await oneEvent();
    await change(alma, publishing({ course, events: [id], owner: HOSTS.hugo }));
    const hide = publishing({ course, events: [id], owner: HOSTS.hugo, co_hosts: null, visible: false });
    const order = await orderOf(alma, hide);
    await change(bruno, publishing({ course, events: [id], owner: HOSTS.bruno }));
    const refused = await saved(order);
    expect([refused.outcome, refused.problem?.message]).toEqual(['failed', CHANGED]);
    expect(await hostOf(id)).toBe(HOSTS.bruno);
  });

  test('by a change of host after another one, although the preview has the same counts', async () => {
    const { course, id } = await oneEvent();
    await change(alma, publishing({ course, events: [id], owner: HOSTS.bruno }));
    const asked = publishing({ course, events: [id], owner: HOSTS.standard, visible: false });
    const order = await orderOf(alma, asked);
    const { digest, ...before } = await previewOf(alma, asked);
    await change(bruno, publishing({ course, events: [id], owner: HOSTS.farid, visible: true }));
    const now = await previewOf(alma, asked);
    expect([now.make, now.update, now.disappear]).toEqual([before.make, before.update, before.disappear]);
    expect(now.digest).not.toBe(digest);
    await expectRefused(order);
  });

  test('by a change of an event that was deleted in the LMS, which is reported as missing', async () => {
    const course = campus.quietCourse().id;
    const [kept, deleted] = (await campus.makeEvents(course, 2)).map(({ id }) => id) as [number, number];
    const both = await orderOf(alma, publishing({ course, events: [kept, deleted] }));
    const one = await orderOf(alma, publishing({ course, events: [deleted] }));
    await campus.api(`calendar_events/${deleted}`, { method: 'DELETE' });
    for (const [order, message] of [
      [both, `${CHANGED} 1 of 2 events is no longer in the calendar of the course.`],
      [one, 'Nothing was saved: the event is no longer in the calendar of the course.'],
    ] as const) {
      const refused = await saved(order);
      expect([refused.outcome, refused.problem?.message]).toEqual(['failed', message]);
      expect(zoomChangeResult.parse(refused.result).gone).toEqual([deleted]);
    }
  });

  test('by merging after the event was hidden: the event keeps its link', async () => {
    const course = campus.quietCourse().id;
    const [main, merged] = (await campus.makeEvents(course, 2)).map(({ id }) => id) as [number, number];
    const both = publishing({ course, events: [main, merged], owner: HOSTS.hugo });
    await change(alma, both);
    const order = await orderOf(alma, { change: 'merge', course, parent: main, events: [merged] });
    await change(bruno, publishing({ course, events: [main], owner: HOSTS.hugo, visible: false }));
    const refused = await saved(order);
    expect([refused.outcome, refused.problem?.message]).toEqual(['failed', CHANGED]);
    expect(blocksIn(await campus.event(merged))).toHaveLength(1);
  });

  test('by unmerging after a change of the main event’s host', async () => {
    const course = campus.quietCourse().id;
    const [main, merged] = (await campus.makeEvents(course, 2)).map(({ id }) => id) as [number, number];
    await change(alma, publishing({ course, events: [main, merged], owner: HOSTS.hugo }));
    await change(alma, { change: 'merge', course, parent: main, events: [merged] });
    const order = await orderOf(alma, { change: 'unmerge', course, event: merged });
    await change(bruno, publishing({ course, events: [main], owner: HOSTS.bruno }));
    await expectRefused(order);
  });

  test('if another person has merged an event that would be changed as well', async () => {
    const course = campus.quietCourse().id;
    const [main, other] = (await campus.makeEvents(course, 2)).map(({ id }) => id) as [number, number];
    await change(alma, publishing({ course, events: [main] }));
    const order = await orderOf(alma, publishing({ course, events: [main], visible: false }));
    await change(bruno, { change: 'merge', course, parent: main, events: [other] });
    await expectRefused(order);
  });

  test('if they are meetings created by a run, or changes in Zoom', async () => {
    const course = campus.quietCourse().id;
    const { id } = await campus.makeEvent(course, { title: 'In two hands' });
    const order = await orderOf(alma, publishing({ course, events: [id] }));
    await runOf(server, alma, course);
    await expectRefused(order);
    const again = await orderOf(alma, publishing({ course, events: [id], visible: false }));
    await campus.zoom(`/meetings/${await numberOf(id)}`, 'DELETE');
    await expectRefused(again);
    const hosts = await orderOf(
      alma,
      publishing({ course, events: [id], visible: false, co_hosts: [HOSTS.hugo] }),
    );
    const [meeting] = (await campus.ours([HOSTS.alma])).filter(({ topic }) => topic === 'In two hands');
    await campus.zoom(`/meetings/${meeting?.id}`, 'PATCH', { settings: { alternative_hosts: HOSTS.bruno } });
    await expectRefused(hosts);
  });

  test('if another person’s change gets its turn first', async () => {
    const { course, id } = await oneEvent();
    await change(alma, publishing({ course, events: [id], owner: HOSTS.hugo }));
    const order = await orderOf(
      alma,
      publishing({ course, events: [id], owner: HOSTS.hugo, visible: false }),
    );
    const { db } = server.server.services.db;
    const [known] = await db.select().from(zoomEvents).where(eq(zoomEvents.courseId, course));
    const claimedUntil = new Date(Date.now() + 3_600_000);
    await db
      .insert(zoomCourses)
      .values({ lms: known?.lms ?? '', courseId: course, claimedBy: randomUUID(), claimedUntil });
    const waits = await startedAs(order);
    await until(alma, waits, ({ state }) => state === 'waiting');
    // Deletes the meeting, as the job that is using the course does.
    await campus.zoom(`/meetings/${await numberOf(id)}`, 'DELETE');
    await db.delete(zoomCourses).where(eq(zoomCourses.courseId, course));
    const ended = await endOf(alma, waits);
    expect([ended.outcome, ended.problem?.message]).toEqual(['failed', CHANGED]);
  });

  test('if another person’s change waits for the next day and would be replaced', async () => {
    const { course, id } = await oneEvent();
    const order = await orderOf(alma, publishing({ course, events: [id] }));
    const day = new Date().toISOString().slice(0, 10);
    await server.server.services.db.db.insert(zoomHostDays).values({ host: HOSTS.farid, day, used: 100 });
    const theirs = publishing({ course, events: [id], owner: HOSTS.farid });
    const { data } = await (await startChange(bruno, theirs)).json();
    await until(bruno, data.id, ({ state }) => state === 'waiting');
    await expectRefused(order);
  });
});

describe('OP-102 a change is made as previewed', () => {
  test("if only other events, titles, texts and hosts' daily limits have changed in the meantime", async () => {
    const course = campus.quietCourse().id;
    const [mine, other] = (await campus.makeEvents(course, 2)).map(({ id }) => id) as [number, number];
    const order = await orderOf(alma, publishing({ course, events: [mine] }));
    await change(bruno, publishing({ course, events: [other] }));
    await campus.changeEvent(mine, { title: 'Under another name', description: '<p>Bring your notes.</p>' });
    expect((await saved(order)).outcome).toBe('done');
    expect((await campus.event(mine)).description).toContain('<p>Bring your notes.</p>');
  });

  test('if another person has made the same change in the meantime, so that nothing is left to do', async () => {
    const { course, id } = await oneEvent();
    const order = await orderOf(alma, publishing({ course, events: [id] }));
    await change(bruno, publishing({ course, events: [id] }));
    await campus.writes();
    const ended = await saved(order);
    expect([ended.outcome, ended.figures]).toEqual([
      'done',
      [
        ['events done', 0],
        ['events already correct', 1],
      ],
    ]);
    expect(await campus.writes()).toEqual([]);
  });

  test('once by the same request sent twice, as after a lost answer; another preview under the same key is rejected', async () => {
    const { course, id } = await oneEvent();
    const order = await orderOf(alma, publishing({ course, events: [id] }));
    const key = randomUUID();
    const first = await startedAs(order, key);
    expect((await endOf(alma, first)).outcome).toBe('done');
    expect(await startedAs(order, key)).toBe(first);
    const other = { key, input: { ...order, digest: 'of another preview' } };
    expect((await alma.post(jobStartPath(ZOOM_CHANGE), other)).status).toBe(409);
  });

  test('to its end if some of it waits for the next day, whatever happens to the events until then', async () => {
    const course = campus.quietCourse().id;
    const [one, two] = (await campus.makeEvents(course, 2)).map(({ id }) => id) as [number, number];
    const day = new Date().toISOString().slice(0, 10);
    const { db } = server.server.services.db;
    await db.insert(zoomHostDays).values({ host: HOSTS.farid, day, used: 99 });
    const id = await startedAs(
      await orderOf(alma, publishing({ course, events: [one, two], owner: HOSTS.farid })),
    );
    await until(alma, id, ({ state }) => state === 'waiting');
    await db.delete(zoomHostDays);
    // A later change of one of the events wakes the job.
    await change(bruno, publishing({ course, events: [one, two], owner: HOSTS.bruno, visible: false }));
    const ended = await endOf(alma, id);
    expect([ended.outcome, ended.problem]).toEqual(['partly', null]);
  });

  test('only with a preview, which the console cannot leave out; calls for single events need none', async () => {
    const { course, id } = await oneEvent();
    const bare: ZoomChange = publishing({ course, events: [id] });
    const response = await alma.post(jobStartPath(ZOOM_CHANGE), { key: randomUUID(), input: bare });
    expect(response.status).toBe(400);
    const asked = { host: HOSTS.alma, coHost: '', visibility: true, calendar_event: id };
    const { data } = await (await alma.post(ENDPOINTS.zoomUpdateOwner, asked)).json();
    expect((await endOf(alma, data.id)).outcome).toBe('done');
  });
});
