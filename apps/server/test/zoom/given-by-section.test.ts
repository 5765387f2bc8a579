/**
 * Events with section times that share a meeting with others: what is announced, their row in the table and
 * their changes.
 */
import { ENDPOINTS } from '@lms-admin/contract/endpoints';
import type { ZoomChange } from '@lms-admin/contract/zoom';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  change,
  HOSTS,
  numberIn,
  previewOf,
  publishing,
  rowOf,
  runOf,
  tableOf,
  titleIn,
  ZoomCampus,
} from './campus.ts';
import { ACCESS } from './run-support.ts';
import { differenceOf, snapshotOf } from './seen-now.ts';

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
const at = (hours: number, length = 1) => {
  const start = (Math.floor(Date.now() / HOUR) + hours) * HOUR;
  return {
    start_at: new Date(start).toISOString(),
    end_at: new Date(start + length * HOUR).toISOString(),
  };
};
const numberOf = async (id: number) => numberIn((await campus.event(id)).description);

/** Returns times for two sections, one a day after the other. */
const twoSections = (course: number, hours: number) => campus.sectionsAt(course, [at(hours), at(hours + 24)]);

function partsOf(event: number): number[] {
  return [...server.sandbox.world.calendarEvents.values()]
    .filter((one) => one.parent_calendar_event_id === event && one.workflow_state !== 'deleted')
    .map(({ id }) => id);
}

async function both(input: ZoomChange) {
  const said = await previewOf(alma, input);
  const before = await snapshotOf(campus, input.course);
  const done = await change(alma, input);
  const found = differenceOf(before, await snapshotOf(campus, input.course));
  const relinked = new Set(said.links.map(({ event }) => event)).size;
  return { said, found, done, relinked, figures: new Map(done.figures) };
}

describe('OP-102 double bookings with an event in another course that has section times', () => {
  test('if it is merged, its host is busy at the times of its sections, and not between them', async () => {
    const there = campus.quietCourse().id;
    const here = campus.quietCourse().id;
    const main = (await campus.makeEvent(there, { title: 'Main', ...at(400) })).id;
    const seminar = (
      await campus.makeEvent(there, { title: 'Seminar', child_event_data: await twoSections(there, 300) })
    ).id;
    const make = async (title: string, hours: number) =>
      (await campus.makeEvent(here, { title, ...at(hours) })).id;
    const between = await make('Between', 312);
    const same = await make('Same time', 324);
    const clashesOf = async (owner: string) => {
      const asked = publishing({ course: here, events: [between, same], owner });
      const { clashes } = await previewOf(alma, asked);
      return clashes.map(({ event, with: other }) => [event, Date.parse(other.start_at ?? '')]);
    };
    await change(alma, publishing({ course: there, events: [main], owner: HOSTS.hugo }));
    await change(alma, publishing({ course: there, events: [seminar], owner: HOSTS.bruno }));
    const busy = [[same, Date.parse(at(324).start_at)]];
    expect([await clashesOf(HOSTS.hugo), await clashesOf(HOSTS.bruno)]).toEqual([[], busy]);
    await change(alma, { change: 'merge', course: there, parent: main, events: [seminar] });
    // The host of the main event now holds it, and the host of its own meetings does not.
    expect([await clashesOf(HOSTS.hugo), await clashesOf(HOSTS.bruno)]).toEqual([busy, []]);
    const own = (await campus.makeEvent(here, { title: 'Own', ...at(324) })).id;
    await change(alma, publishing({ course: here, events: [own], owner: HOSTS.bruno }));
    const unmerging: ZoomChange = { change: 'unmerge', course: there, event: seminar };
    // After unmerging, the event has its own meetings and their host again.
    expect(
      (await previewOf(alma, unmerging)).clashes.map(({ host, with: { title } }) => [host, title]),
    ).toEqual([[HOSTS.bruno, 'Own']]);
    await change(alma, unmerging);
    expect([await clashesOf(HOSTS.hugo), await clashesOf(HOSTS.bruno)]).toEqual([[], [...busy, ...busy]]);
    // A deleted event does not take place.
    await campus.api(`calendar_events/${seminar}`, { method: 'DELETE' });
    await runOf(server, alma, there);
    expect(await clashesOf(HOSTS.bruno)).toEqual(busy);
  });

  test('if it is merged without ever having had meetings, and then assigned to another section, its host is busy at the new times', async () => {
    const there = campus.quietCourse().id;
    const here = campus.quietCourse().id;
    const main = (await campus.makeEvent(there, { title: 'Main', ...at(560) })).id;
    const [first, second] = await twoSections(there, 500);
    const seminar = (await campus.makeEvent(there, { title: 'Seminar', child_event_data: [first] })).id;
    const own = (await campus.makeEvent(here, { title: 'Own', ...at(524) })).id;
    const asked = publishing({ course: here, events: [own], owner: HOSTS.hugo });
    const clashes = async () =>
      (await previewOf(alma, asked)).clashes.map(({ with: { start_at } }) => start_at);
    await change(alma, publishing({ course: there, events: [main], owner: HOSTS.hugo }));
    await change(alma, { change: 'merge', course: there, parent: main, events: [seminar] });
    expect(await clashes()).toEqual([]);
    await campus.changeEvent(seminar, { child_event_data: [first, second] });
    await runOf(server, alma, there, 30);
    expect(await clashes()).toEqual([at(524).start_at]);
  });

  test('if the event has moved, its host is busy at the new time, and not at the old one', async () => {
    const there = campus.quietCourse().id;
    const here = campus.quietCourse().id;
    const moved = (await campus.makeEvent(there, { title: 'Moved', ...at(600) })).id;
    await change(alma, publishing({ course: there, events: [moved], owner: HOSTS.hugo }));
    await campus.changeEvent(moved, at(610));
    await runOf(server, alma, there);
    const own = [
      (await campus.makeEvent(here, { title: 'Former', ...at(600) })).id,
      (await campus.makeEvent(here, { title: 'New', ...at(610) })).id,
    ];
    const asked = publishing({ course: here, events: own, owner: HOSTS.hugo });
    expect((await previewOf(alma, asked)).clashes.map(({ event }) => event)).toEqual(own.slice(1));
  });
});

