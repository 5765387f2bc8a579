/** After a lost or failed answer, a run reports what it did in all its turns, and nothing else. */
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { jobs, zoomHostDays } from '../../src/platform/schema.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  blocksIn,
  change,
  endOf,
  HOSTS,
  itemsOf,
  numberIn,
  publishing,
  reviewOf,
  runOf,
  runStarted,
  startChange,
  until,
  ZoomCampus,
} from './campus.ts';

let server: TestServer;
let campus: ZoomCampus;
let alma: Browser;

beforeAll(async () => {
  server = await startTestServer({ sandbox: { throttle: false } });
  campus = new ZoomCampus(server.sandbox);
  alma = await server.signIn(PEOPLE.all);
});
afterAll(() => server.close());
afterEach(() => campus.clearFaults());

const TEXT = { method: 'PUT', match: '/api/v1/calendar_events/*' };
const MEETING = { system: 'zoom', method: 'POST', match: '/zoom/v2/users/*/meetings' };
const CHANGED = { system: 'zoom', method: 'PATCH', match: '/zoom/v2/meetings/*' };
const LOST = { kind: 'drop', when: 'after' };

/** Runs a course with this fault. */
async function ran(course: number, fault: object) {
  await campus.handle('faults', 'POST', fault);
  const { job, items } = await runOf(server, alma, course);
  await campus.clearFaults();
  const { outcome, figures, note } = job;
  return { outcome, figures, note, said: items.map(({ message }) => message) };
}

async function published(owner: string = HOSTS.farid) {
  const { id: course } = campus.quietCourse();
  const event = await campus.makeEvent(course);
  await change(alma, publishing({ course, events: [event.id], owner }));
  return { course, event: event.id };
}

const eventsOf = (count: number): [string, number] => ['events', count];

describe('ZR-01 OP-103 OP-104 after a lost or failed answer, a run reports what it has done in all its turns', () => {
  const CREATIONS: [string, object][] = [
    ['the answers of two creations are lost', { ...MEETING, ...LOST, count: 2 }],
    ['creations never arrive', { ...MEETING, kind: 'drop', when: 'before', count: 2 }],
  ];
  test.each(CREATIONS)('such as created meetings: %s', async (_, fault) => {
    const { id: course } = campus.quietCourse();
    await campus.makeEvents(course, 2);
    expect((await reviewOf(alma, course)).meetings.made).toBe(2);
    expect(await ran(course, fault)).toEqual({
      outcome: 'done',
      figures: [eventsOf(2), ['meetings created', 2]],
      note: null,
      said: Array(2).fill('Meeting created.'),
    });
  });

  const TEXTS: [string, object][] = [
    ['its answer is lost', { ...TEXT, ...LOST, count: 1 }],
    ['the LMS fails', { ...TEXT, kind: 'status', status: 503, count: 1 }],
    ['the LMS fails for a while', { ...TEXT, kind: 'status', status: 500, count: 3 }],
  ];
  test.each(TEXTS)('such as a restored link: %s', async (_, fault) => {
    const { course, event } = await published();
    await campus.changeEvent(event, { description: '<p>Edited.</p>', location_address: '' });
    const told = await ran(course, fault);
    expect(told.said).toEqual(['Link put back into the event.']);
    expect(told.figures).toEqual([eventsOf(1), ['links put back', 1]]);
    expect(blocksIn(await campus.event(event))).toHaveLength(1);
  });

  test.each(TEXTS)('such as a meeting that was created again, and its link: %s', async (_, fault) => {
    const { course, event } = await published();
    await campus.zoom(`/meetings/${numberIn((await campus.event(event)).description)}`, 'DELETE');
    const told = await ran(course, fault);
    expect(told.said).toEqual(['Meeting created, link renewed.']);
    expect(told.figures).toEqual([eventsOf(1), ['meetings created', 1], ['links renewed', 1]]);
  });

  test.each(TEXTS)('such as a link removed because its host is inactive: %s', async (_, fault) => {
    const { course, event } = await published(HOSTS.bruno);
    const other = await campus.makeEvent(course, { title: 'Copy' }, 4);
    const { description, location_address } = await campus.event(event);
    await campus.changeEvent(other.id, { description, location_address });
    const status = (to: string) => campus.handle(`zoom/users/${HOSTS.bruno}`, 'PATCH', { status: to });
    await status('inactive');
    const told = await ran(course, { ...fault, count: 2 });
    await status('active');
    expect(told.figures).toContainEqual(['links removed', 2]);
    expect(told.said[0]).toContain('Its link was removed, as it did not lead to a valid meeting.');
    expect(told.said[1]).toContain('link removed, as it did not lead to a valid meeting');
    expect(told.note).toContain('The links of 2 events did not lead to valid meetings and were removed');
    expect(told.note).not.toContain('Nothing was changed');
    expect(blocksIn(await campus.event(event))).toEqual([]);
  });

  test('such as a meeting that was moved', async () => {
    const { course, event } = await published();
    const { start_at, end_at } = await campus.event(event);
    const later = (at: string) => new Date(Date.parse(at) + 3_600_000).toISOString();
    await campus.changeEvent(event, { start_at: later(start_at), end_at: later(end_at) });
    const told = await ran(course, { ...CHANGED, ...LOST, count: 3 });
    expect(told.said).toEqual(['Meeting moved.']);
    expect(told.figures).toEqual([eventsOf(1), ['meetings moved', 1]]);
  });
});

describe('ZR-01 OP-69 OP-104 an event of which a part waits for the host’s next day is reported once', () => {
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().replace(/\.\d+Z/, 'Z');

  /** Starts work when one change is left for the day, and begins the next day while the job waits. */
  async function overNight(start: () => Promise<string>) {
    const { db } = server.server.services.db;
    await db.delete(zoomHostDays);
    const day = new Date().toISOString().slice(0, 10);
    await db.insert(zoomHostDays).values({ host: HOSTS.farid, day, used: 99 });
    const id = await start();
    await until(alma, id, ({ state }) => state === 'waiting');
    await db.delete(zoomHostDays);
    await db.update(jobs).set({ waitUntil: sql`now()` }).where(eq(jobs.id, id));
    const { outcome, figures } = await endOf(alma, id);
    return { outcome, figures, said: (await itemsOf(alma, id)).map(({ message }) => message) };
  }

  test('by its change and by a run', async () => {
    const { id: course } = campus.quietCourse();
    const times = [50, 60].map((hours) => ({ start_at: at(hours), end_at: at(hours + 1) }));
    const { id: event } = await campus.makeEvent(course, {
      title: 'Two groups',
      child_event_data: await campus.sectionsAt(course, times),
    });
    const asked = publishing({ course, events: [event], owner: HOSTS.farid });
    const published = await overNight(async () => (await (await startChange(alma, asked)).json()).data.id);
    expect(published).toEqual({
      outcome: 'done',
      figures: [
        ['events done', 1],
        ['meetings created', 2],
        ['links shown', 2],
      ],
      said: ['Meeting created, link shown to students.'],
    });
    for (const { id } of await campus.ours([HOSTS.farid])) await campus.zoom(`/meetings/${id}`, 'DELETE');
    const run = await overNight(() => runStarted(server, alma, course));
    expect(run.figures).toEqual(expect.arrayContaining([['meetings created', 2]]));
    expect(run.said).toEqual([expect.stringContaining('Meeting created')]);
  });
});
