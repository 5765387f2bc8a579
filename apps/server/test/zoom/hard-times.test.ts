/**
 * Failures of outside systems and simultaneous requests: each event has exactly one meeting (OP-104, OP-64).
 */
import { randomUUID } from 'node:crypto';
import { ENDPOINTS, jobStartPath } from '@lms-admin/contract/endpoints';
import { job } from '@lms-admin/contract/jobs';
import { ZOOM_CHANGE } from '@lms-admin/contract/zoom';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { jobs, zoomHostDays } from '../../src/platform/schema.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  blocksIn,
  cancelOf,
  change,
  endOf,
  HOSTS,
  itemsOf,
  type LmsEvent,
  numberIn,
  orderOf,
  previewOf,
  publishing,
  refusalOf,
  rowOf,
  runOf,
  startChange,
  tableOf,
  until,
  ZoomCampus,
} from './campus.ts';

let server: TestServer;
let campus: ZoomCampus;
let alma: Browser;

beforeAll(async () => {
  server = await startTestServer({
    sandbox: { throttle: false },
  });
  campus = new ZoomCampus(server.sandbox);
  alma = await server.signIn(PEOPLE.all);
});
afterAll(() => server.close());
afterEach(async () => {
  await campus.clearFaults();
  await campus.handle('zoom/host-days', 'DELETE');
  await server.server.services.db.db.delete(zoomHostDays);
});

/** Checks that each event has its own meeting and one block with its link, and that no meeting is left over. */
async function expectExact(events: readonly LmsEvent[], hosts: readonly string[]): Promise<void> {
  await campus.clearFaults();
  const shown = await Promise.all(events.map(({ id }) => campus.event(id)));
  const numbers = shown.map(({ description }) => numberIn(description));
  expect(shown.map((event) => blocksIn(event).length)).toEqual(events.map(() => 1));
  const titles = new Set(events.map(({ title }) => title));
  const made = (await campus.ours(hosts)).filter(({ topic }) => titles.has(topic));
  expect(made.map(({ id }) => id).sort((a, b) => a - b)).toEqual([...numbers].sort((a, b) => a - b));
}

/** Creates events with titles that no other test has. */
const someEvents = (course: number, count: number, name: string) =>
  Promise.all(
    Array.from({ length: count }, (_, n) =>
      campus.makeEvent(course, { title: `${name} ${n + 1}` }, 2 + n / 24),
    ),
  );

describe('OP-104 lost answers and rejections', () => {
  const FAULTS: [string, object[]][] = [
    [
      'the answer of a creation is lost',
      [{ method: 'POST', match: '*/meetings', kind: 'drop', when: 'after', count: 2 }],
    ],
    [
      'a creation never arrives',
      [{ method: 'POST', match: '*/meetings', kind: 'drop', when: 'before', count: 2 }],
    ],
    ['Zoom says 503 now and then', [{ kind: 'status', status: 503, share: 0.3, count: 6 }]],
    ['Zoom says 429', [{ kind: 'throttle', count: 5 }]],
  ];
  test.each(FAULTS)('%s', { timeout: 120_000 }, async (name, faults) => {
    const course = campus.quietCourse();
    const events = await someEvents(course.id, 4, name);
    for (const fault of faults) await campus.zoomFault(fault);
    const done = await change(
      alma,
      publishing({ course: course.id, events: events.map(({ id }) => id), owner: HOSTS.farid }),
    );
    expect(done.outcome).toBe('done');
    await expectExact(events, [HOSTS.farid]);
  });

  test('delayed lists from Zoom do not hide anything permanently', async () => {
    await campus.handle('zoom', 'PUT', { listLagMs: 1_500 });
    const course = campus.quietCourse();
    const events = await someEvents(course.id, 2, 'Lagging');
    await campus.zoomFault({ method: 'POST', match: '*/meetings', kind: 'drop', when: 'after', count: 1 });
    await change(
      alma,
      publishing({ course: course.id, events: events.map(({ id }) => id), owner: HOSTS.farid }),
    );
    await campus.handle('zoom', 'PUT', { listLagMs: 0 });
    await expectExact(events, [HOSTS.farid]);
  });

  test('if Canvas loses the answer to one change and rejects another, the block appears once', async () => {
    const course = campus.quietCourse();
    const events = await someEvents(course.id, 3, 'Lost in Canvas');
    await campus.fault({
      method: 'PUT',
      match: '/api/v1/calendar_events/*',
      kind: 'drop',
      when: 'after',
      count: 1,
    });
    await campus.fault({
      method: 'PUT',
      match: '/api/v1/calendar_events/*',
      kind: 'status',
      status: 503,
      count: 1,
      spares: 1,
    });
    const done = await change(
      alma,
      publishing({ course: course.id, events: events.map(({ id }) => id), owner: HOSTS.farid }),
    );
    expect(done.outcome).toBe('done');
    await expectExact(events, [HOSTS.farid]);
  });

  test('a co-host who has lost the permission is named before anything is created, and the event can be tried again', async () => {
    const course = campus.quietCourse();
    const [event] = (await someEvents(course.id, 1, 'Co-host')) as [LmsEvent];
    const input = publishing({
      course: course.id,
      events: [event.id],
      owner: HOSTS.farid,
      co_hosts: [HOSTS.bruno],
    });
    // The co-host has just been looked up, and was valid.
    await previewOf(alma, input);
    await campus.handle(`zoom/users/${HOSTS.bruno}`, 'PATCH', { status: 'inactive' });
    await campus.writes();
    expect(await refusalOf(await startChange(alma, input))).toEqual([
      400,
      `Zoom does not accept ${HOSTS.bruno} as an alternative host.`,
    ]);
    expect(await campus.writes()).toEqual([]);
    await campus.handle(`zoom/users/${HOSTS.bruno}`, 'PATCH', { status: 'active' });
    expect((await change(alma, input)).outcome).toBe('done');
    await expectExact([event], [HOSTS.farid]);
  });
});

