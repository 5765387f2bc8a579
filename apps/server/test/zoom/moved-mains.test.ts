/**
 * Main events that were moved to another course in the LMS: they and the events merged with them keep the
 * published link (OP-71).
 */
import type { ZoomChange } from '@lms-admin/contract/zoom';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
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
const runOfCourse = (course: number) => runOf(server, alma, course);

interface Group {
  course: number;
  other: number;
  main: number;
  child: number;
  /** The number of the meeting that they share. */
  number: number;
}

/**
 * Creates a published main event that was moved, and a merged one that was not and has its own hidden
 * meeting.
 */
async function moved(): Promise<Group> {
  const [course, other] = [campus.quietCourse().id, campus.quietCourse().id];
  const main = (await campus.makeEvent(course, { title: 'Main' })).id;
  const child = (await campus.makeEvent(course, { title: 'Child' }, 4)).id;
  await change(alma, publishing({ course, events: [main], owner: HOSTS.farid }));
  await change(alma, publishing({ course, events: [child], owner: HOSTS.standard, visible: false }));
  await change(alma, { change: 'merge', course, parent: main, events: [child] });
  const number = await linkOf(main);
  await move(main, other);
  return { course, other, main, child, number };
}

/** Checks that both events have the meeting's original link. */
async function expectShared({ main, child, number }: Group): Promise<void> {
  expect([await linkOf(main), await linkOf(child)]).toEqual([number, number]);
  const { start_at } = await campus.event(main);
  expect(await campus.meeting(number)).toMatchObject({ topic: 'Main', start_time: start_at });
}

/**
 * Checks that preview and change are rejected with the same text, and that neither Canvas nor Zoom is
 * changed.
 */
async function expectRefused(input: ZoomChange, event: number, words: string): Promise<void> {
  const { problems } = await previewOf(alma, input);
  expect(problems.map((one) => one.event)).toEqual([event]);
  const message = problems[0]?.message ?? '';
  expect(message).toContain(words);
  await campus.writes();
  const { id, outcome } = await change(alma, input);
  expect([outcome, (await itemsOf(alma, id))[0]]).toMatchObject(['failed', { state: 'failed', message }]);
  expect(await campus.writes()).toEqual([]);
}

