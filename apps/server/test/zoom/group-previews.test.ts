/** Previews for groups, and how Activity names what was done (OP-71, OP-102). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { change, HOSTS, itemsOf, previewOf, publishing, ZoomCampus } from './campus.ts';

let server: TestServer;
let campus: ZoomCampus;
let alma: Browser;

beforeAll(async () => {
  server = await startTestServer({ sandbox: { throttle: false } });
  campus = new ZoomCampus(server.sandbox);
  alma = await server.signIn(PEOPLE.all);
});
afterAll(() => server.close());

test('OP-71 OP-102 hiding or showing a main event names the merged events that were not selected', async () => {
  const { id: course, code } = campus.quietCourse();
  const ids = (await campus.makeEvents(course, 3)).map(({ id }) => id);
  const [main = 0, ...children] = ids;
  await change(alma, publishing({ course, events: [main] }));
  await change(alma, { change: 'merge', course, parent: main, events: children });
  for (const visible of [false, true]) {
    const asked = publishing({ course, events: [main], visible });
    const said = await previewOf(alma, asked);
    expect([said.appear + said.disappear, said.update, said.shared.map(({ event }) => event)]).toEqual([
      3,
      0,
      children,
    ]);
    // One change can set both host and visibility, and the entry says which of them it set.
    const { label } = await change(alma, asked);
    expect(label).toBe(`Save Zoom settings of 1 event as ${visible ? 'Published' : 'Hidden'}: ${code}`);
    expect((await previewOf(alma, asked)).shared).toEqual([]);
  }
});

test('OP-71 OP-102 unmerging an event that never had a meeting says so', async () => {
  const { id: course } = campus.quietCourse();
  const [main = 0, never = 0, gone = 0] = (await campus.makeEvents(course, 3)).map(({ id }) => id);
  await change(alma, publishing({ course, events: [main, gone] }));
  const own = await campus.event(gone);
  await change(alma, { change: 'merge', course, parent: main, events: [never, gone] });
  await campus.zoom(`/meetings/${/\/j\/(\d+)/.exec(own.location_address ?? '')?.[1]}`, 'DELETE');
  const whyOf = async (event: number) =>
    (await previewOf(alma, { change: 'unmerge', course, event })).links.map(({ why, to }) => [why, to]);
  expect(await whyOf(never)).toEqual([['unmerge-none', null]]);
  expect(await whyOf(gone)).toEqual([['unmerge', null]]);
});

test('OP-66 OP-71 unmerging an event with section times counts the sections that lose their link, as its preview does', async () => {
  const { id: course } = campus.quietCourse();
  const main = (await campus.makeEvent(course, { title: 'Main' })).id;
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const times = [60, 64].map((hour) => ({ start_at: at(hour), end_at: at(hour + 1) }));
  const child_event_data = await campus.sectionsAt(course, times);
  const workshop = (
    await campus.makeEvent(course, { title: 'Workshop', child_event_data: child_event_data.slice(0, 1) })
  ).id;
  await change(alma, publishing({ course, events: [main, workshop] }));
  await change(alma, { change: 'merge', course, parent: main, events: [workshop] });
  // The new section never had its own meeting.
  await campus.changeEvent(workshop, { child_event_data });
  const unmerge = { change: 'unmerge', course, event: workshop } as const;
  expect(await previewOf(alma, unmerge)).toMatchObject({ appear: 0, disappear: 1 });
  const { id, figures } = await change(alma, unmerge);
  expect(Object.fromEntries(figures)).toMatchObject({ 'links hidden': 1, 'links renewed': 1 });
  expect((await itemsOf(alma, id)).map(({ message }) => message)).toEqual([
    'Unmerged, link renewed, link hidden from students.',
  ]);
});

test('OP-71 OP-102 merging an event without a meeting announces another link if students have a copied one', async () => {
  const { id: course } = campus.quietCourse();
  const [main = 0, other = 0, ...copies] = (await campus.makeEvents(course, 4)).map(({ id }) => id);
  await change(alma, publishing({ course, events: [main, other] }));
  const texts = await Promise.all([main, other].map((id) => campus.event(id)));
  for (const [n, id] of copies.entries())
    await campus.changeEvent(id, {
      description: texts[n]?.description,
      location_address: texts[n]?.location_address,
    });
  const merge = { change: 'merge', course, parent: main, events: copies } as const;
  const { links, appear } = await previewOf(alma, merge);
  // The first event already has the main event's link.
  expect([appear, links.map(({ from, why, published }) => [from, why, published])]).toEqual([
    0,
    [
      [null, 'merge-same', false],
      [null, 'merge', true],
    ],
  ]);
  expect(Object.fromEntries((await change(alma, merge)).figures)).toMatchObject({ 'links renewed': 1 });
});

test('OP-69 Activity distinguishes events with the same title by their times, and names one without a title', async () => {
  const { id: course } = campus.quietCourse();
  const zone = server.sandbox.world.courses.get(course)?.time_zone ?? 'UTC';
  const made = [
    await campus.makeEvent(course, { title: 'Session 14' }, 2),
    await campus.makeEvent(course, { title: 'Session 14' }, 3),
    await campus.makeEvent(course, { title: ' ' }, 4),
  ];
  const events = made.map(({ id }) => id);
  const { id } = await change(alma, publishing({ course, events, owner: HOSTS.hugo }));
  const clock = { hour: '2-digit', minute: '2-digit', timeZone: zone } as const;
  const format = { day: 'numeric', month: 'short', year: 'numeric', ...clock } as const;
  expect((await itemsOf(alma, id)).map(({ label }) => label)).toEqual(
    made.map(({ title, start_at }) => {
      const name = title.trim() || 'No title';
      return `${name}, ${new Date(start_at).toLocaleString('en-GB', format)} (${zone})`;
    }),
  );
});
