/**
 * Events with section times of which one has ended: the others are changed, and announcement and result agree for
 * both.
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
  tableOf,
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

const HOUR = 3_600_000;
const at = (hours: number) => {
  const start = (Math.floor(Date.now() / HOUR) + hours) * HOUR;
  return { start_at: new Date(start).toISOString(), end_at: new Date(start + HOUR).toISOString() };
};

/** Creates a published event for two sections, and then moves the first section's class to yesterday. */
async function halfOver(owner: string | null = HOSTS.alma) {
  const course = campus.quietCourse().id;
  const times = await campus.sectionsAt(course, [at(100), at(124)]);
  const event = (await campus.makeEvent(course, { title: 'Case class', child_event_data: times })).id;
  if (owner !== null) await change(alma, publishing({ course, events: [event], owner }));
  const [first, second] = times;
  await campus.changeEvent(event, { child_event_data: [{ ...first, ...at(-24) }, second] });
  const rows = async () => {
    const all = (await tableOf(alma, course)).filter(({ parent_event_id: top }) => top === event);
    return all.sort((a, b) => Date.parse(a.start_at ?? '') - Date.parse(b.start_at ?? ''));
  };
  return { course, event, rows };
}

describe('OP-69 OP-102 a change to an event of which one section has ended', () => {
  test('sets a new host for the future section, as announced; the section that has ended is unchanged and named', async () => {
    const { course, event, rows } = await halfOver();
    const [over] = await rows();
    const asked = publishing({ course, events: [event], owner: HOSTS.hugo });
    const said = await previewOf(alma, asked);
    expect([said.problems, said.over]).toMatchObject([[], [{ event: over?.id, meeting: true }]]);
    const done = await change(alma, asked);
    expect([done.outcome, new Map(done.figures).get('events done')]).toEqual(['done', 1]);
    expect((await itemsOf(alma, done.id))[0]?.message).toContain(
      'is over, so its meeting was left unchanged.',
    );
    const [before, after] = await rows();
    expect([before?.zoom_link, before?.zoom_owner]).toEqual([over?.zoom_link, HOSTS.alma]);
    expect(after?.zoom_owner).toBe(HOSTS.hugo);
  });

  test('gives a section added afterwards the host of the future sections', async () => {
    const { course, event, rows } = await halfOver();
    await change(alma, publishing({ course, events: [event], owner: HOSTS.hugo, co_hosts: [HOSTS.bruno] }));
    const times = await campus.sectionsAt(course, [at(-24), at(124), at(148)]);
    await campus.changeEvent(event, { child_event_data: times });
    await runOf(server, alma, course);
    expect((await rows()).map(({ zoom_owner }) => zoom_owner)).toEqual([HOSTS.alma, HOSTS.hugo, HOSTS.hugo]);
    expect((await rows())[2]?.zoom_alternative_host).toBe(HOSTS.bruno);
  });

  test('can be its first publication, or hide it together with a change of host', async () => {
    const { course, event, rows } = await halfOver(null);
    const [past] = await rows();
    const asked = publishing({ course, events: [event], owner: HOSTS.hugo });
    // The event has no meeting that could stay unchanged.
    expect(await previewOf(alma, asked)).toMatchObject({
      make: 1,
      unchanged: 0,
      over: [{ event: past?.id, meeting: false }],
    });
    const done = await change(alma, asked);
    expect((await itemsOf(alma, done.id))[0]?.message).toContain('is over, so it gets no meeting.');
    const [over, next] = await rows();
    expect([done.outcome, over?.zoom_link, next?.zoom_visibility]).toEqual(['done', null, 1]);
    expect(numberIn((await campus.event(event)).description)).toBe(numberIn(next?.zoom_link ?? ''));
    const hiding = publishing({ course, events: [event], owner: HOSTS.farid, visible: false });
    expect((await change(alma, hiding)).outcome).toBe('done');
    expect((await campus.event(event)).description).not.toContain('/j/');
  });

  test('is not possible if all of its sections have ended, as for an event that has ended', async () => {
    const course = campus.quietCourse().id;
    const times = await campus.sectionsAt(course, [at(-48), at(-24)]);
    const event = (await campus.makeEvent(course, { title: 'Past', child_event_data: times })).id;
    const asked = publishing({ course, events: [event], owner: HOSTS.hugo });
    expect((await previewOf(alma, asked)).problems).toMatchObject([
      { event, message: 'This event is over.', part: false },
    ]);
  });
});

test('OP-103 section links are counted as links, and their event as one', async () => {
  const course = campus.quietCourse().id;
  const times = await campus.sectionsAt(course, [at(100), at(124)]);
  const event = (await campus.makeEvent(course, { title: 'Two groups', child_event_data: times })).id;
  const whole = (await campus.makeEvent(course, { title: 'All' })).id;
  const asked = publishing({ course, events: [event, whole] });
  expect(await previewOf(alma, asked)).toMatchObject({ appear: 3, appear_events: 2, disappear_events: 0 });
  await change(alma, asked);
  const hiding = publishing({ course, events: [event], visible: false });
  expect(await previewOf(alma, hiding)).toMatchObject({
    disappear: 2,
    disappear_events: 1,
    appear_events: 0,
  });
});

