/** Events that were moved to another course in the LMS keep what students have (OP-71, OP-102, OP-103); runs tell of all they do. */
import type { ZoomChange } from '@lms-admin/contract/zoom';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  blocksIn,
  change,
  HOSTS,
  itemsOf,
  numberIn,
  previewOf,
  publishing,
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

const move = (event: number, course: number) =>
  campus.changeEvent(event, { context_code: `course_${course}` });
const linkOf = async (event: number) => numberIn((await campus.event(event)).description);

/** Two courses; in the first a published event with which another one is merged that has a meeting of its own, which is hidden. */
async function merged() {
  const [course, other] = [campus.quietCourse().id, campus.quietCourse().id];
  const main = (await campus.makeEvent(course, { title: 'Main' })).id;
  const child = (await campus.makeEvent(course, { title: 'Child' }, 4)).id;
  await change(alma, publishing({ course, events: [main], owner: HOSTS.farid }));
  await change(alma, publishing({ course, events: [child], owner: HOSTS.standard, visible: false }));
  await change(alma, { change: 'merge', course, parent: main, events: [child] });
  return { course, other, main, child, number: await linkOf(main) };
}

describe('OP-71 a merged event that is moved to another course', () => {
  test('keeps link, host and visibility of its group in the runs of both courses, and in the table', async () => {
    const { course, other, main, child, number } = await merged();
    expect(await linkOf(child)).toBe(number);
    await move(child, other);
    const shown = {
      zoom_owner: HOSTS.farid,
      zoom_visibility: 1,
      zoom_parent_id: main,
      zoom_parent_title: 'an event of another course',
    };
    expect(await rowOf(alma, other, child)).toMatchObject(shown);
    await campus.writes();
    for (const one of [other, course]) expect((await runOf(server, alma, one)).job.outcome).toBe('done');
    expect(await campus.writes()).toEqual([]);
    expect([await linkOf(main), await linkOf(child)]).toEqual([number, number]);
    expect(await rowOf(alma, other, child)).toMatchObject(shown);
    // The meeting is not changed from there: it has the times and the title of its main event.
    expect((await campus.meeting(number))?.topic).toBe('Main');
  });

  test('has another link when its main event has, the old one works until then, and it can be unmerged', async () => {
    const { course, other, main, child, number } = await merged();
    await move(child, other);
    await runOf(server, alma, other);
    await change(alma, publishing({ course, events: [main], owner: HOSTS.hugo }));
    const renewed = await linkOf(main);
    expect([renewed === number, await linkOf(child)]).toEqual([false, number]);
    expect(await campus.meeting(number)).not.toBeNull();
    await runOf(server, alma, other);
    expect(await linkOf(child)).toBe(renewed);
    const unmerge: ZoomChange = { change: 'unmerge', course: other, event: child };
    expect((await previewOf(alma, unmerge)).disappear).toBe(1);
    expect((await change(alma, unmerge)).outcome).toBe('done');
    expect(await linkOf(child)).toBe(0);
  });

  test('is hidden with its main event by the next run, which counts it', async () => {
    const { course, other, main, child } = await merged();
    await move(child, other);
    await change(alma, publishing({ course, events: [main], owner: HOSTS.farid, visible: false }));
    const { job, items } = await runOf(server, alma, other);
    expect(blocksIn(await campus.event(child))).toEqual([]);
    expect(items.map(({ message }) => message)).toEqual(['Link hidden from students.']);
    expect(job.figures).toContainEqual(['links hidden', 1]);
  });

  test('goes on with the whole group where that is moved, or with another main event where its own is deleted', async () => {
    const { course, other, main, child, number } = await merged();
    await move(main, other);
    await move(child, other);
    await runOf(server, alma, other);
    expect(await rowOf(alma, other, child)).toMatchObject({
      zoom_parent_id: main,
      zoom_parent_title: 'Main',
    });
    expect([await linkOf(main), await linkOf(child)]).toEqual([number, number]);
    const third = (await campus.makeEvent(other, { title: 'Third' }, 5)).id;
    await change(alma, { change: 'merge', course: other, parent: main, events: [third] });
    await move(child, course);
    await runOf(server, alma, course);
    await campus.api(`calendar_events/${main}`, { method: 'DELETE' });
    for (const one of [other, course]) await runOf(server, alma, one);
    expect([await linkOf(third), await linkOf(child)]).toEqual([number, number]);
    expect(await rowOf(alma, course, child)).toMatchObject({ zoom_parent_id: third, zoom_visibility: 1 });
  });
});

test('OP-71 a main event that is moved leaves its meeting to those that are merged with it, in the table at once', async () => {
  const { course, other, main, child, number } = await merged();
  await move(main, other);
  expect(await rowOf(alma, course, child)).toMatchObject({ zoom_parent_id: null, zoom_owner: HOSTS.farid });
  for (const one of [other, course]) {
    const { job } = await runOf(server, alma, one);
    expect((await itemsOf(alma, job.id)).map(({ state }) => state)).toEqual(['done']);
  }
  expect(await linkOf(child)).toBe(number);
});

describe('OP-102 the preview of an event that was moved to another course', () => {
  async function moved() {
    const [course, other] = [campus.quietCourse().id, campus.quietCourse().id];
    const { id } = await campus.makeEvent(course, { title: 'Moved' });
    await change(alma, publishing({ course, events: [id] }));
    const number = await linkOf(id);
    await move(id, other);
    return { course: other, id, number };
  }

  test('knows its meeting and its link, as the table does and as the change finds them', async () => {
    const { course, id, number } = await moved();
    expect(await rowOf(alma, course, id)).toMatchObject({ zoom_owner: HOSTS.alma, zoom_visibility: 1 });
    const hiding = publishing({ course, events: [id], visible: false });
    expect(await previewOf(alma, hiding)).toMatchObject({ make: 0, links: [], disappear: 1, clashes: [] });
    await change(alma, hiding);
    expect(await linkOf(id)).toBe(0);
    expect(await campus.meeting(number)).not.toBeNull();
  });

  test('says that its meeting gives way to another one, and is removed', async () => {
    const { course, id, number } = await moved();
    const input = publishing({ course, events: [id], owner: HOSTS.farid });
    expect(await previewOf(alma, input)).toMatchObject({
      make: 1,
      links: [{ event: id, from: HOSTS.alma, to: HOSTS.farid, why: 'host', published: true }],
    });
    await change(alma, input);
    expect([await linkOf(id), await campus.meeting(number)]).toEqual([expect.any(Number), null]);
    expect(await linkOf(id)).not.toBe(number);
  });
});
