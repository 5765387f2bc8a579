/** Events given by section that share a meeting with others: what is announced of them, shown in the table and done. */
import type { ZoomChange } from '@lms-admin/contract/zoom';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { change, HOSTS, previewOf, publishing, runOf, ZoomCampus } from './campus.ts';
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
const at = (hours: number, length = 1) => {
  const start = (Math.floor(Date.now() / HOUR) + hours) * HOUR;
  return {
    start_at: new Date(start).toISOString(),
    end_at: new Date(start + length * HOUR).toISOString(),
  };
};

/** Times of two sections, one a day after the other. */
async function twoSections(course: number, hours: number) {
  const sections = [...server.sandbox.world.sections.by.course.get(course)].map(({ id }) => id).slice(0, 2);
  while (sections.length < 2) {
    const body = { course_section: { name: `Group ${sections.length + 1}` } };
    const made = await campus.api(`courses/${course}/sections`, { method: 'POST', body });
    sections.push(((await made.json()) as { id: number }).id);
  }
  return sections.map((id, n) => ({ context_code: `course_section_${id}`, ...at(hours + 24 * n) }));
}

describe('OP-102 double bookings with an event of another course that is given by section', () => {
  test('merged: its host is busy at the times of its sections, and not between them', async () => {
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
    // The host of the main event holds it now, and that of its own meetings does not.
    expect([await clashesOf(HOSTS.hugo), await clashesOf(HOSTS.bruno)]).toEqual([busy, []]);
    const own = (await campus.makeEvent(here, { title: 'Own', ...at(324) })).id;
    await change(alma, publishing({ course: here, events: [own], owner: HOSTS.bruno }));
    const unmerging: ZoomChange = { change: 'unmerge', course: there, event: seminar };
    // With its own meetings it gets back their host.
    expect(
      (await previewOf(alma, unmerging)).clashes.map(({ host, with: { title } }) => [host, title]),
    ).toEqual([[HOSTS.bruno, 'Own']]);
    await change(alma, unmerging);
    expect([await clashesOf(HOSTS.hugo), await clashesOf(HOSTS.bruno)]).toEqual([[], [...busy, ...busy]]);
    // One that was deleted takes place no more.
    await campus.api(`calendar_events/${seminar}`, { method: 'DELETE' });
    await runOf(server, alma, there);
    expect(await clashesOf(HOSTS.bruno)).toEqual(busy);
  });

  test('merged without ever having had meetings, and given to another section afterwards', async () => {
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

  test('an event that has moved: its host is busy at its new time, and no longer at the former one', async () => {
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