test('OP-69 a partly done event says what was done, and counts as partly done', async () => {
  const course = campus.quietCourse().id;
  const times = await campus.sectionsAt(course, [at(100), at(124)]);
  const event = (await campus.makeEvent(course, { title: 'Seminar', child_event_data: times })).id;
  await change(alma, publishing({ course, events: [event] }));
  const [first] = (await tableOf(alma, course)).filter(({ parent_event_id: top }) => top === event);
  await campus.handle(`zoom/meetings/${numberIn(first?.zoom_link ?? '')}/start`, 'POST');
  const asked = publishing({ course, events: [event], co_hosts: [HOSTS.bruno] });
  expect((await previewOf(alma, asked)).problems).toMatchObject([{ event, part: true }]);
  const done = await change(alma, asked);
  expect([done.outcome, new Map(done.figures).get('events partly done')]).toEqual(['partly', 1]);
  expect((await itemsOf(alma, done.id))[0]?.message).toContain('The rest was done: meeting changed.');
});

test('OP-69 a text that the LMS does not accept is not counted as renewed', async () => {
  const course = campus.quietCourse().id;
  const [one = 0, two = 0] = (await campus.makeEvents(course, 2)).map(({ id }) => id);
  await change(alma, publishing({ course, events: [one, two] }));
  await campus.fault({ match: `/api/v1/calendar_events/${one}`, method: 'PUT', kind: 'status', status: 403 });
  const done = await change(alma, publishing({ course, events: [one, two], owner: HOSTS.farid }));
  expect(new Map(done.figures).get('links renewed')).toBe(1);
  expect((await itemsOf(alma, done.id)).map(({ message }) => message?.includes('renewed'))).toEqual([
    false,
    true,
  ]);
  await campus.clearFaults();
});

describe('ZR-05 OP-60 a run over an event whose ended section has lost its meeting', () => {
  test.each([true, false])(
    'reports the lost link (meeting of the other section lost too: %s)',
    async (both) => {
      const { course, event, rows } = await halfOver();
      const numbers = (await rows()).map(({ zoom_link }) => numberIn(zoom_link ?? ''));
      for (const number of both ? numbers : numbers.slice(0, 1))
        await campus.zoom(`/meetings/${number}`, 'DELETE');
      const said = (await reviewOf(alma, course)).told.find((one) => one.event === event);
      expect([said?.does, said?.warnings]).toEqual([
        both ? 'new-link' : 'no-link',
        [expect.stringContaining('loses its link')],
      ]);
      const { job } = await runOf(server, alma, course);
      const figures = new Map(job.figures);
      expect([figures.get('links removed'), figures.get('links renewed')]).toEqual([1, both ? 1 : undefined]);
      expect(job.note).toContain('The link of 1 event did not lead to a valid meeting and was removed');
    },
  );
});

test("ZC-09 OP-101 a section that has no meeting yet is not shown with another section's meeting", async () => {
  const course = campus.quietCourse().id;
  const times = await campus.sectionsAt(course, [at(100), at(124)]);
  const event = (await campus.makeEvent(course, { title: 'Seminar', child_event_data: times.slice(0, 1) }))
    .id;
  await change(alma, publishing({ course, events: [event] }));
  await campus.changeEvent(event, { child_event_data: times });
  const rows = (await tableOf(alma, course)).filter(({ parent_event_id: top }) => top === event);
  expect(rows.map(({ zoom_link, ics }) => [zoom_link !== null, ics !== null])).toEqual([
    [true, true],
    [false, false],
  ]);
});

test('OP-71 OP-102 merging names events whose alternative hosts can start the other meeting, and events whose hosts cannot', async () => {
  const course = campus.quietCourse().id;
  const [main = 0, child = 0] = (await campus.makeEvents(course, 2)).map(({ id }) => id);
  await change(alma, publishing({ course, events: [main] }));
  await change(alma, publishing({ course, events: [child], co_hosts: [HOSTS.bruno] }));
  const merging: ZoomChange = { change: 'merge', course, parent: main, events: [child] };
  const said = await previewOf(alma, merging);
  expect(said.co_hosts).toMatchObject([{ event: child, from: [HOSTS.bruno], to: [] }]);
  await change(alma, merging);
  expect((await rowOf(alma, course, child)).zoom_alternative_host).toBe('');
  expect((await previewOf(alma, { change: 'unmerge', course, event: child })).co_hosts).toMatchObject([
    { event: child, from: [], to: [HOSTS.bruno] },
  ]);
});

test('OP-71 OP-102 merging gives the current link, even to events that already have it, because its passcode may be new', async () => {
  const course = campus.quietCourse().id;
  const [main = 0, first = 0, second = 0] = (await campus.makeEvents(course, 3)).map(({ id }) => id);
  await change(alma, publishing({ course, events: [main] }));
  await change(alma, { change: 'merge', course, parent: main, events: [first] });
  const number = numberIn((await campus.event(main)).description);
  await campus.zoom(`/meetings/${number}`, 'PATCH', { password: '333444' });
  const merging: ZoomChange = { change: 'merge', course, parent: main, events: [second] };
  const said = await previewOf(alma, merging);
  expect(new Map(said.links.map(({ event, why }) => [event, why]))).toEqual(
    new Map([
      [main, 'passcode'],
      [first, 'passcode'],
      [second, 'merge'],
    ]),
  );
  await change(alma, merging);
  const { join_url: link = '' } = (await campus.meeting(number)) ?? {};
  for (const id of [main, first, second])
    expect((await campus.event(id)).description?.replaceAll('&amp;', '&')).toContain(link);
});
