/** The preview while an earlier change waits for the LMS, and for events that are already merged (OP-71, OP-102). */
import type { ZoomChange } from '@lms-admin/contract/zoom';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Browser } from '../support/browser.ts';
import { PEOPLE, startTestServer, type TestServer } from '../support/harness.ts';
import {
  cancelOf,
  change,
  endOf,
  HOSTS,
  itemsOf,
  numberIn,
  previewOf,
  publishing,
  startChange,
  until,
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
afterEach(() => campus.clearFaults());

const linkOf = async (id: number) => numberIn((await campus.event(id)).description);
const some = async (course: number, count: number) =>
  (await campus.makeEvents(course, count)).map(({ id }) => id) as [number, number, number];

test("OP-102 while the new link waits for the LMS, the preview says that students' link will change", async () => {
  const course = campus.quietCourse().id;
  const [event, child] = await some(course, 2);
  await change(alma, publishing({ course, events: [event] }));
  await change(alma, { change: 'merge', course, parent: event, events: [child] });
  const former = await linkOf(event);
  await campus.fault({
    method: 'PUT',
    match: '/api/v1/calendar_events/*',
    kind: 'status',
    status: 500,
    count: 50,
  });
  const input = publishing({ course, events: [event], owner: HOSTS.farid });
  const { data } = await (await startChange(alma, input)).json();
  await until(alma, data.id, ({ state }) => state === 'waiting');
  await cancelOf(alma, data.id);
  await endOf(alma, data.id);
  await campus.clearFaults();
  expect([await linkOf(event), (await campus.meeting(former)) !== null]).toEqual([former, true]);
  const said = await previewOf(alma, input);
  expect(said).toMatchObject({ make: 0, update: 0, unchanged: 0, texts: [], appear: 0, disappear: 0 });
  const host = { from: HOSTS.alma, to: HOSTS.farid, why: 'host', published: true };
  expect(said.links).toMatchObject([
    { event, ...host },
    { event: child, ...host },
  ]);
  await change(alma, input);
  const now = await linkOf(event);
  expect([now === former, await linkOf(child), await campus.meeting(former)]).toEqual([false, now, null]);
  expect(await previewOf(alma, input)).toMatchObject({ unchanged: 1, links: [], texts: [] });
});

test('OP-71 merging an event that is already merged counts as unchanged, in preview and result; its text is corrected', async () => {
  const course = campus.quietCourse().id;
  const [main, one, other] = await some(course, 3);
  await change(alma, publishing({ course, events: [main, one, other] }));
  const input: ZoomChange = { change: 'merge', course, parent: main, events: [one, other] };
  await change(alma, { ...input, events: [one] });
  expect(await previewOf(alma, input)).toMatchObject({
    events: 2,
    unchanged: 1,
    links: [{ event: other, why: 'merge' }],
  });
  await change(alma, input);
  expect(await previewOf(alma, input)).toMatchObject({ events: 2, unchanged: 2, links: [], texts: [] });
  const again = await change(alma, input);
  expect(again.figures).toEqual([
    ['events done', 0],
    ['events already correct', 2],
  ]);
  expect((await itemsOf(alma, again.id)).map(({ message }) => message)).toEqual([
    'Nothing to do.',
    'Nothing to do.',
  ]);
  await campus.changeEvent(one, { description: '' });
  expect((await previewOf(alma, input)).texts).toMatchObject([{ event: one, how: 'missing' }]);
});

test('OP-71 an event that is named by each of its sections is merged once', async () => {
  const course = campus.quietCourse().id;
  const [main] = await some(course, 1);
  await change(alma, publishing({ course, events: [main] }));
  const [first] = [...server.sandbox.world.sections.by.course.get(course)];
  const body = { course_section: { name: 'Evening' } };
  const made = await campus.api(`courses/${course}/sections`, { method: 'POST', body });
  const second = (await made.json()) as { id: number };
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const times = [first?.id ?? 0, second.id].map((id) => ({
    context_code: `course_section_${id}`,
    start_at: at(50),
    end_at: at(51),
  }));
  const event = await campus.makeEvent(course, { title: 'Tutorial', child_event_data: times });
  const sections = [...server.sandbox.world.calendarEvents.values()]
    .filter(({ parent_calendar_event_id: parent }) => parent === event.id)
    .map(({ id }) => id);
  expect(sections).toHaveLength(2);
  const said = await previewOf(alma, { change: 'merge', course, parent: main, events: sections });
  expect([said.events, said.links.map((one) => one.event), said.appear]).toEqual([2, sections, 2]);
});
