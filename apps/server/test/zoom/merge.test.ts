/** Merging, unmerging and section events over HTTP (ZC-30 to ZC-33, OP-66, OP-71). */
import { randomUUID } from 'node:crypto';
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { job } from '@lms-admin/contract/jobs';
import type { ZoomChange } from '@lms-admin/contract/zoom';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { zoomCourses, zoomEvents } from '../../src/platform/schema.ts';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  blocksIn,
  change,
  endOf,
  HOSTS,
  itemsOf,
  type LmsEvent,
  numberIn,
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
  server = await startTestServer();
  campus = new ZoomCampus(server.sandbox);
  alma = await server.signIn(PEOPLE.all);
});
afterAll(() => server.close());
afterEach(() => campus.clearFaults());

const merging = (course: number, parent: number, events: number[]): ZoomChange => ({
  change: 'merge',
  course,
  parent,
  events,
});
const unmerging = (course: number, event: number): ZoomChange => ({ change: 'unmerge', course, event });

/** Prepares a course with three published events, each with its own meeting. */
async function threeEvents() {
  const course = campus.quietCourse();
  const events = await campus.makeEvents(course.id, 3);
  const [main, one, other] = events.map(({ id }) => id) as [number, number, number];
  await change(alma, publishing({ course: course.id, events: [main, one, other] }));
  const numbers = await Promise.all(
    [main, one, other].map(async (id) => numberIn((await campus.event(id)).description)),
  );
  return { course: course.id, main, one, other, numbers };
}