describe("OP-104 a host's daily limit", () => {
  const used = async (count: number) => {
    const day = new Date().toISOString().slice(0, 10);
    const { db } = server.server.services.db;
    await db.delete(zoomHostDays);
    await db.insert(zoomHostDays).values({ host: HOSTS.farid, day, used: count });
  };

  test('the 100th meeting is created; the 101st waits for the next day, says so, and then continues automatically', async () => {
    const course = campus.quietCourse();
    const events = await someEvents(course.id, 3, 'Day');
    await used(98);
    const input = publishing({ course: course.id, events: events.map(({ id }) => id), owner: HOSTS.farid });
    const midnight = `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)}T00:00:00.000Z`;
    expect((await previewOf(alma, input)).hosts).toMatchObject([
      { needed: 3, left: 2, wait: 1, until: midnight },
    ]);
    const { data } = await (await startChange(alma, input)).json();
    const { id } = job.parse(data);
    const waiting = await until(alma, id, ({ state }) => state === 'waiting');
    expect(waiting.waiting).toEqual({
      until: expect.stringMatching(midnight.slice(0, 16)) as string,
      why: '1 event waits for the next day, because Zoom allows 100 changes per host per day.',
    });
    expect(waiting.items).toMatchObject({ done: 2, todo: 1, failed: 0 });
    expect((await itemsOf(alma, id)).find(({ state }) => state === 'todo')?.message).toBe(
      'farid.noor@northbridge.example has used up today’s 100 changes in Zoom.',
    );
    const left = async () => {
      const schedulers = await (await alma.fetch(ENDPOINTS.zoomSchedulers)).json();
      return schedulers.data.owners.find(({ email }: { email: string }) => email === HOSTS.farid).left;
    };
    expect(await left()).toBe(0);
    // Midnight.
    const { db } = server.server.services.db;
    await db.delete(zoomHostDays);
    await db.update(jobs).set({ waitUntil: sql`now()` }).where(eq(jobs.id, id));
    expect((await endOf(alma, id)).outcome).toBe('done');
    await expectExact(events, [HOSTS.farid]);
  });

  test('a limit that others have used up is known from Zoom, and a cancelled change says what was done', async () => {
    const course = campus.quietCourse();
    const events = await someEvents(course.id, 2, 'Zoom day');
    await campus.handle('zoom', 'PUT', { limits: { hostDay: 1 } });
    const input = publishing({ course: course.id, events: events.map(({ id }) => id), owner: HOSTS.farid });
    const { data } = await (await startChange(alma, input)).json();
    await until(alma, data.id, ({ state }) => state === 'waiting');
    await campus.handle('zoom', 'PUT', { limits: {} });
    await cancelOf(alma, data.id);
    const ended = await endOf(alma, data.id);
    expect([ended.outcome, ended.note]).toEqual([
      'cancelled',
      'Cancelled: 1 of 2 events were done; 1 event was not started.',
    ]);
  });
});

describe('simultaneous requests', () => {
  test('of two admins, or of one admin twice, lead to one meeting for each event, and the last decision applies', async () => {
    const bruno = await server.signIn(PEOPLE.all);
    const course = campus.quietCourse();
    const events = await someEvents(course.id, 5, 'Together');
    const ids = events.map(({ id }) => id);
    const input = await orderOf(alma, publishing({ course: course.id, events: ids, owner: HOSTS.farid }));
    const twice = { key: 'the-same-key-twice', input };
    const answers = await Promise.all([
      alma.post(jobStartPath(ZOOM_CHANGE), twice),
      alma.post(jobStartPath(ZOOM_CHANGE), twice),
      bruno.post(jobStartPath(ZOOM_CHANGE), { key: randomUUID(), input }),
    ]);
    const started = await Promise.all(answers.map(async (one) => (await one.json()).data.id as string));
    expect(new Set(started).size).toBe(2);
    for (const id of new Set(started)) expect((await endOf(alma, id)).outcome).toBe('done');
    await expectExact(events, [HOSTS.farid]);
  });
});

