/** Publishing and hiding over HTTP, with the practice Canvas and Zoom (ZC-17 to ZC-29, OP-70, OP-102, OP-103). */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
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
  refusalOf,
  rowOf,
  startChange,
  tableOf,
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

describe('publish and hide', () => {
  test('OP-103 publishing puts the link once into text and location, publishing again writes nothing, and hiding restores the previous content', async () => {
    const course = campus.quietCourse();
    const own = '<p>Bring <b>Brealey &amp; Myers</b>.</p>\n<p>Zoë O’Neill–Łukasz</p>';
    const event = await campus.makeEvent(course.id, { title: 'Zoë O’Neill–Łukasz #N/A', description: own });
    const notices = (await campus.notices()).length;
    const input = publishing({ course: course.id, events: [event.id], co_hosts: [HOSTS.bruno] });

    const preview = await previewOf(alma, input);
    expect(preview).toMatchObject({
      events: 1,
      make: 1,
      update: 0,
      unchanged: 0,
      appear: 1,
      disappear: 0,
      problems: [],
    });
    expect(preview.hosts).toEqual([
      { email: HOSTS.alma, name: 'Alma Reyes', needed: 1, left: 100, wait: 0, until: null },
    ]);

    const done = await change(alma, input);
    expect([done.outcome, done.result]).toEqual(['done', { failed: [] }]);
    const shown = await campus.event(event.id);
    expect(shown.description?.startsWith(own)).toBe(true);
    expect(blocksIn(shown)).toHaveLength(1);
    const meeting = await campus.meeting(numberIn(shown.description));
    expect(meeting).toMatchObject({
      topic: 'Zoë O’Neill–Łukasz #N/A',
      host_email: HOSTS.alma,
      duration: 90,
      settings: { alternative_hosts: HOSTS.bruno },
    });
    expect(Date.parse(meeting?.start_time ?? '')).toBe(Date.parse(event.start_at));
    expect(shown.location_address).toBe(meeting?.join_url);
    expect([shown.start_at, shown.end_at]).toEqual([event.start_at, event.end_at]);
    const row = await rowOf(alma, course.id, event.id);
    expect(row).toMatchObject({
      zoom_link: meeting?.join_url,
      zoom_owner: HOSTS.alma,
      zoom_alternative_host: HOSTS.bruno,
      zoom_visibility: 1,
      zoom_parent_id: null,
    });
    expect(row).not.toHaveProperty('description');
    expect(row).not.toHaveProperty('location_address');

    await campus.writes();
    const again = await change(alma, input);
    expect([again.outcome, await campus.writes()]).toEqual(['done', []]);
    expect((await itemsOf(alma, again.id))[0]?.message).toBe('Nothing to do.');

    expect(
      await previewOf(
        alma,
        publishing({ course: course.id, events: [event.id], co_hosts: [HOSTS.bruno], visible: false }),
      ),
    ).toMatchObject({
      unchanged: 1,
      appear: 0,
      disappear: 1,
    });
    await change(
      alma,
      publishing({ course: course.id, events: [event.id], co_hosts: [HOSTS.bruno], visible: false }),
    );
    const hidden = await campus.event(event.id);
    expect([hidden.description, hidden.location_address ?? '']).toEqual([own, '']);
    expect(await campus.writes()).toEqual([`PUT /api/v1/calendar_events/${event.id}`]);
    expect(await rowOf(alma, course.id, event.id)).toMatchObject({
      zoom_link: meeting?.join_url,
      zoom_visibility: 0,
    });
    // Times were never sent, so no one was notified.
    expect(await campus.notices()).toHaveLength(notices);
  });

  test('OP-103 a location that a person filled in stays, even with a link in it', async () => {
    const course = campus.quietCourse();
    const event = await campus.makeEvent(course.id, { location_address: '12 Quai, Fontainebleau' });
    await change(alma, publishing({ course: course.id, events: [event.id] }));
    const shown = await campus.event(event.id);
    expect([shown.location_address, blocksIn(shown).length]).toEqual(['12 Quai, Fontainebleau', 1]);
  });

  test('§14.3 only the selected events of a series get a link', async () => {
    const course = campus.quietCourse();
    const first = await campus.makeEvent(course.id, { rrule: 'FREQ=WEEKLY;INTERVAL=1;COUNT=3' });
    const rows = await tableOf(alma, course.id);
    expect(rows).toHaveLength(3);
    const chosen = rows[1]?.id ?? 0;
    const done = await change(alma, publishing({ course: course.id, events: [chosen] }));
    expect(done.outcome).toBe('done');
    const blocks = await Promise.all(rows.map(async ({ id }) => blocksIn(await campus.event(id)).length));
    expect(blocks).toEqual(rows.map(({ id }) => (id === chosen ? 1 : 0)));
    expect(rows.map(({ id }) => id)).toContain(first.id);
  });

  test('OP-103 an edited or duplicated block is replaced, and text that a person added to it stays', async () => {
    const course = campus.quietCourse();
    const event = await campus.makeEvent(course.id, { description: '<p>Own</p>' });
    const input = publishing({ course: course.id, events: [event.id] });
    await change(alma, input);
    const { description } = await campus.event(event.id);
    const [block = ''] = blocksIn({ description });
    const edited = `${block.replace('</div>', '<p>Room 12</p></div>')}<p>after</p>${block}`;
    await campus.changeEvent(event.id, { description: `<p>Own</p>${edited}` });
    const again = await change(alma, input);
    expect((await itemsOf(alma, again.id))[0]?.message).toBe('Edited link replaced.');
    const after = await campus.event(event.id);
    expect(after.description).toBe(`<p>Own</p><p>Room 12</p><p>after</p>${block}`);
  });

  test('ZC-26, ZC-25, OP-70 the server also applies the rules about owners', async () => {
    const course = campus.quietCourse();
    const event = await campus.makeEvent(course.id);
    const input = { course: course.id, events: [event.id] };
    const refused = async (more: object) =>
      refusalOf(await startChange(alma, publishing({ ...input, ...more })));
    expect(await refused({ owner: HOSTS.standard })).toEqual([400, 'Please change Zoom Owner.']);
    expect(await refused({ owner: HOSTS.standard.toUpperCase() })).toEqual([
      400,
      'Please change Zoom Owner.',
    ]);
    expect(await refused({ owner: 'carla.singh@northbridge.example' })).toEqual([
      400,
      'carla.singh@northbridge.example cannot host meetings.',
    ]);
    expect(await refused({ co_hosts: [HOSTS.bruno, 'nobody@northbridge.example'] })).toEqual([
      400,
      'Zoom does not accept nobody@northbridge.example as an alternative host.',
    ]);
    const owner = { reservation_id: null, coHost: '', visibility: 1, calendar_event: event.id };
    const post = async (body: object) =>
      refusalOf(await alma.post(ENDPOINTS.zoomUpdateOwner, { ...owner, ...body }));
    expect(await post({ host: ' ' })).toEqual([400, 'Zoom owner cannot be empty.']);
    expect(await post({ host: HOSTS.standard })).toEqual([400, 'Please change Zoom Owner.']);
    expect(await post({ host: HOSTS.alma, coHost: 'x' })).toEqual([400, 'x is not a valid email address.']);
    expect(await campus.ours()).not.toContainEqual(expect.objectContaining({ topic: 'never' }));
    // A hidden event's meeting can belong to the placeholder.
    const hidden = await change(alma, publishing({ ...input, owner: HOSTS.standard, visible: false }));
    expect(hidden.outcome).toBe('done');
    expect((await rowOf(alma, course.id, event.id)).zoom_owner).toBe(HOSTS.standard);
  });

  test('OP-102 for another owner, the meeting is transferred in place if Zoom permits it, and otherwise replaced by a new one', async () => {
    const course = campus.quietCourse();
    const event = await campus.makeEvent(course.id);
    const of = (owner: string) => publishing({ course: course.id, events: [event.id], owner });
    await change(
      alma,
      publishing({ course: course.id, events: [event.id], owner: HOSTS.standard, visible: false }),
    );
    const first = numberIn((await rowOf(alma, course.id, event.id)).zoom_link);
    // The meeting can be transferred to a person who lets the host schedule for them.
    expect(await previewOf(alma, of(HOSTS.hugo))).toMatchObject({ make: 0, update: 1, links: [] });
    await change(alma, of(HOSTS.hugo));
    expect(await campus.meeting(first)).toMatchObject({ host_email: HOSTS.hugo });
    expect(numberIn((await campus.event(event.id)).description)).toBe(first);
    // Hugo cannot schedule for anyone.
    expect(await previewOf(alma, of(HOSTS.alma))).toMatchObject({
      make: 1,
      links: [{ event: event.id, from: HOSTS.hugo, to: HOSTS.alma, why: 'host', published: true }],
    });
    const done = await change(alma, of(HOSTS.alma));
    expect((await itemsOf(alma, done.id))[0]?.message).toBe(
      'Meeting created, link renewed, old meeting removed.',
    );
    const second = numberIn((await campus.event(event.id)).description);
    expect(second).not.toBe(first);
    expect([await campus.meeting(first), (await campus.meeting(second))?.host_email]).toEqual([
      null,
      HOSTS.alma,
    ]);
    expect(blocksIn(await campus.event(event.id))).toHaveLength(1);
  });

  test('ZC-43, OP-69 each event has its own result: ended, all-day and deleted events are named, and the others are changed', async () => {
    const course = campus.quietCourse();
    const fine = await campus.makeEvent(course.id, { title: 'Fine' });
    const over = await campus.makeEvent(course.id, { title: 'Over' }, -3);
    const whole = await campus.makeEvent(course.id, { title: 'Whole day', all_day: true });
    const gone = await campus.makeEvent(course.id, { title: 'Gone' });
    await campus.api(`calendar_events/${gone.id}`, { method: 'DELETE' });
    const done = await change(
      alma,
      publishing({ course: course.id, events: [fine.id, over.id, whole.id, gone.id] }),
    );
    expect(done.outcome).toBe('partly');
    expect(done.result?.failed).toMatchObject([
      { event: over.id, title: 'Over', message: 'This event is over.' },
      { event: whole.id, message: 'This event lasts all day. Set a time in the LMS, and try again.' },
      { event: gone.id, message: 'This event is no longer in the calendar of the course.' },
    ]);
    expect(blocksIn(await campus.event(fine.id))).toHaveLength(1);
    expect(blocksIn(await campus.event(over.id))).toHaveLength(0);
  });

  test('ZC-43 an event that has become all-day can be hidden, and shown again only with a time', async () => {
    const course = campus.quietCourse();
    const event = await campus.makeEvent(course.id);
    const asked = (visible: boolean) => publishing({ course: course.id, events: [event.id], visible });
    await change(alma, asked(true));
    const number = numberIn((await campus.event(event.id)).description);
    await campus.changeEvent(event.id, { all_day: true });
    const { disappear, update, problems } = await previewOf(alma, asked(false));
    expect([disappear, update, problems]).toEqual([1, 0, []]);
    await campus.writes();
    const hidden = await change(alma, asked(false));
    expect([hidden.outcome, blocksIn(await campus.event(event.id)).length]).toEqual(['done', 0]);
    expect((await itemsOf(alma, hidden.id))[0]?.message).toContain('Its meeting was left unchanged');
    expect((await campus.meeting(number))?.id).toBe(number);
    for (const visible of [false, true]) expect((await change(alma, asked(visible))).outcome).toBe('failed');
    expect(blocksIn(await campus.event(event.id))).toHaveLength(0);
  });

  test('a moved event moves its meeting in one change; a deleted meeting, or a new passcode, renews the link', async () => {
    const course = campus.quietCourse();
    const event = await campus.makeEvent(course.id);
    const input = publishing({ course: course.id, events: [event.id] });
    await change(alma, input);
    const number = numberIn((await campus.event(event.id)).description);
    const start_at = new Date(Date.parse(event.start_at) + 7_200_000).toISOString();
    const end_at = new Date(Date.parse(event.end_at) + 7_200_000).toISOString();
    await campus.changeEvent(event.id, { start_at, end_at });
    await campus.writes();
    await change(alma, input);
    expect(await campus.writes()).toEqual([`PATCH /zoom/v2/meetings/${number}`]);
    expect(Date.parse((await campus.meeting(number))?.start_time ?? '')).toBe(Date.parse(start_at));

    await campus.zoom(`/meetings/${number}`, 'PATCH', { password: 'another12' });
    await campus.writes();
    await change(alma, input);
    const { join_url } = (await campus.meeting(number)) ?? { join_url: '' };
    expect((await campus.event(event.id)).location_address).toBe(join_url);
    expect(await campus.writes()).toEqual([`PUT /api/v1/calendar_events/${event.id}`]);

    await campus.zoom(`/meetings/${number}`, 'DELETE');
    expect(await previewOf(alma, input)).toMatchObject({
      make: 1,
      links: [{ why: 'gone', published: true }],
    });
    await change(alma, input);
    const after = await campus.event(event.id);
    expect(numberIn(after.description)).not.toBe(number);
    expect(await campus.meeting(numberIn(after.location_address))).not.toBeNull();
    expect(blocksIn(after)).toHaveLength(1);
  });
});
