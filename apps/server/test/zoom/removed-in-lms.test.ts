/** Events from which a person has removed the link in the LMS: what a change announces, does and reports. */
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jobs, zoomHostDays } from '../../src/platform/schema.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  change,
  endOf,
  HOSTS,
  itemsOf,
  numberIn,
  previewOf,
  publishing,
  reviewOf,
  rowOf,
  runOf,
  startChange,
  until,
  ZoomCampus,
} from './campus.ts';
import { ACCESS } from './run-support.ts';

let server: TestServer;
let campus: ZoomCampus;
let alma: Browser;
beforeAll(async () => {
  server = await startTestServer({ access: ACCESS, sandbox: { throttle: false } });
  campus = new ZoomCampus(server.sandbox);
  alma = await server.signIn(PEOPLE.all);
});
afterAll(() => server.close());

const strip = (id: number) => campus.changeEvent(id, { description: '<p>my text</p>', location_address: '' });
const textsOf = async (id: number) => {
  const { description, location_address } = await campus.event(id);
  return [description, location_address];
};

async function published(count: number) {
  const course = campus.quietCourse().id;
  const ids = (await campus.makeEvents(course, count)).map(({ id }) => id) as [number, number];
  await change(alma, publishing({ course, events: ids, owner: HOSTS.hugo }));
  return { course, ids };
}

describe('OP-103 OP-104 a change that waits for the next day', () => {
  async function usedUp(host: string): Promise<void> {
    const day = new Date().toISOString().slice(0, 10);
    const { db } = server.server.services.db;
    await db.delete(zoomHostDays).where(eq(zoomHostDays.host, host));
    await db.insert(zoomHostDays).values({ host, day, used: 100 });
  }

  /** Moves to the next day. */
  async function released(id: string) {
    const { db } = server.server.services.db;
    await db.delete(zoomHostDays);
    await db.update(jobs).set({ waitUntil: sql`now()` }).where(eq(jobs.id, id));
    return endOf(alma, id);
  }

  test.each([
    ['hides', false],
    ['shows', true],
  ])(
    'and %s the events restores no link while it waits, and then reports what it did',
    async (_name, visible) => {
      const { course, ids } = await published(2);
      const [one, two] = ids;
      await strip(one);
      const before = await Promise.all(ids.map(textsOf));
      await usedUp(HOSTS.farid);
      const input = publishing({ course, events: ids, owner: HOSTS.farid, visible });
      const said = await previewOf(alma, input);
      expect([said.appear, said.disappear]).toEqual(visible ? [1, 0] : [0, 1]);
      const { data } = await (await startChange(alma, input)).json();
      await until(alma, data.id, ({ state }) => state === 'waiting');
      expect(await Promise.all(ids.map(textsOf))).toEqual(before);
      const done = await released(data.id);
      expect(new Map(done.figures).get(visible ? 'links shown' : 'links hidden')).toBe(1);
      const lines = (await itemsOf(alma, data.id)).map(({ message }) => message).join(' ');
      expect(lines).not.toContain('put back');
      for (const id of [one, two]) {
        expect(numberIn((await campus.event(id)).description) > 0).toBe(visible);
        expect((await rowOf(alma, course, id)).zoom_texts).toBeNull();
      }
    },
  );
});

describe('OP-69 OP-102 an event becomes hidden or published, and students see the same as before', () => {
  test('hiding an event without a link in the LMS is announced, done and counted; no run restores the link', async () => {
    const { course, ids } = await published(2);
    const [main, child] = ids;
    await change(alma, { change: 'merge', course, parent: main, events: [child] });
    await strip(main);
    await strip(child);
    const input = publishing({ course, events: [main], owner: HOSTS.hugo, visible: false });
    const said = await previewOf(alma, input);
    expect([said.disappear, said.set.map(({ event, visible }) => [event, visible])]).toEqual([
      0,
      [
        [main, false],
        [child, false],
      ],
    ]);
    const { id, figures } = await change(alma, input);
    expect(figures).toEqual([
      ['events done', 1],
      ['events set to Hidden', 2],
    ]);
    expect((await itemsOf(alma, id))[0]?.message).toMatch(
      /^Set to Hidden\. “Session 2” \(.*\): set to Hidden\.$/,
    );
    expect(await rowOf(alma, course, main)).toMatchObject({ zoom_visibility: 0, zoom_texts: null });
    await campus.writes();
    await runOf(server, alma, course);
    expect(await campus.writes()).toEqual([]);
    expect((await previewOf(alma, input)).set).toEqual([]);
  });

  test('publishing a hidden event that already has its link in the LMS is announced, done and counted', async () => {
    const { course, ids } = await published(1);
    const [event] = ids;
    const { description, location_address } = await campus.event(event);
    await change(alma, publishing({ course, events: [event], owner: HOSTS.hugo, visible: false }));
    await campus.changeEvent(event, { description, location_address });
    const input = publishing({ course, events: [event], owner: HOSTS.hugo });
    const said = await previewOf(alma, input);
    expect([said.appear, said.set.map(({ visible }) => visible)]).toEqual([0, [true]]);
    expect((await change(alma, input)).figures).toEqual([
      ['events done', 1],
      ['events set to Published', 1],
    ]);
    expect(await rowOf(alma, course, event)).toMatchObject({ zoom_visibility: 1, zoom_texts: null });
  });
});

test('ZR-05 OP-69 a meeting that replaces one known to be deleted does not count as a renewed link', async () => {
  const { course, ids } = await published(2);
  const [main, event] = ids;
  const own = numberIn((await campus.event(event)).description);
  await change(alma, { change: 'merge', course, parent: main, events: [event] });
  await campus.zoom(`/meetings/${own}`, 'DELETE');
  await change(alma, { change: 'unmerge', course, event });
  const said = await reviewOf(alma, course);
  expect(said.told.map(({ event: id, does }) => [id, does])).toEqual([[event, 'make']]);
  const { job, items } = await runOf(server, alma, course);
  expect(items.map(({ message }) => message)).toEqual(['Nothing to do.', 'Meeting created.']);
  expect(job.figures).toEqual([
    ['events', 2],
    ['meetings created', 1],
  ]);
});