describe('merge and unmerge', () => {
  test('OP-71 merged events share the main event’s meeting; after unmerging, each has its own again', async () => {
    const { course, main, one, other, numbers } = await threeEvents();
    expect(new Set(numbers).size).toBe(3);
    const preview = await previewOf(alma, merging(course, main, [one, other]));
    expect(preview).toMatchObject({ events: 2, make: 0, appear: 0, disappear: 0 });
    expect(preview.links).toMatchObject([
      { event: one, from: HOSTS.alma, to: HOSTS.alma, why: 'merge', published: true },
      { event: other, why: 'merge' },
    ]);
    await campus.writes();
    const done = await change(alma, merging(course, main, [one, other]));
    expect(done.outcome).toBe('done');
    expect(await campus.writes()).toEqual([
      `PUT /api/v1/calendar_events/${one}`,
      `PUT /api/v1/calendar_events/${other}`,
    ]);
    for (const id of [one, other]) {
      const event = await campus.event(id);
      expect([numberIn(event.description), blocksIn(event).length]).toEqual([numbers[0], 1]);
      expect(await rowOf(alma, course, id)).toMatchObject({
        zoom_parent_id: main,
        zoom_parent_title: 'Session 1',
        zoom_visibility: 1,
        zoom_owner: HOSTS.alma,
      });
    }
    const unmerged = await change(alma, unmerging(course, one));
    expect((await itemsOf(alma, unmerged.id))[0]?.message).toMatch(/^Unmerged, /);
    expect(numberIn((await campus.event(one)).description)).toBe(numbers[1]);
    expect(await rowOf(alma, course, one)).toMatchObject({ zoom_parent_id: null });
    // The meeting that both used still exists.
    expect(await campus.meeting(numbers[0] ?? 0)).not.toBeNull();
  });

  test('OP-71 a merge that is not possible is rejected with an explanation, and nothing is changed', async () => {
    const { course, main, one, other } = await threeEvents();
    const plain = await campus.makeEvent(course, { title: 'No meeting' });
    const elsewhere = campus.quietCourse();
    const foreign = await campus.makeEvent(elsewhere.id);
    const refused = async (input: ZoomChange) => refusalOf(await startChange(alma, input));
    await change(alma, merging(course, main, [one]));
    await campus.writes();
    expect(await refused(merging(course, main, [main]))).toEqual([
      400,
      '“Session 1”: An event cannot be merged with itself.',
    ]);
    expect(await refused(merging(course, one, [other]))).toEqual([
      400,
      '“Session 2” is itself merged with “Session 1”.',
    ]);
    expect(await refused(merging(course, other, [main]))).toEqual([
      400,
      '“Session 1”: Other events are merged with it. Unmerge those first.',
    ]);
    expect(await refused(merging(course, plain.id, [other]))).toEqual([
      400,
      '“No meeting” has no meeting created by LMS Admin.',
    ]);
    expect((await refused(merging(course, main, [foreign.id])))[0]).toBe(404);
    expect((await refused(merging(course, foreign.id, [other])))[0]).toBe(404);
    expect(await refused(unmerging(course, other))).toEqual([400, '“Session 3” is not merged.']);
    // A merged event follows its main event.
    const failed = await change(alma, publishing({ course, events: [one] }));
    expect(failed.problem?.message).toBe(
      'It is merged with “Session 1”. Change that event, or unmerge this one first.',
    );
    expect(await campus.writes()).toEqual([]);
  });

  test('OP-102 replacing a shared meeting replaces it for all its events; the old one is removed once no link leads to it', async () => {
    const { course, main, one, other, numbers } = await threeEvents();
    await change(alma, merging(course, main, [one, other]));
    const input = publishing({ course, events: [main], owner: HOSTS.farid });
    const preview = await previewOf(alma, input);
    expect(preview.links.map(({ event, why }) => [event, why])).toEqual([
      [main, 'host'],
      [one, 'host'],
      [other, 'host'],
    ]);
    expect(preview.shared.map(({ event, with: of }) => [event, of])).toEqual([
      [one, 'Session 1'],
      [other, 'Session 1'],
    ]);
    await change(alma, input);
    const links = await Promise.all(
      [main, one, other].map(async (id) => numberIn((await campus.event(id)).description)),
    );
    expect(new Set(links).size).toBe(1);
    expect(links[0]).not.toBe(numbers[0]);
    expect(await campus.meeting(numbers[0] ?? 0)).toBeNull();
    // The meetings of merged events are kept for unmerging.
    expect(await campus.meeting(numbers[1] ?? 0)).not.toBeNull();
    // The merged events are hidden with the main event, because they cannot be selected themselves.
    await change(alma, { ...input, visible: false } as ZoomChange);
    for (const id of [main, one, other]) expect(blocksIn(await campus.event(id))).toHaveLength(0);
  });

  test.each([
    ['is no longer in Zoom', (number: number) => campus.zoom(`/meetings/${number}`, 'DELETE')],
    [
      'has a host who is not active',
      () => campus.handle(`zoom/users/${HOSTS.alma}`, 'PATCH', { status: 'inactive' }),
    ],
  ])(
    'OP-102 nothing is merged into an event whose meeting %s, neither when requested nor when its turn comes',
    async (_name, lose) => {
      const { course, main, one, numbers } = await threeEvents();
      const input = merging(course, main, [one]);
      // Another job is using the course, so the change only gets its turn after the meeting is lost.
      const { db } = server.server.services.db;
      const [known] = await db.select().from(zoomEvents).where(eq(zoomEvents.courseId, course));
      const claimedUntil = new Date(Date.now() + 3_600_000);
      const lease = { lms: known?.lms ?? '', courseId: course, claimedBy: randomUUID(), claimedUntil };
      await db.insert(zoomCourses).values(lease);
      // This change has no preview, because a preview would have announced something else.
      const asked = { parentEvent: main, childEvents: [one] };
      const { data } = await (await alma.post(ENDPOINTS.zoomMerge, asked)).json();
      await until(alma, data.id, ({ state }) => state === 'waiting');
      await lose(numbers[0] ?? 0);
      await db.delete(zoomCourses).where(eq(zoomCourses.courseId, course));
      try {
        const ended = await endOf(alma, data.id);
        expect([ended.outcome, ended.problem?.message]).toEqual([
          'failed',
          'The meeting of “Session 1” is no longer in Zoom, or its host is not active there.',
        ]);
        const response = await alma.post(ENDPOINTS.zoomPreview, input);
        expect(response.status).toBe(400);
        expect((await refusalOf(await startChange(alma, input)))[1]).toMatch(/“Session 1”/);
        expect(numberIn((await campus.event(one)).description)).toBe(numbers[1]);
        expect(await rowOf(alma, course, one)).toMatchObject({ zoom_parent_id: null });
      } finally {
        await campus.handle(`zoom/users/${HOSTS.alma}`, 'PATCH', { status: 'active' });
      }
    },
  );

  test('OP-71 an old meeting that was deleted is reported, and is not created again unless requested', async () => {
    const { course, main, one, numbers } = await threeEvents();
    await change(alma, merging(course, main, [one]));
    await campus.zoom(`/meetings/${numbers[1]}`, 'DELETE');
    expect((await previewOf(alma, unmerging(course, one))).links).toMatchObject([
      { from: HOSTS.alma, to: null },
    ]);
    const done = await change(alma, unmerging(course, one));
    expect((await itemsOf(alma, done.id))[0]?.message).toBe(
      'Unmerged, its old meeting is no longer in Zoom, link hidden from students. It no longer has its own meeting. Publish it to create one.',
    );
    expect(blocksIn(await campus.event(one))).toHaveLength(0);
    expect(await rowOf(alma, course, one)).toMatchObject({ zoom_link: null, zoom_visibility: 0, ics: null });
  });

  test('OP-71 an old meeting whose host is inactive is not reported as deleted', async () => {
    const { course, main, one, numbers } = await threeEvents();
    await change(alma, publishing({ course, events: [one], owner: HOSTS.farid }));
    const own = numberIn((await campus.event(one)).description);
    await change(alma, merging(course, main, [one]));
    await campus.handle(`zoom/users/${HOSTS.farid}`, 'PATCH', { status: 'inactive' });
    try {
      const done = await change(alma, unmerging(course, one));
      expect((await itemsOf(alma, done.id))[0]?.message).toBe(
        'Unmerged, its old meeting cannot be held, as its host is not active in Zoom, link hidden from students. It now has no link. Publish it with another host.',
      );
      expect([blocksIn(await campus.event(one)), (await campus.meeting(own)) !== null]).toEqual([[], true]);
      expect(await campus.meeting(numbers[0] ?? 0)).not.toBeNull();
    } finally {
      await campus.handle(`zoom/users/${HOSTS.farid}`, 'PATCH', { status: 'active' });
    }
  });

  test('ZC-35 ZC-36 ZC-37 ZC-38 OP-68 the documented calls do the same', async () => {
    const course = campus.quietCourse();
    const [first, second] = (await campus.makeEvents(course.id, 2)) as [LmsEvent, LmsEvent];
    const post = async (path: string, body: object) => {
      const response = await alma.post(path, body);
      expect(response.status).toBe(200);
      return endOf(alma, job.parse((await response.json()).data).id);
    };
    for (const { id } of [first, second]) {
      const body = {
        reservation_id: '',
        host: HOSTS.hugo,
        coHost: `${HOSTS.alma},${HOSTS.bruno}`,
        visibility: 1,
      };
      const done = await post(ENDPOINTS.zoomUpdateOwner, {
        ...body,
        zoom_meeting_created: false,
        calendar_event: { id: String(id) },
      });
      expect(done.outcome).toBe('done');
    }
    expect(await rowOf(alma, course.id, first.id)).toMatchObject({
      zoom_owner: HOSTS.hugo,
      zoom_alternative_host: `${HOSTS.alma},${HOSTS.bruno}`,
    });
    await post(ENDPOINTS.zoomMerge, { parentEvent: first.id, childEvents: [second.id] });
    expect((await rowOf(alma, course.id, second.id)).zoom_parent_id).toBe(first.id);
    await post(ENDPOINTS.zoomUnmerge, { event: second.id });
    expect((await rowOf(alma, course.id, second.id)).zoom_parent_id).toBeNull();
  });
});