describe('OP-71 OP-102 a main event that gets section times after others were merged with it', () => {
  async function divided() {
    const course = campus.quietCourse().id;
    const ids: number[] = [];
    for (const [n, title] of ['Lecture 1', 'Lecture 2', 'Lecture 3'].entries())
      ids.push((await campus.makeEvent(course, { title }, 4 + n)).id);
    const [main, one, other] = ids as [number, number, number];
    await change(alma, publishing({ course, events: [main, one, other], owner: HOSTS.hugo }));
    await change(alma, { change: 'merge', course, parent: main, events: [one, other] });
    const shared = await numberOf(main);
    await campus.changeEvent(main, { child_event_data: await twoSections(course, 60) });
    return { course, main, merged: [one, other], shared };
  }

  test('gets meetings for its sections; the merged events keep the link in the LMS, the table and the file', async () => {
    const { course, main, merged, shared } = await divided();
    const { job, items } = await runOf(server, alma, course);
    expect(items.map((item) => [titleIn(item), item.message])).toEqual([
      ['Lecture 1', '2 meetings created, meeting moved, links renewed.'],
      ['Lecture 2', 'Nothing to do.'],
      ['Lecture 3', 'Nothing to do.'],
    ]);
    // The meeting is in use, so the run does not ask people to remove it.
    expect(job.note).toBeNull();
    for (const id of merged) {
      expect(await numberOf(id)).toBe(shared);
      const row = await rowOf(alma, course, id);
      expect([numberIn(row.zoom_link), row.zoom_owner, row.zoom_texts]).toEqual([shared, HOSTS.hugo, null]);
    }
    const sections = (await tableOf(alma, course)).filter(({ parent_event_id: top }) => top === main);
    expect(new Set([shared, ...sections.map(({ zoom_link }) => numberIn(zoom_link))]).size).toBe(3);
    // The meeting takes place together with the next of the merged events.
    expect(Date.parse((await campus.meeting(shared))?.start_time ?? '')).toBe(
      Date.parse((await campus.event(merged[0] ?? 0)).start_at),
    );
    await campus.writes();
    await runOf(server, alma, course);
    expect(await campus.writes()).toEqual([]);
  });

  test('has a copied link of the merged events reported as copied, not as that of other sections', async () => {
    const { course, main, shared } = await divided();
    const asked = publishing({ course, events: [main], owner: HOSTS.hugo });
    const whys = async () => (await previewOf(alma, asked)).links.map(({ why }) => why);
    expect(await whys()).toEqual(['sections', 'sections']);
    await runOf(server, alma, course);
    const { description } = await campus.event(main);
    await campus.changeEvent(main, {
      description: description?.replaceAll(/\/j\/\d+(\?[^"<]*)?/g, `/j/${shared}`),
    });
    expect(await whys()).toEqual(['copied', 'copied']);
  });

  test("has a former section's link, copied from another event, reported as copied", async () => {
    const course = campus.quietCourse().id;
    const times = await twoSections(course, 60);
    const seminar = (await campus.makeEvent(course, { title: 'Seminar', child_event_data: times })).id;
    const lecture = (await campus.makeEvent(course, { title: 'Lecture' }, 5)).id;
    await change(alma, publishing({ course, events: [seminar, lecture] }));
    const numbers = [...((await campus.event(seminar)).description ?? '').matchAll(/\/j\/(\d+)/g)];
    await campus.changeEvent(seminar, { child_event_data: times.slice(0, 1) });
    const own = await numberOf(lecture);
    const { description } = await campus.event(lecture);
    const last = String(numbers.at(-1)?.[1]);
    await campus.changeEvent(lecture, { description: description?.replaceAll(String(own), last) });
    const { links } = await previewOf(alma, publishing({ course, events: [lecture] }));
    expect(links.map(({ why }) => why)).toEqual(['copied']);
  });

  test('passes a new host on to the meeting that the other events share; each event is named once, with the new host', async () => {
    const { course, main, merged, shared } = await divided();
    await runOf(server, alma, course);
    const asked = publishing({ course, events: [main], owner: HOSTS.farid });
    const { said, found, relinked, figures } = await both(asked);
    expect(said.shared.map(({ event, with: of }) => [event, of])).toEqual(
      merged.map((id) => [id, 'Lecture 1']),
    );
    expect(new Set(found.other)).toEqual(new Set([...partsOf(main), ...merged]));
    expect([relinked, figures.get('links renewed')]).toEqual([4, 4]);
    const [first = 0, second = 0] = await Promise.all(merged.map(numberOf));
    expect([first === shared, first === second]).toEqual([false, true]);
    expect((await campus.meeting(first))?.host_email).toBe(HOSTS.farid);
    expect(await campus.meeting(shared)).toBeNull();
    for (const id of merged) {
      const row = await rowOf(alma, course, id);
      expect([numberIn(row.zoom_link), row.zoom_owner, row.zoom_texts]).toEqual([first, HOSTS.farid, null]);
      const path = ENDPOINTS.zoomIcs.replace(':course', String(course)).replace(':event', String(id));
      const file = await (await alma.fetch(path)).text();
      expect([file.includes(String(first)), file.includes(HOSTS.farid)]).toEqual([true, true]);
    }
  });
});

test('ZR-05 OP-71 a run counts a meeting once if several events share it after their main event was deleted', async () => {
  const course = campus.quietCourse().id;
  const main = (await campus.makeEvent(course, { title: 'Main' }, 5)).id;
  const merged: number[] = [];
  for (const title of ['One', 'Two']) {
    const child_event_data = await twoSections(course, 60);
    merged.push((await campus.makeEvent(course, { title, child_event_data })).id);
  }
  await change(alma, publishing({ course, events: [main] }));
  await change(alma, { change: 'merge', course, parent: main, events: merged });
  const shared = await numberOf(main);
  await campus.api(`calendar_events/${main}`, { method: 'DELETE' });
  await campus.zoom(`/meetings/${shared}`, 'DELETE');
  const { job } = await runOf(server, alma, course);
  expect(job.figures).toEqual([
    ['events', 2],
    ['meetings created', 1],
    ['links renewed', 4],
  ]);
  expect(await numberOf(merged[0] ?? 0)).toBe(await numberOf(merged[1] ?? 0));
});

describe('OP-69 OP-102 renewed links, as counted in the result and announced in the preview', () => {
  test('for a hidden main event whose merged events are shown with it under another host', async () => {
    const course = campus.quietCourse().id;
    const [main, one, other] = (await campus.makeEvents(course, 3)).map(({ id }) => id) as [
      number,
      number,
      number,
    ];
    await change(alma, publishing({ course, events: [main, one, other], owner: HOSTS.hugo }));
    await change(alma, { change: 'merge', course, parent: main, events: [one, other] });
    await change(alma, publishing({ course, events: [main], owner: HOSTS.hugo, visible: false }));
    const shown = await both(publishing({ course, events: [main], owner: HOSTS.farid }));
    expect([shown.relinked, shown.figures.get('links renewed'), shown.figures.get('links shown')]).toEqual([
      3, 3, 3,
    ]);
    // Although hidden, all three also have another link.
    await change(alma, publishing({ course, events: [main], owner: HOSTS.farid, visible: false }));
    const hidden = await both(publishing({ course, events: [main], owner: HOSTS.hugo, visible: false }));
    expect([hidden.relinked, hidden.figures.get('links renewed')]).toEqual([3, 3]);
  });

  test('for an event with section times that is merged, and unmerged', async () => {
    const course = campus.quietCourse().id;
    const main = (await campus.makeEvent(course, { title: 'Main' }, 5)).id;
    const event = (
      await campus.makeEvent(course, { title: 'Seminar', child_event_data: await twoSections(course, 60) })
    ).id;
    await change(alma, publishing({ course, events: [main, event] }));
    for (const input of [
      { change: 'merge', course, parent: main, events: [event] },
      { change: 'unmerge', course, event },
    ] satisfies ZoomChange[]) {
      const { found, relinked, figures } = await both(input);
      expect([found.other.length, relinked, figures.get('links renewed')]).toEqual([2, 2, 2]);
    }
  });

  test('for an event that got section times, or more sections, after it was published', async () => {
    const course = campus.quietCourse().id;
    const times = await twoSections(course, 60);
    const whole = (await campus.makeEvent(course, { title: 'Whole' }, 5)).id;
    const part = (await campus.makeEvent(course, { title: 'Part', child_event_data: times.slice(0, 1) })).id;
    await change(alma, publishing({ course, events: [whole, part] }));
    await campus.changeEvent(whole, { child_event_data: times });
    await campus.changeEvent(part, { child_event_data: times });
    for (const [event, owner] of [
      [whole, HOSTS.alma],
      [part, HOSTS.farid],
    ] as const) {
      const { said, found, relinked, figures } = await both(publishing({ course, events: [event], owner }));
      expect([found.other.length, relinked, said.appear]).toEqual([2, 2, 0]);
      expect([figures.get('links renewed'), figures.get('links shown')]).toEqual([2, undefined]);
    }
  });
});

describe('OP-71 OP-102 alternative hosts of an event that is assigned to another section', () => {
  /**
   * Creates an event with an alternative host, for one section or the whole course, and then assigns it to
   * both sections.
   */
  async function dividedLater(whole: boolean) {
    const course = campus.quietCourse().id;
    const times = await twoSections(course, 70);
    const made = whole ? {} : { child_event_data: times.slice(0, 1) };
    const event = (await campus.makeEvent(course, { title: 'Seminar', ...at(70), ...made })).id;
    await change(alma, publishing({ course, events: [event], owner: HOSTS.farid, co_hosts: [HOSTS.bruno] }));
    await campus.changeEvent(event, { child_event_data: times });
    return { course, event };
  }
  const coHostsOf = async (course: number, event: number) => {
    const sections = (await tableOf(alma, course)).filter(({ parent_event_id: top }) => top === event);
    const numbers = sections.map(({ zoom_link }) => numberIn(zoom_link));
    const meetings = await Promise.all(numbers.map((number) => campus.meeting(number)));
    return meetings.map((meeting) => [meeting?.host_email, meeting?.settings.alternative_hosts]);
  };
  const both = [HOSTS.farid, HOSTS.bruno];

  test.each([true, false])(
    'are kept by a change that does not affect them (for the whole course before: %s)',
    async (whole) => {
      const { course, event } = await dividedLater(whole);
      await change(alma, publishing({ course, events: [event], owner: HOSTS.farid, co_hosts: null }));
      expect(await coHostsOf(course, event)).toEqual([both, both]);
    },
  );

  test.each([true, false])('are kept by a run (for the whole course before: %s)', async (whole) => {
    const { course, event } = await dividedLater(whole);
    await runOf(server, alma, course);
    expect(await coHostsOf(course, event)).toEqual([both, both]);
  });
});
