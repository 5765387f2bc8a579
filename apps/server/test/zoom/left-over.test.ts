/**
 * No meeting is forgotten in Zoom: former meetings are removed once no event names them, or are reported
 * (OP-102, OP-104).
 */
import { randomUUID } from 'node:crypto';
import { jobStartPath } from '@lms-admin/contract/endpoints';
import { ZOOM_RUN_REVIEW, zoomRunReview } from '@lms-admin/contract/zoom-runs';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import { hold } from '../support/held.ts';
import {
  change,
  endOf,
  HOSTS,
  itemsOf,
  previewOf,
  publishing,
  runOf,
  runStarted,
  titleIn,
  ZoomCampus,
} from './campus.ts';
import { ACCESS } from './run-support.ts';

let server: TestServer;
let campus: ZoomCampus;
let alma: Browser;
beforeAll(async () => {
  server = await startTestServer({ access: ACCESS });
  campus = new ZoomCampus(server.sandbox);
  alma = await server.signIn(PEOPLE.all);
});
afterAll(() => server.close());
afterEach(() => campus.clearFaults());

const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const timesOf = (section: number, hours: number) => ({
  context_code: `course_section_${section}`,
  start_at: at(hours),
  end_at: at(hours + 1),
});
const numbersIn = async (id: number) => [
  ...new Set(
    [...((await campus.event(id)).description ?? '').matchAll(/\/j\/(\d+)/g)].map(([, found]) =>
      Number(found),
    ),
  ),
];
const areThere = async (numbers: readonly number[]) =>
  Promise.all(numbers.map(async (number) => (await campus.meeting(number)) !== null));

async function reviewOf(course: number) {
  const asked = { key: randomUUID(), input: { course, days: 30 } };
  const { data } = await (await alma.post(jobStartPath(ZOOM_RUN_REVIEW), asked)).json();
  return zoomRunReview.parse((await endOf(alma, data.id)).result);
}

/** Creates a published event that is held separately for each section. */
async function bySection(count: number) {
  const course = campus.quietCourse().id;
  const [first] = [...server.sandbox.world.sections.by.course.get(course)];
  const sections = [first?.id ?? 0];
  while (sections.length < count) {
    const body = { course_section: { name: `Group ${sections.length + 1}` } };
    const made = await campus.api(`courses/${course}/sections`, { method: 'POST', body });
    sections.push(((await made.json()) as { id: number }).id);
  }
  const times = sections.map((section, index) => timesOf(section, 50 + index));
  const event = (await campus.makeEvent(course, { title: 'Tutorial', child_event_data: times })).id;
  await change(alma, publishing({ course, events: [event] }));
  return { course, event, times, numbers: await numbersIn(event) };
}

test('OP-102 when an event with section times gets a new host, the former meeting of each section is removed', async () => {
  const { course, event, numbers } = await bySection(3);
  expect(await areThere(numbers)).toEqual([true, true, true]);
  const done = await change(alma, publishing({ course, events: [event], owner: HOSTS.farid }));
  expect((await itemsOf(alma, done.id))[0]?.message).toMatch(
    /^3 meetings created, links renewed, 3 old meetings removed/,
  );
  expect(await areThere(numbers)).toEqual([false, false, false]);
  const now = await numbersIn(event);
  expect([now.length, now.some((number) => numbers.includes(number))]).toEqual([3, false]);
  expect(await areThere(now)).toEqual([true, true, true]);
});

test('OP-103 after a section is renamed, the links are reported as outdated, not as edited', async () => {
  const { course, event, times, numbers } = await bySection(2);
  const section = Number(times[0]?.context_code.split('_').at(-1));
  await campus.api(`sections/${section}`, {
    method: 'PUT',
    body: { course_section: { name: 'Zoë O’Neill–Łukasz' } },
  });
  const input = publishing({ course, events: [event] });
  expect((await previewOf(alma, input)).texts.map(({ how }) => how)).toEqual(['outdated']);
  await change(alma, input);
  expect((await campus.event(event)).description).toContain('Zoë O’Neill–Łukasz');
  expect([await numbersIn(event), (await previewOf(alma, input)).texts]).toEqual([numbers, []]);
});

test('ZR-05 after a section is removed from an event, the review and the first run name its meeting', async () => {
  const { course, event, times, numbers } = await bySection(2);
  await campus.changeEvent(event, { child_event_data: times.slice(0, 1) });
  const [stays = 0] = numbers;
  const lone = numbers.find((number) => number !== stays) ?? 0;
  const said = await reviewOf(course);
  expect(said.note).toContain(`(meeting ${lone})`);
  expect(said.told.map(({ event: of, does }) => [of, does])).toEqual([[event, 'change']]);
  const { job, items } = await runOf(server, alma, course);
  expect(job.note).toContain(`(meeting ${lone})`);
  expect(items.map(({ message }) => message)).toEqual(['Links updated to the current sections.']);
  expect([await numbersIn(event), await areThere(numbers)]).toEqual([[stays], [true, true]]);
});