test('OP-71 the table immediately shows which event has the link of a deleted main event, as after the next run', async () => {
  const { course, main, one, other } = await threeEvents();
  await change(alma, merging(course, main, [one, other]));
  const seen = async (id: number) => {
    const { zoom_parent_id: parent, zoom_link, zoom_owner, zoom_visibility } = await rowOf(alma, course, id);
    return { parent, zoom_link, zoom_owner, zoom_visibility };
  };
  const before = await seen(one);
  expect(before.parent).toBe(main);
  await campus.api(`calendar_events/${main}`, { method: 'DELETE' });
  const now = [await seen(one), await seen(other)];
  expect(now).toEqual([
    { ...before, parent: null },
    { ...before, parent: one },
  ]);
  expect((await runOf(server, alma, course)).job.outcome).toBe('done');
  expect([await seen(one), await seen(other)]).toEqual(now);
});

describe('section events', () => {
  test('OP-66, OP-103 each section has its own meeting and line, in the course’s event', async () => {
    const course = campus.quietCourse();
    const { world } = server.sandbox;
    const [first] = [...world.sections.by.course.get(course.id)];
    const made = await campus.api(`courses/${course.id}/sections`, {
      method: 'POST',
      body: { course_section: { name: 'Evening <group> & more' } },
    });
    const second = (await made.json()) as { id: number };
    const at = (hours: number) =>
      new Date(Date.now() + hours * 3_600_000).toISOString().replace(/\.\d+Z/, 'Z');
    const times = (id: number, hours: number) => ({
      context_code: `course_section_${id}`,
      start_at: at(hours),
      end_at: at(hours + 1),
    });
    const event = await campus.makeEvent(course.id, {
      title: 'Tutorial',
      child_event_data: [times(first?.id ?? 0, 50), times(second.id, 60)],
    });
    const notices = (await campus.notices()).length;
    const input = publishing({ course: course.id, events: [event.id] });
    expect(await previewOf(alma, input)).toMatchObject({ events: 2, make: 2, appear: 2 });
    expect((await change(alma, input)).outcome).toBe('done');
    const shown = await campus.event(event.id);
    const [block = ''] = blocksIn(shown);
    expect(block.match(/<p /g)).toHaveLength(2);
    expect(block).toContain('Evening &lt;group&gt; &amp; more: <a');
    expect(shown.location_address ?? '').toBe('');
    const rows = await tableOf(alma, course.id);
    const parts = rows.filter(({ parent_event_id }) => parent_event_id === event.id);
    expect(parts.map(({ zoom_visibility }) => zoom_visibility)).toEqual([1, 1]);
    expect(new Set(parts.map(({ zoom_link }) => zoom_link)).size).toBe(2);
    expect(rows.find(({ id }) => id === event.id)).toMatchObject({
      zoom_link: null,
      ics: null,
      zoom_visibility: 1,
    });
    await campus.writes();
    await change(alma, input);
    expect(await campus.writes()).toEqual([]);
    await change(alma, { ...input, visible: false } as ZoomChange);
    expect((await campus.event(event.id)).description ?? '').toBe('');
    expect(await campus.notices()).toHaveLength(notices);
    // The event has a link for each section, so none of them can be for everyone.
    const other = await campus.makeEvent(course.id);
    expect(await refusalOf(await startChange(alma, merging(course.id, event.id, [other.id])))).toEqual([
      400,
      '“Tutorial” is held separately for each section, and each section has its own link.',
    ]);
  });
});
