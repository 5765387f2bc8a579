/**
 * Events moved to another course in the LMS: students keep what they have (OP-71, OP-102, OP-103), and runs
 * report everything that they do.
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

/**
 * Prepares two courses. The first has a published event, merged with another one whose own meeting is hidden.
 */
async function merged() {
  const [course, other] = [campus.quietCourse().id, campus.quietCourse().id];
  const main = (await campus.makeEvent(course, { title: 'Main' })).id;
  const child = (await campus.makeEvent(course, { title: 'Child' }, 4)).id;
  await change(alma, publishing({ course, events: [main], owner: HOSTS.farid }));
  await change(alma, publishing({ course, events: [child], owner: HOSTS.standard, visible: false }));
  await change(alma, { change: 'merge', course, parent: main, events: [child] });
  return { course, other, main, child, number: await linkOf(main) };
}

/**
 * Checks that preview and change are rejected with the same text, and that neither Canvas nor Zoom is
 * changed.
 */
async function refusedFor(input: ZoomChange, event: number, group: number[], name: string) {
  const seen = async () => ({
    events: await Promise.all(group.map((id) => campus.event(id))),
    meetings: (await campus.ours()).sort((a, b) => a.id - b.id),
  });
  const before = await seen();
  const preview = await previewOf(alma, input);
  expect(preview).toMatchObject({ make: 0, update: 0, links: [], shared: [], appear: 0, disappear: 0 });
  expect(preview.problems.map((one) => one.event)).toEqual([event]);
  const { message } = preview.problems[0] ?? { message: '' };
  expect(message).toContain(name);
  const { id, outcome } = await change(alma, input);
  expect([outcome, (await itemsOf(alma, id))[0]]).toMatchObject(['failed', { state: 'failed', message }]);
  expect(await seen()).toEqual(before);
}

describe('OP-71 a merged event that is moved to another course', () => {
  test("keeps its group's link, host and visibility in the runs of both courses, and in the table", async () => {
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
    // The meeting is not changed from there, because its times and title are those of its main event.
    expect((await campus.meeting(number))?.topic).toBe('Main');
  });

  test('is not left with another link: changing its main event is rejected until it is unmerged there', async () => {
    const { course, other, main, child, number } = await merged();
    await move(child, other);
    // The change is rejected whether or not a run of the other course has seen the event there.
    for (const isSeen of [false, true]) {
      if (isSeen) await runOf(server, alma, other);
      const name = isSeen ? `An event in course ${other}` : `“Child” in course ${other}`;
      await refusedFor(publishing({ course, events: [main], owner: HOSTS.hugo }), main, [main, child], name);
      expect(await campus.meeting(number)).not.toBeNull();
    }
    const unmerge: ZoomChange = { change: 'unmerge', course: other, event: child };
    expect((await previewOf(alma, unmerge)).disappear).toBe(1);
    expect((await change(alma, unmerge)).outcome).toBe('done');
    expect(await linkOf(child)).toBe(0);
    const renew = publishing({ course, events: [main], owner: HOSTS.hugo });
    expect((await previewOf(alma, renew)).problems).toEqual([]);
    expect((await change(alma, renew)).outcome).toBe('done');
    expect([await linkOf(main), await campus.meeting(number)]).not.toEqual([number, expect.anything()]);
    expect(await campus.meeting(number)).toBeNull();
  });

  test('is not left with a link hidden because of its main event, and cannot be merged with another event', async () => {
    const { course, other, main, child } = await merged();
    const third = (await campus.makeEvent(course, { title: 'Third' }, 5)).id;
    await change(alma, publishing({ course, events: [third], owner: HOSTS.farid }));
    await move(child, other);
    const hide = publishing({ course, events: [main], owner: HOSTS.farid, visible: false });
    await refusedFor(hide, main, [main, child], `“Child” in course ${other}`);
    const merge: ZoomChange = { change: 'merge', course, parent: third, events: [main] };
    await refusedFor(merge, main, [main, child], `“Child” in course ${other}`);
  });

  test('is named if its meeting changes with its main event and the link stays', async () => {
    const { course, other, main, child, number } = await merged();
    await move(child, other);
    const input = publishing({ course, events: [main], owner: HOSTS.farid, co_hosts: [HOSTS.alma] });
    const preview = await previewOf(alma, input);
    expect(preview).toMatchObject({ update: 1, problems: [] });
    expect(preview.shared).toMatchObject([{ event: child, title: 'Child', with: 'Main' }]);
    expect((await change(alma, input)).outcome).toBe('done');
    expect([await linkOf(main), await linkOf(child)]).toEqual([number, number]);
  });

  test('is not described with data from a course that the person cannot see', async () => {
    const { course, main, child } = await merged();
    const far = campus.course(0, 163).id;
    await move(child, far);
    await campus.changeEvent(child, { title: 'Secret' });
    await runOf(server, alma, far);
    const renew = publishing({ course, events: [main], owner: HOSTS.hugo });
    const update = publishing({ course, events: [main], owner: HOSTS.farid, co_hosts: [HOSTS.alma] });
    const previews = [await previewOf(alma, renew), await previewOf(alma, update)];
    expect(previews[0]?.problems[0]?.message).toContain(`An event in course ${far}`);
    expect(previews[1]?.shared).toMatchObject([{ event: child, title: 'an event of another course' }]);
    const done = await change(alma, renew);
    expect(done.outcome).toBe('failed');
    expect(JSON.stringify([previews, await itemsOf(alma, done.id)])).not.toContain('Secret');
    expect(await linkOf(main)).toBe(await linkOf(child));
  });

  test('is not left with another link even if the person cannot see its course', async () => {
    const { course, other, main, child, number } = await merged();
    await move(child, other);
    const match = `/api/v1/calendar_events/${child}`;
    await campus.fault({ match, method: 'GET', kind: 'status', status: 403 });
    const input = publishing({ course, events: [main], owner: HOSTS.hugo });
    const message = expect.stringMatching(/^“Child” in a course that you cannot see has the same link/);
    expect((await previewOf(alma, input)).problems).toMatchObject([{ event: main, message }]);
    const { id } = await change(alma, input);
    expect(await itemsOf(alma, id)).toMatchObject([{ state: 'failed', message }]);
    await campus.clearFaults();
    expect([await linkOf(main), await linkOf(child)]).toEqual([number, number]);
    expect(await campus.meeting(number)).not.toBeNull();
  });

  test('continues with the whole group if the group is moved, or with another main event if its own is deleted', async () => {
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

describe('OP-102 the preview of an event that was moved to another course', () => {
  async function moved() {
    const [course, other] = [campus.quietCourse().id, campus.quietCourse().id];
    const { id } = await campus.makeEvent(course, { title: 'Moved' });
    await change(alma, publishing({ course, events: [id] }));
    const number = await linkOf(id);
    await move(id, other);
    return { course: other, id, number };
  }

  test('uses its meeting and its link, as the table and the change do', async () => {
    const { course, id, number } = await moved();
    expect(await rowOf(alma, course, id)).toMatchObject({ zoom_owner: HOSTS.alma, zoom_visibility: 1 });
    const hiding = publishing({ course, events: [id], visible: false });
    expect(await previewOf(alma, hiding)).toMatchObject({ make: 0, links: [], disappear: 1, clashes: [] });
    await change(alma, hiding);
    expect(await linkOf(id)).toBe(0);
    expect(await campus.meeting(number)).not.toBeNull();
  });

  test('says that its meeting is replaced by another one, and is removed', async () => {
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