describe('OP-71 a main event that is moved to another course', () => {
  test('takes its meeting with it, and the others keep sharing the meeting, whichever course runs first and after it is moved back', async () => {
    const orders: ('course' | 'other')[][] = [
      [],
      ['course'],
      ['other'],
      ['course', 'other'],
      ['other', 'course'],
    ];
    for (const order of orders) {
      const group = await moved();
      const { course, other, main, child } = group;
      const tell = async (at: number, title: string) => {
        const shown = { zoom_owner: HOSTS.farid, zoom_visibility: 1, zoom_texts: null };
        expect(await rowOf(alma, at, main)).toMatchObject({ ...shown, zoom_parent_id: null });
        const parent = { zoom_parent_id: main, zoom_parent_title: title };
        expect(await rowOf(alma, course, child)).toMatchObject({ ...shown, ...parent });
      };
      await tell(other, 'Main');
      await campus.writes();
      for (const each of order) {
        expect((await reviewOf(alma, group[each])).told, each).toEqual([]);
        expect((await runOfCourse(group[each])).job.outcome).toBe('done');
        await tell(
          other,
          order.slice(0, order.indexOf(each) + 1).some((one) => one === 'other') ? ELSEWHERE : 'Main',
        );
      }
      await expectShared(group);
      await move(main, course);
      await campus.writes();
      await tell(course, 'Main');
      for (const each of [course, other]) {
        expect((await reviewOf(alma, each)).told).toEqual([]);
        await runOfCourse(each);
      }
      expect(await campus.writes(), String(order)).toEqual([]);
      await tell(course, 'Main');
      await expectShared(group);
    }
  });

  test('keeps the link of the others: neither is changed without the other until they are unmerged', async () => {
    for (const seen of ['other', 'course', null] as const) {
      const group = await moved();
      const { course, other, main, child, number } = group;
      if (seen !== null) await runOfCourse(group[seen]);
      const name = `An event in course ${course}`;
      const renewing = publishing({ course: other, events: [main], owner: HOSTS.hugo });
      await expectRefused(renewing, main, name);
      await expectRefused(
        publishing({ course: other, events: [main], owner: HOSTS.farid, visible: false }),
        main,
        name,
      );
      await expectRefused(publishing({ course, events: [child], owner: HOSTS.hugo }), child, ELSEWHERE);
      const update = publishing({
        course: other,
        events: [main],
        owner: HOSTS.farid,
        co_hosts: [HOSTS.alma],
      });
      expect(await previewOf(alma, update)).toMatchObject({
        update: 1,
        problems: [],
        shared: [{ event: child }],
      });
      expect((await change(alma, update)).outcome).toBe('done');
      await expectShared(group);
      const unmerge: ZoomChange = { change: 'unmerge', course, event: child };
      expect(await previewOf(alma, unmerge)).toMatchObject({ disappear: 1, problems: [] });
      expect((await change(alma, unmerge)).outcome).toBe('done');
      expect([await linkOf(main), await linkOf(child)]).toEqual([number, 0]);
      expect((await previewOf(alma, renewing)).problems).toEqual([]);
      expect((await change(alma, renewing)).outcome).toBe('done');
      expect(await campus.meeting(number)).toBeNull();
      expect(await linkOf(main)).toBeGreaterThan(0);
    }
  });

  test('and is deleted there leaves its meeting to an event that was merged with it', async () => {
    for (const seen of ['other', 'course', null] as const) {
      const group = await moved();
      const { course, other, main, child, number } = group;
      if (seen !== null) await runOfCourse(group[seen]);
      await campus.api(`calendar_events/${main}`, { method: 'DELETE' });
      const shown = { zoom_parent_id: null, zoom_owner: HOSTS.farid, zoom_visibility: 1 };
      expect(await rowOf(alma, course, child), String(seen)).toMatchObject(shown);
      for (const each of [other, course]) await runOfCourse(each);
      expect(await rowOf(alma, course, child)).toMatchObject(shown);
      expect(await linkOf(child)).toBe(number);
      expect((await campus.meeting(number))?.topic).toBe('Child');
      const renewing = publishing({ course, events: [child], owner: HOSTS.hugo });
      expect(await previewOf(alma, renewing)).toMatchObject({ make: 1, problems: [] });
      expect((await change(alma, renewing)).outcome).toBe('done');
      expect(await campus.meeting(number)).toBeNull();
    }
  });

  test('and gets section times there leaves its former meeting to the others, as the review says', async () => {
    const { course, other, main, child, number } = await moved();
    const { start_at, end_at } = await campus.event(main);
    const child_event_data = await campus.sectionsAt(other, [
      { start_at, end_at },
      { start_at, end_at },
    ]);
    await campus.changeEvent(main, { child_event_data });
    const { meetings } = await reviewOf(alma, other);
    expect(meetings).toMatchObject({ made: 2, removed: 0 });
    await runOfCourse(other);
    await runOfCourse(course);
    expect(await linkOf(child)).toBe(number);
    expect((await campus.meeting(number))?.host_email).toBe(HOSTS.farid);
    expect(await linkOf(main)).not.toBe(number);
  });

  test('keeps its place if the person cannot see its course', async () => {
    const group = await moved();
    const { course, main, child } = group;
    await campus.fault({
      match: `/api/v1/calendar_events/${main}`,
      method: 'GET',
      kind: 'status',
      status: 403,
    });
    expect(await rowOf(alma, course, child)).toMatchObject({ zoom_parent_id: main, zoom_visibility: 1 });
    expect((await reviewOf(alma, course)).told).toEqual([]);
    await runOfCourse(course);
    await campus.clearFaults();
    await expectShared(group);
  });

  test('gets another meeting if its own was deleted in Zoom, and so do the others', async () => {
    const { course, other, main, child, number } = await moved();
    await campus.zoom(`/meetings/${number}`, 'DELETE');
    for (const each of [course, other, course]) await runOfCourse(each);
    const now = await linkOf(main);
    expect([now, await linkOf(child)]).not.toContain(number);
    expect([now, await campus.meeting(now)]).toEqual([
      await linkOf(child),
      expect.objectContaining({ topic: 'Main' }),
    ]);
  });
});
