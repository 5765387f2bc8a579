/** What the preview says of groups, and how Activity names what was done (OP-71, OP-102). */
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
    // What is saved may be a host as well as the visibility: the entry says what it is saved as.
    const { label } = await change(alma, asked);
    expect(label).toBe(`Save Zoom settings of 1 event as ${visible ? 'Published' : 'Hidden'}: ${code}`);
    expect((await previewOf(alma, asked)).shared).toEqual([]);
  }
});

test('OP-71 OP-102 an event that never had a meeting is said to have had none when it is unmerged', async () => {
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

test('OP-69 events of one title are told apart by their times in Activity, and one without a title is named', async () => {
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