test('OP-102 a former meeting that another text names is kept and announced, and is removed once no text names it', async () => {
  const course = campus.quietCourse().id;
  const [event = 0, other = 0] = (await campus.makeEvents(course, 2)).map(({ id }) => id);
  await change(alma, publishing({ course, events: [event] }));
  const [former = 0] = await numbersIn(event);
  const { location_address: link } = await campus.event(event);
  await campus.changeEvent(other, { description: `<p>Before: <a href="${link}">${link}</a></p>` });
  const input = publishing({ course, events: [event], owner: HOSTS.farid });
  const said = await previewOf(alma, input);
  expect(said).toMatchObject({ make: 1, removed: 0, former: [{ event: other, of: 'Session 1' }] });
  await change(alma, input);
  expect(await areThere([former])).toEqual([true]);
  await campus.writes();
  const still = await runOf(server, alma, course);
  expect([await areThere([former]), await campus.writes()]).toEqual([[true], []]);
  expect(still.job.outcome).toBe('done');
  expect((await previewOf(alma, input)).former).toEqual([]);
  await campus.changeEvent(other, { description: '' });
  const { meetings, told } = await reviewOf(course);
  const its = told.filter(({ event: of }) => of === event);
  expect([meetings.removed, its]).toMatchObject([1, [{ does: null, removes: [former] }]]);
  const { items } = await runOf(server, alma, course);
  expect(items.map((item) => [titleIn(item), item.message])).toContainEqual([
    'Session 1',
    'Old meeting removed.',
  ]);
  expect(await areThere([former, ...(await numbersIn(event))])).toEqual([false, true]);
});

test('ZR-05 OP-102 a former meeting that a text names until all events are done is reported with its event in review and result', async () => {
  const course = campus.quietCourse().id;
  const [event = 0, other = 0] = (await campus.makeEvents(course, 2)).map(({ id }) => id);
  await change(alma, publishing({ course, events: [event, other] }));
  const [former = 0] = await numbersIn(event);
  const { description } = await campus.event(other);
  const [own = 0] = await numbersIn(other);
  await campus.changeEvent(other, { description: description?.replaceAll(String(own), String(former)) });
  await change(alma, publishing({ course, events: [event], owner: HOSTS.farid }));
  expect(await areThere([former])).toEqual([true]);
  const { meetings, told } = await reviewOf(course);
  expect([meetings.removed, told.map(({ event: of, removes }) => [of, removes])]).toEqual([
    1,
    [
      [event, [former]],
      [other, []],
    ],
  ]);
  // Events are processed in parallel. The text that names the meeting is corrected once the other event is
  // done.
  const match = `/api/v1/calendar_events/${other}*`;
  const text = await hold(server.sandbox, { method: 'PUT', match });
  const run = await runStarted(server, alma, course);
  await text.reached();
  await expect
    .poll(async () => (await itemsOf(alma, run)).find((item) => titleIn(item) === 'Session 1')?.state)
    .toBe('done');
  await text.letGo();
  const job = await endOf(alma, run);
  const items = await itemsOf(alma, run);
  expect(items.find((item) => titleIn(item) === 'Session 1')?.message).toBe('Nothing to do.');
  expect(job.note).toMatch(
    new RegExp(
      `^1 meeting is no longer used and was removed in Zoom: meeting ${former} of “Session 1” \\(.*\\)\\.$`,
    ),
  );
  expect(job.figures).toContainEqual(['old meetings removed', 1]);
  expect(await areThere([former, own])).toEqual([false, true]);
});

test('OP-102 the preview counts the former meetings to be removed, not those that a text still names', async () => {
  const course = campus.quietCourse().id;
  const events = (await campus.makeEvents(course, 3)).map(({ id }) => id);
  const [first = 0, , other = 0] = events;
  await change(alma, publishing({ course, events: events.slice(0, 2) }));
  const former = await numbersIn(first);
  const { location_address: link } = await campus.event(first);
  await campus.changeEvent(other, { description: `<p>Before: <a href="${link}">${link}</a></p>` });
  const input = publishing({ course, events: events.slice(0, 2), owner: HOSTS.farid });
  const said = await previewOf(alma, input);
  expect([said.make, said.links.map(({ why }) => why), said.removed]).toEqual([2, ['host', 'host'], 1]);
  expect(said.former.map(({ event }) => event)).toEqual([other]);
  await change(alma, input);
  expect(await areThere(former)).toEqual([true]);
});
