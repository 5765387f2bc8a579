/**
 * A group in several courses whose main event was deleted in the LMS: the next event takes its place (OP-71).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { expectAsReviewed } from './as-announced.ts';
import {
  change,
  HOSTS,
  itemsOf,
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

const ELSEWHERE = 'an event of another course';
const move = (event: number, course: number) =>
  campus.changeEvent(event, { context_code: `course_${course}` });
const linkOf = async (event: number) => numberIn((await campus.event(event)).description);
const remove = (event: number) => campus.api(`calendar_events/${event}`, { method: 'DELETE' });

/** Runs a course, and expects the result that the review announced. */
async function expectRun(course: number): Promise<void> {
  const said = await reviewOf(alma, course);
  const before = await snapshotOf(campus, course);
  const { items } = await runOf(server, alma, course);
  const found = differenceOf(before, await snapshotOf(campus, course));
  expectAsReviewed(said, items, { found, before, about: JSON.stringify([said, items, found]) });
}

/**
 * Creates a published main event with three merged ones, each in a different course, and the link that they
 * share.
 */
async function spread() {
  const [home, first, second, third] = [0, 1, 2, 3].map(() => campus.quietCourse().id) as [
    number,
    number,
    number,
    number,
  ];
  const main = (await campus.makeEvent(home, { title: 'Main' })).id;
  const next = (await campus.makeEvent(home, { title: 'Next' }, 4)).id;
  const far = (await campus.makeEvent(home, { title: 'Far' }, 5)).id;
  const last = (await campus.makeEvent(home, { title: 'Last' }, 6)).id;
  await change(alma, publishing({ course: home, events: [main], owner: HOSTS.farid }));
  await change(alma, { change: 'merge', course: home, parent: main, events: [next, far, last] });
  const number = await linkOf(main);
  for (const [event, course] of [
    [next, first],
    [far, second],
    [last, third],
  ] as const)
    await move(event, course);
  return { home, first, second, third, main, next, far, last, number };
}

describe('OP-71 a deleted main event of a group in several courses', () => {
  test('is replaced by the next event, whatever order the courses run in, and all keep the link', async () => {
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0, 1, 2],
    ]) {
      const { first, second, third, main, next, far, last, number } = await spread();
      const courses = [first, second, third];
      for (const course of courses) await runOf(server, alma, course);
      await remove(main);
      const merged = { zoom_visibility: 1, zoom_owner: HOSTS.farid, zoom_parent_title: ELSEWHERE };
      const told = async () => {
        expect(await rowOf(alma, first, next)).toMatchObject({ ...merged, zoom_parent_title: null });
        expect(await rowOf(alma, second, far)).toMatchObject(merged);
        expect(await rowOf(alma, third, last)).toMatchObject(merged);
      };
      await told();
      for (const each of order) {
        await expectRun(courses[each] ?? 0);
        await told();
      }
      for (const event of [next, far, last]) expect(await linkOf(event), String(order)).toBe(number);
      const { start_at } = await campus.event(next);
      expect(await campus.meeting(number)).toMatchObject({ topic: 'Next', start_time: start_at });
      await campus.writes();
      for (const course of courses) await runOf(server, alma, course);
      expect(await campus.writes()).toEqual([]);
    }
  });

  test('is replaced again if its successor is deleted too; once the events are in one course again, they follow the successor', async () => {
    const { first, second, third, main, next, far, last, number } = await spread();
    const courses = [first, second, third];
    for (const course of courses) await runOf(server, alma, course);
    for (const [gone, heir, course, title] of [
      [main, next, first, 'Next'],
      [next, far, second, 'Far'],
    ] as const) {
      await remove(gone);
      for (const each of courses) await expectRun(each);
      expect(await rowOf(alma, course, heir)).toMatchObject({ zoom_visibility: 1, zoom_parent_id: null });
      expect([await linkOf(far), await linkOf(last)]).toEqual([number, number]);
      expect((await campus.meeting(number))?.topic).toBe(title);
    }
    await move(last, second);
    await expectRun(second);
    expect(await rowOf(alma, second, last)).toMatchObject({
      zoom_parent_id: far,
      zoom_parent_title: 'Far',
      zoom_visibility: 1,
    });
    const renew = publishing({ course: second, events: [far], owner: HOSTS.hugo });
    expect(await previewOf(alma, renew)).toMatchObject({ make: 1, problems: [] });
    expect((await change(alma, renew)).outcome).toBe('done');
    expect(await linkOf(last)).toBe(await linkOf(far));
    expect(await linkOf(last)).not.toBe(number);
  });

  test("is replaced, and an event that moves into its successor's course follows the successor", async () => {
    const { first, second, third, main, next, last, number } = await spread();
    for (const course of [first, second, third]) await runOf(server, alma, course);
    await remove(main);
    await expectRun(first);
    await move(last, first);
    const merged = { zoom_parent_id: next, zoom_parent_title: 'Next', zoom_visibility: 1 };
    expect(await rowOf(alma, first, last)).toMatchObject(merged);
    for (const course of [first, second, third]) await expectRun(course);
    expect(await rowOf(alma, first, last)).toMatchObject(merged);
    expect([await linkOf(next), await linkOf(last)]).toEqual([number, number]);
  });

  test('is replaced by an event in its own course if there is one, even if another event is earlier', async () => {
    const { home, first, second, third, main, next, far, last, number } = await spread();
    await move(last, home);
    for (const course of [first, second]) await runOf(server, alma, course);
    await remove(main);
    for (const course of [first, second, home, third]) await expectRun(course);
    expect(await rowOf(alma, home, last)).toMatchObject({ zoom_parent_id: null, zoom_visibility: 1 });
    for (const event of [next, far, last]) expect(await linkOf(event)).toBe(number);
    expect((await campus.meeting(number))?.topic).toBe('Last');
    // The events of other courses would keep the old link.
    const renew = publishing({ course: home, events: [last], owner: HOSTS.hugo });
    const done = await change(alma, renew);
    expect([done.outcome, (await itemsOf(alma, done.id))[0]?.message]).toEqual([
      'failed',
      expect.stringContaining(`course ${first}`),
    ]);
    expect(await linkOf(last)).toBe(number);
  });

  test('is not replaced by an event that is only invisible to the person, nor by one with section times', async () => {
    const { first, second, third, main, next, far, last, number } = await spread();
    const { start_at, end_at } = await campus.event(next);
    const times = await campus.sectionsAt(first, [{ start_at, end_at }]);
    for (const course of [first, second, third]) await runOf(server, alma, course);
    await remove(main);
    await campus.fault({
      match: `/api/v1/calendar_events/${next}`,
      method: 'GET',
      kind: 'status',
      status: 403,
    });
    await expectRun(second);
    await campus.clearFaults();
    expect(await rowOf(alma, second, far)).toMatchObject({ zoom_parent_title: ELSEWHERE });
    await campus.changeEvent(next, { child_event_data: times });
    for (const course of [second, third, first]) await expectRun(course);
    expect(await rowOf(alma, second, far)).toMatchObject({ zoom_parent_id: null, zoom_visibility: 1 });
    expect([await linkOf(far), await linkOf(last)]).toEqual([number, number]);
    expect((await campus.meeting(number))?.topic).toBe('Far');
  });
});
