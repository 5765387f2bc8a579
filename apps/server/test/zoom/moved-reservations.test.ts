/**
 * Main events with a reservation that were moved by hand in the LMS: the group keeps the published link
 * (OP-64, OP-71).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { expectAsPreviewed, expectAsReviewed } from './as-announced.ts';
import {
  change,
  HOSTS,
  numberIn,
  previewOf,
  publishing,
  reviewOf,
  rowOf,
  runOf,
  ZoomCampus,
} from './campus.ts';
import { differenceOf, snapshotOf } from './seen-now.ts';

let server: TestServer;
let campus: ZoomCampus;
let alma: Browser;

beforeAll(async () => {
  server = await startTestServer({ sandbox: { throttle: false } });
  campus = new ZoomCampus(server.sandbox);
  alma = await server.signIn(PEOPLE.all);
});
afterAll(() => server.close());

const HOUR = 3_600_000;
const linkOf = async (event: number) => numberIn((await campus.event(event)).description);

interface Group {
  course: number;
  other: number;
  main: number;
  child: number;
  /** The number of the meeting that they share. */
  number: number;
  /** Names the reservation of the main event. */
  description: string;
}

async function grouped(visible = true): Promise<Group> {
  const [course, other] = [campus.quietCourse().id, campus.quietCourse().id];
  const description = `<p><a href="https://cloud.timeedit.net/nb/web/x/ri.html?h=t&amp;id=93${course}1">Edit on TimeEdit</a></p>`;
  const main = (await campus.makeEvent(course, { title: 'Main', description })).id;
  const child = (await campus.makeEvent(course, { title: 'Child' }, 4)).id;
  await change(alma, publishing({ course, events: [main], owner: HOSTS.farid, visible }));
  await change(alma, { change: 'merge', course, parent: main, events: [child] });
  const number = numberIn((await rowOf(alma, course, main)).zoom_link);
  return { course, other, main, child, number, description };
}

/** Creates such a group, and moves its main event to the other course. */
async function moved(visible = true): Promise<Group> {
  const group = await grouped(visible);
  await campus.changeEvent(group.main, { context_code: `course_${group.other}` });
  return group;
}

/** Runs a course, and expects the result that the review announced. @returns the items that failed */
async function expectRun(course: number) {
  const said = await reviewOf(alma, course);
  const before = await snapshotOf(campus, course);
  const { items } = await runOf(server, alma, course);
  const found = differenceOf(before, await snapshotOf(campus, course));
  expectAsReviewed(said, items, { found, before, about: JSON.stringify([said, items, found]) });
  return items.filter(({ state }) => state === 'failed');
}

/** Checks that both events have the meeting's link, and the main event's time. */
async function expectShared({ main, child, number }: Group): Promise<void> {
  expect([await linkOf(main), await linkOf(child)]).toEqual([number, number]);
  const { start_at } = await campus.event(main);
  expect(await campus.meeting(number)).toMatchObject({ topic: 'Main', start_time: start_at });
}

describe('OP-64 OP-71 a main event with a reservation that is moved by hand', () => {
  test("to another course leaves its group's meeting and link as they are, whichever course runs first", async () => {
    for (const order of [
      ['course', 'other'],
      ['other', 'course'],
    ] as const) {
      const group = await moved();
      await campus.writes();
      for (const each of order) expect(await expectRun(group[each])).toEqual([]);
      expect(await campus.writes(), String(order)).toEqual([]);
      await expectShared(group);
      expect(await rowOf(alma, group.course, group.child)).toMatchObject({
        zoom_owner: HOSTS.farid,
        zoom_visibility: 1,
        zoom_parent_id: group.main,
      });
      // Back in its own course, it is the main event again.
      await campus.changeEvent(group.main, { context_code: `course_${group.course}` });
      for (const each of order) await expectRun(group[each]);
      expect(await campus.writes()).toEqual([`PUT /api/v1/calendar_events/${group.main}`]);
      expect(await rowOf(alma, group.course, group.child)).toMatchObject({ zoom_parent_title: 'Main' });
      await expectShared(group);
    }
  });

  test('is a copy once its timetable has created it again in its own course, where the new event is the main one', async () => {
    const { course, other, main, child, number, description } = await moved();
    await expectRun(course);
    const again = (await campus.makeEvent(course, { title: 'Main', description })).id;
    for (const each of [course, other]) await expectRun(each);
    expect([await linkOf(main), await linkOf(child), await linkOf(again)]).toEqual([number, number, number]);
    expect(await rowOf(alma, course, child)).toMatchObject({ zoom_parent_id: again, zoom_visibility: 1 });
  });

  test("to another course and is deleted, or gets its own meeting there, leaves the group's meeting to the next event", async () => {
    for (const how of ['deleted', 'published'] as const) {
      const { course, other, main, child, number } = await moved();
      await expectRun(course);
      if (how === 'deleted') await campus.api(`calendar_events/${main}`, { method: 'DELETE' });
      else {
        const input = publishing({ course: other, events: [main], owner: HOSTS.hugo });
        const said = await previewOf(alma, input);
        expect(said.links).toMatchObject([{ event: main, why: 'copied', published: true }]);
        const before = await snapshotOf(campus, other);
        const done = await change(alma, input);
        const found = differenceOf(before, await snapshotOf(campus, other));
        expectAsPreviewed(said, done, { found, before, about: JSON.stringify([said, done]) });
      }
      await expectRun(course);
      expect(await linkOf(child), how).toBe(number);
      expect((await campus.meeting(number))?.topic).toBe('Child');
      expect(await rowOf(alma, course, child)).toMatchObject({
        zoom_owner: HOSTS.farid,
        zoom_visibility: 1,
        zoom_parent_id: null,
      });
    }
  });

  test('to another course gets its own meeting there while its group is hidden, and the group keeps its meeting', async () => {
    const { course, other, main, child, number } = await moved(false);
    for (const each of [course, other, course]) await expectRun(each);
    const row = await rowOf(alma, other, main);
    expect([row.zoom_owner, row.zoom_visibility]).toEqual([HOSTS.standard, 0]);
    expect(await rowOf(alma, course, child)).toMatchObject({ zoom_owner: HOSTS.farid, zoom_parent_id: null });
    expect((await campus.meeting(number))?.topic).toBe('Child');
    expect((await change(alma, publishing({ course, events: [child], owner: HOSTS.farid }))).outcome).toBe(
      'done',
    );
    expect(await linkOf(child)).toBe(number);
  });

  test('to another date takes its meeting with it', async () => {
    const group = await grouped();
    const start = new Date(Math.floor(Date.now() / HOUR + 9 * 24) * HOUR);
    await campus.changeEvent(group.main, {
      start_at: start.toISOString(),
      end_at: new Date(start.getTime() + HOUR).toISOString(),
    });
    expect(await expectRun(group.course)).toEqual([]);
    await expectShared(group);
  });
});