describe('OP-64 a synchroniser', () => {
  test('that creates its events again leaves link, owner, visibility and parent, which are found by the reservation', async () => {
    const course = campus.quietCourse();
    const named = (n: number) => ({
      title: `Seminar ${n}${'\u200b'.repeat(10)}`,
      description: `<p>x</p><p><a href="https://cloud.timeedit.net/nb/web/x/ri.html?h=t&amp;id=90${course.id}${n}">Edit on TimeEdit</a></p>`,
    });
    const first = await campus.makeEvent(course.id, named(1));
    const second = await campus.makeEvent(course.id, named(2), 4);
    await change(alma, publishing({ course: course.id, events: [first.id, second.id], owner: HOSTS.farid }));
    await change(alma, { change: 'merge', course: course.id, parent: first.id, events: [second.id] });
    const before = await rowOf(alma, course.id, first.id);
    expect(before).toMatchObject({
      te_reservation_id: `90${course.id}1`,
      time_edit_reservation_id: `90${course.id}1`,
    });
    for (const { id } of [first, second]) await campus.api(`calendar_events/${id}`, { method: 'DELETE' });
    const again = await campus.makeEvent(course.id, named(1));
    const other = await campus.makeEvent(course.id, named(2), 4);
    const rows = await tableOf(alma, course.id);
    expect(
      rows.map(({ id, zoom_link, zoom_visibility, zoom_parent_id, id_local }) => [
        id,
        zoom_link,
        zoom_visibility,
        zoom_parent_id,
        id_local === before.id_local,
      ]),
    ).toEqual([
      [again.id, before.zoom_link, 1, null, true],
      [other.id, before.zoom_link, 1, again.id, false],
    ]);
    // The new events have no link yet. Publishing writes it, and creates nothing new.
    await campus.writes();
    await change(alma, publishing({ course: course.id, events: [again.id], owner: HOSTS.farid }));
    expect((await campus.writes()).sort()).toEqual([
      `PUT /api/v1/calendar_events/${again.id}`,
      `PUT /api/v1/calendar_events/${other.id}`,
    ]);
    expect(numberIn((await campus.event(other.id)).description)).toBe(numberIn(before.zoom_link));
  });

  test('a copy of an event keeps its own host, link and visibility when the original is deleted or created again', async () => {
    const course = campus.quietCourse();
    const named = (title: string) => ({
      title,
      description: `<p><a href="https://cloud.timeedit.net/nb/web/x/ri.html?h=t&amp;id=91${course.id}1">Edit on TimeEdit</a></p>`,
    });
    const original = await campus.makeEvent(course.id, named('Lecture'));
    const copy = await campus.makeEvent(course.id, named('Extra session'), 4);
    const { id } = course;
    await change(alma, publishing({ course: id, events: [original.id], owner: HOSTS.hugo }));
    await change(alma, publishing({ course: id, events: [copy.id], owner: HOSTS.farid, visible: false }));
    const linkOf = async (event: number) => {
      const { zoom_link, zoom_owner, zoom_visibility } = await rowOf(alma, id, event);
      return [numberIn(zoom_link), zoom_owner, zoom_visibility];
    };
    const [was, own] = [await linkOf(original.id), await linkOf(copy.id)];
    await campus.api(`calendar_events/${original.id}`, { method: 'DELETE' });
    await campus.writes();
    await runOf(server, alma, id);
    expect([await linkOf(copy.id), await campus.writes()]).toEqual([own, []]);
    expect((await campus.event(copy.id)).description).not.toContain('/j/');
    const anew = await campus.makeEvent(course.id, named('Lecture'));
    expect([await linkOf(anew.id), await linkOf(copy.id)]).toEqual([was, own]);
  });

  test('an event whose own text has a link shows that link, and LMS Admin’s link is added when the event is published', async () => {
    const course = campus.quietCourse();
    const base = `${server.sandbox.url.replace('127.0.0.1', 'localhost')}/zoom`;
    const own = await campus.makeEvent(course.id, {
      description: `<p><a href="${base}/j/81234567890?pwd=abc">Zoom</a></p>`,
    });
    const foreign = await campus.makeEvent(course.id, {
      location_address: 'https://evil.example/zoom/j/81234567890',
    });
    const personal = await campus.makeEvent(course.id, {
      location_name: `${base}/j/81234567890?omn=92345678901`,
    });
    expect(await rowOf(alma, course.id, own.id)).toMatchObject({
      zoom_link: `${base}/j/81234567890?pwd=abc`,
      zoom_visibility: 1,
      zoom_owner: null,
      id_local: null,
      ics: `/api/zoom/courses/${course.id}/events/${own.id}/calendar.ics`,
    });
    for (const { id } of [foreign, personal])
      expect(await rowOf(alma, course.id, id)).toMatchObject({
        zoom_link: null,
        zoom_visibility: 0,
        ics: null,
      });
    const input = publishing({ course: course.id, events: [own.id], owner: HOSTS.farid });
    expect(await previewOf(alma, input)).toMatchObject({
      make: 1,
      links: [{ event: own.id, from: null, to: HOSTS.farid }],
    });
    await change(alma, input);
    expect((await campus.event(own.id)).description).toContain('81234567890?pwd=abc');
  });
});
